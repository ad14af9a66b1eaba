package registertest

import (
	"context"
	"slices"
	"testing"
	"time"

	"assay.dev/abc-worker/register"
	"assay.dev/contracts"
	"assay.dev/platform/scrape"
	"assay.dev/sandbox"
	"assay.dev/sandbox/license"
)

// kinds are all ways in which a site fails, but for the two that only take time.
var kinds = []sandbox.Kind{
	sandbox.Down, sandbox.Reset, sandbox.Forbidden, sandbox.Broken, sandbox.Challenge, sandbox.Empty,
	sandbox.Redesigned, sandbox.Swapped, sandbox.Bomb, sandbox.Huge, sandbox.Headers,
	sandbox.PrivateRedirect, sandbox.ForeignRedirect,
}

// Host is a host, and the paths that search it, by their names.
type Host struct {
	Name     string
	Searches []string
}

// FaultsGiveNoWrongAnswer makes the hosts of a state fail in all ways. Whatever a site does, a path must give the right
// record or fail: never another record, never that there is none. The hosts are those of the first path of lookups and of
// the second one; licenseCase is a case of the register.
func FaultsGiveNoWrongAnswer(
	t *testing.T, state contracts.State, recipe func(register.Deps) register.Recipe, licenseCase string, hosts [2]Host,
) {
	t.Helper()
	box, err := sandbox.Start(sandbox.Options{Licenses: license.Sizes{state: 60}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = box.Close() })
	egress := scrape.Egress{HTTPSProxy: box.ProxyURL(), CAFile: box.CAFile()}
	fetcher, err := scrape.NewFetcher(scrape.Config{Egress: egress}, scrape.Deps{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(fetcher.Close)
	licenses := box.Licensing().Register
	l, ok := licenses.Case(state, licenseCase)
	if !ok {
		t.Fatalf("no case %q", licenseCase)
	}
	for _, kind := range kinds {
		for i, host := range hosts {
			t.Run(string(kind)+"/"+host.Name, func(t *testing.T) {
				if err := box.Fault(host.Name, "", kind); err != nil {
					t.Fatal(err)
				}
				defer box.ClearFaults()
				deps := withMirrors(t, fetcher)
				deps.Solver = HasSolver
				deps.Solve = Solver(box.Licensing().Captchas)
				noWrongAnswer(t, recipe(deps), i, host.Searches, licenses, l)
			})
		}
	}
}

// noWrongAnswer looks a license up and searches for its owner by the paths that read the i-th host.
func noWrongAnswer(t *testing.T, recipe register.Recipe, i int, searches []string, licenses *license.Register, l license.License) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 8*time.Second)
	defer cancel()
	golden := []license.Path{license.Primary, license.Mirror}[i]
	got, err := recipe.Paths(register.Lookup)[i].Read(ctx, Number(l.Number))
	if err == nil && !Same(Found(got), l.Record(golden)) {
		t.Errorf("lookup\n got %s\nwant %s", Show(got.Value), Show(l.Record(golden)))
	}
	q := contracts.Query{OwnerName: l.Owner}
	for _, p := range recipe.Paths(register.Search) {
		if !slices.Contains(searches, p.Name) {
			continue
		}
		found, err := p.Read(ctx, Query(q))
		if want := licenses.Search(l.State, golden, q); err == nil && !sameAll(found.Value.Records, want) {
			t.Errorf("%s\n got %s\nwant %s", p.Name, Show(found.Value), Show(want))
		}
	}
}

func sameAll(got, want []contracts.LicenseRecord) bool {
	return slices.EqualFunc(got, want, func(g, w contracts.LicenseRecord) bool { return Same(&g, &w) })
}
