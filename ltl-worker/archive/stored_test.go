package archive_test

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"assay.dev/contracts"
	"assay.dev/ltl-worker/archive"
	"assay.dev/platform/clock/clocktest"
)

// put stores values of the week of 2026-09-02 as a version did that could not tell when some were first seen.
func put(t *testing.T, kv weeks, values ...archive.Value) {
	t.Helper()
	for i, v := range values {
		v.EffectiveDate, v.Tally = "2026-09-02", contracts.TallyOf(true, true)
		value, err := json.Marshal(v)
		if err == nil {
			_, err = kv.Put(t.Context(), fmt.Sprintf("live.v2.TFORCE.2026-09-02.%d", i+1), value)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

func seenOn(percent float64, first *time.Time, last time.Time) archive.Value {
	v := archive.Value{Last: archive.Sighting{At: last}}
	if v.Percent = percent; first != nil {
		v.First = &archive.Sighting{At: *first}
	}
	return v
}

// A moment for which the known sightings leave two values open is in doubt.
func TestValuesWhoseFirstSightingIsNotKnown(t *testing.T) {
	kv, r := bucket(t), &reports{}
	day := func(n int) time.Time { return monday.AddDate(0, 0, n) }
	first, second := day(0), day(3)
	put(t, kv, seenOn(48, &first, day(2)), seenOn(49, &second, day(5)), seenOn(50, nil, day(9)))
	w := keep(t, kv, contracts.Live, r)[0]
	for name, tt := range map[string]struct {
		at       time.Time
		percent  float64
		doubtful bool
	}{
		"the first":              {day(1), 48, false},
		"still the first":        {day(3).Add(-time.Second), 48, false},
		"the second":             {day(4), 49, false},
		"the second or third":    {day(6), 0, true},
		"just before the third":  {day(9).Add(-time.Second), 0, true},
		"the third":              {day(9), 50, false},
		"the third, much later":  {day(90), 50, false},
		"as the second was seen": {day(5).Add(-time.Second), 49, false},
	} {
		if known, ok := w.At(tt.at); !ok || known.Doubtful != tt.doubtful || !tt.doubtful && known.Percent != tt.percent {
			t.Errorf("%s: %+v", name, known)
		}
	}
	if _, ok := w.At(day(0).Add(-time.Second)); ok {
		t.Error("it was known before it was seen")
	}
}

// Values before the first one that is known may be lost.
func TestValuesThatAreNotKnownAnyMore(t *testing.T) {
	kv, r := bucket(t), &reports{}
	lost, second := seenOn(50, nil, monday.AddDate(0, 0, 10)), monday.AddDate(0, 0, 11)
	lost.WeekFirstSeen = &monday
	put(t, kv, lost, seenOn(51, &second, monday.AddDate(0, 0, 40)))
	w := keep(t, kv, contracts.Live, r)[0]
	if known, _ := w.At(monday.AddDate(0, 0, 1)); !known.Doubtful || !w.FirstSeen().Equal(monday) {
		t.Errorf("%+v, first seen %v", known, w.FirstSeen())
	}
	if _, ok := w.At(monday.Add(-time.Hour)); ok {
		t.Error("it was known before it was first seen")
	}
}

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
