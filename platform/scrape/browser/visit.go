package browser

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/go-rod/rod"
	"github.com/go-rod/rod/lib/proto"

	"assay.dev/platform/scrape"
)

// Bounds of one page with all it loads.
const (
	maxRequests  = 150
	maxBytes     = 32 << 20
	maxAtOnce    = 6 // over all hosts; each host's own bound holds too
	maxWorkers   = 16
	maxDocuments = 4 // the page and three redirects, by header or by script
)

// visit fulfils the requests of one page.
type visit struct {
	ctx     context.Context
	cancel  context.CancelCauseFunc
	tab     *rod.Page
	session *scrape.Session
	site    string // host of the page asked for
	confinement

	serving   sync.WaitGroup
	slots     chan struct{}
	requests  atomic.Int64
	loading   atomic.Int64 // requests that are not answered yet
	budget    atomic.Int64 // bytes left of maxBytes
	documents atomic.Int64
	workers   atomic.Int64
}

// newVisit confines the tab and begins to fulfil its requests. The visit must be ended, also when it fails.
func newVisit(ctx context.Context, tab *rod.Page, c confinement, r Request) (*visit, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	v := &visit{ctx: ctx, cancel: cancel, session: r.Session, confinement: c, slots: make(chan struct{}, maxAtOnce)}
	v.tab = tab.Context(ctx)
	v.budget.Store(maxBytes)
	if u, err := url.Parse(r.URL); err == nil {
		v.site = u.Hostname()
	}
	events := v.tab.EachEvent(
		func(e *proto.FetchRequestPaused) { v.serving.Go(func() { v.fulfil(e) }) },
		func(e *proto.TargetAttachedToTarget) { v.serving.Go(func() { v.adopt(e) }) },
		// A dialog would stop the page until somebody answers.
		func(e *proto.PageJavascriptDialogOpening) {
			v.serving.Go(func() { _ = proto.PageHandleJavaScriptDialog{Accept: true}.Call(v.tab) })
		},
		func(e *proto.InspectorTargetCrashed) {
			v.cancel(scrape.Failf(scrape.Changed, "the page crashed its renderer"))
		},
	)
	v.serving.Go(events)
	return v, v.confine()
}

func (v *visit) end() {
	v.cancel(nil)
	v.serving.Wait()
}

// failure is why the visit ended before its time: the page itself could not be had.
func (v *visit) failure() error {
	var f *scrape.Failure
	if cause := context.Cause(v.ctx); errors.As(cause, &f) {
		return f
	}
	return nil
}

// fulfil answers one request. A failure of the document is the visit's; any other is for the page to cope with.
func (v *visit) fulfil(e *proto.FetchRequestPaused) {
	v.loading.Add(1)
	defer v.loading.Add(-1)
	document := e.ResourceType == proto.NetworkResourceTypeDocument && e.FrameID == v.tab.FrameID
	page, err := v.answerRequest(e, document)
	if err != nil && document && v.ctx.Err() == nil {
		v.cancel(err)
		return
	}
	if err != nil {
		_ = proto.FetchFailRequest{RequestID: e.RequestID,
			ErrorReason: proto.NetworkErrorReasonBlockedByClient}.Call(v.tab)
		return
	}
	_ = proto.FetchFulfillRequest{
		RequestID: e.RequestID, ResponseCode: page.Status, ResponseHeaders: v.headers(page.Header),
		Body: notNull(page.Body),
	}.Call(v.tab)
}

