package abcworker_test

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	abcworker "assay.dev/abc-worker"
	"assay.dev/contracts"
	"assay.dev/sandbox"
	"assay.dev/sandbox/license"
)

// forced is a way to have a state answered by one of its paths.
type forced struct {
	state  contracts.State
	path   string
	golden license.Path
	// fail are the hosts and paths that do not answer.
	fail [][2]string
	// fallback tells that the path is not the first of lookups.
	fallback bool
	// absence tells that the path proves that a license does not exist.
	absence bool
	// clean is the confidence of a license whose members are all printed.
	clean float64
}

var forcedPaths = []forced{
	{state: contracts.CA, path: "page", golden: license.Primary, absence: true, clean: 1},
	{state: contracts.CA, path: "export", golden: license.Mirror, fail: [][2]string{{californiaHost, "/licensing"}}, fallback: true, clean: 0.88},
	{state: contracts.TX, path: "inquiry", golden: license.Primary, absence: true, clean: 1},
	{state: contracts.TX, path: "open data", golden: license.Mirror, fail: [][2]string{{texasHost, ""}}, fallback: true, clean: 0.88},
	{state: contracts.NY, path: "data sets", golden: license.Primary, absence: true, clean: 1},
	{state: contracts.NY, path: "map", golden: license.Mirror, fail: [][2]string{{newYorkHost, ""}}, fallback: true, clean: 0.87},
	{state: contracts.FL, path: "portal", golden: license.Primary, absence: true, clean: 1},
	{state: contracts.FL, path: "extracts", golden: license.Mirror, fail: [][2]string{{floridaHost, ""}}, fallback: true, clean: 1},
	{state: contracts.IL, path: "rendered", golden: license.Primary, absence: true, clean: 1},
	{state: contracts.IL, path: "IL export", golden: license.Mirror, fallback: true, absence: true, clean: 0.87}, // nobody renders
}

// matrixCases are an active, a suspended and a revoked license of each state.
var matrixCases = map[contracts.State][3]string{
	contracts.CA: {"plain", "suspension under way", "revoked by the department"},
	contracts.TX: {"plain", "suspension under way", "cancelled"},
	contracts.NY: {"plain", "suspended", "revoked"},
	contracts.FL: {"plain", "suspended", "revoked"},
	contracts.IL: {"plain", "suspended", "revoked"},
}

var matrixUnknown = map[contracts.State]string{
	contracts.CA: "99999999", contracts.TX: "999999999", contracts.NY: "0999-29-999999", contracts.FL: "BEV9999999", contracts.IL: "1A-9999999",
}

// Every state and path, forced by faults: what is answered of an active, a suspended, a revoked and an unknown license.
func TestMatrixOfLookups(t *testing.T) {
	t.Parallel()
	s := start(t)
	s.worker()
	s.solves(nil)
	rendering := start(t)
	rendering.worker()
	rendering.renders()
	alone := start(t)
	alone.worker(func(c *abcworker.Config) { c.Jobs = false })
	on := map[string]*system{"rendered": rendering, "IL export": alone}
	for _, f := range forcedPaths {
		s := cmp.Or(on[f.path], s)
		t.Run(fmt.Sprintf("%s/%s", f.state, f.path), func(t *testing.T) {
			for _, fault := range f.fail {
				s.must(s.sandbox.Fault(fault[0], fault[1], sandbox.Broken))
			}
			defer s.sandbox.ClearFaults()
			s.forget(t)
			for _, name := range matrixCases[f.state] {
				f.checkLicense(t, s, caseOf(s, f.state, name))
			}
			f.checkUnknown(t, s, matrixUnknown[f.state])
		})
	}
}

