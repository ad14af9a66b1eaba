package browser

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/go-rod/rod"
	"github.com/go-rod/rod/lib/cdp"
	"github.com/go-rod/rod/lib/proto"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"

	"assay.dev/platform/clock"
	"assay.dev/platform/scrape"
)

// Request is a page to render.
type Request struct {
	URL string
	// WaitFor is a JavaScript expression that is true once the page shows what is looked for.
	WaitFor string
	// Empty is a JavaScript expression that is true once the page says that there is nothing; optional.
	Empty string
	// Session gives and keeps the cookies; nil: a new one.
	Session *scrape.Session
	// Picture is given a PNG of the page as it is shown then; nil: none is made.
	Picture func(png []byte)
	// Timeout bounds the render; 0 means 15 s.
	Timeout time.Duration
}

// Render returns the page as the browser shows it (UTF-8 HTML) once WaitFor or Empty is true of the whole page: it is
// parsed, and nothing that it asked for is on its way. What does not arrive is waited for during half of the time. It
// fails with a *scrape.Failure: unavailable without a Chromium, changed (with the page as it is) when neither became
// true in time, else as the fetch of the page failed; or with context.Canceled when the caller hung up.
func (b *Browser) Render(ctx context.Context, r Request) (page *scrape.Page, err error) {
	if r.Timeout <= 0 {
		r.Timeout = defaultTimeout
	}
	if r.Session == nil {
		r.Session = b.fetcher.Session()
	}
	ctx, cancel := context.WithTimeout(ctx, r.Timeout)
	defer cancel()
	ctx, span := trace.SpanFromContext(ctx).TracerProvider().Tracer("assay.dev/platform/scrape/browser").Start(ctx,
		"render")
	defer func() {
		if err != nil {
			span.SetStatus(codes.Error, err.Error())
			scrape.Notef(ctx, "browser: %v", err)
		}
		span.End()
	}()
	if err := r.Session.Reach(ctx, r.URL); err != nil {
		return nil, err
	}
	// A Chromium that dies under a page says nothing about the page: once more, in a new one.
	for again := true; ; again = false {
		p, release, err := b.acquire(ctx)
		if err != nil {
			return nil, err
		}
		span.AddEvent("page", trace.WithAttributes(attribute.Int("process.pid", p.cmd.Process.Pid)))
		page, err := b.show(ctx, p, r)
		died := err != nil && p.dead()
		release()
		if !died || !again || ctx.Err() != nil {
			if err == nil {
				scrape.Record(ctx, scrape.Document{Page: page})
			}
			return page, err
		}
		scrape.Notef(ctx, "browser: Chromium ended under the page, starting another")
	}
}

// show renders in a context of its own, which shares nothing with other pages.
func (b *Browser) show(ctx context.Context, p *process, r Request) (*scrape.Page, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(p.life, cancel)()
	incognito, err := p.rod.Context(ctx).Incognito()
	if err != nil {
		return nil, p.failed(ctx, err)
	}
	defer b.dispose(p, incognito)
	tab, err := incognito.Page(proto.TargetCreateTarget{})
	if err != nil {
		return nil, p.failed(ctx, err)
	}
	visit, err := newVisit(ctx, tab, b.confinement, r)
	defer visit.end()
	if err != nil {
		return nil, p.failed(ctx, err)
	}
	_, err = proto.PageNavigate{URL: r.URL}.Call(tab)
	if failure := visit.failure(); failure != nil {
		return nil, failure
	}
	if err != nil {
		return nil, p.failed(ctx, err)
	}
	scrape.Notef(ctx, "browser: loaded, waiting for %s", r.WaitFor)
	seen, err := visit.watch(r)
	if failure := visit.failure(); failure != nil {
		return nil, failure
	}
	if err != nil {
		return nil, p.failed(ctx, err)
	}
	scrape.Notef(ctx, "browser: %s after %d requests, %d bytes of HTML at %s", seen.Outcome, visit.requests.Load(),
		len(seen.HTML), seen.URL)
	if r.Picture != nil {
		shot, err := proto.PageCaptureScreenshot{Format: proto.PageCaptureScreenshotFormatPng,
			CaptureBeyondViewport: true}.Call(tab)
		if err != nil {
			return nil, p.failed(ctx, err)
		}
		r.Picture(shot.Data)
	}
	return visit.judge(seen)
}

