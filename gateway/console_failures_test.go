package gateway_test

import (
	"context"
	"encoding/base64"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"golang.org/x/sync/errgroup"

	"assay.dev/contracts"
	"assay.dev/platform/clock/clocktest"
	"assay.dev/platform/telemetry"
)

// pageRequest is a request for a page as a browser sends it: a form where there is one.
type pageRequest struct {
	name, path string
	form       url.Values
	// asks: the page asks a source, and cannot show what it is for without it.
	asks contracts.Product
}

// pageRequests are all that a person can do on the pages.
func pageRequests() []pageRequest {
	invoices := base64.StdEncoding.EncodeToString([]byte("id,carrier,ship_date,billed_pct\nA1,ODFL,2026-09-10,46.32\n"))
	audit := func(step string) url.Values {
		return url.Values{"step": {step}, "tolerance_points": {"0"}, "tolerance_amount": {"0.01"}, "name": {"march.csv"}, "content": {invoices}}
	}
	var all []pageRequest
	for _, path := range slices.Concat(documentPages, []string{
		"/status", "/console/surcharges", "/console/licenses", "/console/audit", "/console/contracts", "/console/contracts?name=none", "/console/customers", "/console/customers?name=none", "/console/changes?type=x", "/console/webhooks", "/console/webhooks?id=none", "/console/proof", "/console/account",
		"/console/proof?id=" + strings.Repeat("0", 64) + "&at=1", "/console/document?id=x&at=1", "/nothing/here",
		"/console/audit?id=" + strings.Repeat("0", 32), "/console/audit?save=csv&id=" + strings.Repeat("0", 32),
	}) {
		all = append(all, pageRequest{name: "GET " + path, path: path})
	}
	return append(all,
		pageRequest{"surcharges", "/console/surcharges", url.Values{"diesel": {"1"}, "as_of": {"2026-09-10"}}, contracts.LTL},
		pageRequest{"a period", "/console/surcharges", url.Values{"diesel": {"1"}, "from": {"2026-09-01"}, "to": {"2026-09-10"}}, contracts.LTL},
		pageRequest{"surcharges as CSV", "/console/surcharges", url.Values{"format": {"csv"}, "as_of": {"2026-09-10"}}, contracts.LTL},
		pageRequest{"a lookup", "/console/licenses", url.Values{"state": {"CA"}, "license_number": {"632923"}}, contracts.ABC},
		pageRequest{"a search", "/console/licenses", url.Values{"state": {"CA"}, "dba_name": {"bar"}}, contracts.ABC},
		pageRequest{"a search as CSV", "/console/licenses", url.Values{"state": {"CA"}, "dba_name": {"bar"}, "format": {"csv"}}, contracts.ABC},
		pageRequest{"the price of an audit", "/console/audit", audit(""), ""},
		pageRequest{"an audit", "/console/audit", audit("audit"), ""},
		pageRequest{"a term", "/console/contracts", url.Values{"name": {"a"}, "carrier": {"ODFL"}, "basis": {"published"}, "from": {"2026-01-01"}}, ""},
		pageRequest{"a webhook", "/console/webhooks", url.Values{"url": {"https://erp.example.com/"}}, ""},
		pageRequest{"a test", "/console/webhooks", url.Values{"id": {strings.Repeat("a", 26)}, "action": {"test"}}, ""},
		pageRequest{"the proof of a week", "/console/proof?carrier=ODFL&as_of=2026-09-10", url.Values{"step": {"get"}}, contracts.LTL},
		pageRequest{"the proof of a license", "/console/proof?state=CA&license_number=632923", url.Values{"step": {"get"}}, contracts.ABC},
		pageRequest{"a log-in", "/console/session", url.Values{"key": {"test_x"}}, ""},
	)
}

// send sends the request with the session's cookie and, in a form, the session's token.
func (p pageRequest) send(g *runningGateway, cookie, token string) *response {
	if p.form == nil {
		return g.pageOf(p.path, "Cookie", cookie, "Accept-Encoding", "identity")
	}
	form := url.Values{"token": {token}}
	for name, values := range p.form {
		form[name] = values
	}
	return g.sendForm(p.path, cookie, form, "Accept", htmlAccept)
}

// checkArrives fails unless a whole page came that tells of what failed, or a file.
func (p pageRequest) checkArrives(t *testing.T, r *response) {
	t.Helper()
	if r.StatusCode == http.StatusOK && strings.HasPrefix(r.Header.Get("Content-Type"), "text/csv") {
		return
	}
	body := string(r.body)
	isWhole := r.Header.Get("Content-Type") == "text/html; charset=utf-8" && strings.HasSuffix(strings.TrimSpace(body), "</html>")
	tells := strings.Contains(body, `role="alert"`) || strings.Contains(body, `class="state bad"`)
	if !isWhole || r.StatusCode >= 400 && !tells || r.StatusCode == http.StatusInternalServerError && !strings.Contains(body, "INTERNAL") {
		t.Errorf("%s: %d %v %.2000s", p.name, r.StatusCode, r.Header, body)
	}
}