// forget empties the cache of answers, so that the next questions are read anew. It forgets the flights too: who asks within a
// few seconds of a flight waits for its answer, for two seconds when that is gone.
func (s *system) forget(t *testing.T) {
	t.Helper()
	for _, bucket := range []string{contracts.FlightsBucket.Name, contracts.AnswersBucket.Name} {
		kv, err := s.js.KeyValue(t.Context(), bucket)
		s.must(err)
		keys, err := kv.Keys(t.Context())
		for _, key := range keys {
			if err == nil && (strings.Contains(key, ".license.") || strings.Contains(key, ".search.")) {
				s.must(kv.Delete(t.Context(), key))
			}
		}
	}
}

// awaitStored waits until the answer is in the cache: a worker answers before it stores.
func (s *system) awaitStored(state contracts.State, number string) {
	s.Helper()
	kv, err := s.js.KeyValue(s.Context(), contracts.AnswersBucket.Name)
	s.must(err)
	key := contracts.LicenseKey(contracts.Test, contracts.LicenseRequest{State: state, Number: number})
	s.await(func() bool {
		_, err := kv.Get(s.Context(), string(key))
		return err == nil
	})
}

func (f forced) checkLicense(t *testing.T, s *system, l license.License) {
	t.Helper()
	a, err := s.lookup(f.state, l.Number)
	want := l.Record(f.golden)
	if want == nil {
		t.Logf("%-18s %s", l.Case, contracts.AsError(err).Message)
		if contracts.CodeOf(err) != contracts.SourceUnavailable {
			t.Errorf("%s is not shown: %s, %v", l.Number, show(a), err)
		}
		return
	}
	if err != nil {
		t.Fatalf("%s (%s): %v", l.Number, l.Case, err)
	}
	s.awaitStored(f.state, l.Number)
	body, err := a.Body(time.Now())
	s.must(err)
	s.verify(t, body, body.Verifiability)
	v, ttl := body.Verifiability, time.Until(a.ExpiresAt).Round(time.Minute)
	var codes []contracts.NoteCode
	for _, n := range v.Notes {
		codes = append(codes, n.Code)
	}
	t.Logf("%-18s %s suspensions %d, confidence %.2f, not reported %v, inferred %v, notes %v, TTL %s", l.Case, a.Record.Status,
		len(a.Record.Suspensions), v.ExtractionConfidence, v.NotReported, v.Inferred, codes, ttl)
	clean := f.clean
	if slices.Contains(v.Inferred, "status") {
		clean = math.Min(clean, 0.87)
	}
	switch {
	case !same(*a.Record, *want):
		t.Errorf("\n got %s\nwant %s", show(a.Record), show(want))
	case v.ExtractionConfidence != clean:
		t.Errorf("confidence %v, want %v", v.ExtractionConfidence, clean)
	case slices.Contains(v.NotReported, "suspensions") != slices.Contains(codes, contracts.NoteSuspensionsNotReported):
		t.Errorf("suspensions: not reported %v, notes %v", v.NotReported, codes)
	case l.Truth.Status != a.Record.Status && v.ExtractionConfidence >= 0.9:
		t.Errorf("the license is %s", l.Truth.Status)
	case f.fallback != (ttl <= contracts.FallbackTTL) || f.fallback != slices.Contains(codes, contracts.NoteFallback):
		t.Errorf("TTL %s, notes %v", ttl, codes)
	}
}

func (f forced) checkUnknown(t *testing.T, s *system, number string) {
	t.Helper()
	a, err := s.lookup(f.state, number)
	if err == nil {
		s.awaitStored(f.state, number)
	}
	if f.absence {
		_, absent := a.Body(time.Now())
		t.Logf("%-18s %v, TTL %s", "unknown", absent, time.Until(a.ExpiresAt).Round(time.Minute))
		if err != nil || contracts.CodeOf(absent) != contracts.NotFound {
			t.Errorf("%s: %s, %v", number, show(a), err)
		}
		return
	}
	t.Logf("%-18s %v", "unknown", err)
	if contracts.CodeOf(err) != contracts.SourceUnavailable || !strings.Contains(contracts.AsError(err).Message, "does not list it") {
		t.Errorf("%s: %s, %v", number, show(a), err)
	}
}