func (v *visit) answerRequest(e *proto.FetchRequestPaused, document bool) (*scrape.Page, error) {
	switch e.ResourceType {
	case proto.NetworkResourceTypeDocument, proto.NetworkResourceTypeScript, proto.NetworkResourceTypeXHR,
		proto.NetworkResourceTypeFetch, proto.NetworkResourceTypePreflight:
	case proto.NetworkResourceTypeStylesheet:
		// Nobody looks at pictures and fonts, but scripts wait until they have loaded.
		return &scrape.Page{Status: http.StatusOK, Header: http.Header{"Content-Type": {"text/css"}}}, nil
	default:
		return nil, errors.New("not needed to read a page")
	}
	if err := v.admit(e, document); err != nil {
		return nil, err
	}
	if err := take(v.ctx, v.slots); err != nil {
		return nil, err
	}
	defer func() { <-v.slots }()
	if v.budget.Load() <= 0 {
		return nil, scrape.Failf(scrape.Changed, "the page loads more than %d bytes", maxBytes)
	}
	v.bringCookies(e.Request.URL)
	page, err := v.session.Exchange(v.ctx, scrape.Request{
		Method: e.Request.Method, URL: e.Request.URL, Header: asked(e.Request.Headers), Body: body(e.Request),
		Subresource: !document, Budget: &v.budget,
	})
	if f, ok := errors.AsType[*scrape.Failure](err); ok && f.Page != nil && !document {
		page, err = f.Page, nil // an error status is for the page to see
	}
	return page, err
}

// bringCookies gives the session the cookies that scripts have set. The cookies of answers are in both already.
func (v *visit) bringCookies(to string) {
	u, err := url.Parse(to)
	if err != nil {
		return
	}
	found, err := proto.NetworkGetCookies{Urls: []string{to}}.Call(v.tab)
	if err != nil {
		return // the request then goes without them, as in a browser that refuses them
	}
	var cookies []*http.Cookie
	for _, c := range found.Cookies {
		if !c.HTTPOnly {
			cookies = append(cookies, &http.Cookie{Name: c.Name, Value: c.Value, Path: c.Path, Secure: c.Secure}) //nolint:gosec // as the script set it
		}
	}
	v.session.SetCookies(u, cookies)
}

// admit counts the request against the visit's bounds, and keeps the document on its site.
func (v *visit) admit(e *proto.FetchRequestPaused, document bool) error {
	if v.requests.Add(1) > maxRequests {
		return scrape.Failf(scrape.Changed, "the page makes more than %d requests", maxRequests)
	}
	if !document {
		return nil
	}
	if v.documents.Add(1) > maxDocuments {
		return scrape.Failf(scrape.Changed, "the page moves on more than %d times", maxDocuments-1)
	}
	u, err := url.Parse(e.Request.URL)
	if err != nil || !scrape.SameSite(u.Hostname(), v.site) {
		return scrape.Failf(scrape.Changed, "the page leaves its site")
	}
	return nil
}

// asked are the headers of a page's request that are the page's to choose.
func asked(headers proto.NetworkHeaders) http.Header {
	kept := http.Header{}
	for name, value := range headers {
		canonical := http.CanonicalHeaderKey(name)
		switch {
		case canonical == "User-Agent", canonical == "Accept-Encoding", canonical == "Cookie",
			strings.HasPrefix(canonical, "Sec-"):
		default:
			kept.Set(canonical, value.Str())
		}
	}
	return kept
}

func body(r *proto.NetworkRequest) []byte {
	if r.PostData == "" {
		return nil
	}
	return []byte(r.PostData)
}

// headers are an answer's, less those of its transport, which is over, and with the policy of the confinement.
func (v *visit) headers(h http.Header) []*proto.FetchHeaderEntry {
	var list []*proto.FetchHeaderEntry
	for name, values := range h {
		switch name {
		case "Content-Encoding", "Content-Length", "Transfer-Encoding", "Connection", "Alt-Svc", "Strict-Transport-Security":
			continue
		}
		for _, value := range values {
			list = append(list, &proto.FetchHeaderEntry{Name: name, Value: value})
		}
	}
	return append(list, &proto.FetchHeaderEntry{Name: "Content-Security-Policy", Value: v.policy})
}

// notNull keeps an empty body from becoming a JSON null, at which Chromium leaves the request hanging.
func notNull(body []byte) []byte {
	if body == nil {
		return []byte{}
	}
	return body
}
