// Package webhook is what the gateway and the courier share: an endpoint of a tenant's webhooks as it is kept, the seal
// of its secrets, and the addresses that may be one.
package webhook

import (
	"net"
	"net/url"
	"strings"
	"time"

	"assay.dev/contracts"
	"assay.dev/platform/feed"
	"assay.dev/platform/publicnet"
)

const (
	// MaxRetries is how many deliveries of an endpoint may wait to be tried again. With as many, it gets nothing new.
	MaxRetries = 100
	// MaxByHand is how many tests and repetitions that a person asked for may wait.
	MaxByHand = 10
	// MaxURL bounds an address, in bytes.
	MaxURL = 2000
)

// Endpoint is an endpoint as it is kept in [contracts.EndpointsBucket]. The gateway changes what the tenant says of it,
// the courier what came of it; each reads it anew and puts it back by compare-and-set.
type Endpoint struct {
	ID        string                 `json:"id"`
	URL       string                 `json:"url"`
	Types     []contracts.ChangeType `json:"types,omitempty"` // none are all
	Portfolio string                 `json:"portfolio,omitempty"`
	// Products are those of the key that made the endpoint.
	Products  []contracts.Product `json:"products"`
	Secrets   []Sealed            `json:"secrets"`
	CreatedAt time.Time           `json:"created_at"`
	Paused    bool                `json:"paused,omitempty"`
	// Disabled is why the courier gave the endpoint up; empty where it did not.
	Disabled string `json:"disabled,omitempty"`
	// Keyless says that no key of the tenant is good for any of the products: nothing is delivered until one is.
	Keyless bool `json:"keyless,omitempty"`
	// Cursor is behind the last change that was delivered or is among Retries.
	Cursor feed.Cursor `json:"cursor"`
	// Retries are to be tried again, ByHand are what a person asked for.
	Retries []Retry `json:"retries,omitempty"`
	ByHand  []Retry `json:"by_hand,omitempty"`
	// FailingSince is when the first of the attempts failed that all failed since.
	FailingSince *time.Time `json:"failing_since,omitempty"`
}

// Retry is a delivery that is due again.
type Retry struct {
	Event string `json:"event"`
	// Sequence is the event's in the stream of changes; 0 of a test.
	Sequence uint64 `json:"sequence,omitempty"`
	// Attempts is how many failed.
	Attempts int       `json:"attempts,omitempty"`
	Due      time.Time `json:"due"`
	// Since is when the first one failed; zero before.
	Since time.Time `json:"since,omitzero"`
}

// Sealed is one of an endpoint's secrets. The newest one stands first.
type Sealed struct {
	Box []byte `json:"box"`
	// Until is when one that was replaced ends; nil for the newest.
	Until *time.Time `json:"until,omitempty"`
}

// Takes tells whether changes are delivered at all.
func (e *Endpoint) Takes() bool { return !e.Paused && e.Disabled == "" }

// TryAgain has all that failed tried again at once. What failed more often than most begins anew.
func (e *Endpoint) TryAgain(now time.Time, most int) {
	for i := range e.Retries {
		r := &e.Retries[i]
		if r.Due = now.UTC(); r.Attempts > most {
			r.Attempts = 0
		}
	}
}

// EndpointStatus is how an endpoint stands.
type EndpointStatus string

// Statuses are those of endpoints. One that is failing was not reached the last time.
var Statuses = []EndpointStatus{"active", "failing", "paused", "disabled"}

// Status tells how the endpoint stands.
func (e *Endpoint) Status() EndpointStatus {
	switch {
	case e.Reason() != "":
		return "disabled"
	case e.Paused:
		return "paused"
	case e.FailingSince != nil:
		return "failing"
	}
	return "active"
}

// Reason is why nothing is delivered; empty where it is, or paused.
func (e *Endpoint) Reason() string {
	if e.Disabled == "" && e.Keyless {
		return "no key for its products is good any more; with a new one it goes on by itself"
	}
	return e.Disabled
}

// DeliveryAttempt is what became of an attempt to deliver.
type DeliveryAttempt struct {
	EventID      string               `json:"event_id"`
	Type         contracts.ChangeType `json:"type"`
	At           time.Time            `json:"at" jsonschema:"When the attempt began, UTC."`
	Attempt      int                  `json:"attempt" jsonschema:"The first one is 1."`
	ByHand       bool                 `json:"by_hand" jsonschema:"A test or a repetition that was asked for: one attempt."`
	Status       int                  `json:"status" jsonschema:"The status of the reply; 0 where there was none."`
	Error        string               `json:"error" jsonschema:"Why it failed, in words; empty where it did not."`
	Reply        string               `json:"reply" jsonschema:"The first KB of the reply."`
	Milliseconds int64                `json:"milliseconds"`
	NextAt       *time.Time           `json:"next_at" jsonschema:"When the next attempt is due, UTC; null for none."`
}

// Noted is a delivery as [contracts.DeliveriesStream] keeps it, with the sequence of the event among the changes, 0 of
// a test.
type Noted struct {
	DeliveryAttempt
	Sequence uint64 `json:"sequence,omitempty"`
}

// CheckURL says what is wrong with an address; empty for nothing. It knows the address as it is written only: what the
// name leads to is checked at each connection.
func CheckURL(text string, loopback bool) string {
	u, err := url.Parse(text)
	switch {
	case err != nil || u.Host == "" || len(text) > MaxURL:
		return "this is no URL such as https://example.com/hook of at most 2,000 characters"
	case u.User != nil || u.Fragment != "":
		return "a URL has neither a user nor a fragment here; the signature proves who sends"
	case loopback && (u.Scheme == "http" || u.Scheme == "https") && isLoopback(u.Hostname()):
		return ""
	case u.Scheme != "https" || u.Port() != "" && u.Port() != "443":
		return "only https on port 443 is called"
	case !publicnet.Host(u.Hostname()):
		return "this host is none of the public internet"
	}
	return ""
}

func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback() || strings.EqualFold(host, "localhost")
}
