// Package reader reads one carrier's site, in each of the ways that the carrier's recipe names: an API, a page, a page
// in a browser, or a page that a rendering service brings. It gives the weeks of package surcharge and the tables of
// package bracket. It keeps nothing, and it knows neither NATS nor the archive.
package reader

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"slices"
	"time"

	"assay.dev/contracts"
	"assay.dev/ltl-worker/carrier"
	"assay.dev/ltl-worker/surcharge"
	"assay.dev/ltl-worker/trust"
	"assay.dev/platform/scrape"
	"assay.dev/platform/scrape/browser"
)

// A Path is asked with today's date in New York. Its Reading holds a carrier's weeks.
type (
	Path    = scrape.Path[contracts.Date, Found]
	Reading = scrape.Reading[Found]
)

// Found is what was read from one document.
type Found struct {
	surcharge.Reading
	// PublishedAt is how old the document is; nil where that is not known.
	PublishedAt *time.Time
	// Lines are the words around the weeks.
	Lines []trust.Line
	// Verdict is set by who judges the reading.
	Verdict trust.Verdict
}

// Trusted is the reading as it is judged.
func (f Found) Trusted(path string) trust.Reading {
	r := trust.Reading{Path: path, Lines: f.Lines, Weeks: make([]contracts.SurchargeWeek, 0, len(f.Coming)+len(f.Weeks))}
	for w := range f.All() {
		r.Weeks = append(r.Weeks, w.SurchargeWeek)
	}
	slices.SortFunc(r.Weeks,
		func(a, b contracts.SurchargeWeek) int { return cmp.Compare(b.EffectiveDate, a.EffectiveDate) })
	return r
}

// isFilled is a JavaScript condition. It is true once a table has a row with a date and a number: scripts have filled
// the page.
const isFilled = `[...document.querySelectorAll('tr')].some(r => ` +
	`/\d[\/-]\d{1,2}[\/-]\d|\b\d{8}\b|[a-z]{3,9}\.? \d{1,2}, \d{4}/i.test(r.innerText) && ` +
	`/\d\s*%|\d\.\d/.test(r.innerText))`

// RenderFunc asks a rendering service for a page.
type RenderFunc func(context.Context, contracts.Carrier, contracts.RenderJob) (contracts.RenderResult, error)

// Reader reads one carrier, in each of the ways of its recipe.
type Reader struct {
	carrier.Recipe
	Fetcher *scrape.Fetcher
	Browser *browser.Browser
	// Render is nil when no captcha-worker takes render jobs. Then the way [carrier.Scraper] fails.
	Render RenderFunc
}

// Paths are the ways of the recipe, in order of preference.
func (r *Reader) Paths() []Path {
	var paths []Path
	for _, way := range r.Ways() {
		p := Path{Name: string(way), Method: way.Method()}
		switch way {
		case carrier.API:
			p.Timeout, p.Read = 10*time.Second, r.api
		case carrier.Page:
			p.Timeout, p.Read = 15*time.Second, r.shown(way)
		case carrier.Rendered:
			p.Timeout, p.Read = 20*time.Second, r.shown(way)
		case carrier.Scraper:
			p.Timeout, p.Read = 40*time.Second, r.scraped // the next read finds a render that took longer
		}
		paths = append(paths, p)
	}
	return paths
}

func (r *Reader) api(ctx context.Context, today contracts.Date) (Reading, error) {
	return firstOf(ctx, r.API, func(req carrier.Request) (Reading, error) {
		ask := scrape.Request{Method: req.Method, URL: req.URL, Header: http.Header{"Accept": {"application/json"}}}
		if req.Body != "" {
			ask.Body = []byte(req.Body)
			ask.Header.Set("Content-Type", "application/json")
		}
		page, err := r.Fetcher.Fetch(ctx, ask)
		if err != nil {
			return Reading{}, err
		}
		found, err := r.Extract(ctx, carrier.API, page, today)
		found.EvidenceURL = r.Pages[0]
		if cmp.Or(req.Method, http.MethodGet) == http.MethodGet {
			found.EvidenceURL = page.URL // a person can open it, and all values stand there
		}
		return found, err
	})
}

// shown reads the carrier's pages as they are sent, or as a browser shows them.
func (r *Reader) shown(way carrier.Way) func(context.Context, contracts.Date) (Reading, error) {
	return func(ctx context.Context, today contracts.Date) (Reading, error) {
		session := r.visit(ctx)
		return firstOf(ctx, r.Pages, func(url string) (Reading, error) {
			page, err := r.open(ctx, way, url, session)
			if err != nil {
				return Reading{}, err
			}
			return r.Extract(ctx, way, page, today)
		})
	}
}

func (r *Reader) open(ctx context.Context, way carrier.Way, url string, session *scrape.Session) (*scrape.Page, error) {
	if way == carrier.Rendered {
		return r.Browser.Render(ctx, browser.Request{URL: url, WaitFor: isFilled, Session: session})
	}
	return session.Fetch(ctx, scrape.Request{URL: url})
}

// scraped asks for the first page only, because every render is paid for.
func (r *Reader) scraped(ctx context.Context, today contracts.Date) (Reading, error) {
	if r.Render == nil {
		return Reading{}, scrape.Failf(scrape.Unavailable, "no rendering service is set up (ASSAY_RENDER_ENABLED)")
	}
	result, err := r.Render(ctx, r.Code, contracts.RenderJob{URL: r.Pages[0], WaitFor: "table"})
	if err != nil {
		return Reading{}, err
	}
	page, err := renderedPage(r.Pages[0], result)
	if err != nil {
		return Reading{}, err
	}
	scrape.Record(ctx, scrape.Document{Page: page})
	return r.Extract(ctx, carrier.Scraper, page, today)
}

// renderedPage is the page that the rendering service brought from a URL. It refuses what our own fetches refuse: a
// page of another site, and a robot check.
func renderedPage(from string, result contracts.RenderResult) (*scrape.Page, error) {
	page := &scrape.Page{
		URL: cmp.Or(result.FinalURL, from), Status: http.StatusOK, Body: result.HTML,
		ReadAt: cmp.Or(result.ReadAt, time.Now()), // one render may serve many reads
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

// visit begins a session with the carrier. A failed visit is only noted: when the session cookie is needed, the pages
// fail.
func (r *Reader) visit(ctx context.Context) *scrape.Session {
	session := r.Fetcher.Session()
	if r.Visit != "" {
		if _, err := session.Fetch(ctx, scrape.Request{URL: r.Visit}); err != nil {
			scrape.Notef(ctx, "visit %s: %v", r.Visit, err)
		}
	}
	return session
}

// firstOf tries to read each of the attempts in turn until one succeeds. When none does, the error is that of the
// first attempt, which is the preferred one.
func firstOf[A any](ctx context.Context, attempts []A, read func(A) (Reading, error)) (Reading, error) {
	var first error
	for _, a := range attempts {
		found, err := read(a)
		if err == nil {
			return found, nil
		}
		first = cmp.Or(first, err)
		if ctx.Err() != nil {
			break
		}
	}
	return Reading{}, first
}
