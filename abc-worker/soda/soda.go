// Package soda asks Socrata's open-data services by SODA 2.1 (https://dev.socrata.com/docs/endpoints.html), and writes the
// conditions they are asked with.
package soda

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"assay.dev/platform/clock"
	"assay.dev/platform/scrape"
)

const (
	// MaxRows bounds the rows of one answer.
	MaxRows = 1000
	// pause is how long to wait where the service asks for patience without saying how much.
	pause = time.Second
	// patience is how often it is asked again.
	patience = 4
)

// Client asks one service after another. The zero Token is none: the services answer anonymously, more slowly when many ask.
type Client struct {
	Fetcher *scrape.Fetcher
	Token   string
}

// Query is what is asked of a table; without Where, all rows. Order makes the answer the same each time. Limit is at most
// MaxRows, which it is when it is 0.
type Query struct {
	Where, Order string
	Limit        int
}

// Answer is the rows that match.
type Answer struct {
	Rows []Row
	// URL is the query as a person can repeat it. It holds no token.
	URL    string
	ReadAt time.Time
}

// Full tells whether there may be more rows than were asked for. A service that gave more than that ignored the limit and
// gave all.
func (a Answer) Full(q Query) bool { return len(a.Rows) == q.limit() }

func (q Query) limit() int {
	if q.Limit <= 0 || q.Limit > MaxRows {
		return MaxRows
	}
	return q.Limit
}

// Ask gets rows of a resource, https://host/resource/xxxx-xxxx.json. The error is a *[scrape.Failure]; it wraps a *[Refusal]
// when the service said why.
func (c Client) Ask(ctx context.Context, resource string, q Query) (Answer, error) {
	address := URL(resource, "$where", q.Where, "$order", q.Order, "$limit", strconv.Itoa(q.limit()))
	page, err := c.fetch(ctx, address)
	if err != nil {
		return Answer{URL: address}, err
	}
	rows, err := decode(page.Body)
	return Answer{Rows: rows, URL: address, ReadAt: page.ReadAt}, err
}

// Count is how many rows match.
func (c Client) Count(ctx context.Context, resource, where string) (int, error) {
	page, err := c.fetch(ctx, URL(resource, "$select", "count(*) as matches", "$where", where, "$limit", "1"))
	if err != nil {
		return 0, err
	}
	rows, err := decode(page.Body)
	if err != nil {
		return 0, err
	}
	if len(rows) == 1 {
		if n, err := strconv.Atoi(rows[0]["matches"]); err == nil && n >= 0 {
			return n, nil
		}
	}
	return 0, scrape.Failf(scrape.Changed, "the answer to a count is no number")
}

// URL is a resource with parameters, given as names and values; those without a value are left out. The '$' in a name stays as it is, which url.Values would not
// let it.
func URL(resource string, parameters ...string) string {
	var b strings.Builder
	b.WriteString(resource)
	separator := "?"
	for i := 0; i < len(parameters); i += 2 {
		if parameters[i+1] != "" {
			b.WriteString(separator + parameters[i] + "=" + strings.ReplaceAll(url.QueryEscape(parameters[i+1]), "+", "%20"))
			separator = "&"
		}
	}
	return b.String()
}

// fetch asks again where the service wants patience: 202 means that it is still at it, 429 that others are before us.
func (c Client) fetch(ctx context.Context, address string) (*scrape.Page, error) {
	request := scrape.Request{URL: address, Header: http.Header{"Accept": {"application/json"}}}
	if c.Token != "" {
		request.Header.Set("X-App-Token", c.Token)
	}
	for attempt := 1; ; attempt++ {
		page, err := c.Fetcher.Fetch(ctx, request)
		if err == nil && page.Status == http.StatusOK {
			return page, nil
		}
		if err == nil {
			err = scrape.Failf(scrape.Throttled, "the service answers %d: not ready yet", page.Status)
		}
		if scrape.KindOf(err) != scrape.Throttled || attempt > patience {
			return nil, explain(err)
		}
		if clock.Sleep(ctx, time.Duration(attempt)*pause) != nil {
			return nil, explain(err)
		}
	}
}

// Refusal is the service's own reason.
type Refusal struct{ Code, Message string }

func (r *Refusal) Error() string { return fmt.Sprintf("%s: %q", r.Code, r.Message) }

// explain adds the reason that the service gave to the failure of a fetch.
func explain(err error) error {
	var f *scrape.Failure
	if !errors.As(err, &f) || f.Page == nil {
		return err
	}
	refusal := refusalIn(f.Page.Body)
	if refusal == nil {
		return err
	}
	explained := scrape.Failf(f.Kind, "the service answers %d: %w", f.Page.Status, refusal)
	explained.RetryAfter = f.RetryAfter
	return explained
}
