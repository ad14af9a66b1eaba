package ltlworker

import (
	"context"
	"errors"
	"log/slog"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"assay.dev/ltl-worker/weeks"
	"assay.dev/platform/daemon"
	platform "assay.dev/platform/worker"
)

// After a failure an answer is left alone for a while, and the failure is counted.
func TestUpkeepWaitsAfterAFailure(t *testing.T) {
	registry := prometheus.NewRegistry()
	m, err := weeks.NewMetrics(registry)
	if err != nil {
		t.Fatal(err)
	}
	now := time.Now()
	w := worker{
		Config: Config{Clock: func() time.Time { return now }}, Worker: &platform.Worker{Daemon: &daemon.Daemon{Log: slog.New(slog.DiscardHandler)}}, metrics: m,
	}
	u := &upkeep{source: "diesel", refresh: func(context.Context, time.Time) (bool, error) {
		return false, errors.New("the source is away")
	}}
	w.keepCurrent(t.Context(), u, now)
	w.keepCurrent(t.Context(), u, now)
	if u.Failures != 2 || u.Until.Sub(now) != 10*time.Minute {
		t.Errorf("%+v", u.Backoff)
	}
	u.refresh = func(context.Context, time.Time) (bool, error) { return true, nil }
	w.keepCurrent(t.Context(), u, now)
	if u.Failures != 0 {
		t.Errorf("%+v", u.Backoff)
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
