// Package renderer fetches pages as a browser shows them through ScraperAPI (https://docs.scraperapi.com), which
// charges credits for answers 200 and 404 and nothing else.
package renderer

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"assay.dev/contracts"
	"assay.dev/platform/daemon"
)

// Config names the service.
type Config struct {
	Key daemon.Secret `env:"ASSAY_RENDER_KEY" help:"key of the rendering service; without one, sources that need it fall back to their mirrors"`
	URL string        `env:"ASSAY_RENDER_URL" envDefault:"https://api.scraperapi.com" help:"base URL of the rendering service"`
}

// Validate checks the URL.
func (c Config) Validate() error {
	if u, err := url.Parse(c.URL); err != nil || u.Host == "" {
		return errors.New("ASSAY_RENDER_URL: not a URL")
	}
	return nil
}

const (
	// MaxPage bounds a rendered page.
	MaxPage = 8 << 20
	// callTimeout is longer than the 70 s the service itself tries: who hangs up earlier pays for nothing.
	callTimeout = 80 * time.Second
)

// Client talks to the service. It is safe for concurrent use.
type Client struct {
	cfg  Config
	http *http.Client
}

// New uses transport for all requests.
func New(cfg Config, transport http.RoundTripper) *Client {
	return &Client{cfg: cfg, http: &http.Client{
		Transport: transport,
		Timeout:   callTimeout,
		// a key must not follow a redirect
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// Configured tells whether there is a key.
func (c *Client) Configured() bool { return c.cfg.Key.Reveal() != "" }

// Render pays for the page at job.URL. A page that the site answers with 404 is paid for too: the error is [Missing],
// and the result holds the cost.
func (c *Client) Render(ctx context.Context, job contracts.RenderJob) (contracts.RenderResult, error) {
	params := url.Values{"url": {job.URL}, "render": {"true"}, "country_code": {"us"}}
	if job.WaitFor != "" {
		params.Set("wait_for_selector", job.WaitFor)
	}
	if job.MaxCost > 0 {
		params.Set("max_cost", strconv.Itoa(job.MaxCost))
	}
	resp, body, err := c.get(ctx, "/", params)
	if err != nil {
		return contracts.RenderResult{}, err
	}
	cost, costErr := strconv.Atoi(resp.Header.Get("sa-credit-cost"))
	if costErr != nil || cost < 0 {
		cost = job.MaxCost // a charge that is not stated is taken for the most it can be
	}
	if resp.StatusCode != http.StatusOK {
		err := failureOf(resp.StatusCode, body)
		if !errors.Is(err, Missing) {
			cost = 0
		}
		return contracts.RenderResult{Credits: cost}, err
	}
	final := resp.Header.Get("sa-final-url")
	final = cmp.Or(final, job.URL)
	return contracts.RenderResult{HTML: body, FinalURL: final, ReadAt: time.Now().UTC(), Credits: cost}, nil
}

// Account is what the service itself counts.
type Account struct {
	// Used counts the credits of the running period. It lags by about 15 s.
	Used int64 `json:"requestCount"`
	// Limit is the period's credits.
	Limit int64 `json:"requestLimit"`
	// Concurrency is how many renders may run at once.
	Concurrency int `json:"concurrencyLimit"`
}

// Account asks for the account's counters. It costs nothing.
func (c *Client) Account(ctx context.Context) (Account, error) {
	ctx, cancel := context.WithTimeout(ctx, 20*time.Second)
	defer cancel()
	resp, body, err := c.get(ctx, "/account", nil)
	if err != nil {
		return Account{}, err
	}
	if resp.StatusCode != http.StatusOK {
		return Account{}, failureOf(resp.StatusCode, body)
	}
	var a Account
	if err := json.Unmarshal(body, &a); err != nil || a.Used < 0 || a.Limit < 0 {
		return Account{}, fmt.Errorf("%w: the account's counters cannot be read", Unreachable)
	}
	return a, nil
}

func (c *Client) get(ctx context.Context, path string, params url.Values) (*http.Response, []byte, error) {
	if params == nil {
		params = url.Values{}
	}
	params.Set("api_key", c.cfg.Key.Reveal())
	req, err := http.NewRequestWithContext(ctx, http.MethodGet,
		strings.TrimRight(c.cfg.URL, "/")+path+"?"+params.Encode(), nil)
	if err != nil {
		return nil, nil, errors.New("renderer: the request cannot be made") // err holds the key
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return nil, nil, lost(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, MaxPage+1))
	if err != nil {
		return nil, nil, lost(err)
	}
	if len(body) > MaxPage {
		return nil, nil, fmt.Errorf("%w: a page of more than %d bytes", Lost, MaxPage)
	}
	return resp, body, nil
}

// lost keeps only the cause of a *url.Error: its text holds the URL and so the key.
func lost(err error) error {
	if u, ok := errors.AsType[*url.Error](err); ok {
		err = u.Err
	}
	return fmt.Errorf("%w: no answer: %w", Lost, err)
}
