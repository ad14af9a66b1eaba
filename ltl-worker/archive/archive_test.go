package archive_test

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/prometheus/client_golang/prometheus"
	"go.uber.org/goleak"

	"assay.dev/contracts"
	"assay.dev/ltl-worker/archive"
	"assay.dev/platform/bustest"
	"assay.dev/platform/kv"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

type reports struct {
	mu   sync.Mutex
	fail bool
	all  []contracts.SurchargeRevision
	ids  []string
	// outdated are the ids of changes before which stored answers were ended.
	outdated []string
	// before runs before each of them.
	before func(ctx context.Context) error
}

func (r *reports) outdate(ctx context.Context, c *contracts.Change) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.before != nil {
		if err := r.before(ctx); err != nil {
			return err
		}
	}
	r.outdated = append(r.outdated, c.ID)
	return nil
}

func (r *reports) report(_ context.Context, id string, rev contracts.SurchargeRevision) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.all, r.ids = append(r.all, rev), append(r.ids, id)
	if r.fail {
		r.fail = false
		return errors.New("not now")
	}
	return nil
}

// weeks is the bucket and the way to it.
type weeks struct {
	jetstream.KeyValue
	js jetstream.JetStream
}

func bucket(t *testing.T) weeks {
	t.Helper()
	return bucketOver(t, bustest.Connect(t, bustest.Server(t)))
}

func bucketOver(t *testing.T, conn *nats.Conn) weeks {
	t.Helper()
	js := bustest.JetStream(t, conn)
	kv, err := js.KeyValue(t.Context(), contracts.WeeksBucket.Name)
	if err != nil {
		t.Fatal(err)
	}
	return weeks{kv, js}
}

