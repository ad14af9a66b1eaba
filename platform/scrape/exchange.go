package scrape

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"
)

var errStalled = errors.New("the site fell silent in the middle of its answer")

// exchange is one request and its answer. An answer that is not a page (status, robot check, nothing in it) is a
// *Failure that holds it; a redirect is a page.
func (s *Session) exchange(ctx context.Context, r Request, resend int) (page *Page, err error) {
	f := s.fetcher
	if f.replay != nil {
		return f.replay.answer(r)
	}
	req, err := r.build(ctx, f.cfg.UserAgent)
	if err != nil {
		return nil, err
	}
	proxy, err := f.proxyFor(req.URL)
	if err != nil {
		return nil, Failf(Refused, "the proxy settings are not usable for %s", req.URL.Host)
	}
	host := canonicalHost(req.URL.Hostname())
	if proxy == nil {
		if err := f.outages.of(host); err != nil {
			return nil, err
		}
	}
	release, err := f.wait(ctx, host, s.pace(r))
	if err != nil {
		return nil, err
	}
	defer release()
	s.begun.Store(true)

	ctx, span := tracer(ctx).Start(ctx, "fetch", trace.WithSpanKind(trace.SpanKindClient), trace.WithAttributes(
		attribute.String("http.request.method", req.Method), attribute.String("url.full", withoutQuery(r.URL)),
		attribute.String("server.address", req.URL.Hostname()), attribute.Int("http.request.resend_count", resend),
		attribute.Bool("assay.proxied", proxy != nil)))
	start := time.Now()
	defer func() {
		f.durations.WithLabelValues(sourceOf(ctx), outcome(err)).Observe(time.Since(start).Seconds())
		report(ctx, span, req, page, err, time.Since(start))
	}()
	client := &http.Client{Transport: f.direct, Jar: s.jar, CheckRedirect: asIs}
	if proxy != nil {
		client.Transport = f.proxied
	}
	if page, err = f.send(ctx, client, req, r); err != nil {
		if proxy == nil {
			f.outages.noteHost(host, err)
		}
		return nil, err
	}
	if err = judge(page); err != nil {
		return nil, err
	}
	return page, nil
}

func (s *Session) pace(r Request) pace {
	switch {
	case r.Subresource:
		return unpaced
	case s.begun.Load():
		return goesOn
	}
	return begins
}

func asIs(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }

// wait waits for the host's turn in a span of its own: time spent on politeness is not the site's.
func (f *Fetcher) wait(ctx context.Context, host string, how pace) (func(), error) {
	ctx, span := tracer(ctx).Start(ctx, "politeness", trace.WithAttributes(attribute.String("server.address", host)))
	defer span.End()
	release, err := f.politeness.acquire(ctx, host, how)
	if err != nil {
		span.SetStatus(codes.Error, err.Error())
	}
	return release, err
}

// send does the request within its time, and gives up early on a site that falls silent.
func (f *Fetcher) send(ctx context.Context, client *http.Client, req *http.Request, r Request) (*Page, error) {
	timeout, limit := f.cfg.FetchTimeout, f.cfg.MaxBody
	if r.Timeout > 0 {
		timeout = r.Timeout
	}
	if r.MaxBody > 0 {
		limit = r.MaxBody
	}
	bounded, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	bounded, stop := context.WithCancelCause(bounded)
	defer stop(nil)

	resp, err := client.Do(req.WithContext(bounded))
	if err != nil {
		return nil, failed(ctx, bounded, req.URL, err)
	}
	defer resp.Body.Close()
	silence := time.AfterFunc(f.cfg.StallTimeout, func() { stop(errStalled) })
	defer silence.Stop()
	body, err := readBody(resp, limit, r.Budget, func() { silence.Reset(f.cfg.StallTimeout) })
	if err == nil {
		err = bounded.Err() // a site that is told that we leave may still end its answer in good order
	}
	if err != nil {
		return nil, failed(ctx, bounded, req.URL, err)
	}
	return &Page{URL: req.URL.String(), Status: resp.StatusCode, Header: resp.Header, Body: body,
		ReadAt: time.Now().UTC()}, nil
}

