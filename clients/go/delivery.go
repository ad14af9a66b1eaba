package client

import (
	"context"
	"time"

	"assay.dev/contracts"
)

// DeliveryQuery names a delivery to the holder of a license (contract §4.20). What is empty is not said.
type DeliveryQuery struct {
	State         contracts.State    `json:"state"`
	LicenseNumber string             `json:"license_number"`
	Beverage      contracts.Beverage `json:"beverage,omitempty"`
	On            contracts.Date     `json:"on,omitempty"`
	// OrderedAt is a time as RFC 3339 has it, or a date, which stands for its end in the state.
	OrderedAt string `json:"ordered_at,omitempty"`
}

// DeliveryLine is a delivery of a list. The id is your own.
type DeliveryLine struct {
	ID string `json:"id"`
	DeliveryQuery
}

// Deliveries are the verdicts on a list of deliveries, in their order.
type Deliveries struct {
	Results []DeliveryResult `json:"results"`
	Totals  DeliveryTotals   `json:"totals"`
}

// DeliveryResult is what became of a delivery; the verdict is INVALID where the line cannot be read.
type DeliveryResult struct {
	ID            string             `json:"id"`    // of a line
	Label         string             `json:"label"` // of a license of a portfolio
	State         contracts.State    `json:"state"`
	LicenseNumber string             `json:"license_number"`
	On            contracts.Date     `json:"on"`
	Beverage      contracts.Beverage `json:"beverage"`
	DBAName       string             `json:"dba_name"`
	OwnerName     string             `json:"owner_name"`
	City          string             `json:"city"`
	Status        *contracts.Status  `json:"status"`
	ReadAt        *time.Time         `json:"read_at"`
	LookedUpAt    *time.Time         `json:"looked_up_at"`
	contracts.Delivery
	Errors []string `json:"errors"`
}

// DeliveryTotals sum the results, and name the copies of the registers that were looked in.
type DeliveryTotals struct {
	Lines    int                               `json:"lines"`
	Verdicts map[contracts.DeliveryVerdict]int `json:"verdicts"`
	Editions []contracts.RegisterEdition       `json:"editions"`
}

const deliveryPath = "/v1/abc/delivery"

// Delivery says whether to deliver to the holder of a license. Its failures are those of a lookup.
func (c *Client) Delivery(ctx context.Context, q DeliveryQuery) (*Answer[contracts.CheckedDelivery], error) {
	return ask[contracts.CheckedDelivery](ctx, c,
		get(deliveryPath, values("state", string(q.State), "license_number", q.LicenseNumber,
			"beverage", string(q.Beverage), "on", string(q.On), "ordered_at", q.OrderedAt)))
}

// Deliveries judges a list of deliveries by the copies of the registers. The same list is charged once within 24 hours.
func (c *Client) Deliveries(ctx context.Context, all []DeliveryLine) (*Answer[Deliveries], error) {
	return askLines(ctx, c, deliveryPath, all, func(d Deliveries) int { return len(d.Results) })
}
