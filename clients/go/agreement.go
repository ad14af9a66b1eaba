package client

import (
	"context"
	"net/url"
	"time"

	"assay.dev/contracts"
)

// Term is what you agreed with a carrier for some days (contract §4.14). Percents, prices and amounts are decimal
// texts; empty members are not given.
type Term struct {
	Carrier        contracts.Carrier `json:"carrier"`
	From           contracts.Date    `json:"from"`
	To             contracts.Date    `json:"to,omitempty"`
	Basis          string            `json:"basis"`
	AsOf           contracts.Date    `json:"as_of,omitempty"`
	Brackets       []AgreedBracket   `json:"brackets,omitempty"`
	Peg            *Peg              `json:"peg,omitempty"`
	Multiplier     string            `json:"multiplier,omitempty"`
	DiscountPoints string            `json:"discount_points,omitempty"`
	FloorPct       string            `json:"floor_pct,omitempty"`
	CapPct         string            `json:"cap_pct,omitempty"`
	MinAmount      string            `json:"min_amount,omitempty"`
	Decimals       *int              `json:"decimals,omitempty"`
	LagWeeks       int               `json:"lag_weeks,omitempty"`
	DateBasis      string            `json:"date_basis,omitempty"`
}

// AgreedBracket is a percent while diesel costs at least FromUSD and less than ToUSD, which the last one may leave out.
type AgreedBracket struct {
	FromUSD string `json:"from_usd"`
	ToUSD   string `json:"to_usd,omitempty"`
	Percent string `json:"pct"`
}

// Peg is a percent at a price, and the points of each step of the price.
type Peg struct {
	BaseUSD string `json:"base_usd"`
	BasePct string `json:"base_pct"`
	StepUSD string `json:"step_usd"`
	StepPct string `json:"step_pct"`
}

// Contract is a contract that is kept, for [AuditOptions.Contract].
type Contract struct {
	Name      string    `json:"name"`
	Terms     []Term    `json:"terms"`
	UpdatedAt time.Time `json:"updated_at"`
}

// Contracts are those that are kept.
type Contracts struct {
	Contracts []struct {
		Name      string    `json:"name"`
		Terms     int       `json:"terms"`
		UpdatedAt time.Time `json:"updated_at"`
	} `json:"contracts"`
}

const contractsPath = "/v1/ltl/contracts"

// Contracts lists the contracts that you keep.
func (c *Client) Contracts(ctx context.Context) (*Answer[Contracts], error) {
	return ask[Contracts](ctx, c, get(contractsPath, nil))
}

// Contract is the contract of a name.
func (c *Client) Contract(ctx context.Context, name string) (*Answer[Contract], error) {
	return ask[Contract](ctx, c, get(contractsPath+"/"+url.PathEscape(name), nil))
}

// PutContract keeps terms under a name, in place of those that were there.
func (c *Client) PutContract(ctx context.Context, name string, terms []Term) (*Answer[Contract], error) {
	return put[Contract](ctx, c, contractsPath+"/"+url.PathEscape(name), map[string]any{"terms": terms})
}

// DeleteContract deletes a contract.
func (c *Client) DeleteContract(ctx context.Context, name string) error {
	return c.remove(ctx, contractsPath+"/"+url.PathEscape(name))
}
