package client

import (
	"context"
	"net/http"
	"net/url"
	"time"

	"assay.dev/contracts"
)

// PortfolioLicense is a license of a portfolio (contract §4.18). Label is your own word for it, of 40 characters at
// most.
type PortfolioLicense struct {
	State         contracts.State `json:"state"`
	LicenseNumber string          `json:"license_number"`
	Label         string          `json:"label,omitempty"`
}

// PortfolioKept says what became of a portfolio that was put. Errors tell of the licenses that are left out.
type PortfolioKept struct {
	PortfolioEntry
	Errors     []string   `json:"errors"`
	Confirming Confirming `json:"confirming"`
}

// Confirming is the cost of looking up Licenses without a printed status: ADay lookups a day at most, for PriceADay.
type Confirming struct {
	Licenses  int             `json:"licenses"`
	ADay      int             `json:"a_day"`
	PriceADay contracts.Price `json:"price_a_day_usd"`
}

// PortfolioEntry is a portfolio without its licenses.
type PortfolioEntry struct {
	Name      string    `json:"name"`
	Licenses  int       `json:"licenses"`
	UpdatedAt time.Time `json:"updated_at"`
	// Confirm is how often licenses are looked up whose status no copy prints: never, daily or weekly.
	Confirm string `json:"confirm"`
}

// Portfolios are those that are kept.
type Portfolios struct {
	Portfolios []PortfolioEntry `json:"portfolios"`
}

// Portfolio has the licenses of a portfolio, with what the copies of the registers tell today.
type Portfolio struct {
	Name      string                           `json:"name"`
	UpdatedAt time.Time                        `json:"updated_at"`
	Confirm   string                           `json:"confirm"`
	Costs     Confirming                       `json:"confirming"`
	Verdicts  map[contracts.LicenseVerdict]int `json:"verdicts"`
	Licenses  []PortfolioMember                `json:"licenses"`
	Editions  []contracts.RegisterEdition      `json:"editions"`
}

// PortfolioMember is a license with today's verdict. ReadAt names the edition that it is of.
type PortfolioMember struct {
	State contracts.State `json:"state"`
	Label string          `json:"label"`
	contracts.Member
	ReadAt   *time.Time                `json:"read_at"`
	Delivery contracts.DeliveryVerdict `json:"delivery"`
}

// Stops are the licenses of a portfolio that are not DELIVER (contract §4.19), STOP first.
type Stops struct {
	Name     string                            `json:"name"`
	On       contracts.Date                    `json:"on"`
	Beverage contracts.Beverage                `json:"beverage"`
	Verdicts map[contracts.DeliveryVerdict]int `json:"verdicts"`
	Stops    []DeliveryResult                  `json:"stops"`
	Editions []contracts.RegisterEdition       `json:"editions"`
}

const portfoliosPath = "/v1/abc/portfolios"

// Portfolios lists the portfolios that you keep.
func (c *Client) Portfolios(ctx context.Context) (*Answer[Portfolios], error) {
	return ask[Portfolios](ctx, c, get(portfoliosPath, nil))
}

// Portfolio is the portfolio of a name.
func (c *Client) Portfolio(ctx context.Context, name string) (*Answer[Portfolio], error) {
	return ask[Portfolio](ctx, c, get(portfoliosPath+"/"+url.PathEscape(name), nil))
}

// Stops says whom of a portfolio not to deliver to. An empty beverage asks for the strictest verdict, an empty day for
// today's. No source is read, and it is free.
func (c *Client) Stops(ctx context.Context, name string, beverage contracts.Beverage,
	on contracts.Date) (*Answer[Stops], error) {
	return ask[Stops](ctx, c, get(portfoliosPath+"/"+url.PathEscape(name)+"/stops",
		values("beverage", string(beverage), "on", string(on))))
}

// PutPortfolio keeps licenses under a name, in place of those that were there.
func (c *Client) PutPortfolio(ctx context.Context, name string,
	licenses []PortfolioLicense) (*Answer[PortfolioKept], error) {
	return put[PortfolioKept](ctx, c, portfoliosPath+"/"+url.PathEscape(name), map[string]any{"licenses": licenses})
}

// ChangePortfolio adds licenses to a portfolio, also one of another customer with another label, and removes others:
// all of it or nothing.
func (c *Client) ChangePortfolio(ctx context.Context, name string, add,
	remove []PortfolioLicense) (*Answer[PortfolioKept], error) {
	return send[PortfolioKept](ctx, c, http.MethodPatch, portfoliosPath+"/"+url.PathEscape(name),
		map[string]any{"add": add, "remove": remove})
}

// ConfirmPortfolio says how often licenses are looked up whose status no copy prints: never, daily or weekly. With dry
// nothing is changed, and the answer tells what it would cost.
func (c *Client) ConfirmPortfolio(ctx context.Context, name, every string, dry bool) (*Answer[PortfolioKept], error) {
	query := url.Values{"confirm": {every}}
	if dry {
		query.Set("dry_run", "true")
	}
	return send[PortfolioKept](ctx, c, http.MethodPatch,
		portfoliosPath+"/"+url.PathEscape(name)+"?"+query.Encode(), struct{}{})
}

// DeletePortfolio deletes a portfolio.
func (c *Client) DeletePortfolio(ctx context.Context, name string) error {
	return c.remove(ctx, portfoliosPath+"/"+url.PathEscape(name))
}
