package state_test

import (
	"encoding/json"
	"strings"
	"sync"
	"testing"

	"go.uber.org/goleak"

	"assay.dev/abc-worker/state"
	"assay.dev/contracts"
	"assay.dev/sandbox/license"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// Every synthetic license of a state, by each of its paths.
func TestEveryLicense(t *testing.T) {
	register, deps := world(t, license.Small())
	for name, tt := range map[string]struct {
		state contracts.State
		way   int
		path  license.Path
		// absent: what the path does not show is proven not to exist.
		absent bool
	}{
		"CA page":   {contracts.CA, 0, license.Primary, true},
		"CA export": {contracts.CA, 1, license.Mirror, false},
		"IL export": {contracts.IL, 1, license.Mirror, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			read := state.Recipes[tt.state](deps).Lookup[tt.way].Read
			each(register.Of(tt.state), func(l license.License) {
				want := l.Record(tt.path)
				got, err := read(t.Context(), l.Number)
				if want == nil && !tt.absent {
					if err == nil {
						t.Errorf("%s (%s): %s, want a failure", l.Number, l.Case, show(got.Value))
					}
					return
				}
				if err != nil || !same(got.Value, want) || got.Confidence() < 0.85 {
					t.Errorf("%s (%s), confidence %v: %v\n got %s\nwant %s", l.Number, l.Case, got.Confidence(), err, show(got.Value), show(want))
				}
			})
		})
	}
}

// each runs f for all licenses, several at a time.
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

// same compares records; a suspension's reason must begin with what is wanted of it.
func same(got, want *contracts.LicenseRecord) bool {
	if got == nil || want == nil {
		return got == nil && want == nil
	}
	g, w := *got, *want
	if len(g.Suspensions) != len(w.Suspensions) {
		return false
	}
	for i, s := range g.Suspensions {
		reason := w.Suspensions[i].Reason
		if s.StartDate != w.Suspensions[i].StartDate || s.EndDate != w.Suspensions[i].EndDate || !strings.HasPrefix(s.Reason, reason) {
			return false
		}
	}
	g.Suspensions, w.Suspensions = nil, nil
	return show(g) == show(w)
}

func show(v any) string {
	text, _ := json.Marshal(v)
	return string(text)
}
