package archive_test

import (
	"testing"
	"time"

	"assay.dev/contracts"
	"assay.dev/platform/clock/clocktest"
)

// The writer may be busy: what several reads have shown meanwhile is known, not that of the last alone.
func TestAllThatWaitsToBeWrittenIsKnown(t *testing.T) {
	kv, r := bucket(t), &reports{}
	keep(t, kv, contracts.Live, r, observation(monday, week("2026-08-26", 50)))
	a := open(t, kv, contracts.Live, r)
	r.mu.Lock() // the report of the revision does not end, so that nothing is written
	a.Observe(observation(monday.Add(time.Hour), week("2026-08-26", 49)))
	a.Observe(observation(monday.Add(time.Hour), week("2026-09-02", 51)))
	a.Observe(observation(monday.Add(time.Hour), week("2026-09-09", 52)))
	known, err := a.Weeks(t.Context(), contracts.TFORCE)
	for n := range 100 { // but not without end
		a.Observe(observation(monday.Add(time.Hour), week(contracts.Date("2026-08-19").AddDays(-7*n), 51)))
	}
	r.mu.Unlock()
	if err != nil || len(known) != 3 || known[2].Newest().Percent != 49 || known[1].Newest().Percent != 51 {
		t.Errorf("known: %+v, %v", known, err)
	}
	if err := a.Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
	a.Observe(observation(monday.Add(2*time.Hour), week("2026-09-16", 53)))
	if known, err := a.Weeks(t.Context(), contracts.TFORCE); err != nil || len(known) != 64 {
		t.Errorf("known although nobody will write it: %d weeks, %v", len(known), err)
	}
	if stored := keep(t, kv, contracts.Live, r); len(stored) != 64 {
		t.Errorf("stored: %d weeks", len(stored))
	}
}

// That a carrier still shows what is known waits until others can be written with it, or for the stop. It is known at once.
func TestSightingsOfWhatIsKnownAreWrittenTogether(t *testing.T) {
	kv, r := bucket(t), &reports{}
	a := open(t, kv, contracts.Live, r)
	clocktest.Await(t, "the archive knows what it holds", a.IsComplete) // until then, all that is observed may be new
	a.Observe(observation(monday, week("2026-09-02", 51.1)))
	clocktest.Await(t, "the first is written", func() bool { return writes(t, kv) == 1 })
	for minute := range 60 {
		a.Observe(observation(monday.Add(time.Duration(minute)*time.Minute), week("2026-09-02", 51.1)))
	}
	last := monday.Add(59 * time.Minute)
	if known, err := a.Weeks(t.Context(), contracts.TFORCE); err != nil || !known[0].Newest().Last.At.Equal(last) {
		t.Errorf("known: %+v, %v", known, err)
	}
	if n := writes(t, kv); n != 1 {
		t.Errorf("%d writes before the stop", n)
	}
	if err := a.Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
	stored := keep(t, kv, contracts.Live, r)[0].Newest()
	if !stored.First.At.Equal(monday) || !stored.Last.At.Equal(last) || writes(t, kv) != 2 {
		t.Errorf("stored with %d writes: %+v", writes(t, kv), stored)
	}
}

// A value that comes in the middle of sightings parts them as it did when they were made.
func TestWhatWaitsIsWrittenInItsOrder(t *testing.T) {
	kv, r := bucket(t), &reports{}
	at := func(minute int) time.Time { return monday.Add(time.Duration(minute) * time.Minute) }
	a := open(t, kv, contracts.Live, r)
	for minute, percent := range []float64{50, 50, 50, 51, 50, 50, 50} {
		a.Observe(observation(at(minute), week("2026-09-02", percent)))
	}
	if err := a.Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
	w := keep(t, kv, contracts.Live, r)[0]
	if len(w.Values) != 3 || !w.Values[0].Last.At.Equal(at(2)) || !w.Values[2].First.At.Equal(at(4)) || !w.Values[2].Last.At.Equal(at(6)) {
		t.Errorf("stored: %+v", w)
	}
}

// writes is how many entries were written.
func writes(t *testing.T, kv weeks) uint64 {
	t.Helper()
	stream, err := kv.js.Stream(t.Context(), contracts.WeeksBucket.Stream())
	if err != nil {
		t.Fatal(err)
	}
	return stream.CachedInfo().State.LastSeq
}
