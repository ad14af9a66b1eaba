package bus

import (
	"context"
	"errors"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"assay.dev/contracts"
	"assay.dev/platform/telemetry"
)

// durationBuckets reach from a cached answer to the slowest source.
var durationBuckets = []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 20, 30, 45, 60, 75}

type serverMetrics struct {
	duration           *prometheus.HistogramVec
	inflight, capacity prometheus.Gauge
}

func newServerMetrics(r prometheus.Registerer) (*serverMetrics, error) {
	duration, err1 := telemetry.Register(r, prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Name: "nats_handle_duration_seconds", Help: "Time to handle a request or a job.", Buckets: durationBuckets,
	}, []string{"subject_template", "outcome"}))
	inflight, err2 := telemetry.Register(r, prometheus.NewGauge(prometheus.GaugeOpts{
		Name: "worker_inflight", Help: "Requests and jobs in hand.",
	}))
	capacity, err3 := telemetry.Register(r, prometheus.NewGauge(prometheus.GaugeOpts{
		Name: "worker_capacity", Help: "Requests and jobs that can be in hand at one time.",
	}))
	return &serverMetrics{duration, inflight, capacity}, errors.Join(err1, err2, err3)
}

func measure(duration *prometheus.HistogramVec) layer {
	return func(next handler) handler {
		return func(ctx context.Context, r *request) (reply, error) {
			start := time.Now()
			rep, err := next(ctx, r)
			duration.WithLabelValues(r.subject.Template, outcome(err)).Observe(time.Since(start).Seconds())
			return rep, err
		}
	}
}

// outcome is the code of a failure, or "ok".
func outcome(err error) string {
	if err == nil {
		return "ok"
	}
	return string(contracts.CodeOf(err))
}
