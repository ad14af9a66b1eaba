package edition_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"assay.dev/contracts"
	"assay.dev/ltl-worker/edition"
	"assay.dev/platform/bustest"
	"assay.dev/platform/changes"
	"assay.dev/platform/kv"
)

// table is a table whose first row has a percent.
func table(percent float64) []contracts.Bracket {
	double := 2 * percent
	return []contracts.Bracket{{AtLeastUSD: 3, LessThanUSD: 3.05, Percent: percent, TruckloadPercent: &double}, {AtLeastUSD: 3.05, LessThanUSD: 3.1, Percent: percent + 1}}
}

// Each edition is kept: one that comes back is another edition, and one that stays is seen longer.
func TestEditions(t *testing.T) {
	t.Parallel()
	js := bustest.JetStream(t, bustest.Connect(t, bustest.Server(t)))
	bucket, err := kv.Open(t.Context(), js, contracts.TariffsBucket)
	if err != nil {
		t.Fatal(err)
	}
	a := edition.NewArchive(contracts.Test, js, bucket)
	day := func(n int) time.Time { return time.Date(2026, 1, n, 12, 0, 0, 0, time.UTC) }
	for _, seen := range []struct {
		day     int
		percent float64
	}{{1, 25}, {5, 25}, {9, 26}, {10, 25}, {8, 30}, {11, 25}} {
		if _, err := a.Observe(t.Context(), contracts.ESTES, edition.Edition{Rows: table(seen.percent), LastSeen: day(seen.day)}); err != nil {
			t.Fatal(err)
		}
	}
	all, err := a.All(t.Context(), contracts.ESTES)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range all {
		got = append(got, fmt.Sprintf("%v %d-%d", e.Rows[0].Percent, e.FirstSeen.Day(), e.LastSeen.Day()))
	}
	if want := []string{"25 1-5", "26 9-9", "25 10-11"}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if other, err := a.All(t.Context(), contracts.SEFL); err != nil || len(other) > 0 {
		t.Errorf("another carrier has %v %v", other, err)
	}
	if _, err := bucket.Put(t.Context(), "test.ESTES.2", []byte("{")); err != nil {
		t.Fatal(err)
	}
	if _, err := a.All(t.Context(), contracts.ESTES); err == nil {
		t.Error("a damaged edition is passed over")
	}
}

// Workers that see a new table at the same time keep one edition.
func TestOneEditionOfManyWorkers(t *testing.T) {
	t.Parallel()
	js := bustest.JetStream(t, bustest.Connect(t, bustest.Server(t)))
	bucket, err := kv.Open(t.Context(), js, contracts.TariffsBucket)
	if err != nil {
		t.Fatal(err)
	}
	a := edition.NewArchive(contracts.Test, js, bucket)
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			if _, err := a.Observe(t.Context(), contracts.SEFL, edition.Edition{Rows: table(25), LastSeen: time.Unix(int64(i), 0).UTC()}); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if kept, err := a.All(t.Context(), contracts.SEFL); err != nil || len(kept) != 1 || kept[0].LastSeen.Unix() != 7 {
		t.Errorf("%v %v", kept, err)
	}
}

// Another table is told once, also when a worker dies before or after it told. A reading that shows less is no other table.
func TestAnotherTableIsToldOnce(t *testing.T) {
	t.Parallel()
	js := bustest.JetStream(t, bustest.Connect(t, bustest.Server(t)))
	bucket, err := kv.Open(t.Context(), js, contracts.TariffsBucket)
	if err != nil {
		t.Fatal(err)
	}
	published, _ := changes.NewCounter(nil)
	a := edition.NewArchive(contracts.Test, js, bucket)
	a.Published = published
	dies := errors.New("killed")
	var before error
	a.Outdate = func(context.Context, *contracts.Change) error { return before }
	day := 0
	see := func(clean bool, rows []contracts.Bracket) error {
		day++
		_, err := a.Observe(t.Context(), contracts.ESTES, edition.Edition{
			Rows: rows, Tally: contracts.TallyOf(true, clean), LastSeen: time.Date(2026, 1, day, 12, 0, 0, 0, time.UTC),
		})
		return err
	}
	told := func() (ids []string) {
		stream, err := js.Stream(t.Context(), contracts.ChangesStream.Name)
		if err != nil {
			t.Fatal(err)
		}
		for seq := uint64(1); seq <= stream.CachedInfo().State.LastSeq; seq++ {
			msg, err := stream.GetMsg(t.Context(), seq)
			var c contracts.Change
			if err != nil || json.Unmarshal(msg.Data, &c) != nil || c.Type != contracts.TableReplaced || c.Data.Before.Edition.FirstSeen == nil {
				t.Fatalf("%v: %s", err, msg.Data)
			}
			ids = append(ids, c.ID)
		}
		return ids
	}
	withoutTruckload := table(25)
	withoutTruckload[0].TruckloadPercent = nil
	for _, step := range []struct {
		what  string
		clean bool
		rows  []contracts.Bracket
		want  []string
	}{
		{"the first", true, table(25), nil},
		{"the same", true, table(25), nil},
		{"one in doubt", false, table(30), nil},
		{"the same after a doubt", true, table(25), nil},
		{"a part", true, table(25)[:1], nil},
		{"one without truckloads", true, withoutTruckload, nil},
		{"the whole again", true, table(25), nil},
		{"another", true, table(26), []string{"ESTES.table.7"}},
		{"the other again", true, table(26), []string{"ESTES.table.7"}},
		{"one in doubt again", false, table(27), []string{"ESTES.table.7"}},
		{"which stands clean", true, table(27), []string{"ESTES.table.7", "ESTES.table.8"}},
	} {
		if err := see(step.clean, step.rows); err != nil {
			t.Fatal(err)
		}
		if got := told(); !slices.Equal(got, step.want) {
			t.Fatalf("%s: told %v, want %v", step.what, got, step.want)
		}
	}
	before = dies
	if err := see(true, table(28)); !errors.Is(err, dies) {
		t.Fatal(err)
	}
	before = nil
	if err := see(true, table(29)); err != nil { // by now there is another one still
		t.Fatal(err)
	}
	want := []string{"ESTES.table.7", "ESTES.table.8", "ESTES.table.9", "ESTES.table.10"}
	if got := told(); !slices.Equal(got, want) {
		t.Fatalf("after a death: told %v, want %v", got, want)
	}
	all, err := a.All(t.Context(), contracts.ESTES)
	if err != nil || slices.ContainsFunc(all, func(e edition.Edition) bool { return e.Untold != nil }) {
		t.Errorf("%v: something waits to be told", err)
	}
}
