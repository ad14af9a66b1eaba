package ltlworker

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"time"

	"assay.dev/contracts"
	"assay.dev/ltl-worker/carrier"
	"assay.dev/ltl-worker/surcharge"
	"assay.dev/platform/scrape"
	"assay.dev/platform/scrape/browser"
)

// A path to a carrier's weeks is asked with the carrier's date of today.
type (
	path    = scrape.Path[contracts.Date, surcharge.Reading]
	reading = scrape.Reading[surcharge.Reading]
)

// dated is true in a browser once a table has a row with a date and a number beside it: the page is filled.
const dated = `[...document.querySelectorAll('tr')].some(r => ` +
	`/\d[\/-]\d{1,2}[\/-]\d|\b\d{8}\b|[a-z]{3,9}\.? \d{1,2}, \d{4}/i.test(r.innerText) && /\d\s*%|\d\.\d/.test(r.innerText))`

// renderFunc has a page rendered outside of this process.
type renderFunc func(context.Context, contracts.Carrier, contracts.RenderJob) (contracts.RenderResult, error)

// reader reads one carrier in each of the ways of its recipe.
type reader struct {
	carrier.Recipe
	fetcher *scrape.Fetcher
	browser *browser.Browser
	render  renderFunc // nil when nobody takes render jobs
}

// paths are the ways of the recipe, in its order.
func (r *reader) paths() []path {
	var paths []path
	for _, way := range r.Ways() {
		p := path{Name: string(way), Method: way.Method()}
		switch way {
		case carrier.API:
			p.Timeout, p.Read = 10*time.Second, r.api
		case carrier.Page:
			p.Timeout, p.Read = 15*time.Second, r.page
		case carrier.Rendered:
			p.Timeout, p.Read = 20*time.Second, r.rendered
		case carrier.Scraper:
			p.Timeout, p.Read = 40*time.Second, r.scraped // a render that takes longer is there for the next read
		}
		paths = append(paths, p)
	}
	return paths
}

func (r *reader) api(ctx context.Context, today contracts.Date) (reading, error) {
	return firstOf(ctx, r.API, func(req carrier.Request) (reading, error) {
		ask := scrape.Request{Method: req.Method, URL: req.URL, Header: http.Header{"Accept": {"application/json"}}}
		if req.Body != "" {
			ask.Body = []byte(req.Body)
			ask.Header.Set("Content-Type", "application/json")
		}
		page, err := r.fetcher.Fetch(ctx, ask)
		if err != nil {
			return reading{}, err
		}
		found, err := r.extract(ctx, carrier.API, page, today)
		found.EvidenceURL = r.Pages[0] // what a person can open
		return found, err
	})
}

func (r *reader) page(ctx context.Context, today contracts.Date) (reading, error) {
	session := r.visit(ctx)
	return firstOf(ctx, r.Pages, func(url string) (reading, error) {
		page, err := session.Fetch(ctx, scrape.Request{URL: url})
		if err != nil {
			return reading{}, err
		}
		return r.extract(ctx, carrier.Page, page, today)
	})
}

func (r *reader) rendered(ctx context.Context, today contracts.Date) (reading, error) {
	session := r.visit(ctx)
	return firstOf(ctx, r.Pages, func(url string) (reading, error) {
		page, err := r.browser.Render(ctx, browser.Request{URL: url, WaitFor: dated, Session: session})
		if err != nil {
			return reading{}, err
		}
		return r.extract(ctx, carrier.Rendered, page, today)
	})
}

// scraped asks for the first page only: every render is paid for.
func (r *reader) scraped(ctx context.Context, today contracts.Date) (reading, error) {
	if r.render == nil {
		return reading{}, scrape.Failf(scrape.Unavailable, "no rendering service is set up (ASSAY_RENDER_ENABLED)")
	}
	result, err := r.render(ctx, r.Code, contracts.RenderJob{URL: r.Pages[0], WaitFor: "table"})
	if err != nil {
		return reading{}, err
	}
	page, err := taken(r.Pages[0], result)
	if err != nil {
		return reading{}, err
	}
	return r.extract(ctx, carrier.Scraper, page, today)
}

// taken is the page that the rendering service brought from a URL. What our own fetches refuse is refused here too.
func taken(from string, result contracts.RenderResult) (*scrape.Page, error) {
	page := &scrape.Page{
		URL: cmp.Or(result.FinalURL, from), Status: http.StatusOK, Body: result.HTML, ReadAt: time.Now(),
		Header: http.Header{"Content-Type": {"text/html; charset=utf-8"}},
	}
	asked, err := url.Parse(from)
	if err != nil {
		return nil, err
	}
	got, err := url.Parse(page.URL)
	if err != nil || !scrape.SameSite(asked.Hostname(), got.Hostname()) {
		return nil, scrape.Failf(scrape.Changed, "%s leads out of its domain", asked.Hostname())
	}
	if sign := scrape.Challenge(page); sign != "" {
		return nil, scrape.Failf(scrape.Blocked, "the rendering service brought a robot check: %s", sign)
	}
	return page, nil
}

// visit begins a conversation with the carrier. When the visit fails, the pages will tell.
func (r *reader) visit(ctx context.Context) *scrape.Session {
	session := r.fetcher.Session()
	if r.Visit != "" {
		if _, err := session.Fetch(ctx, scrape.Request{URL: r.Visit}); err != nil {
			scrape.Notef(ctx, "visit %s: %v", r.Visit, err)
		}
	}
	return session
}

// firstOf makes attempts in turn until one reads. When none does, it tells the failure of the first, the preferred one.
func firstOf[A any](ctx context.Context, attempts []A, read func(A) (reading, error)) (reading, error) {
	var first error
	for _, a := range attempts {
		found, err := read(a)
		if err == nil {
			return found, nil
		}
		if first == nil {
			first = err
		}
		if ctx.Err() != nil {
			break
		}
	}
	return reading{}, first
}
