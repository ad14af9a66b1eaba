package state_test

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"testing"
	"time"

	"assay.dev/abc-worker/mirror"
	"assay.dev/abc-worker/state"
	"assay.dev/contracts"
	"assay.dev/platform/scrape"
	"assay.dev/platform/scrape/scrapetest"
	"assay.dev/sandbox/captcha"
	"assay.dev/sandbox/florida"
	"assay.dev/sandbox/license"
	"assay.dev/sandbox/newyork"
	"assay.dev/sandbox/opendata"
	"assay.dev/sandbox/texas"
)

// reach is what recipes need to read the hosts.
func reach(t *testing.T, hosts map[string]http.Handler, adjust ...func(*scrape.Config)) state.Deps {
	t.Helper()
	cfg := scrapetest.Start(t, hosts).Config()
	cfg.HostConcurrency = 16
	for _, a := range adjust {
		a(&cfg)
	}
	fetcher, err := scrape.NewFetcher(cfg, scrape.Deps{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(fetcher.Close)
	mirrors, err := mirror.Open(context.Background(), mirror.Deps{Environment: contracts.Test, Fetcher: fetcher})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = mirrors.Close(context.Background()) })
	return state.Deps{Environment: contracts.Test, Fetcher: fetcher, Mirrors: mirrors, Clock: time.Now}
}

// reader solves the images that the book has drawn.
func reader(book *captcha.Book) func(context.Context, string, contracts.SolveJob) (contracts.SolveResult, error) {
	return func(_ context.Context, _ string, job contracts.SolveJob) (contracts.SolveResult, error) {
		if len(job.Image) == 0 {
			return contracts.SolveResult{}, nil // there is a solver
		}
		text, ok := book.Read(job.Image)
		if !ok {
			return contracts.SolveResult{}, errors.New("not an image of the book")
		}
		return contracts.SolveResult{Text: text}, nil
	}
}

func TestMirroredAreTheStatesWithABulkFile(t *testing.T) {
	deps := reach(t, nil)
	for s, recipe := range state.Recipes {
		mirrored := slices.ContainsFunc(recipe(deps).Lookup, func(p state.LookupPath) bool { return p.Name == "mirror" })
		if mirrored != slices.Contains(state.Mirrored, s) {
			t.Errorf("%s: %v", s, mirrored)
		}
	}
}

// Every synthetic license of a smaller Texas, New York and Florida, by each path.
func TestEveryLicenseByEachPath(t *testing.T) {
	sizes := license.Sizes{contracts.TX: 150, contracts.NY: 150, contracts.FL: 150} // each case at least once
	register, book := license.New(contracts.DateOf(time.Now()), sizes), captcha.NewBook(1)
	deps := reach(t, map[string]http.Handler{
		texas.Host: texas.New(register, book, texas.Options{}), texas.DataHost: opendata.NewSoda(time.Now(), texas.Dataset(register)),
		newyork.DataHost: opendata.NewSoda(time.Now(), newyork.Datasets(register)...), newyork.MapHost: newyork.Map(register),
		florida.Host: florida.New(register), florida.ExtractHost: florida.NewExtracts(register, time.Now),
	})
	deps.Solve = reader(book)
	for name, tt := range map[string]struct {
		state  contracts.State
		way    int
		path   license.Path
		absent bool
	}{
		"TX inquiry":  {contracts.TX, 0, license.Primary, true},
		"TX data":     {contracts.TX, 1, license.Mirror, false},
		"NY data":     {contracts.NY, 0, license.Primary, true},
		"NY map":      {contracts.NY, 1, license.Mirror, false},
		"FL portal":   {contracts.FL, 0, license.Primary, true},
		"FL extracts": {contracts.FL, 1, license.Mirror, false},
	} {
		t.Run(name, func(t *testing.T) {
			read := state.Recipes[tt.state](deps).Lookup[tt.way].Read
			golden := register.Golden(tt.state, tt.path)
			each(register.Of(tt.state), func(l license.License) {
				record, known := golden[l.Number] // of a transfer under way, the new owner's
				got, err := read(t.Context(), l.Number)
				switch {
				case !known && tt.absent:
					if err != nil || got.Value != nil {
						t.Errorf("%s (%s) is not shown: %s, %v", l.Number, l.Case, show(got.Value), err)
					}
				case !known:
					if scrape.KindOf(err) != scrape.Unavailable {
						t.Errorf("%s (%s) is not shown, which proves nothing: %s, %v", l.Number, l.Case, show(got.Value), err)
					}
				case err != nil || !same(got.Value, &record) || got.Confidence() < 0.85:
					t.Errorf("%s (%s), confidence %v: %v\n got %s\nwant %s", l.Number, l.Case, got.Confidence(), err, show(got.Value), show(record))
				}
			})
		})
	}
}
