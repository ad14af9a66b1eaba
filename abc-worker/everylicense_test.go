package abcworker

import (
	"fmt"
	"sync"
	"testing"

	"assay.dev/abc-worker/register"
	"assay.dev/abc-worker/register/registertest"
	"assay.dev/contracts"
	"assay.dev/platform/scrape"
	"assay.dev/sandbox/license"
)

// Each license is looked up by both paths of its state, of which the first proves absence; in Illinois the second does too.
func TestEveryLicense(t *testing.T) {
	t.Parallel()
	licenses, deps := everySite(t, license.Sizes{contracts.CA: 400, contracts.IL: 400, contracts.TX: 150, contracts.NY: 150, contracts.FL: 150})
	for _, s := range contracts.States {
		for i, path := range Recipes[s](deps).Paths(register.Lookup) {
			t.Run(fmt.Sprintf("%s/%s", s, path.Name), func(t *testing.T) {
				t.Parallel()
				everyLicense(t, licenses, s, path, []license.Path{license.Primary, license.Mirror}[i], i == 0 || s == contracts.IL)
			})
		}
	}
}

// Searches with more matches than one answer of a service holds. Rows whose status nobody understands are not among those
// that are counted, on whatever page they would stand.
func TestEveryMatch(t *testing.T) {
	t.Parallel()
	licenses, deps := everySite(t, license.Sizes{contracts.TX: 3000, contracts.NY: 3000})
	for s, golden := range map[contracts.State][]license.Path{
		contracts.TX: {"", license.Mirror, license.Mirror}, // not by the form
		contracts.NY: {license.Primary, license.Primary, license.Mirror},
	} {
		for i, path := range Recipes[s](deps).Paths(register.Search) {
			for _, q := range []contracts.Query{{OwnerName: "e"}, {DBAName: "r", Address: "s"}} {
				if golden[i] != "" {
					t.Run(fmt.Sprintf("%s/%s", s, path.Name), func(t *testing.T) { everyMatch(t, licenses, s, path, golden[i], q) })
				}
			}
		}
	}
}

// everyLicense looks up all licenses of a state by one path, and compares each with the golden record of its kind of
// path. With provesAbsence, a license that the path does not show must be answered as absent; else it must fail as
// unavailable. One that is shown in a way that nobody can understand must fail as changed.
func everyLicense(
	t *testing.T, licenses *license.Register, state contracts.State, path register.JudgedPath, golden license.Path, provesAbsence bool,
) {
	t.Helper()
	records := licenses.Golden(state, golden) // of a transfer under way, the new owner's
	all := licenses.Of(state)
	if len(all) == 0 {
		t.Fatal("there are no licenses")
	}
	each(all, func(l license.License) {
		want, shown := records[l.Number]
		got, err := path.Read(t.Context(), register.Question{Number: l.Number}.ForOnePass())
		switch {
		case !shown && l.IsUnclear(golden):
			if scrape.KindOf(err) != scrape.Unclear {
				t.Errorf("%s (%s) cannot be understood: %s, %v", l.Number, l.Case, registertest.Show(got.Value), err)
			}
		case !shown && provesAbsence:
			if err != nil || len(got.Value.Records) > 0 || got.Confidence() != 1 {
				t.Errorf("%s (%s) is not shown: %s, %v", l.Number, l.Case, registertest.Show(got.Value), err)
			}
		case !shown:
			if scrape.KindOf(err) != scrape.Unavailable {
				t.Errorf("%s (%s) is not shown, which proves nothing: %s, %v", l.Number, l.Case, registertest.Show(got.Value), err)
			}
		case err != nil || !registertest.Same(registertest.Found(got), &want) || got.Confidence() < 0.7:
			t.Errorf("%s (%s), confidence %v: %v\n got %s\nwant %s",
				l.Number, l.Case, got.Confidence(), err, registertest.Show(got.Value), registertest.Show(want))
		}
	})
}

// everyMatch searches by one path, answer after answer as callers do for further pages. The answers together must hold
// what the register holds, each license once and in order, and each must count all of them.
func everyMatch(
	t *testing.T, licenses *license.Register, state contracts.State, path register.JudgedPath, golden license.Path, q contracts.Query,
) {
	t.Helper()
	want := licenses.Search(state, golden, q)
	var got []contracts.LicenseRecord
	asked := registertest.Query(q)
	for whole := false; !whole && len(got) <= len(want); {
		a, err := path.Read(t.Context(), asked)
		if err != nil {
			t.Fatalf("%+v after %d: %v", q, len(got), err)
		}
		if a.Value.Total != len(want) || len(a.Value.Records) > contracts.MaxKept {
			t.Errorf("%+v after %d: %d of %d, want %d", q, len(got), len(a.Value.Records), a.Value.Total, len(want))
		}
		got = append(got, a.Value.Records...)
		if whole = a.Value.Whole; !whole {
			asked.After = got[len(got)-1].Position()
		}
	}
	if !sameAll(got, want) {
		t.Errorf("%+v: %d matches, want %d", q, len(got), len(want))
	}
	t.Logf("%+v: %d matches", q, len(got))
}

// each runs f for all licenses, eight at a time.
func each(all []license.License, f func(license.License)) {
	var running sync.WaitGroup
	queue := make(chan license.License)
	for range 8 {
		running.Go(func() {
			for l := range queue {
				f(l)
			}
		})
	}
	for _, l := range all {
		queue <- l
	}
	close(queue)
	running.Wait()
}
