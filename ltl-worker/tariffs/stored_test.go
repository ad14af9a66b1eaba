package tariffs

import (
	"context"
	"testing"
	"time"

	"assay.dev/contracts"
	"assay.dev/ltl-worker/carrier"
	"assay.dev/platform/bustest"
	"assay.dev/platform/cache"
	"assay.dev/platform/clock/clocktest"
)

// testPrices is an answer that ends after a time, and how often it was read.
type testPrices struct {
	stored[contracts.DieselAnswer, *contracts.DieselAnswer]
	reads int
	lasts time.Duration
	fails error
}

func newTestPrices(t *testing.T) *testPrices {
	t.Helper()
	store, err := cache.Open(t.Context(), bustest.JetStream(t, bustest.Connect(t, bustest.Server(t))), cache.Deps{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close(context.Background()) })
	p := &testPrices{lasts: time.Hour}
	p.stored = stored[contracts.DieselAnswer, *contracts.DieselAnswer]{
		key: contracts.DieselKey(contracts.Test, "", ""), store: store, clock: time.Now,
		read: func(context.Context, bool) (contracts.DieselAnswer, error) {
			p.reads++
			now := time.Now().UTC()
			return contracts.DieselAnswer{Provenance: contracts.Provenance{
				Schema: contracts.AnswerSchema, ReadAt: now, ExpiresAt: now.Add(p.lasts),
			}}, p.fails
		},
	}
	return p
}

// lastWeek is before the newest publication of every weekly source.
var lastWeek = time.Now().AddDate(0, 0, -8)

// A stored answer is read anew when it has ended, and one that was never read when its source has published since.
func TestStoredAnswersAreKeptCurrent(t *testing.T) {
	p := newTestPrices(t)
	weekly := carrier.Publication{Day: time.Tuesday, Hour: 10, Effective: time.Tuesday}
	refresh := func(since time.Time, want bool) {
		t.Helper()
		if read, err := p.refreshDue(t.Context(), weekly, since); err != nil || read != want {
			t.Errorf("read: %t, %v; want %t", read, err, want)
		}
	}
	refresh(time.Now(), false) // nothing was published since
	p.lasts = 50 * time.Millisecond
	refresh(lastWeek, true)
	clocktest.Await(t, "the answer ends", func() bool { return !p.isFresh(t) })
	p.lasts = time.Hour
	refresh(time.Now(), true)
	refresh(lastWeek, false)
	if !p.isFresh(t) {
		t.Error("no stored answer is seen")
	}
	if p.reads != 2 {
		t.Errorf("%d reads", p.reads)
	}
}

func (p *testPrices) isFresh(t *testing.T) bool {
	t.Helper()
	_, err := p.store.Get(t.Context(), p.key)
	return err == nil
}
