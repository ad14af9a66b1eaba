package scrape

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"golang.org/x/net/publicsuffix"
)

// maxHeaders bounds the header of an answer.
const maxHeaders = 256 << 10

// Fetcher gets pages. It is safe for concurrent use.
type Fetcher struct {
	cfg        Config
	politeness *politeness
	durations  *prometheus.HistogramVec
	proxyFor   func(*url.URL) (*url.URL, error)
	// direct dials only public addresses. proxied dials the proxy wherever it is, and nothing else.
	direct, proxied *http.Transport
	// resolver finds the addresses that direct dials.
	resolver *net.Resolver
	outages  outages
	// replay answers in place of the sites; nil but for [NewReplay].
	replay *replay
}

// NewFetcher fails when the configuration cannot work: an unreadable CA file, a proxy that is not a URL.
func NewFetcher(cfg Config, deps Deps) (*Fetcher, error) {
	cfg = cfg.orDefaults()
	if err := cfg.validate(); err != nil {
		return nil, err
	}
	roots, err := rootsFrom(cfg.CAFile)
	if err != nil {
		return nil, err
	}
	f := &Fetcher{
		cfg: cfg, politeness: newPoliteness(cfg.HostRate, cfg.HostConcurrency),
		durations: requestDurations(deps.Metrics), proxyFor: cfg.proxyFor(), resolver: net.DefaultResolver,
	}
	dialer := &net.Dialer{Timeout: 10 * time.Second, ControlContext: guardDial, Resolver: f.resolver}
	f.direct = newTransport(roots, dialer)
	f.direct.DialContext = f.outages.dial(dialer)
	f.proxied = newTransport(roots, &net.Dialer{Timeout: 10 * time.Second})
	f.proxied.Proxy = func(r *http.Request) (*url.URL, error) { return f.proxyFor(r.URL) }
	return f, nil
}

func newTransport(roots *x509.CertPool, dialer *net.Dialer) *http.Transport {
	http1 := new(http.Protocols)
	http1.SetHTTP1(true) // GO-2026-6617: a server can crash an HTTP/2 client
	return &http.Transport{
		DialContext: dialer.DialContext, Protocols: http1,
		TLSClientConfig:     &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12},
		TLSHandshakeTimeout: 10 * time.Second, MaxResponseHeaderBytes: maxHeaders,
		MaxIdleConns: 64, MaxIdleConnsPerHost: 2, IdleConnTimeout: time.Minute,
		DisableCompression: true, // we decompress ourselves, within bounds
	}
}

// Fetch gets a page: status 2xx, or 304 to a conditional request. Redirects are followed within the registrable domain,
// three at most. A failure is a *[Failure], or wraps context.Canceled when the caller hung up.
func (f *Fetcher) Fetch(ctx context.Context, r Request) (*Page, error) {
	return (&Session{fetcher: f}).Fetch(ctx, r)
}

// Session starts a conversation with its own cookies.
func (f *Fetcher) Session() *Session {
	jar, _ := cookiejar.New(&cookiejar.Options{PublicSuffixList: publicsuffix.List}) // never fails
	return &Session{fetcher: f, jar: jar}
}

// UserAgent is what the Fetcher calls itself.
func (f *Fetcher) UserAgent() string { return f.cfg.UserAgent }

// Close drops idle connections.
func (f *Fetcher) Close() {
	if f.replay != nil {
		return
	}
	f.direct.CloseIdleConnections()
	f.proxied.CloseIdleConnections()
}

// Session is a Fetcher that keeps cookies. It is for one upstream conversation; make one per read. While many wait for
// the same host, those that have begun go before those that have not.
type Session struct {
	fetcher *Fetcher
	jar     http.CookieJar // nil: none are kept
	begun   atomic.Bool
}

// Fetch is [Fetcher.Fetch] with the session's cookies.
func (s *Session) Fetch(ctx context.Context, r Request) (*Page, error) {
	for hop := 0; ; hop++ {
		page, err := s.exchange(ctx, r, hop)
		if err != nil {
			return nil, err
		}
		next, redirected, err := follow(r, page)
		if err != nil {
			return nil, err
		}
		if !redirected {
			Record(ctx, Document{Page: page})
			return page, nil
		}
		if hop == maxRedirects {
			return nil, Failf(Changed, "%s: more than %d redirects", withoutQuery(page.URL), maxRedirects)
		}
		r = next
	}
}

// Exchange is one request and its answer; a redirect is an answer. One that is no page (an error status, a robot check,
// nothing in it) is a *[Failure] that holds it. The guard, the bounds and the politeness are those of Fetch.
func (s *Session) Exchange(ctx context.Context, r Request) (*Page, error) {
	return s.exchange(ctx, r, 0)
}

// SetCookies adds cookies that did not come in an answer, such as those a page's script set.
func (s *Session) SetCookies(u *url.URL, cookies []*http.Cookie) { s.jar.SetCookies(u, cookies) }
