// Package courier delivers what changed to the webhooks of tenants. An endpoint is a place in the stream of changes,
// with what is to be tried again, in one key of [contracts.EndpointsBucket]. One courier works; the others stand by and
// take over within 5 s of its death. What was delivered and not yet noted by then is delivered again, with the same id.
package courier

import (
	"time"

	"assay.dev/platform/daemon"
	"assay.dev/platform/webhook"
)

// Webhooks is the name under which the settings of package webhook are embedded.
type Webhooks = webhook.Config

// Config holds the settings of a courier.
type Config struct {
	daemon.Config
	Webhooks

	// OwnPorts are the ports of this deployment on this machine, which no webhook reaches.
	OwnPorts []string `env:"-"`
	// Schedule is how long after each attempt that failed the next one follows; nil is the one that is promised.
	Schedule []time.Duration `env:"-"`
}

// schedule is promised (contract §4.21).
var schedule = []time.Duration{
	5 * time.Second, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour, 5 * time.Hour, 10 * time.Hour, 14 * time.Hour,
	20 * time.Hour, 24 * time.Hour,
}

const (
	// disableAfter is for how long all attempts fail before an endpoint is given up.
	disableAfter = 5 * 24 * time.Hour
	// longFailing is for how long all attempts fail before the first one that succeeds has the others tried again at once.
	// A change that fails alone is not tried again at each success.
	longFailing = time.Hour
	// maxInFlight is how many requests are under way at once, maxOfTenant those to the endpoints of one tenant.
	maxInFlight = 64
	maxOfTenant = 8
	// saveEvery is the least time between two saves of a place while deliveries succeed.
	saveEvery = time.Second
	// pageSize is how many changes an endpoint is read at once.
	pageSize = 32
)
