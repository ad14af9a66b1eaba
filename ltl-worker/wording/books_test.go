package wording_test

import (
	"errors"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"assay.dev/contracts"
	"assay.dev/ltl-worker/trust"
	"assay.dev/ltl-worker/wording"
	"assay.dev/platform/bustest"
)

func editionOf(path, text string, day int) trust.Edition {
	r := trust.Reading{Path: path}
	for line := range strings.FieldsSeq(text) {
		r.Lines = append(r.Lines, trust.Line{Text: line, Near: true})
	}
	return trust.NewEdition(r, "a person", seen.AddDate(0, 0, day), "", false)
}

// What was accepted adds up, and is not taken for nothing while it cannot be read.
func TestBooks(t *testing.T) {
	conn := bustest.Connect(t, bustest.Server(t))
	js := bustest.JetStream(t, conn)
	for range 2 { // each start of the test environment
		if err := wording.AcceptSandbox(t.Context(), js); err != nil {
			t.Fatal(err)
		}
	}
	all, _ := wording.Sandbox()
	for env, want := range map[contracts.Environment]int{contracts.Test: len(all[contracts.SAIA]) + 2, contracts.Live: 2} {
		books, err := wording.OpenBucket(t.Context(), env, js)
		if err != nil {
			t.Fatal(err)
		}
		for day := range 2 {
			if err := books.Accept(t.Context(), contracts.SAIA, editionOf("page", "fuel", day)); err != nil {
				t.Fatal(err)
			}
		}
		if w, err := books.Known(t.Context(), contracts.SAIA); err != nil || len(w.Editions) != want {
			t.Errorf("%s: %d editions, %v", env, len(w.Editions), err)
		}
		large := editionOf("page", strings.Repeat("very_", 2<<20), 3)
		if err := books.Accept(t.Context(), contracts.SAIA, large); err == nil {
			t.Error("an edition of 10 MB was accepted")
		}
	}
	books, err := wording.OpenBucket(t.Context(), contracts.Live, js)
	if err != nil {
		t.Fatal(err)
	}
	conn.Close()
	if w, err := books.Known(t.Context(), contracts.SAIA); err == nil {
		t.Errorf("known without a connection: %+v", w)
	}
}

// Recall knows what was accepted and forgotten since, without the watch.
func TestRecall(t *testing.T) {
	js := bustest.JetStream(t, bustest.Connect(t, bustest.Server(t)))
	books, err := wording.OpenBucket(t.Context(), contracts.Live, js)
	if err != nil {
		t.Fatal(err)
	}
	shipped := func(contracts.Carrier) []trust.Edition { return nil }
	learns := func(s *wording.Store) error {
		return s.Learn(t.Context(), contracts.SAIA, trust.Reading{Path: "page"}, []trust.Line{{Text: "fuel"}}, seen)
	}
	s, err := wording.Open(t.Context(), contracts.Live, js, shipped, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	knows := func(when string, accepted, learned int) {
		t.Helper()
		err := s.Recall(t.Context(), contracts.SAIA)
		if of := s.Of(contracts.SAIA); err != nil || len(of.Editions) != accepted || len(of.Learned) != learned {
			t.Errorf("%s: %+v, %v", when, of, err)
		}
	}
	knows("nothing is there", 0, 0)
	if err := errors.Join(learns(s), books.Accept(t.Context(), contracts.SAIA, editionOf("page", "fuel", 1))); err != nil {
		t.Fatal(err)
	}
	knows("both are there", 1, 1)
	if err := books.ForgetLearned(t.Context(), contracts.SAIA, func(trust.Learned) bool { return true }); err != nil {
		t.Fatal(err)
	}
	knows("what was learned is forgotten", 1, 0)
	if err := books.Forget(t.Context(), contracts.SAIA, func(trust.Edition) bool { return true }); err != nil {
		t.Fatal(err)
	}
	knows("all is forgotten", 0, 0)
}

// An answer names the newest editions that know its words, and the newest where there are none.
func TestVouching(t *testing.T) {
	of := trust.Wording{Editions: []trust.Edition{
		editionOf("page", "a b", 0), editionOf("page", "b c", 1), editionOf("api", "a b c", 2), editionOf("page", "x", -1),
		editionOf("page", "n p1", -2), editionOf("page", "n m p2", -3),
	}}
	for text, want := range map[string][]int{
		"a b c": {1, 0}, "a": {0}, "b": {1}, "x": {-1}, "": {1}, "unknown": nil,
		"n p3": {-2, -3}, "p3": {-2, -3}, "x p3": {-1, -2, -3}, "m p3": {-3, -2}, "n": {-2}, "p3 unknown": {-2, -3},
	} {
		var got []time.Duration
		for _, e := range wording.EditionsKnowing(of, trust.Reading{Path: "page", Lines: editionOf("page", text, 0).Lines}) {
			got = append(got, e.At.Sub(seen))
		}
		if !slices.EqualFunc(got, want, func(at time.Duration, day int) bool { return at == time.Duration(day)*24*time.Hour }) {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}
