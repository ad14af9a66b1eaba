package abcworker

import (
	"context"
	"slices"
	"testing"

	"assay.dev/abc-worker/register"
	"assay.dev/abc-worker/register/registertest"
	"assay.dev/contracts"
	"assay.dev/platform/clock/clocktest"
	"assay.dev/platform/scrape"
	"assay.dev/sandbox"
	"assay.dev/sandbox/florida"
	"assay.dev/sandbox/license"
	"assay.dev/sandbox/newyork"
	"assay.dev/sandbox/texas"
)

// faultKinds are all ways in which a site fails, but for the two that only take time.
var faultKinds = []sandbox.Kind{
	sandbox.Down, sandbox.Reset, sandbox.Forbidden, sandbox.Broken, sandbox.Challenge, sandbox.Empty,
	sandbox.Redesigned, sandbox.Swapped, sandbox.Bomb, sandbox.Huge, sandbox.Headers,
	sandbox.PrivateRedirect, sandbox.ForeignRedirect,
}

// host is a host, and the paths that search it, by their names.
type host struct {
	name     string
	searches []string
}

// faulty are the hosts of states that are made to fail, that of the first path of lookups and that of the second one, and the case of the
// register that is asked for.
var faulty = map[contracts.State]struct {
	licenseCase string
	hosts       [2]host
}{
	contracts.FL: {"no dba", [2]host{{florida.Host, []string{"portal"}}, {florida.ExtractHost, []string{"mirror"}}}},
	contracts.NY: {"plain", [2]host{{newyork.DataHost, []string{"mirror", "soda"}}, {newyork.MapHost, []string{"map"}}}},
	contracts.TX: {"two suspensions and a penalty", [2]host{{texas.Host, []string{"inquiry"}}, {texas.DataHost, []string{"mirror", "soda"}}}},
}

// Whatever a site does, a path must give the right record or fail: never another record, never that there is none.
func TestFaultsGiveNoWrongAnswer(t *testing.T) {
	t.Parallel()
	for s := range faulty {
		t.Run(string(s), func(t *testing.T) {
			t.Parallel()
			faultsGiveNoWrongAnswer(t, s)
		})
	}
}

func faultsGiveNoWrongAnswer(t *testing.T, s contracts.State) {
	t.Helper()
	box, err := sandbox.Start(sandbox.Options{Licenses: license.Sizes{s: 60}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = box.Close() })
	egress := scrape.Egress{HTTPSProxy: box.ProxyURL(), CAFile: box.CAFile()}
	licenses := box.Licensing().Register
	l, ok := licenses.Case(s, faulty[s].licenseCase)
	if !ok {
		t.Fatalf("no case %q", faulty[s].licenseCase)
	}
	for _, kind := range faultKinds {
		for i, host := range faulty[s].hosts {
			t.Run(string(kind)+"/"+host.name, func(t *testing.T) {
				if err := box.Fault(host.name, "", kind); err != nil {
					t.Fatal(err)
				}
				defer box.ClearFaults()
				deps := registertest.Through(t, scrape.Config{Egress: egress})
				deps.Solver = registertest.HasSolver
				deps.Solve = registertest.Solver(box.Licensing().Captchas.Read)
				noWrongAnswer(t, Recipes[s](deps), i, host.searches, licenses, l)
			})
		}
	}
}

// noWrongAnswer looks a license up and searches for its owner by the paths that read the i-th host.
func noWrongAnswer(t *testing.T, recipe register.Recipe, i int, searches []string, licenses *license.Register, l license.License) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), clocktest.Patience)
	defer cancel()
	golden := []license.Path{license.Primary, license.Mirror}[i]
	got, err := recipe.Paths(register.Lookup)[i].Read(ctx, registertest.Number(l.Number))
	if err == nil && !registertest.Same(registertest.Found(got), l.Record(golden)) {
		t.Errorf("lookup\n got %s\nwant %s", registertest.Show(got.Value), registertest.Show(l.Record(golden)))
	}
	q := contracts.Query{OwnerName: l.Owner}
	for _, p := range recipe.Paths(register.Search) {
		if !slices.Contains(searches, p.Name) {
			continue
		}
		found, err := p.Read(ctx, registertest.Query(q))
		if want := licenses.Search(l.State, golden, q); err == nil && !sameAll(found.Value.Records, want) {
			t.Errorf("%s\n got %s\nwant %s", p.Name, registertest.Show(found.Value), registertest.Show(want))
		}
	}
}

func sameAll(got, want []contracts.LicenseRecord) bool {
	return slices.EqualFunc(got, want, func(g, w contracts.LicenseRecord) bool { return registertest.Same(&g, &w) })
}