// dispose closes the context and its pages, with time of its own: the caller's may be over.
func (b *Browser) dispose(p *process, incognito *rod.Browser) {
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Second)
	defer cancel()
	err := proto.TargetDisposeBrowserContext{BrowserContextID: incognito.BrowserContextID}.Call(p.rod.Context(ctx))
	if err != nil {
		b.mu.Lock()
		p.sick = true
		b.mu.Unlock()
	}
}

//go:embed watch.js
var watchScript string

// sight is what watch.js tells.
type sight struct {
	// Outcome is result, empty or timeout.
	Outcome string `json:"outcome"`
	HTML    string `json:"html"`
	URL     string `json:"url"`
	// Error is the last exception of the expressions.
	Error string `json:"error"`
}

// watch asks, and the page answers when it is ready: polling or rod's own waits overshoot. A page that navigates by
// itself drops the question, so it is put to the next document. A page that was loading is asked again: what came may
// have changed it.
func (v *visit) watch(r Request) (sight, error) {
	deadline, _ := v.ctx.Deadline()
	patience := time.Now().Add(time.Until(deadline) / 2)
	for {
		loading, requests := v.loading.Load(), v.requests.Load()
		left := time.Until(deadline) - 200*time.Millisecond // for the answer to come back
		script := fmt.Sprintf("(%s)(%d, () => (%s), () => (%s))", watchScript, left.Milliseconds(), orFalse(r.WaitFor),
			orFalse(r.Empty))
		answer, err := proto.RuntimeEvaluate{Expression: script, AwaitPromise: true, ReturnByValue: true}.Call(v.tab)
		switch {
		case err == nil && answer.ExceptionDetails != nil:
			return sight{}, scrape.Failf(scrape.Refused, "the recipe's script is wrong: %s",
				answer.ExceptionDetails.Text)
		case err == nil:
			var seen sight
			err := json.Unmarshal([]byte(answer.Result.Value.JSON("", "")), &seen)
			isWhole := loading == 0 && v.requests.Load() == requests
			if err != nil || isWhole || seen.Outcome == "timeout" || time.Now().After(patience) {
				return seen, err
			}
		case !errors.As(err, new(*cdp.Error)):
			return sight{}, err
		}
		if err := clock.Sleep(v.ctx, 20*time.Millisecond); err != nil {
			return sight{}, err
		}
	}
}

func orFalse(expression string) string {
	if expression == "" {
		return "false"
	}
	return expression
}

// judge makes the page of what was seen.
func (v *visit) judge(seen sight) (*scrape.Page, error) {
	page := &scrape.Page{
		URL: seen.URL, Status: http.StatusOK, Header: http.Header{"Content-Type": {"text/html; charset=utf-8"}},
		Body: []byte(seen.HTML), ReadAt: time.Now().UTC(),
	}
	if seen.Outcome != "timeout" {
		return page, nil
	}
	failure := scrape.Failf(scrape.Changed, "the page never showed what was looked for %s", seen.Error)
	if sign := scrape.Challenge(page); sign != "" {
		failure = scrape.Failf(scrape.Blocked, "the page is a robot check (%s)", sign)
	}
	failure.Page = page
	return nil, failure
}

// failed is the error of a call to Chromium. One that Chromium did not give itself means that it is gone.
func (p *process) failed(ctx context.Context, err error) error {
	if f, ok := errors.AsType[*scrape.Failure](err); ok {
		return f
	}
	if ctx.Err() == nil && !errors.As(err, new(*cdp.Error)) {
		p.kill()
		<-p.life.Done()
	}
	switch {
	case p.dead():
		return scrape.Failf(scrape.Unavailable, "Chromium ended while it rendered")
	case ctx.Err() != nil:
		return waited(ctx.Err())
	}
	return scrape.Failf(scrape.Unavailable, "Chromium failed: %w", err)
}

// waited tells a caller who hung up from a time that ran out.
func waited(err error) error {
	if errors.Is(err, context.Canceled) {
		return err
	}
	return scrape.Failf(scrape.Unreachable, "the page was not rendered in time: %w", err)
}
