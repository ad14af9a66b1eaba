// Package browser renders pages that show nothing without scripts. Chromium is only the renderer: it has no network of
// its own, and every request a page makes is fulfilled by a scrape.Session.
package browser

import (
	"context"
	"time"

	"assay.dev/platform/scrape"
)

// Config is which Chromium to run and how much of it.
type Config struct {
	Bin     string        `env:"ASSAY_CHROMIUM" help:"Chromium binary; empty: chromium, chromium-browser or google-chrome from PATH"`
	Pages   int           `env:"ASSAY_CHROMIUM_PAGES" envDefault:"2" help:"pages rendered at the same time"`
	Sandbox bool          `env:"ASSAY_CHROMIUM_SANDBOX" envDefault:"false" help:"keep Chromium's own sandbox on; needs user namespaces and a user other than root"`
	Idle    time.Duration `env:"ASSAY_CHROMIUM_IDLE" envDefault:"1m" help:"close Chromium after this time without work"`
}

// Request is a page to render.
type Request struct {
	URL string
	// WaitFor is a JavaScript expression that is true once the page shows what is looked for.
	WaitFor string
	// Empty is a JavaScript expression that is true once the page says that there is nothing; optional.
	Empty string
	// Session gives and keeps the cookies; nil: a new one.
	Session *scrape.Session
	// Timeout bounds the render; 0 means 15 s.
	Timeout time.Duration
}

// Browser renders pages. It starts Chromium when the first page is asked for.
type Browser struct {
	cfg     Config
	fetcher *scrape.Fetcher
	deps    scrape.Deps
}

// New does not start anything yet.
func New(cfg Config, f *scrape.Fetcher, deps scrape.Deps) *Browser {
	return &Browser{cfg: cfg, fetcher: f, deps: deps}
}

// Render returns the page as the browser shows it (UTF-8 HTML) once WaitFor or Empty is true. It fails with a
// *scrape.Failure: unavailable without a Chromium, changed when neither became true in time, else as the fetch of the
// page failed.
func (b *Browser) Render(ctx context.Context, r Request) (*scrape.Page, error) {
	return nil, scrape.Failf(scrape.Unavailable, "not built yet")
}

// Close stops Chromium.
func (b *Browser) Close(ctx context.Context) error { return nil }
