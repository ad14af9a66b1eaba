package api

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"time"

	"assay.dev/contracts"
	"assay.dev/gateway/answers"
	"assay.dev/gateway/kept"
	"assay.dev/gateway/portfolio"
)

// Confirming says what it costs to look licenses of a portfolio up whose status no copy prints.
type Confirming struct {
	Licenses  int             `json:"licenses" jsonschema:"Those whose status no copy prints."`
	ADay      int             `json:"a_day" jsonschema:"At most so many are looked up."`
	PriceADay contracts.Price `json:"price_a_day_usd" csv:"number" jsonschema:"At most; 0.00 for a test key."`
}

// NewConfirming is what looking licenses up costs.
func NewConfirming(env contracts.Environment, every kept.Confirm, all []portfolio.License) Confirming {
	all = slices.DeleteFunc(portfolio.Once(all), func(l portfolio.License) bool { return !l.State.PrintsNoStatus() })
	c := Confirming{Licenses: len(all), ADay: every.ADay(all)}
	if env == contracts.Live {
		c.PriceADay = contracts.Price(c.ADay) * contracts.ABC.UnitPrice()
	}
	return c
}

// confirm is how often a portfolio's licenses are looked up; empty for as it was.
var confirm = singleParam(Parameter{
	Name: "confirm", Description: "How often licenses are looked up whose status no copy prints (IL). Absent: as before.",
	Schema: enumSchema(kept.Confirms),
}, kept.Confirm(""), func(p *Parameter, text string) (kept.Confirm, error) {
	if c := kept.Confirm(text); slices.Contains(kept.Confirms, c) {
		return c, nil
	}
	return "", p.invalid("enum", "this is none of never, daily and weekly")
})

// confirmOf is what the request sets. Lookups are charged to keys: a tenant of the marketplace has none.
func (a *API) confirmOf(r *Request) (kept.Confirm, error) {
	every := confirm.of(r)
	if every.IsSet() && a.LimitOf(r.Environment, r.Tenant, contracts.ABC) == 0 {
		return "", confirm.invalid("no_key", "licenses are looked up for tenants with an API key of their own only: the "+
			"marketplace charges requests")
	}
	return every, nil
}

func keptPortfolio(r *Request, e kept.PortfolioEntry, all []portfolio.License, wrong []string) PortfolioKept {
	return PortfolioKept{e, append([]string{}, wrong...), NewConfirming(r.Environment, e.Confirm, all)}
}

// dryPortfolio is what a portfolio would be with some licenses.
func (a *API) dryPortfolio(ctx context.Context, r *Request, every kept.Confirm, all []portfolio.License,
	wrong []string) (Reply, error) {
	name := portfolioName.of(r)
	was, err := a.Portfolios.Confirms(ctx, r.owner(), name)
	e := kept.PortfolioEntry{Name: name, Licenses: len(all), UpdatedAt: time.Now().UTC().Truncate(time.Second),
		Confirm: cmp.Or(every, was)}
	return keptReply(keptPortfolio(r, e, all, wrong), err)
}

// Confirmable are the licenses of a portfolio that a lookup would tell more about than the copies do.
func (a *API) Confirmable(ctx context.Context, env contracts.Environment,
	all []portfolio.License) (left []portfolio.License, err error) {
	members, _, err := a.membersOf(ctx, env, "", all)
	for i, m := range members {
		if m.Verdict == contracts.Unverified && slices.Contains(m.Inferred, "status") {
			left = append(left, all[i])
		}
	}
	return left, err
}

// LookUp looks a license up as a request does, and tells whether that proves what it is, and whether the source was
// read for it: else somebody's lookup served. The answer is kept as any.
func (a *API) LookUp(ctx context.Context, env contracts.Environment, l portfolio.License,
	id string) (isProven, isRead bool, err error) {
	found, err := a.lookup(ctx, &Request{Environment: env, ID: id}, l.State, l.LicenseNumber)
	if err != nil {
		return false, true, err
	}
	var judged contracts.Judgement
	err = json.Unmarshal(found.Body, &judged)
	return judged.Verdict != contracts.Unverified, found.Tier == answers.Worker && !found.Collapsed, err
}
