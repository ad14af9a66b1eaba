package abcworker_test

import (
	"context"
	"io"
	"strings"
	"testing"
	"time"

	abcworker "assay.dev/abc-worker"
	"assay.dev/contracts"
	"assay.dev/platform/bus"
	"assay.dev/platform/clock/clocktest"
	"assay.dev/sandbox"
)

const day = 24 * time.Hour

// What a bulk file or a data set says of its own age: within its schedule, beyond it, and beyond all use.
func TestOldPublications(t *testing.T) {
	t.Parallel()
	s := start(t)
	s.worker(func(c *abcworker.Config) { c.Jobs = false })
	s.must(s.sandbox.Fault(floridaHost, "", sandbox.Broken))
	s.must(s.sandbox.Fault(californiaHost, "/licensing", sandbox.Broken))
	for state, unknown := range map[contracts.State]string{
		contracts.CA: "", contracts.FL: "", contracts.TX: "", contracts.NY: "0999-29-999999", contracts.IL: "1A-9999999",
	} {
		s.sandbox.Licensing().Age(state, 10*day)
		a, err := s.lookup(state, caseOf(s, state, "plain").Number)
		if err != nil || !a.Noted(contracts.NoteSourceOld) || a.Confidence() >= 0.9 || a.PublishedAt == nil ||
			time.Since(*a.PublishedAt) < 9*day {
			t.Errorf("%s: %s, %v", state, show(a), err)
		}
		if unknown != "" {
			a, err := s.lookup(state, unknown)
			if contracts.CodeOf(err) != contracts.SourceUnavailable || !strings.Contains(contracts.AsError(err).Message, "does not list it") {
				t.Errorf("%s: an old source proves nothing: %s, %v", state, show(a), err)
			}
		}
	}
}

func TestPublicationsTooOldToAnswerFrom(t *testing.T) {
	t.Parallel()
	s := start(t)
	for _, state := range contracts.States {
		s.sandbox.Licensing().Age(state, 300*day)
	}
	s.worker(func(c *abcworker.Config) { c.Jobs = false })
	s.must(s.sandbox.Fault(californiaHost, "/licensing", sandbox.Broken))
	for _, state := range []contracts.State{contracts.CA, contracts.IL, contracts.TX} {
		a, err := s.lookup(state, caseOf(s, state, "plain").Number)
		if contracts.CodeOf(err) != contracts.SourceUnavailable || !strings.Contains(contracts.AsError(err).Message, "too old") {
			t.Errorf("%s: %s, %v", state, show(a), err)
		}
	}
}

// "None" comes from a path that proves it; else it is no answer, or says that it proves nothing.
func TestNothingMatches(t *testing.T) {
	t.Parallel()
	s := start(t)
	s.worker()
	s.solves(nil)
	dead := caseOf(s, contracts.CA, "revoked by the department")
	s.await(func() bool { // Florida's copy, by which accents are searched, is loaded
		s.forget(t)
		a, err := s.search(contracts.FL, contracts.Query{DBAName: "QQQQYY"})
		return err == nil && !a.Noted(contracts.NoteAccentsNotSearched)
	})
	for _, tt := range []struct { // those with faults last: a site that failed rests for a while
		name       string
		state      contracts.State
		q          contracts.Query
		confidence float64 // 0 for SOURCE_UNAVAILABLE
		fault      string
	}{
		{"CA by owner", contracts.CA, contracts.Query{OwnerName: dead.Owner, Address: dead.Premises.Street}, 0.5, ""},
		{"CA by name", contracts.CA, contracts.Query{DBAName: "QQQQZZ"}, 1, ""},
		{"TX", contracts.TX, contracts.Query{DBAName: "QQQQZZ"}, 1, ""},
		{"NY", contracts.NY, contracts.Query{DBAName: "QQQQZZ"}, 1, ""},
		{"FL", contracts.FL, contracts.Query{DBAName: "QQQQZZ"}, 1, ""},
		{"FL by address", contracts.FL, contracts.Query{Address: "QQQQZZ"}, 0.5, ""},
		{"IL", contracts.IL, contracts.Query{DBAName: "QQQQZZ"}, 1, ""},
		{"CA by name, page down", contracts.CA, contracts.Query{DBAName: dead.DBA, OwnerName: dead.Owner}, 0, californiaHost},
		{"TX, inquiry down", contracts.TX, contracts.Query{DBAName: "QQQQZZ"}, 0, texasHost},
		{"NY, data sets down, their copy is new", contracts.NY, contracts.Query{DBAName: "QQQQZZ"}, 1, newYorkHost},
		{"FL by name, no portal", contracts.FL, contracts.Query{DBAName: "QQQQZZ"}, 0, floridaHost},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if tt.fault != "" {
				path := map[string]string{californiaHost: "/licensing"}[tt.fault]
				s.must(s.sandbox.Fault(tt.fault, path, sandbox.Broken))
				defer s.sandbox.ClearFaults()
				s.forget(t)
			}
			a, err := s.search(tt.state, tt.q)
			switch {
			case tt.confidence == 0:
				if contracts.CodeOf(err) != contracts.SourceUnavailable || !strings.Contains(contracts.AsError(err).Message, "lists no match") {
					t.Errorf("%s, %v", show(a), err)
				}
			case err != nil || a.Total != 0 || a.Confidence() != tt.confidence || a.Complete != (tt.confidence == 1) ||
				a.Noted(contracts.NoteAbsenceNotProven) == a.Complete:
				t.Errorf("%s, %v", show(a), err)
			}
		})
	}
}

