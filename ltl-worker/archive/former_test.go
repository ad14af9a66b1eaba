package archive_test

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"assay.dev/contracts"
	"assay.dev/ltl-worker/archive"
	"assay.dev/platform/bus"
	"assay.dev/platform/clock/clocktest"
)

// former is an entry as the version before wrote it.
type former struct {
	Percent   float64
	FirstSeen time.Time
	LastSeen  time.Time
	Revisions []formerRevision
}

type formerRevision struct {
	Percent  float64
	LastSeen time.Time
}

func (f former) put(t *testing.T, kv weeks) {
	t.Helper()
	revisions := []map[string]any{}
	for _, r := range f.Revisions {
		revisions = append(revisions, map[string]any{
			"fuel_surcharge_pct": r.Percent, "doe_diesel_price_usd": nil, "last_seen": r.LastSeen, "path": "page",
			"method": "structured_parse", "evidence_url": "https://carrier.example/",
		})
	}
	value, err := json.Marshal(map[string]any{
		"effective_date": "2026-09-02", "fuel_surcharge_pct": f.Percent, "doe_diesel_price_usd": nil, "clean": 2, "required": 2, "path": "page",
		"method": "structured_parse", "evidence_url": "https://carrier.example/", "first_seen": f.FirstSeen, "last_seen": f.LastSeen, "revisions": revisions,
	})
	if err == nil {
		_, err = kv.Put(t.Context(), "live.TFORCE.2026-09-02", value)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// report puts the event of a revision on the stream, as the version before did.
func report(t *testing.T, kv weeks, at time.Time, was, is float64) {
	t.Helper()
	event := contracts.SurchargeRevision{
		Environment: contracts.Live, Carrier: contracts.TFORCE, SeenAt: at, Path: "page", EvidenceURL: "https://carrier.example/",
		Was: contracts.SurchargeWeek{EffectiveDate: "2026-09-02", Percent: was}, Is: contracts.SurchargeWeek{EffectiveDate: "2026-09-02", Percent: is},
	}
	subject := contracts.EventSubject(contracts.Live, contracts.EventRevision)
	if err := bus.Publish(t.Context(), kv.js, subject, fmt.Sprint(at, was, is), event); err != nil {
		t.Fatal(err)
	}
}

// The sightings of an entry of the version before are those that it tells, that an event tells, or null; a moment for which
// they leave two values open is in doubt.
func TestEntriesOfTheVersionBeforeAreTakenOver(t *testing.T) {
	kv, r := bucket(t), &reports{}
	day := func(n int) time.Time { return monday.AddDate(0, 0, n) }
	former{50, day(0), day(9), []formerRevision{{48, day(2)}, {49, day(5)}}}.put(t, kv)
	report(t, kv, day(3), 48, 49) // the event of the second revision is kept no longer
	for _, round := range []string{"first", "again"} {
		found := keep(t, kv, contracts.Live, r)
		if len(found) != 1 || len(found[0].Values) != 3 {
			t.Fatalf("%s: %+v", round, found)
		}
		w := found[0]
		if v := w.Values; v[0].Percent != 48 || !v[0].First.At.Equal(day(0)) || !v[1].First.At.Equal(day(3)) || v[2].First != nil || !v[2].Last.At.Equal(day(9)) {
			t.Errorf("%s: %+v", round, v)
		}
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
			known, ok := w.At(tt.at)
			if !ok || known.Doubtful != tt.doubtful || !tt.doubtful && known.Percent != tt.percent {
				t.Errorf("%s, %s: %+v", round, name, known)
			}
		}
		if _, ok := w.At(day(0).Add(-time.Second)); ok {
			t.Error("it was known before it was seen")
		}
	}
	if len(r.all) != 0 {
		t.Errorf("reported again: %+v", r.all)
	}
}

// An entry that holds sixteen revisions may have lost some before them.
func TestRevisionsThatWereDroppedAreInDoubt(t *testing.T) {
	kv, r := bucket(t), &reports{}
	f := former{90, monday, monday.AddDate(0, 0, 40), nil}
	for i := range 16 {
		f.Revisions = append(f.Revisions, formerRevision{50 + float64(i), monday.AddDate(0, 0, 10+i)})
	}
	f.put(t, kv)
	w := keep(t, kv, contracts.Live, r)[0]
	if len(w.Values) != 17 || w.Values[0].First != nil || !w.FirstSeen().Equal(monday) {
		t.Fatalf("%d values, first %+v, week first seen %v", len(w.Values), w.Values[0], w.FirstSeen())
	}
	if known, _ := w.At(monday.AddDate(0, 0, 1)); !known.Doubtful {
		t.Errorf("%+v", known)
	}
	if _, ok := w.At(monday.Add(-time.Hour)); ok {
		t.Error("it was known before it was first seen")
	}
}

// A worker of the version before finds its entries as it left them, and what it writes while it is back is taken over.
func TestStepBackAndForward(t *testing.T) {
	kv, r := bucket(t), &reports{}
	former{50, monday, monday, nil}.put(t, kv)
	before, err := kv.Get(t.Context(), "live.TFORCE.2026-09-02")
	if err != nil {
		t.Fatal(err)
	}
	keep(t, kv, contracts.Live, r, observation(monday.AddDate(0, 0, 1), week("2026-09-02", 51)))
	after, err := kv.Get(t.Context(), "live.TFORCE.2026-09-02")
	if err != nil || after.Revision() != before.Revision() {
		t.Fatalf("the entry of the version before was changed: %v", err)
	}
	// The old worker knows 50 only. It sees 51 two days later, and then 52.
	former{52, monday, monday.AddDate(0, 0, 4), []formerRevision{{50, monday}, {51, monday.AddDate(0, 0, 3)}}}.put(t, kv)
	report(t, kv, monday.AddDate(0, 0, 2), 50, 51)
	report(t, kv, monday.AddDate(0, 0, 4), 51, 52)
	w := keep(t, kv, contracts.Live, r)[0]
	if len(w.Values) != 3 || w.Newest().Percent != 52 || !w.Newest().First.At.Equal(monday.AddDate(0, 0, 4)) {
		t.Fatalf("%+v", w.Values)
	}
	if v := w.Values[1]; v.Percent != 51 || !v.First.At.Equal(monday.AddDate(0, 0, 1)) || !v.Last.At.Equal(monday.AddDate(0, 0, 3)) {
		t.Errorf("%+v", v)
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
