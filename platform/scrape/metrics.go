package scrape

import (
	"context"
	"errors"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/sony/gobreaker/v2"

	"assay.dev/platform/telemetry"
)

// seconds are the buckets of durations: a cached proxy answers in milliseconds, a rendering service in 75 s.
var seconds = []float64{.005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 20, 40, 75}

func requestDurations(to prometheus.Registerer) *prometheus.HistogramVec {
	return telemetry.NewMetrics(to).Histograms("upstream_request_duration_seconds",
		"Time of one request to an upstream site, by source and outcome (ok or the kind of failure).", seconds,
		"source", "outcome")
}

type sourceKey struct{}

// ForSource names the source on whose behalf ctx fetches, for metrics. [Source.Read] does it; use it for reads outside
// of one, such as the download of a bulk file.
func ForSource(ctx context.Context, name string) context.Context {
	return context.WithValue(ctx, sourceKey{}, name)
}

func sourceOf(ctx context.Context) string {
	if name, ok := ctx.Value(sourceKey{}).(string); ok {
		return name
	}
	return "none"
}

// outcome is the label of an upstream request's end.
func outcome(err error) string {
	switch kind := KindOf(err); {
	case err == nil:
		return "ok"
	case kind != "":
		return string(kind)
	case errors.Is(err, context.Canceled):
		return "canceled"
	default:
		return string(Unreachable)
	}
}

// sourceMetrics are those of all sources of a process.
type sourceMetrics struct {
	registerer   prometheus.Registerer
	breakerState *prometheus.GaugeVec
	transitions  *prometheus.CounterVec
	readings     *prometheus.CounterVec
	confidence   *prometheus.HistogramVec
}

func newSourceMetrics(to prometheus.Registerer) *sourceMetrics {
	m := telemetry.NewMetrics(to) // a source reads also where it cannot be measured
	return &sourceMetrics{
		registerer: to,
		breakerState: m.Gauges("breaker_state", "State of a path's breaker: 0 closed, 1 half-open, 2 open.",
			"source", "path"),
		transitions: m.Counters("breaker_transitions_total", "Changes of a path's breaker, by the state that it came to.",
			"source", "path", "to"),
		readings: m.Counters("readings_total", "Readings by a path, by outcome: read (also that there is no such record), "+
			"failed (also refused by the breaker), or unclear (the source works, and what it says is not understood).",
			"source", "path", "outcome"),
		confidence: m.Histograms("extract_confidence", "Confidence of what was extracted, failed readings included.",
			[]float64{.5, .8, .9}, "source"),
	}
}

// expect has a path's counters begin at 0, so that the first reading of an outcome is an increase.
func (m *sourceMetrics) expect(source, path string) {
	for _, to := range []gobreaker.State{gobreaker.StateClosed, gobreaker.StateHalfOpen, gobreaker.StateOpen} {
		m.transitions.WithLabelValues(source, path, to.String())
	}
	for _, outcome := range []string{"read", "failed", "unclear"} {
		m.readings.WithLabelValues(source, path, outcome)
	}
	m.confidence.WithLabelValues(source)
}

// count counts a reading that says something about its path.
func (m *sourceMetrics) count(source, path string, err error) {
	outcome := "failed"
	switch {
	case err == nil || answerIn(err) != nil:
		outcome = "read"
	case KindOf(err) == Unclear:
		outcome = "unclear"
	case notThePathsDoing(err):
		return
	}
	m.readings.WithLabelValues(source, path, outcome).Inc()
}

// watchAge publishes the age of a source's newest reading, from its first one on.
func (m *sourceMetrics) watchAge(source string, newest func() time.Time) {
	_, _ = telemetry.Register(m.registerer, prometheus.NewGaugeFunc(prometheus.GaugeOpts{ // as above
		Name: "source_data_age_seconds", Help: "Time since the source was last read successfully.",
		ConstLabels: prometheus.Labels{"source": source},
	}, func() float64 { return time.Since(newest()).Seconds() }))
}
