package state_test

import (
	"context"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"assay.dev/abc-worker/state"
	"assay.dev/contracts"
	"assay.dev/platform/scrape"
	"assay.dev/sandbox/captcha"
	"assay.dev/sandbox/license"
	"assay.dev/sandbox/texas"
)

// However many wait for the site, a code is sent while its image is good, and one solve is paid for each lookup.
func TestTexasSendsCodesBeforeTheyExpire(t *testing.T) {
	const lookups = 12
	register, book := license.New(contracts.DateOf(time.Now()), license.Sizes{contracts.TX: 150}), captcha.NewBook(1)
	inquiry := texas.New(register, book, texas.Options{Life: time.Second})
	deps := reach(t, map[string]http.Handler{texas.Host: inquiry}, func(c *scrape.Config) { c.HostRate, c.HostConcurrency = 10, 2 })
	deps.Solve = reader(book)
	read := state.Texas(deps).Lookup[0].Read
	var asking sync.WaitGroup
	for _, l := range register.Of(contracts.TX)[:lookups] {
		asking.Go(func() {
			if got, err := read(t.Context(), l.Number); err != nil || !same(got.Value, l.Primary) {
				t.Errorf("%s: %s, %v", l.Number, show(got.Value), err)
			}
		})
	}
	asking.Wait()
	if got := inquiry.Submissions(); got != (texas.Submissions{Answered: lookups}) {
		t.Errorf("%+v", got)
	}
}

func TestTexasPaysForNoSolveThatComesTooLate(t *testing.T) {
	register, book := license.New(contracts.DateOf(time.Now()), license.Sizes{contracts.TX: 150}), captcha.NewBook(1)
	deps := reach(t, map[string]http.Handler{texas.Host: texas.New(register, book, texas.Options{})})
	var solves atomic.Int32
	solve := reader(book)
	deps.Solve = func(ctx context.Context, id string, job contracts.SolveJob) (contracts.SolveResult, error) {
		if len(job.Image) > 0 {
			solves.Add(1)
		}
		return solve(ctx, id, job)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 4*time.Second)
	defer cancel()
	_, err := state.Texas(deps).Lookup[0].Read(ctx, register.Of(contracts.TX)[0].Number)
	if scrape.KindOf(err) != scrape.Refused || solves.Load() != 0 {
		t.Errorf("%d solves, %v", solves.Load(), err)
	}
}
