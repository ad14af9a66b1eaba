package courier

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"assay.dev/contracts"
	"assay.dev/platform/feed"
	"assay.dev/platform/kv"
	"assay.dev/platform/webhook"
)

const (
	// portfolioPause lies between two looks at a portfolio. Changes wait for the next look, so that a license that is
	// in the portfolio misses none.
	portfolioPause = 2 * time.Second
	// portfolioGone is how long a portfolio must be missing to count as deleted, not as being replaced.
	portfolioGone = 10 * time.Second
)

// portfolio is what an endpoint's portfolio held when it was looked up, and the newest change then.
type portfolio struct {
	licenses feed.Licenses
	lookedUp time.Time
	newest   feed.Cursor
}

// lookUp has the endpoint know what is in its portfolio, for the changes up to the newest one, or says when to come
// again for that.
func (c *courier) lookUp(ctx context.Context, e *endpoint, name string, newest feed.Cursor) (later time.Time, err error) {
	at := e.lookedUp.Add(portfolioPause)
	switch {
	case newest == e.newest:
		return later, nil
	case at.After(time.Now()):
		return at, nil
	}
	stored, err := kv.GetParts(ctx, c.portfolios, e.owner+"."+name)
	if err == nil && stored == nil {
		err = errors.New("the portfolio is gone")
		if !e.failing.IsZero() && time.Since(e.failing) >= portfolioGone {
			err = c.save(ctx, e, func(stored *webhook.Endpoint) { stored.Disabled = "its portfolio is gone" })
			return time.Now(), err
		}
	}
	if err != nil {
		return later, err
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
		return later, err
	}
	e.portfolio = portfolio{make(feed.Licenses, len(kept.Licenses)), time.Now(), newest}
	for _, l := range kept.Licenses {
		e.licenses.Add(l.State, l.LicenseNumber)
	}
	return later, nil
}