func open(t *testing.T, kv weeks, env contracts.Environment, r *reports) *archive.Archive {
	t.Helper()
	a, err := archive.Open(env, kv.js, kv, slog.New(slog.DiscardHandler), prometheus.NewRegistry(), r.report, r.outdate)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// keep has the observations written, and gives what is known then.
func keep(t *testing.T, kv weeks, env contracts.Environment, r *reports, os ...archive.Observation) []archive.Week {
	t.Helper()
	a := open(t, kv, env, r)
	for _, o := range os {
		a.Observe(o)
	}
	if err := a.Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
	weeks, err := a.Weeks(t.Context(), contracts.TFORCE)
	if err != nil {
		t.Fatal(err)
	}
	return weeks
}

var monday = time.Date(2026, 9, 14, 12, 0, 0, 0, time.UTC)

func observation(at time.Time, weeks ...contracts.ObservedWeek) archive.Observation {
	return archive.Observation{
		Carrier: contracts.TFORCE, Weeks: weeks, At: at,
		Source: archive.Source{Path: "page", Method: contracts.StructuredParse, EvidenceURL: "https://carrier.example/"},
	}
}

func week(date contracts.Date, pct float64, diesel ...float64) contracts.ObservedWeek {
	w := contracts.ObservedWeek{
		SurchargeWeek: contracts.SurchargeWeek{EffectiveDate: date, Percent: pct}, Tally: contracts.Tally{Clean: 2, Required: 2},
	}
	if len(diesel) > 0 {
		w.DieselUSD = &diesel[0]
	}
	return w
}

func TestWeeksAccumulate(t *testing.T) {
	kv, r := bucket(t), &reports{}
	weeks := keep(t, kv, contracts.Live, r,
		observation(monday, week("2026-09-02", 51.1)), observation(monday.AddDate(0, 0, 7), week("2026-09-09", 51.4)))
	if len(weeks) != 2 || weeks[0].Date != "2026-09-09" || weeks[1].Newest().Percent != 51.1 || weeks[1].Newest().Required != 2 {
		t.Fatalf("known: %+v", weeks)
	}
	if w := weeks[1].Newest(); !w.First.At.Equal(monday) || w.Last.Path != "page" || w.Last.Method != contracts.StructuredParse {
		t.Errorf("provenance: %+v", w)
	}
	if other := keep(t, kv, contracts.Test, r); len(other) != 0 {
		t.Errorf("the test environment knows %+v", other)
	}
	if len(r.all) != 0 {
		t.Errorf("reported %+v", r.all)
	}
}

func TestRevisionIsKeptAndReported(t *testing.T) {
	kv, r := bucket(t), &reports{}
	weeks := keep(t, kv, contracts.Live, r,
		observation(monday, week("2026-09-02", 51.1)),
		observation(monday.Add(time.Hour), week("2026-09-02", 51.1)),
		observation(monday.Add(2*time.Hour), week("2026-09-02", 52)))
	if len(weeks) != 1 || len(weeks[0].Values) != 2 || weeks[0].Newest().Percent != 52 {
		t.Fatalf("known: %+v", weeks)
	}
	if v := weeks[0].Values[0]; v.Percent != 51.1 || !v.First.At.Equal(monday) || !v.Last.At.Equal(monday.Add(time.Hour)) {
		t.Errorf("the first value: %+v", v)
	}
	if at := weeks[0].RevisedAt(weeks[0].Newest()); at == nil || !at.Equal(monday.Add(2*time.Hour)) || !weeks[0].FirstSeen().Equal(monday) {
		t.Errorf("revised %v, first seen %v", at, weeks[0].FirstSeen())
	}
	if len(r.all) != 1 || r.all[0].Was.Percent != 51.1 || r.all[0].Is.Percent != 52 || r.all[0].Carrier != contracts.TFORCE {
		t.Errorf("reported %+v", r.all)
	}
}

// Only another percent that was seen clean is one that the carrier had published.
func TestRevised(t *testing.T) {
	hour := func(n int) time.Time { return monday.Add(time.Duration(n) * time.Hour) }
	doubtful := week("2026-09-02", 52)
	doubtful.Clean = 1
	gone := observation(hour(1), week("2026-08-26", 50), week("2026-09-09", 53))
	gone.Whole = true
	beside := []contracts.ObservedWeek{week("2026-08-26", 50), week("2026-09-09", 53)}
	for name, tt := range map[string]struct {
		seen []archive.Observation
		want *time.Time
	}{
		"another percent": {[]archive.Observation{observation(hour(0), week("2026-09-02", 52)), observation(hour(1), week("2026-09-02", 53.8))}, new(hour(1))},
		"and another price after it": {[]archive.Observation{observation(hour(0), week("2026-09-02", 52)), observation(hour(1), week("2026-09-02", 53.8, 5.7)),
			observation(hour(2), week("2026-09-02", 53.8, 5.72))}, new(hour(1))},
		"a percent that nobody believed": {[]archive.Observation{observation(hour(0), doubtful), observation(hour(1), week("2026-09-02", 53.8))}, nil},
		"another price of diesel":        {[]archive.Observation{observation(hour(0), week("2026-09-02", 53.8, 5.702)), observation(hour(1), week("2026-09-02", 53.8, 5.72))}, nil},
		"taken back for an hour": {[]archive.Observation{observation(hour(0), append(beside, week("2026-09-02", 53.8))...), gone,
			observation(hour(2), append(beside, week("2026-09-02", 53.8))...)}, nil},
		"back again": {[]archive.Observation{observation(hour(0), week("2026-09-02", 53.8)), observation(hour(1), week("2026-09-02", 52)),
			observation(hour(2), week("2026-09-02", 53.8))}, new(hour(2))},
	} {
		t.Run(name, func(t *testing.T) {
			weeks := keep(t, bucket(t), contracts.Live, &reports{}, tt.seen...)
			i := slices.IndexFunc(weeks, func(w archive.Week) bool { return w.Date == "2026-09-02" })
			if got := weeks[i].RevisedAt(weeks[i].Newest()); (got == nil) != (tt.want == nil) || got != nil && !got.Equal(*tt.want) {
				t.Errorf("revised %v, want %v: %d values", got, tt.want, len(weeks[i].Values))
			}
		})
	}
}

// A week may be revised any number of times: each value keeps its sightings.
func TestNoValueIsDropped(t *testing.T) {
	kv, r := bucket(t), &reports{}
	var all []archive.Observation
	for i := range 40 {
		all = append(all, observation(monday.Add(time.Duration(i)*time.Minute), week("2026-09-02", 50+float64(i))))
	}
	weeks := keep(t, kv, contracts.Live, r, all...)
	if len(weeks[0].Values) != 40 || len(r.all) != 39 {
		t.Fatalf("%d values, %d reports", len(weeks[0].Values), len(r.all))
	}
	for i := range 40 {
		if known, ok := weeks[0].At(monday.Add(time.Duration(i)*time.Minute + 30*time.Second)); !ok || known.Percent != 50+float64(i) {
			t.Errorf("after %d minutes: %+v", i, known)
		}
	}
	if _, ok := weeks[0].At(monday.Add(-time.Second)); ok {
		t.Error("the week was known before it was seen")
	}
}

func TestWithdrawals(t *testing.T) {
	before := observation(monday, week("2026-08-26", 50), week("2026-09-02", 51), week("2026-09-09", 52))
	for name, tt := range map[string]struct {
		shown     []contracts.ObservedWeek
		unclear   bool
		path      string
		withdrawn []contracts.Date
	}{
		"a week between":                   {[]contracts.ObservedWeek{week("2026-08-26", 50), week("2026-09-09", 52)}, false, "page", []contracts.Date{"2026-09-02"}},
		"between, and a row is unclear":    {[]contracts.ObservedWeek{week("2026-08-26", 50), week("2026-09-09", 52)}, true, "page", nil},
		"the newest":                       {[]contracts.ObservedWeek{week("2026-08-26", 50), week("2026-09-02", 51)}, false, "page", []contracts.Date{"2026-09-09"}},
		"the newest, by another path":      {[]contracts.ObservedWeek{week("2026-08-26", 50), week("2026-09-02", 51)}, false, "api", nil},
		"between, by another path":         {[]contracts.ObservedWeek{week("2026-08-26", 50), week("2026-09-09", 52)}, false, "api", []contracts.Date{"2026-09-02"}},
		"between, and a row of long ago":   {[]contracts.ObservedWeek{week("2025-08-27", 40), week("2026-09-09", 52)}, false, "page", nil},
		"nothing is shown":                 {nil, false, "page", nil},
		"the oldest moves out of the page": {[]contracts.ObservedWeek{week("2026-09-02", 51), week("2026-09-09", 52)}, false, "page", nil},
	} {
		t.Run(name, func(t *testing.T) {
			kv, r := bucket(t), &reports{}
			after := observation(monday.Add(time.Hour), tt.shown...)
			after.Whole, after.Path = !tt.unclear, tt.path
			var got []contracts.Date
			for _, w := range keep(t, kv, contracts.Live, r, before, after) {
				if w.Newest().Withdrawn {
					got = append(got, w.Date)
				}
				if known, _ := w.At(monday.Add(time.Minute)); known.Withdrawn {
					t.Errorf("%s was withdrawn before that was seen", w.Date)
				}
			}
			if !slices.Equal(got, tt.withdrawn) || len(r.all) != len(tt.withdrawn) {
				t.Errorf("withdrawn: %v, reported %+v", got, r.all)
			}
		})
	}
}

func TestWithdrawnWeekComesBack(t *testing.T) {
	kv, r := bucket(t), &reports{}
	whole := func(at time.Time, weeks ...contracts.ObservedWeek) archive.Observation {
		o := observation(at, weeks...)
		o.Whole = true
		return o
	}
	weeks := keep(t, kv, contracts.Live, r,
		whole(monday, week("2026-08-26", 50), week("2026-09-02", 51), week("2026-09-09", 52)),
		whole(monday.Add(time.Hour), week("2026-08-26", 50), week("2026-09-09", 52)),
		whole(monday.Add(2*time.Hour), week("2026-08-26", 50), week("2026-09-02", 51), week("2026-09-09", 52)))
	w := weeks[1]
	if len(w.Values) != 3 || w.Newest().Withdrawn || w.Newest().Percent != 51 {
		t.Fatalf("%+v", w)
	}
	if known, _ := w.At(monday.Add(90 * time.Minute)); !known.Withdrawn {
		t.Errorf("between: %+v", known)
	}
}

func TestReportThatFailsIsMadeAgainUnderItsID(t *testing.T) {
	kv, r := bucket(t), &reports{fail: true}
	a := open(t, kv, contracts.Live, r)
	a.Observe(observation(monday, week("2026-09-02", 51.1)))
	a.Observe(observation(monday.Add(time.Hour), week("2026-09-02", 52)))
	if err := a.Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
	if len(r.ids) != 2 || r.ids[0] != r.ids[1] {
		t.Errorf("reported under %v", r.ids)
	}
}

func TestPathsThatShowLessDoNotRevise(t *testing.T) {
	kv, r := bucket(t), &reports{}
	weeks := keep(t, kv, contracts.Live, r,
		observation(monday, week("2026-09-02", 46.32)),
		observation(monday.Add(time.Hour), week("2026-09-02", 46.32, 5.599)),
		observation(monday.Add(2*time.Hour), week("2026-09-02", 46.32)))
	if len(weeks) != 1 || weeks[0].Newest().DieselUSD == nil || *weeks[0].Newest().DieselUSD != 5.599 || len(r.all) != 0 {
		t.Errorf("known: %+v, reported %+v", weeks, r.all)
	}
	for _, weeks := range [][]archive.Week{weeks, keep(t, kv, contracts.Live, r)} { // as they were seen, and as they are stored
		for minutes, isKnown := range map[int]bool{59: false, 60: true, 180: true} {
			if w, ok := weeks[0].At(monday.Add(time.Duration(minutes) * time.Minute)); !ok || w.Percent != 46.32 || (w.DieselUSD != nil) != isKnown {
				t.Errorf("after %d minutes: %+v", minutes, w)
			}
		}
	}
}

func TestLateObservationDoesNotUndoANewerOne(t *testing.T) {
	kv, r := bucket(t), &reports{}
	weeks := keep(t, kv, contracts.Live, r,
		observation(monday, week("2026-09-02", 52)), observation(monday.Add(-time.Hour), week("2026-09-02", 51.1)))
	if weeks[0].Newest().Percent != 52 || len(weeks[0].Values) != 2 || len(r.all) != 0 {
		t.Errorf("known: %+v, reported %+v", weeks, r.all)
	}
	between := keep(t, bucket(t), contracts.Live, r, observation(monday, week("2026-09-02", 52)),
		observation(monday.Add(2*time.Hour), week("2026-09-02", 52)), observation(monday.Add(time.Hour), week("2026-09-02", 51.1)))
	if between[0].Newest().Percent != 52 || len(r.all) != 0 {
		t.Errorf("known: %+v, reported %+v", between, r.all)
	}
	without := observation(monday.Add(-time.Minute), week("2026-08-26", 50), week("2026-09-09", 53))
	without.Whole = true
	if weeks = keep(t, kv, contracts.Live, r, without); len(weeks) != 3 || len(weeks[1].Values) != 2 {
		t.Errorf("withdrawn by a reading before it was seen: %+v", weeks)
	}
}

// A value that comes back is a further one, also where a late reading tells of it.
func TestAValueThatComesBack(t *testing.T) {
	percents := []float64{50, 51, 50, 50}
	at := func(i int) time.Time { return monday.Add(time.Duration(i) * time.Hour) }
	for _, order := range [][]int{{0, 1, 2, 3}, {3, 2, 1, 0}, {1, 2, 3, 0}, {1, 0, 3, 2}} {
		var all []archive.Observation
		for _, i := range order {
			all = append(all, observation(at(i), week("2026-09-02", percents[i])))
		}
		w := keep(t, bucket(t), contracts.Live, &reports{}, all...)[0]
		for i, percent := range percents {
			if known, ok := w.At(at(i).Add(time.Minute)); !ok || known.Percent != percent {
				t.Errorf("order %v, after %d hours: %+v", order, i, known)
			}
		}
	}
}

// Part of an archive is not read as all of it. What the carrier still shows takes the place of what was damaged.
func TestDamagedEntryIsRefusedUntilItIsReplaced(t *testing.T) {
	for name, tt := range map[string]struct{ key, value string }{
		"cut off":         {"live.v2.TFORCE.2026-09-02.1", "{"},
		"of another week": {"live.v2.TFORCE.2026-09-02.1", `{"effective_date":"2026-08-26"}`},
	} {
		t.Run(name, func(t *testing.T) {
			weeks, r := bucket(t), &reports{}
			if _, err := weeks.PutString(t.Context(), tt.key, tt.value); err != nil {
				t.Fatal(err)
			}
			a := open(t, weeks, contracts.Live, r)
			var damage *kv.Damaged
			if known, err := a.Weeks(t.Context(), contracts.TFORCE); !errors.As(err, &damage) {
				t.Errorf("known: %+v, %v", known, err)
			}
			rows := readCSV(t, header+"TFORCE,2026-09-02,51,,,\n")
			if done, err := archive.Import(t.Context(), contracts.Live, weeks.js, weeks, rows, "a mail"); !errors.As(err, &damage) {
				t.Errorf("imported: %+v, %v", done, err)
			}
			if err := a.Stop(t.Context()); err != nil {
				t.Fatal(err)
			}
			if known := keep(t, weeks, contracts.Live, r, observation(monday, week("2026-09-02", 52))); len(known) != 1 {
				t.Errorf("known: %+v", known)
			}
		})
	}
}

func TestTwoWorkersWriteTheSameWeeks(t *testing.T) {
	kv, r := bucket(t), &reports{}
	one, two := open(t, kv, contracts.Live, r), open(t, kv, contracts.Live, r)
	for day := range 20 {
		date := contracts.Date("2026-01-07").AddDays(7 * day)
		one.Observe(observation(monday, week(date, 40)))
		two.Observe(observation(monday, week(date, 40)))
	}
	if err := errors.Join(one.Stop(t.Context()), two.Stop(t.Context())); err != nil {
		t.Fatal(err)
	}
	weeks, err := one.Weeks(t.Context(), contracts.TFORCE)
	if err != nil || len(weeks) != 20 || len(r.all) != 0 {
		t.Errorf("%d weeks, %v, reported %+v", len(weeks), err, r.all)
	}
}

func TestStopDoesNotWaitForEver(t *testing.T) {
	conn := bustest.Connect(t, bustest.Server(t))
	a := open(t, bucketOver(t, conn), contracts.Live, &reports{})
	conn.Close()
	a.Observe(observation(monday, week("2026-09-02", 52)))
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if err := a.Stop(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("stop: %v", err)
	}
}

// A value that was read in doubt and is seen again cleanly is clean from then on. What was known before keeps the doubt.
func TestDoubtEndsWithACleanSighting(t *testing.T) {
	doubted := week("2026-09-09", 51.4)
	doubted.Clean = 1
	tuesday, thursday := monday.AddDate(0, 0, 1), monday.AddDate(0, 0, 3)
	known := keep(t, bucket(t), contracts.Live, &reports{}, observation(monday, doubted), observation(tuesday, doubted),
		observation(thursday, week("2026-09-09", 51.4)), observation(thursday.Add(time.Hour), doubted))
	for at, clean := range map[time.Time]int{tuesday: 1, thursday: 2, thursday.Add(2 * time.Hour): 2} {
		if w, ok := known[0].At(at); !ok || w.Clean != clean || w.Percent != 51.4 {
			t.Errorf("at %s: %d clean of %+v", at, w.Clean, w)
		}
	}
	if len(known[0].Values) != 1 || !known[0].Newest().IsClean() {
		t.Errorf("%+v", known[0])
	}
}
