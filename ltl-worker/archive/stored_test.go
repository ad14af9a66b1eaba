package archive_test

import (
	"fmt"
	"log/slog"
	"slices"
	"testing"
	"time"

	"assay.dev/contracts"
	"assay.dev/ltl-worker/archive"
	"assay.dev/platform/clock/clocktest"
)

// What is not of this form is another version's: it is neither read nor damage.
func TestEntriesOfAnotherFormAreLeftAlone(t *testing.T) {
	kv, r := bucket(t), &reports{}
	for _, key := range []string{"live.TFORCE.2026-09-02", "live.v3.TFORCE.2026-09-02.1", "live.v2.TFORCE.2026-09-02.x"} {
		if _, err := kv.PutString(t.Context(), key, "{"); err != nil {
			t.Fatal(err)
		}
	}
	if found := keep(t, kv, contracts.Live, r, observation(monday, week("2026-09-02", 51))); len(found) != 1 || len(found[0].Values) != 1 {
		t.Errorf("%+v", found)
	}
}

// Two archives over one bucket, as while a deployment is replaced: what one writes the other knows.
func TestCopiesFollowTheBucket(t *testing.T) {
	kv, r := bucket(t), &reports{}
	one, two := open(t, kv, contracts.Live, r), open(t, kv, contracts.Live, r)
	defer func() { _ = two.Stop(t.Context()) }()
	defer func() { _ = one.Stop(t.Context()) }()
	one.Observe(observation(monday, week("2026-09-02", 51)))
	var found []archive.Week
	var err error
	clocktest.Await(t, "the other archive knows the week", func() bool {
		found, err = two.Weeks(t.Context(), contracts.TFORCE)
		return err != nil || len(found) > 0
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(found) != 1 || found[0].Newest().Percent != 51 {
		t.Errorf("%+v", found)
	}
}

// What is kept together is what was seen one by one: of each value the newest sighting, and a revision as a value.
func TestKeepTogether(t *testing.T) {
	kv := bucket(t)
	a := archive.View(contracts.Test, kv.js, kv, slog.New(slog.DiscardHandler))
	day := 24 * time.Hour
	if err := a.Keep(t.Context(), contracts.TFORCE, observation(monday, week("2026-09-14", 50)),
		observation(monday.Add(day), week("2026-09-14", 50), week("2026-09-07", 49)),
		observation(monday.Add(2*day), week("2026-09-14", 51)), observation(monday.Add(3*day), week("2026-09-14", 51))); err != nil {
		t.Fatal(err)
	}
	all, err := a.Weeks(t.Context(), contracts.TFORCE)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, w := range all {
		for _, v := range w.Values {
			got = append(got, fmt.Sprintf("%s %v %d-%d", w.Date, v.Percent, v.First.At.Day(), v.Last.At.Day()))
		}
	}
	if want := []string{"2026-09-14 50 14-15", "2026-09-14 51 16-17", "2026-09-07 49 15-15"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
