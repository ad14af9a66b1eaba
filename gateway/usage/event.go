// Package usage records each billable answer, and the audited lines of one, as an event, and sums the events of a month
// (contract §1).
package usage

import (
	"time"

	"assay.dev/contracts"
)

// Event is one billable answer or, where Lines is not 0, so many billable lines of one answer.
type Event struct {
	// ID is the gateway's own id of the request. Two events with one ID are the same answer.
	ID      string            `json:"id"`
	Tenant  string            `json:"tenant"`
	Product contracts.Product `json:"product"`
	// Route is the template of the path, such as /v1/abc/license/{license_number}.
	Route string `json:"route"`
	// RequestID is the X-Request-ID of the reply. A client may choose it, so it may occur twice.
	RequestID string    `json:"request_id"`
	At        time.Time `json:"at"`
	// Price is that of an answer at its moment; 0, in events of a version before, is the product's unit price.
	Price contracts.Price `json:"price_usd,omitempty"`
	// Lines are charged at LinePrice each, the price of the moment; 0 for an answer.
	Lines     int             `json:"lines,omitempty"`
	LinePrice contracts.Price `json:"line_price_usd,omitempty"`
	// Tested counts answers to test keys up to TestedAt, which cost nothing. Such an event has no At: who only knows
	// billable events finds it in no month.
	Tested   int       `json:"tested,omitempty"`
	TestedAt time.Time `json:"tested_at,omitzero"`

	sent time.Time // for the first time, by this process; zero before
}

// moment is when the event's answers were.
func (e *Event) moment() time.Time {
	if e.Tested > 0 {
		return e.TestedAt
	}
	return e.At
}
