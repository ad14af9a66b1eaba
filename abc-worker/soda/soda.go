// Package soda asks Socrata's open-data services by SODA 2.1 (https://dev.socrata.com/docs/endpoints.html), and
// writes the conditions of its queries.
package soda

import (
	"context"
	"encoding/json"
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
	// retryPause is how long to wait before the first retry, when the service is not ready. The second retry waits
	// twice as long, and so on.
	retryPause = time.Second
	// maxRetries is how often a service that is not ready is asked again.
	maxRetries = 4
)

// Client asks the services. An empty Token means none: a service answers without one too, but more slowly when many
// ask.
type Client struct {
	Fetcher *scrape.Fetcher
	Token   string
}

// Query is what is asked of a table. An empty Where means all rows. Order is the column to sort by, so that the
// same rows come each time. Limit is at most MaxRows; 0 means MaxRows.
type Query struct {
	Where, Order string
	Limit        int
}

// Answer is the rows that match.
type Answer struct {
	Rows []Row
	// Ends are how many bytes of the answer there are up to the end of each row; none where that is not known.
	Ends []int
	// URL repeats the query in a browser. It holds no token.
	URL    string
	ReadAt time.Time
}

// Full tells whether there may be more rows than the limit of q let through. A service that gave more rows than the
// limit ignored it and gave all.
func (a Answer) Full(q Query) bool { return len(a.Rows) == q.limit() }

func (q Query) limit() int {
	if q.Limit <= 0 || q.Limit > MaxRows {
		return MaxRows
	}
	return q.Limit
}

// Ask gets rows of a resource, https://host/resource/xxxx-xxxx.json. Its error is a *[scrape.Failure], which wraps
// a *[Refusal] when the service gave a reason.
func (c Client) Ask(ctx context.Context, resource string, q Query) (Answer, error) {
	address := URL(resource, "$where", q.Where, "$order", q.Order, "$limit", strconv.Itoa(q.limit()))
	page, err := c.fetch(ctx, address)
	if err == nil && isOtherQuery(page.URL, address) {
		err = scrape.Failf(scrape.Changed, "the rows are those of another query")
	}
	if err != nil {
		return Answer{URL: address}, err
	}
	rows, ends, err := decodeWithEnds(page.Body)
	return Answer{Rows: rows, Ends: ends, URL: address, ReadAt: page.ReadAt}, err
}

// UpdatedAt is when the rows of a resource were last updated, by the service's description of it; zero when it does not
// say.
func (c Client) UpdatedAt(ctx context.Context, resource string) (time.Time, error) {
	base, name, ok := strings.Cut(resource, "/resource/")
	if !ok {
		return time.Time{}, fmt.Errorf("%s is no resource", resource)
	}
	page, err := c.fetch(ctx, base+"/api/views/"+name)
	if err != nil {
		return time.Time{}, err
	}
	var view struct {
		RowsUpdatedAt int64 `json:"rowsUpdatedAt"`
	}
	if err := json.Unmarshal(page.Body, &view); err != nil {
		return time.Time{}, scrape.Failf(scrape.Changed, "the description of a data set cannot be read: %w", err)
	}
	if view.RowsUpdatedAt <= 0 {
		return time.Time{}, nil
	}
	return time.Unix(view.RowsUpdatedAt, 0).UTC(), nil
}

// CountBy counts the matching rows for each text that a column has. Rows without a text are counted under "".
func (c Client) CountBy(ctx context.Context, resource, where, column string) (map[string]int, error) {
	page, err := c.fetch(ctx, URL(resource, "$select", column+",count(*) as matches", "$where", where, "$group", column,
		"$order", column, "$limit", strconv.Itoa(MaxRows)))
	if err != nil {
		return nil, err
	}
	rows, err := decode(page.Body)
	if err != nil {
		return nil, err
	}
	if len(rows) >= MaxRows {
		return nil, scrape.Failf(scrape.Changed, "%s has %d texts or more", column, len(rows))
	}
	counts := map[string]int{}
	for _, row := range rows {
		n, err := strconv.Atoi(row["matches"])
		if err != nil || n < 0 {
			return nil, scrape.Failf(scrape.Changed, "the answer to a count is no number")
		}
		counts[row[column]] += n
	}
	return counts, nil
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

// URL is a resource with parameters, given as names and values: URL(r, "$where", "a=1", "$limit", "5"). A parameter
// without a value is left out. The '$' of a name stays as it is, as in SODA's documentation; [url.Values] would
// escape it.
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

// isOtherQuery tells whether a page is of the resource that was asked, by another condition. A replay would give it for
// a page that it does not have.
func isOtherQuery(page, asked string) bool {
	p, err1 := url.Parse(page)
	a, err2 := url.Parse(asked)
	return err1 == nil && err2 == nil && p.Path == a.Path && p.Query().Get("$where") != a.Query().Get("$where")
}

func (c Client) fetch(ctx context.Context, address string) (*scrape.Page, error) {
	return c.Fetch(ctx, scrape.Request{URL: address, Header: http.Header{"Accept": {"application/json"}}})
}

// Fetch gets a page of the service with the token: status 200, or 304 to a conditional request. It asks again when the
// service is not ready: 202 means that the answer is still in work, 429 that there are too many requests.
func (c Client) Fetch(ctx context.Context, request scrape.Request) (*scrape.Page, error) {
	if request.Header = request.Header.Clone(); request.Header == nil {
		request.Header = http.Header{}
	}
	if c.Token != "" {
		request.Header.Set("X-App-Token", c.Token)
	}
	for attempt := 1; ; attempt++ {
		page, err := c.Fetcher.Fetch(ctx, request)
		if err == nil && page.Status != http.StatusAccepted {
			return page, nil
		}
		if err == nil {
			err = scrape.Failf(scrape.Throttled, "the service answers %d: not ready yet", page.Status)
		}
		if scrape.KindOf(err) != scrape.Throttled || attempt > maxRetries {
			return nil, withReason(err)
		}
		if clock.Sleep(ctx, time.Duration(attempt)*retryPause) != nil {
			return nil, withReason(err)
		}
	}
}

// Refusal is the reason that a service gives for an error.
type Refusal struct{ Code, Message string }

// NoSuchColumn is the code of a refusal: the data set lacks a column that was asked for.
const NoSuchColumn = "query.soql.no-such-column"

func (r *Refusal) Error() string { return fmt.Sprintf("%s: %q", r.Code, r.Message) }

// withReason adds the reason that the service gave to the failure of a fetch.
func withReason(err error) error {
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
