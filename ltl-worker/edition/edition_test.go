package edition_test

import (
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"assay.dev/contracts"
	"assay.dev/ltl-worker/edition"
	"assay.dev/platform/bustest"
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
