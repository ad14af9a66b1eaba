package courier

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"assay.dev/contracts"
	"assay.dev/platform/feed"
	"assay.dev/platform/kv"
)

// portfolioLife is for how long what a portfolio holds is not looked up again.
const portfolioLife = 5 * time.Second

var errNoPortfolio = errors.New("the portfolio is gone")

// portfolio is what an endpoint's portfolio held when it was looked up.
type portfolio struct {
	licenses feed.Licenses
	lookedUp time.Time
}

// licenses are those of the endpoint's portfolio, as [feed.Filter] has them.
func (c *courier) licenses(ctx context.Context, e *endpoint, name string) (feed.Licenses, error) {
	if time.Since(e.lookedUp) < portfolioLife {
		return e.licenses, nil
	}
	stored, err := kv.GetParts(ctx, c.portfolios, e.owner+"."+name)
	if err == nil && stored == nil {
		err = errNoPortfolio
	}
	if err != nil {
		return nil, err
	}
	var kept struct {
		Licenses []struct {
			State         contracts.State `json:"state"`
			LicenseNumber string          `json:"license_number"`
		} `json:"licenses"`
	}
	doc, err := kv.Expand(stored)
	if err == nil {
		err = json.Unmarshal(doc, &kept)
	}
	if err != nil {
		return nil, err
	}
	e.portfolio = portfolio{make(feed.Licenses, len(kept.Licenses)), time.Now()}
	for _, l := range kept.Licenses {
		e.licenses.Add(l.State, l.LicenseNumber)
	}
	return e.licenses, nil
}
