// Package usage reports and sums billable answers (contract §1).
package usage

import (
	"time"

	"assay.dev/contracts"
)

// Event is one billable answer.
type Event struct {
	// ID is the gateway's own name for the request; two events of one ID are one answer.
	ID      string            `json:"id"`
	Tenant  string            `json:"tenant"`
	Product contracts.Product `json:"product"`
	// Route is the template of the path.
	Route string `json:"route"`
	// RequestID is what the client saw in X-Request-ID; clients choose it, so it may repeat.
	RequestID string    `json:"request_id"`
	At        time.Time `json:"at"`
}
