package api

import (
	"cmp"
	"context"
	"slices"
	"time"

	"assay.dev/contracts"
	"assay.dev/gateway/deliveries"
	"assay.dev/gateway/portfolio"
	"assay.dev/gateway/spreadsheet"
)

// Stops is the body of the licenses of a portfolio that are not to be delivered to without a look.
type Stops struct {
	Name     string                            `json:"name"`
	On       contracts.Date                    `json:"on" jsonschema:"The day of the deliveries; null while it is not the same in all states."`
	Beverage contracts.Beverage                `json:"beverage,omitempty" jsonschema:"Absent for the strictest of all."`
	Verdicts map[contracts.DeliveryVerdict]int `json:"verdicts" csv:"-" jsonschema:"How many licenses of the portfolio have each verdict."`
	Stops    []StoppedDelivery                 `json:"stops" jsonschema:"All that are not DELIVER: STOP first, then UNVERIFIED, then CASH_ONLY."`
	Editions []contracts.RegisterEdition       `json:"editions" csv:"-" jsonschema:"The copies of the registers that were looked in, with their proof."`
}

// StoppedDelivery is a license with the verdict on a delivery to its holder.
type StoppedDelivery struct {
	State         contracts.State `json:"state"`
	Label         string          `json:"label"`
	LicenseNumber string          `json:"license_number"`
	deliveries.Holder
	contracts.Delivery
}

// stopsEndpoint is the morning file (contract §4.19).
var stopsEndpoint = &Endpoint{
	Path: "/v1/abc/portfolios/{name}/stops", ID: "listStops",
	Summary: "Whom not to deliver to today",
	Description: "The licenses of a portfolio that are not DELIVER, STOP first, with the reasons: the license itself, a " +
		"delinquent list that you put here, a law, or that something was not read. Without `beverage` the strictest of the " +
		"three verdicts holds. No source is read, and it costs nothing.",
	Parameters: []*Parameter{portfolioName.Parameter, deliveryBeverage.Parameter, deliveryOn.Parameter},
	Failures:   []*Failure{NoPortfolio}, Bodies: bodyType[Stops](), Answer: listStops,
	Table: spreadsheet.New[Stops]("stops"), IsLarge: true,
}

func listStops(ctx context.Context, a *API, r *Request) (Reply, error) {
	p, err := a.Portfolios.Get(ctx, r.owner(), portfolioName.of(r))
	if err != nil {
		return Reply{}, err
	}
	on, err := r.deliveryDay(portfolio.StatesOf(p.Licenses)...)
	if err != nil {
		return Reply{}, err
	}
	beverage := deliveryBeverage.of(r)
	members, editions, err := a.membersOf(ctx, r.Environment, on, p.Licenses)
	if err != nil {
		return Reply{}, err
	}
	judge, err := a.judgeDeliveries(ctx, r, p.Licenses)
	if err != nil {
		return Reply{}, err
	}
	body := Stops{Name: p.Name, On: cmp.Or(on, sameToday(p.Licenses, time.Now())), Beverage: beverage,
		Verdicts: noDeliveries(), Stops: []StoppedDelivery{}, Editions: editions}
	for _, m := range members {
		d := judge(m, on, beverage, nil)
		if body.Verdicts[d.Verdict]++; d.Verdict != contracts.Deliver {
			body.Stops = append(body.Stops, StoppedDelivery{m.State, m.Label, m.LicenseNumber, d.Holder, d.Delivery})
		}
	}
	rank := func(d StoppedDelivery) int { return slices.Index(contracts.DeliveryVerdicts, d.Verdict) }
	slices.SortStableFunc(body.Stops, func(x, y StoppedDelivery) int { return rank(x) - rank(y) })
	return keptReply(body, nil)
}

// sameToday is today's date in all states of the licenses; empty while they have two.
func sameToday(all []portfolio.License, now time.Time) contracts.Date {
	if days := portfolio.DaysOf(all, now); len(days) == 1 {
		return days[0]
	}
	return ""
}

// noDeliveries counts none of each verdict.
func noDeliveries() map[contracts.DeliveryVerdict]int {
	counts := map[contracts.DeliveryVerdict]int{}
	for _, v := range contracts.DeliveryVerdicts {
		counts[v] = 0
	}
	return counts
}
