package client

import (
	"context"
	"strconv"
	"strings"

	"assay.dev/contracts"
)

// ChangesQuery says which changes are asked for. Without Since there are none, and the body's Cursor is where to begin.
type ChangesQuery struct {
	Since    string
	Products []contracts.Product
	Sources  []string
	Types    []contracts.ChangeType
	// Portfolio is one of yours: the changes of its licenses, and source.* of their states.
	Portfolio string
	// Limit is how many the answer holds at most; 0 is the API's default of 100.
	Limit int
	// Wait is how many seconds the request waits for a change while there is none, at most 60.
	Wait int
}

// Changes asks for what changed since a cursor (contract §4.15).
func (c *Client) Changes(ctx context.Context, q ChangesQuery) (*Answer[contracts.Changes], error) {
	query := values("since", q.Since, "portfolio", q.Portfolio,
		"product", strings.Join(contracts.Texts(q.Products), ","), "source", strings.Join(q.Sources, ","),
		"type", strings.Join(contracts.Texts(q.Types), ","))
	for name, n := range map[string]int{"limit": q.Limit, "wait": q.Wait} {
		if n != 0 {
			query.Set(name, strconv.Itoa(n))
		}
	}
	return ask[contracts.Changes](ctx, c, get("/v1/changes", query))
}
