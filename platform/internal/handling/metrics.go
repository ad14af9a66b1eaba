package handling

import (
	"context"
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

// KindRequest is the kind of what is in hand of a call. That of a job is its [contracts.JobKind].
const KindRequest = "request"

// NewMetrics registers with r, which may be nil. Each kind has slots of its own, so it has gauges of its own: one is full
// while another has room.
func NewMetrics(r prometheus.Registerer, kind string) (*Metrics, error) {
	m := telemetry.NewMetrics(r)
	return &Metrics{
		duration: m.Histograms("nats_handle_duration_seconds", "Time to handle a request or a job.", DurationBuckets,
			"subject_template", "outcome"),
		inflight: m.Gauges("worker_inflight", "Requests and jobs in hand.", "kind").WithLabelValues(kind),
		capacity: m.Gauges("worker_capacity", "Requests and jobs that can be in hand at one time.", "kind").
			WithLabelValues(kind),
	}, m.Err()
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

// Outcome is the code of a failure, REPEATED for one that is kept and told again, or "ok".
func Outcome(err error) string {
	switch e := contracts.AsError(err); {
	case e == nil:
		return "ok"
	case e.Repeated:
		return "REPEATED"
	default:
		return string(e.Code)
	}
}
