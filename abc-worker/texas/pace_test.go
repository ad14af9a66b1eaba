package texas_test

import (
	"context"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"assay.dev/abc-worker/register"
	"assay.dev/abc-worker/register/registertest"
	"assay.dev/abc-worker/texas"
	"assay.dev/contracts"
	"assay.dev/platform/scrape"
	"assay.dev/sandbox/captcha"
	"assay.dev/sandbox/license"
	sitetexas "assay.dev/sandbox/texas"
)

// However many wait for the site, a code is sent while its image is good, and one solve is paid for each lookup. The site's clock
// tells the time that its requests take at their rate, whatever the machine does besides.
func TestSendsCodesBeforeTheyExpire(t *testing.T) {
	const lookups = 20
	licenses, book := license.New(contracts.DateOf(time.Now()), license.Sizes{contracts.TX: 150}), captcha.NewBook(1)
	const rate = 10
	var requests atomic.Int64
	began := time.Now()
	inquiry := sitetexas.New(licenses, book, sitetexas.Options{Life: 1600 * time.Millisecond, Now: func() time.Time {
		return began.Add(time.Duration(requests.Load()) * time.Second / rate)
	}})
	site := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		inquiry.ServeHTTP(w, r)
	})
	deps := registertest.Deps(t, map[string]http.Handler{sitetexas.Host: site},
		func(c *scrape.Config) { c.HostRate, c.HostConcurrency = rate, 2 })
	deps.Solver = registertest.HasSolver
	deps.Solve = registertest.Solver(book.Read)
	read := texas.Recipe(deps).Paths(register.Lookup)[0].Read
	var asking sync.WaitGroup
	for _, l := range licenses.Of(contracts.TX)[:lookups] {
		asking.Go(func() {
			if got, err := read(t.Context(), registertest.Number(l.Number)); err != nil || !registertest.Same(registertest.Found(got), l.Primary) {
				t.Errorf("%s: %s, %v", l.Number, registertest.Show(got.Value), err)
			}
		})
	}
	asking.Wait()
	if got := inquiry.Submissions(); got != (sitetexas.Submissions{Answered: lookups}) {
		t.Errorf("%+v", got)
	}
}

func TestPaysForNoSolveThatComesTooLate(t *testing.T) {
	licenses, book := license.New(contracts.DateOf(time.Now()), license.Sizes{contracts.TX: 150}), captcha.NewBook(1)
	deps := registertest.Deps(t, map[string]http.Handler{sitetexas.Host: sitetexas.New(licenses, book,
		sitetexas.Options{})})
	var solves atomic.Int32
	solve := registertest.Solver(book.Read)
	deps.Solver = registertest.HasSolver
	deps.Solve = func(ctx context.Context, id string, job contracts.SolveJob) (contracts.SolveResult, error) {
		solves.Add(1)
		return solve(ctx, id, job)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 4*time.Second)
	defer cancel()
	_, err := texas.Recipe(deps).Paths(register.Lookup)[0].Read(ctx, registertest.Number(licenses.Of(contracts.TX)[0].Number))
	if scrape.KindOf(err) != scrape.Refused || solves.Load() != 0 {
		t.Errorf("%d solves, %v", solves.Load(), err)
	}
}
