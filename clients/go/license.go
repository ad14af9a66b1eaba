package client

import (
	"context"
	"fmt"
	"iter"
	"net/url"
	"strconv"

	"assay.dev/contracts"
)

// States lists the states and what each register can prove (contract §4.7).
func (c *Client) States(ctx context.Context) (*Answer[contracts.StateListings], error) {
	return ask[contracts.StateListings](ctx, c, get("/v1/abc/states", nil))
}

// License looks one license up (contract §4.6). An *[Error] that [Error.IsProofOfAbsence] means that it
// is proven not to exist.
func (c *Client) License(ctx context.Context, state contracts.State,
	number string) (*Answer[contracts.License], error) {
	return askData[contracts.License](ctx, c,
		get("/v1/abc/license/"+url.PathEscape(number), values("state", string(state))))
}

// Query is a search for licenses of a state. At least one filter is needed.
type Query struct {
	State contracts.State
	contracts.Query
	// Limit is how many results a page holds at most; 0 is the API's default of 100.
	Limit int
	// Cursor is the NextCursor of the page before; "" asks for the first page.
	Cursor string
}

// Search asks for one page of a search (contract §4.5).
func (c *Client) Search(ctx context.Context, q Query) (*Answer[contracts.Search], error) {
	query := values("state", string(q.State), "dba_name", q.DBAName, "owner_name", q.OwnerName, "address", q.Address,
		"cursor", q.Cursor)
	if q.Limit != 0 {
		query.Set("limit", strconv.Itoa(q.Limit))
	}
	return askData[contracts.Search](ctx, c, get("/v1/abc/search", query))
}

// SearchPages are the pages of a search, from the query's cursor on, until the last one or the first error. Each page
// is an answer of its own, and a charge.
func (c *Client) SearchPages(ctx context.Context, q Query) iter.Seq2[*Answer[contracts.Search], error] {
	return func(yield func(*Answer[contracts.Search], error) bool) {
		for {
			page, err := c.Search(ctx, q)
			if !yield(page, err) || err != nil || page.Body.NextCursor == nil {
				return
			}
			if *page.Body.NextCursor == q.Cursor {
				yield(nil, fmt.Errorf("the page after the cursor %q is that page itself", contracts.Printable(q.Cursor)))
				return
			}
			q.Cursor = *page.Body.NextCursor
		}
	}
}
