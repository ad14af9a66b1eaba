package texas_test

import (
	"context"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"assay.dev/abc-worker/register"
	"assay.dev/abc-worker/register/registertest"
	"assay.dev/abc-worker/texas"
	"assay.dev/contracts"
	"assay.dev/platform/scrape"
	"assay.dev/sandbox/captcha"
	"assay.dev/sandbox/license"
	"assay.dev/sandbox/opendata"
	sitetexas "assay.dev/sandbox/texas"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// A full queue of solves is no reason to load the form again and again.
func TestAFullQueueSparesTheForm(t *testing.T) {
	licenses := license.New(contracts.DateOf(time.Now()), license.Sizes{contracts.TX: 5})
	var loaded atomic.Int64
	site := sitetexas.New(licenses, captcha.NewBook(1), sitetexas.Options{})
	deps := registertest.Deps(t, map[string]http.Handler{sitetexas.Host: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		loaded.Add(1)
		site.ServeHTTP(w, r)
	})})
	now := time.Now()
	deps.Clock = func() time.Time { return now }
	deps.Solver = registertest.HasSolver
	deps.Solve = func(context.Context, string, contracts.SolveJob) (contracts.SolveResult, error) {
		return contracts.SolveResult{}, contracts.Errorf(contracts.Busy, "full").After(10 * time.Second)
	}
	form := texas.Recipe(deps).Paths(register.Lookup)[0]
	ask := func() int64 {
		before := loaded.Load()
		_, err := form.Read(t.Context(), register.Question{Number: licenses.Of(contracts.TX)[0].Number}.ForOnePass())
		if e := contracts.AsError(err); e.Code != contracts.Busy || e.RetryAfter != 10*time.Second {
			t.Errorf("got %v", err)
		}
		return loaded.Load() - before
	}
	first, second := ask(), ask()
	now = now.Add(time.Second)
	if later := ask(); first == 0 || second != 0 || later != first {
		t.Errorf("%d, %d and %d requests for the form and its image", first, second, later)
	}
}

// A street alone is asked for in both spellings, and the answers are one.
func TestBothSpellingsAreAsked(t *testing.T) {
	licenses := license.New(contracts.DateOf(time.Now()), license.Sizes{contracts.TX: 400})
	book := captcha.NewBook(1)
	solve, solved := registertest.Solver(book.Read), 0
	deps := registertest.Deps(t, map[string]http.Handler{
		sitetexas.Host:     sitetexas.New(licenses, book, sitetexas.Options{}),
		sitetexas.DataHost: opendata.NewSoda(time.Now(), sitetexas.Dataset(licenses)),
	})
	deps.Solver, deps.Solve = registertest.HasSolver, func(ctx context.Context, id string, job contracts.SolveJob) (contracts.SolveResult, error) {
		solved++
		return solve(ctx, id, job)
	}
	form := texas.Recipe(deps).Paths(register.Search)[0]
	for address, piece := range map[string]string{"Second Street": " SECOND ST", "2nd St": "ST"} {
		want := licenses.Search(contracts.TX, license.Primary, contracts.Query{Address: "second"})
		want = slices.DeleteFunc(want, func(r contracts.LicenseRecord) bool {
			return !strings.Contains(r.Address.Street+" "+r.Address.City, piece)
		})
		solved = 0
		a, err := form.Read(t.Context(), registertest.Query(contracts.Query{Address: address}))
		if err != nil || solved != 2 || a.Value.Total != len(want) || !a.Value.Complete || len(want) == 0 {
			t.Errorf("%q: %d of %d by %d codes, complete %v, %v", address, a.Value.Total, len(want), solved, a.Value.Complete, err)
		}
	}
	if _, err := form.Read(t.Context(), registertest.Query(contracts.Query{Address: "78701"})); err == nil {
		t.Error("the form was asked by ZIP code alone")
	}
}

// Advice that stands on the empty form as well says nothing of an answer.
func TestAdviceOfTheFormIsNoFailure(t *testing.T) {
	licenses, book := license.New(contracts.DateOf(time.Now()), license.Sizes{contracts.TX: 5}), captcha.NewBook(1)
	site := sitetexas.New(licenses, book, sitetexas.Options{})
	for line, want := range map[string]struct{ onBoth, onAnswer scrape.Kind }{
		"If you are unable to find a license, contact us.":                                  {"", scrape.Changed},
		"Contact us. If the code you type does not match the image, a new one is shown.":    {"", scrape.Changed},
		"System maintenance in progress: search results may be incomplete.":                 {scrape.Changed, scrape.Changed},
		"When the site is busy, a search may show no records.":                              {scrape.Changed, scrape.Changed},
		"If a license does not appear, our database may be incomplete.":                     {scrape.Changed, scrape.Changed},
		"Our database is down. If you are unable to find a license, please come back soon.": {scrape.Changed, scrape.Changed},
	} {
		for onForm, kind := range map[bool]scrape.Kind{true: want.onBoth, false: want.onAnswer} {
			deps := registertest.Deps(t, map[string]http.Handler{sitetexas.Host: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				page := httptest.NewRecorder()
				site.ServeHTTP(page, r)
				maps.Copy(w.Header(), page.Header())
				w.WriteHeader(page.Code)
				body := page.Body.String()
				if onForm || r.Method == http.MethodPost {
					body = strings.Replace(body, `<div id="footer">`, "<p>"+line+`</p><div id="footer">`, 1)
				}
				_, _ = io.WriteString(w, body)
			})})
			deps.Solver, deps.Solve = registertest.HasSolver, registertest.Solver(book.Read)
			a, err := texas.Recipe(deps).Paths(register.Lookup)[0].Read(t.Context(), registertest.Number("999999999"))
			if scrape.KindOf(err) != kind || len(a.Value.Records) > 0 {
				t.Errorf("%s, on the form too %t: %v", line, onForm, err)
			}
		}
	}
}