// failed gives the error of a request its kind. Texts of net/http may hold the whole URL, so only what they wrap is
// kept.
func failed(caller, bounded context.Context, u *url.URL, err error) error {
	var ours *Failure
	var wrapped *url.Error
	switch {
	case errors.As(err, &ours):
		return ours
	case errors.Is(caller.Err(), context.Canceled):
		return caller.Err()
	case errors.Is(context.Cause(bounded), errStalled):
		return Failf(Unreachable, "%s: %w", u.Host, errStalled)
	case bounded.Err() != nil:
		return Failf(Unreachable, "%s did not answer in time: %w", u.Host, context.DeadlineExceeded)
	case errors.As(err, &wrapped):
		err = wrapped.Err
	}
	return Failf(Unreachable, "%s: %w", u.Host, err)
}

// build checks the request and makes it net/http's.
func (r Request) build(ctx context.Context, userAgent string) (*http.Request, error) {
	u, err := url.Parse(r.URL)
	if err != nil {
		return nil, Failf(Refused, "not a URL")
	}
	if err := checkURL(u); err != nil {
		return nil, err
	}
	body, contentType := r.Body, ""
	if r.Form != nil {
		body, contentType = []byte(r.Form.Encode()), "application/x-www-form-urlencoded"
	}
	method := r.Method
	switch {
	case method == "" && body != nil:
		method = http.MethodPost
	case method == "":
		method = http.MethodGet
	}
	var reader io.Reader
	if body != nil {
		reader = bytes.NewReader(body)
	}
	req, err := http.NewRequestWithContext(ctx, method, u.String(), reader)
	if err != nil {
		return nil, Failf(Refused, "not a request: %w", err)
	}
	setHeaders(req.Header, r.Header, userAgent, contentType)
	return req, nil
}

func setHeaders(h, asked http.Header, userAgent, contentType string) {
	h.Set("User-Agent", userAgent)
	h.Set("Accept", "text/html,application/xhtml+xml,application/json;q=0.9,*/*;q=0.8")
	h.Set("Accept-Language", "en-US,en;q=0.9")
	if contentType != "" {
		h.Set("Content-Type", contentType)
	}
	for name, values := range asked {
		h[http.CanonicalHeaderKey(name)] = values
	}
	h.Set("Accept-Encoding", "gzip") // not the caller's choice: we must be able to decode
}

func tracer(ctx context.Context) trace.Tracer {
	return trace.SpanFromContext(ctx).TracerProvider().Tracer("assay.dev/platform/scrape")
}

func report(ctx context.Context, span trace.Span, req *http.Request, page *Page, err error, took time.Duration) {
	defer span.End()
	if f, ok := errors.AsType[*Failure](err); ok {
		page = f.Page
		span.SetAttributes(attribute.String("error.type", string(f.Kind)))
	}
	if err != nil {
		span.SetStatus(codes.Error, err.Error())
	}
	if page != nil {
		span.SetAttributes(attribute.Int("http.response.status_code", page.Status),
			attribute.Int("http.response.body.size", len(page.Body)))
		Notef(ctx, "%s %s → %d, %d bytes, %d ms", req.Method, masked(req.URL), page.Status, len(page.Body),
			took.Milliseconds())
	}
	if err != nil {
		Notef(ctx, "%s %s failed after %d ms: %v", req.Method, masked(req.URL), took.Milliseconds(), err)
	}
}

// withoutQuery is a URL without its query, for errors and traces.
func withoutQuery(text string) string {
	u, err := url.Parse(text)
	if err != nil {
		return "a malformed URL"
	}
	return (&url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path}).String()
}

// masked is a URL with the values of secret-looking parameters hidden, for transcripts.
func masked(u *url.URL) string {
	shown := url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path}
	pairs := strings.Split(u.RawQuery, "&")
	for i, pair := range pairs {
		if name, _, ok := strings.Cut(pair, "="); ok && secretName(name) {
			pairs[i] = name + "=***"
		}
	}
	shown.RawQuery = strings.Join(pairs, "&")
	return shown.String()
}

func secretName(name string) bool {
	name = strings.ToLower(name)
	return slices.ContainsFunc([]string{"key", "token", "secret", "pass", "auth", "sig"}, func(word string) bool {
		return strings.Contains(name, word)
	})
}
