package scrape

import (
	"context"
	"net/http"
)

// Fetcher gets pages. It is safe for concurrent use.
type Fetcher struct {
	cfg  Config
	deps Deps
}

// NewFetcher fails when the configuration cannot work: an unreadable CA file, a proxy that is not a URL.
func NewFetcher(cfg Config, deps Deps) (*Fetcher, error) {
	return &Fetcher{cfg: cfg.orDefaults(), deps: deps}, nil
}

// Fetch gets a page. A failure is a *[Failure], or the context's error when the caller hung up.
func (f *Fetcher) Fetch(ctx context.Context, r Request) (*Page, error) {
	return nil, Failf(Unavailable, "not built yet")
}

// Session starts a conversation with its own cookies.
func (f *Fetcher) Session() *Session { return &Session{fetcher: f} }

// Close drops idle connections.
func (f *Fetcher) Close() {}

// Session is a Fetcher that keeps cookies. It is for one upstream conversation; make one per read.
type Session struct {
	fetcher *Fetcher
	jar     http.CookieJar
}

// Fetch is [Fetcher.Fetch] with the session's cookies.
func (s *Session) Fetch(ctx context.Context, r Request) (*Page, error) {
	return s.fetcher.Fetch(ctx, r)
}
