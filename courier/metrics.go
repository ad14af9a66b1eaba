package courier

import (
	"github.com/prometheus/client_golang/prometheus"

	"assay.dev/platform/telemetry"
)

type metrics struct {
	attempts  *prometheus.HistogramVec
	holds     prometheus.Gauge
	inFlight  prometheus.Gauge
	endpoints *prometheus.GaugeVec
	retries   prometheus.Gauge
}

// outcomes are what an attempt may come to: given_up is one that failed and is not made again.
var outcomes = []string{"delivered", "failed", "gone", "given_up", "by_hand"}

func newMetrics(r prometheus.Registerer) (*metrics, error) {
	of := telemetry.NewMetrics(r)
	m := &metrics{
		attempts: of.Histograms("courier_attempt_duration_seconds", "Attempts to deliver, by what came of them.",
			[]float64{0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15, 20}, "outcome"),
		holds:     of.Gauge("courier_holds", "1 in the courier that delivers, 0 in those that stand by."),
		inFlight:  of.Gauge("courier_in_flight", "Requests to endpoints under way."),
		retries:   of.Gauge("courier_open_retries", "Deliveries that wait to be tried again."),
		endpoints: of.Gauges("courier_endpoints", "Endpoints by how they stand, in the courier that delivers.", "status"),
	}
	for _, outcome := range outcomes {
		m.attempts.WithLabelValues(outcome)
	}
	return m, of.Err()
}