// A revoked license's row, evidence and type are those that were asked for.
func TestTheRightThing(t *testing.T) {
	t.Parallel()
	s := start(t)
	s.worker()
	two := caseOf(s, contracts.CA, "two types")
	other, err := s.lookup(contracts.CA, "58-"+two.Number)
	if err != nil || other.Record == nil || other.Record.LicenseTypeCode != "58" {
		t.Errorf("type 58: %s, %v", show(other), err)
	}
	if a, err := s.lookup(contracts.CA, two.Number); err != nil || !a.Noted(contracts.NoteOtherTypes) || a.Record.LicenseTypeCode != "47" {
		t.Errorf("any type: %s, %v", show(a), err)
	}
	if a, err := s.lookup(contracts.CA, "99-"+two.Number); err != nil || a.Record != nil {
		t.Errorf("type 99: %s, %v", show(a), err)
	}
	s.must(s.sandbox.Fault(floridaHost, "", sandbox.Broken))
	if a, err := s.lookup(contracts.FL, caseOf(s, contracts.FL, "revoked").Number); err != nil || !strings.HasSuffix(a.EvidenceURL, "bd400revok.csv") {
		t.Errorf("evidence of a revoked license: %s, %v", show(a), err)
	}
	accents, err := s.search(contracts.NY, contracts.Query{DBAName: "CAFE Z"})
	if err != nil || accents.Total == 0 {
		t.Fatalf("%s, %v", show(accents), err)
	}
	response, err := s.sandbox.Client().Get(accents.EvidenceURL)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	shown, err := io.ReadAll(io.LimitReader(response.Body, 1<<20))
	if err != nil || !strings.Contains(string(shown), accents.Results[0].LicenseNumber) {
		t.Errorf("%s does not show %s, %v", accents.EvidenceURL, accents.Results[0].LicenseNumber, err)
	}
}

