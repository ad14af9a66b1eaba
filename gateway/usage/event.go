// Package usage reports and sums billable answers and audited lines (contract §1).
package usage

import (
	"time"

	"assay.dev/contracts"
)

// Event is one billable answer or, where Lines is not 0, so many billable lines of one answer.
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
	// Lines are charged at LinePrice each, the price of the moment; 0 for an answer at the product's unit price.
	Lines     int             `json:"lines,omitempty"`
	LinePrice contracts.Price `json:"line_price_usd,omitempty"`
}
