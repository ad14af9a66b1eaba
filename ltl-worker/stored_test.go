package ltlworker

import (
	"context"
	"errors"
	"log/slog"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

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
		read: func(context.Context) (contracts.DieselAnswer, error) {
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
	if _, ok := p.peek(t.Context()); !ok {
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

// After a failure an answer is left alone for a while, and the failure is counted.
func TestUpkeepWaitsAfterAFailure(t *testing.T) {
	registry := prometheus.NewRegistry()
	m, err := newMetrics(registry)
	if err != nil {
		t.Fatal(err)
	}
	now := time.Now()
	k := upkeeper{clock: func() time.Time { return now }, log: slog.New(slog.DiscardHandler), metrics: m}
	fails := upkeep{source: "diesel", refresh: func(context.Context, carrier.Publication, time.Time) (bool, error) {
		return false, errors.New("the source is away")
	}}
	var a attempts
	k.refresh(t.Context(), fails, &a, now)
	k.refresh(t.Context(), fails, &a, now)
	if a.failures != 2 || a.notUntil.Sub(now) != 2*firstBackoff {
		t.Errorf("%+v", a)
	}
	works := upkeep{source: "diesel", refresh: func(context.Context, carrier.Publication, time.Time) (bool, error) { return true, nil }}
	k.refresh(t.Context(), works, &a, now)
	if a.failures != 0 {
		t.Errorf("%+v", a)
	}
	families, _ := registry.Gather()
	counted := map[string]float64{}
	for _, f := range families {
		for _, s := range f.GetMetric() {
			counted[s.GetLabel()[0].GetValue()] = s.GetCounter().GetValue()
		}
	}
	if counted["failed"] != 2 || counted["read"] != 1 {
		t.Errorf("%v", counted)
	}
}
