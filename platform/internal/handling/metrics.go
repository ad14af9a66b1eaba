package handling

import (
	"context"
	"errors"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"assay.dev/contracts"
	"assay.dev/platform/telemetry"
)

// DurationBuckets reach from a cached answer to the slowest source.
var DurationBuckets = []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 20, 30, 45, 60, 75}

// Metrics are those of calls and jobs together.
type Metrics struct {
	duration           *prometheus.HistogramVec
	inflight, capacity prometheus.Gauge
}

// NewMetrics registers with r, which may be nil.
func NewMetrics(r prometheus.Registerer) (*Metrics, error) {
	duration, err1 := telemetry.Register(r, prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Name: "nats_handle_duration_seconds", Help: "Time to handle a request or a job.", Buckets: DurationBuckets,
	}, []string{"subject_template", "outcome"}))
	inflight, err2 := telemetry.Register(r, prometheus.NewGauge(prometheus.GaugeOpts{
		Name: "worker_inflight", Help: "Requests and jobs in hand.",
	}))
	capacity, err3 := telemetry.Register(r, prometheus.NewGauge(prometheus.GaugeOpts{
		Name: "worker_capacity", Help: "Requests and jobs that can be in hand at one time.",
	}))
	return &Metrics{duration, inflight, capacity}, errors.Join(err1, err2, err3)
}

// Measure counts what is handled, by subject and outcome, and how long it took.
func (m *Metrics) Measure() Layer {
	return func(next Handler) Handler {
		return func(ctx context.Context, r *Request) (Reply, error) {
			start := time.Now()
			rep, err := next(ctx, r)
			m.duration.WithLabelValues(r.Subject.Template, Outcome(err)).Observe(time.Since(start).Seconds())
			return rep, err
		}
	}
}

// Outcome is the code of a failure, or "ok".
func Outcome(err error) string {
	if err == nil {
		return "ok"
	}
	return string(contracts.CodeOf(err))
}
