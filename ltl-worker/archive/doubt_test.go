package archive_test

import (
	"slices"
	"testing"
	"time"

	"assay.dev/contracts"
	"assay.dev/ltl-worker/archive"
)

// A week whose cleanness was taken back is in doubt for every worker, and is not cleared by what was read before that and waited to be written.
func TestWhatIsTakenBackIsCleanOnceItIsJudgedAnew(t *testing.T) {
	kv, r := bucket(t), &reports{}
	worker := open(t, kv, contracts.Live, r)
	worker.Observe(observation(monday, week("2026-09-02", 51), week("2026-09-09", 52)))
	if err := worker.Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
	worker = open(t, kv, contracts.Live, r)
	worker.Observe(observation(monday.Add(time.Minute), week("2026-09-02", 51), week("2026-09-09", 52))) // waits
	at := monday.Add(time.Hour)
	doubted, err := worker.Doubt(t.Context(), contracts.TFORCE, at, func(v archive.Value) bool { return v.EffectiveDate == "2026-09-09" })
	if err != nil || !slices.Equal(doubted, []contracts.Date{"2026-09-09"}) {
		t.Fatalf("%v, %v", doubted, err)
	}
	known := func() (clean []contracts.Date) {
		all, err := worker.Weeks(t.Context(), contracts.TFORCE)
		if err != nil {
			t.Fatal(err)
		}
		for _, w := range all {
			if _, ok := w.Clean(); ok {
				clean = append(clean, w.Date)
			}
		}
		return clean
	}
	if clean := known(); !slices.Equal(clean, []contracts.Date{"2026-09-02"}) {
		t.Errorf("clean: %v", clean)
	}
	if err := worker.Stop(t.Context()); err != nil { // writes what waited
		t.Fatal(err)
	}
	worker = open(t, kv, contracts.Live, r)
	defer func() { _ = worker.Stop(t.Context()) }()
	if clean := known(); !slices.Equal(clean, []contracts.Date{"2026-09-02"}) {
		t.Errorf("clean after a restart: %v", clean)
	}
	anew := observation(monday.Add(time.Minute), week("2026-09-09", 52))
	anew.JudgedAt = at.Add(time.Second)
	worker.Observe(anew)
	if clean := known(); !slices.Equal(clean, []contracts.Date{"2026-09-09", "2026-09-02"}) {
		t.Errorf("clean once it is believed again: %v", clean)
	}
}