// A fresh reading replaces an old copy; when it fails, the good copy stays and says so.
func TestFreshReadings(t *testing.T) {
	t.Parallel()
	s := start(t)
	s.worker()
	l := caseOf(s, contracts.CA, "plain")
	ask := func(fresh bool) contracts.LicenseAnswer {
		ctx, cancel := context.WithTimeout(t.Context(), clocktest.Patience)
		defer cancel()
		a, err := bus.Call[contracts.LicenseAnswer](ctx, s.client, contracts.LicenseSubject(contracts.Test, contracts.CA),
			contracts.LicenseRequest{State: contracts.CA, Number: l.Number, Fresh: fresh})
		s.must(err)
		return a
	}
	first := ask(false)
	if again := ask(true); !again.ReadAt.Equal(first.ReadAt) || again.RefreshFailed {
		t.Errorf("a copy younger than a minute was read anew: %s", show(again))
	}
	s.backdate(t, contracts.LicenseKey(contracts.Test, contracts.LicenseRequest{State: contracts.CA, Number: l.Number}), first)
	if anew := ask(true); anew.ReadAt.Before(first.ReadAt) || anew.RefreshFailed {
		t.Errorf("an old copy was not read anew: %s", show(anew))
	}
	s.backdate(t, contracts.LicenseKey(contracts.Test, contracts.LicenseRequest{State: contracts.CA, Number: l.Number}), first)
	s.must(s.sandbox.Fault(californiaHost, "/licensing", sandbox.Broken)) // only the export is left
	if kept := ask(true); !kept.RefreshFailed || kept.Method != contracts.StructuredParse || kept.Confidence() != first.Confidence() {
		t.Errorf("the good copy was lost: %s", show(kept))
	}
	if kept := ask(false); kept.RefreshFailed {
		t.Errorf("a failure to renew was stored: %s", show(kept))
	}
}

// A search for what the source says now is asked of the source, any other one of its copy.
func TestFreshSearches(t *testing.T) {
	t.Parallel()
	s := start(t)
	s.worker()
	for _, tt := range []struct {
		owner, form string
		fresh       bool
	}{{"copper", ".csv?", false}, {"river", ".json?", true}} {
		a := s.searchAfter(contracts.SearchRequest{State: contracts.NY, Query: contracts.Query{OwnerName: tt.owner}, Fresh: tt.fresh})
		if !strings.Contains(a.EvidenceURL, tt.form) || a.Noted(contracts.NoteFallback) || a.Total == 0 || !a.Complete {
			t.Errorf("fresh %v: %s", tt.fresh, show(a))
		}
	}
}

// A search for what the source says now that an export answers has the export asked for anew, and says when that failed.
func TestFreshSearchesOfExports(t *testing.T) {
	t.Parallel()
	for state, tt := range map[contracts.State]struct {
		host string
		by   func(text string) contracts.Query
	}{
		contracts.IL: {illinoisHost, func(text string) contracts.Query { return contracts.Query{DBAName: text} }},
		contracts.CA: {californiaHost, func(text string) contracts.Query { return contracts.Query{OwnerName: text} }},
		contracts.FL: {floridaExtractHost, func(text string) contracts.Query { return contracts.Query{Address: text} }},
	} {
		t.Run(string(state), func(t *testing.T) {
			s := start(t)
			s.worker(func(c *abcworker.Config) { c.MirrorYoung = time.Nanosecond })
			search := func(text string, fresh bool) contracts.SearchAnswer {
				return s.searchAfter(contracts.SearchRequest{State: state, Query: tt.by(text), Fresh: fresh})
			}
			first := search("a", false)
			anew := search("b", true)
			if anew.RefreshFailed || !anew.ReadAt.After(first.ReadAt) {
				t.Errorf("read at %s, then %s, failed: %t", first.ReadAt, anew.ReadAt, anew.RefreshFailed)
			}
			s.must(s.sandbox.Fault(tt.host, "", sandbox.Down))
			asked := s.sandbox.Requests(tt.host).Total()
			kept := search("d", true)
			if !kept.RefreshFailed || kept.Total == 0 || kept.Noted(contracts.NoteFallback) || s.sandbox.Requests(tt.host).Total() == asked {
				t.Errorf("with the export away: %s", show(kept.Provenance))
			}
			if again := search("d", false); again.RefreshFailed || !again.ReadAt.Equal(kept.ReadAt) {
				t.Errorf("a failure to renew was stored: %s", show(again.Provenance))
			}
		})
	}
}

// backdate makes a stored answer ten minutes older.
func (s *system) backdate(t *testing.T, key contracts.CacheKey, a contracts.LicenseAnswer) {
	t.Helper()
	kv, err := s.js.KeyValue(t.Context(), contracts.AnswersBucket.Name)
	s.must(err)
	a.ReadAt = a.ReadAt.Add(-10 * time.Minute)
	_, err = kv.Put(t.Context(), string(key), []byte(show(a)))
	s.must(err)
}