// Each page arrives with each failure that it can have, and says what failed.
func TestPagesTellOfFailures(t *testing.T) {
	t.Parallel()
	for name, fail := range map[string]func(*testing.T, *system, *worker, string){
		"nothing":       func(*testing.T, *system, *worker, string) {},
		"no worker":     func(t *testing.T, _ *system, w *worker, _ string) { _ = w.Stop(t.Context()) },
		"NATS is away":  func(_ *testing.T, s *system, _ *worker, _ string) { s.nats.Shutdown() },
		"a revoked key": func(t *testing.T, s *system, _ *worker, key string) { _ = s.keys.Revoke(t.Context(), key) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			walkPages(t, fail)
		})
	}
	for _, code := range contracts.Codes() {
		t.Run(string(code), func(t *testing.T) {
			t.Parallel()
			walkPages(t, func(_ *testing.T, _ *system, w *worker, _ string) { w.fail.Store(contracts.Errorf(code, "it failed")) })
		})
	}
}

// walkPages asks for each page after a failure.
func walkPages(t *testing.T, fail func(*testing.T, *system, *worker, string)) {
	s, logs := newSystem(t), &lockedBuffer{}
	w := s.worker(contracts.Test)
	g := s.gatewayWithLog(slog.New(slog.NewJSONHandler(logs, nil)), withConsole)
	key := s.key()
	cookie := g.logIn(key)
	token := g.tokenOf(cookie)
	fail(t, s, w, key)
	var all errgroup.Group
	all.SetLimit(12) // each waits for seconds for a server that is away
	for _, p := range pageRequests() {
		all.Go(func() error {
			p.checkArrives(t, p.send(g, cookie, token))
			return nil
		})
	}
	_ = all.Wait()
	if text := logs.text(); strings.Contains(text, `"msg":"panic"`) || strings.Contains(text, "panic serving") {
		t.Errorf("a panic: %s", text)
	}
}

// tokenOf is the token of a session's forms.
func (g *runningGateway) tokenOf(cookie string) string {
	return string(tokenField.FindSubmatch(g.pageOf("/console/proof", "Cookie", cookie, "Accept-Encoding", "identity").body)[1])
}

// What a page was not answered is a page with the status of the failure, whatever the key.
func TestPagesWithoutTheirSource(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	s.worker(contracts.Test)
	g := s.gateway(withConsole)
	rich, test := g.logIn(s.key(live)), g.logIn(s.key())
	poor, narrow := g.logIn(s.key(tenant("poor"), limit(1))), g.logIn(s.key(products(contracts.LTL)))
	tx := pageRequest{"TX", "/console/licenses", url.Values{"state": {"TX"}, "license_number": {"100001147"}}, contracts.ABC}
	if r := tx.send(g, test, g.tokenOf(test)); r.StatusCode != 503 || !strings.Contains(string(r.body), "CAPTCHA_SOLVER_NOT_CONFIGURED") {
		t.Errorf("%d %.2000s", r.StatusCode, r.body)
	}
	for _, p := range pageRequests() {
		if p.asks == "" {
			continue
		}
		if r := p.send(g, rich, g.tokenOf(rich)); r.StatusCode != http.StatusServiceUnavailable {
			t.Errorf("%s without a worker: %d %.2000s", p.name, r.StatusCode, r.body)
		} else {
			p.checkArrives(t, r)
		}
		p.send(g, poor, g.tokenOf(poor))
		if r := p.send(g, poor, g.tokenOf(poor)); r.StatusCode != http.StatusTooManyRequests {
			t.Errorf("%s above the limit: %d %.2000s", p.name, r.StatusCode, r.body)
		} else {
			p.checkArrives(t, r)
		}
		if r := p.send(g, narrow, g.tokenOf(narrow)); (r.StatusCode == http.StatusForbidden) != (p.asks == contracts.ABC) {
			t.Errorf("%s of another product: %d %.2000s", p.name, r.StatusCode, r.body)
		} else {
			p.checkArrives(t, r)
		}
	}
}

// brokenLog panics at the line of a request, and keeps the request id of a line about a panic.
type brokenLog struct {
	slog.Handler
	told *atomic.Value
}

func (b brokenLog) Enabled(context.Context, slog.Level) bool { return true }

func (b brokenLog) WithAttrs([]slog.Attr) slog.Handler { return b }

func (b brokenLog) Handle(ctx context.Context, r slog.Record) error {
	switch r.Message {
	case "request":
		panic("the log is broken")
	case "panic":
		b.told.Store(telemetry.RequestID(ctx))
	}
	return nil
}

// A panic after an answer costs nobody the answer. An operator hears of it, with the request's id.
func TestAPanicAfterTheAnswer(t *testing.T) {
	t.Parallel()
	var told atomic.Value
	g := newSystem(t).gatewayWithLog(slog.New(brokenLog{slog.DiscardHandler, &told}))
	r := g.pageOf("/nothing", "X-Request-ID", "mine")
	if r.StatusCode != http.StatusNotFound || !strings.HasSuffix(strings.TrimSpace(string(r.body)), "</html>") {
		t.Errorf("%d %s", r.StatusCode, r.body)
	}
	clocktest.Await(t, "the panic is told with its request", func() bool { return told.Load() == "mine" })
	if m := g.metrics(); !strings.Contains(m, "\npanics_total ") || strings.Contains(m, "\npanics_total 0\n") {
		t.Error("nothing counts the panic")
	}
}
