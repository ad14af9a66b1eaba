package ltlworker

import (
	"context"
	"errors"
	"log/slog"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"assay.dev/ltl-worker/weeks"
)

// After a failure an answer is left alone for a while, and the failure is counted.
func TestUpkeepWaitsAfterAFailure(t *testing.T) {
	registry := prometheus.NewRegistry()
	m, err := weeks.NewMetrics(registry)
	if err != nil {
		t.Fatal(err)
	}
	now := time.Now()
	k := upkeeper{clock: func() time.Time { return now }, log: slog.New(slog.DiscardHandler), metrics: m}
	fails := upkeep{source: "diesel", refresh: func(context.Context, time.Time) (bool, error) {
		return false, errors.New("the source is away")
	}}
	var a weeks.Backoff
	k.refresh(t.Context(), fails, &a, now)
	k.refresh(t.Context(), fails, &a, now)
	if a.Failures != 2 || a.Until.Sub(now) != 10*time.Minute {
		t.Errorf("%+v", a)
	}
	works := upkeep{source: "diesel", refresh: func(context.Context, time.Time) (bool, error) { return true, nil }}
	k.refresh(t.Context(), works, &a, now)
	if a.Failures != 0 {
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
