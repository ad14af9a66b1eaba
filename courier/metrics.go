package courier

import (
	"errors"

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
	m, errs := new(metrics), make([]error, 5)
	m.attempts, errs[0] = telemetry.Register(r, prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Name: "courier_attempt_duration_seconds", Help: "Attempts to deliver, by what came of them.",
		Buckets: []float64{0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15, 20},
	}, []string{"outcome"}))
	gauge := func(name, help string) (prometheus.Gauge, error) {
		return telemetry.Register(r, prometheus.NewGauge(prometheus.GaugeOpts{Name: name, Help: help}))
	}
	m.holds, errs[1] = gauge("courier_holds", "1 in the courier that delivers, 0 in those that stand by.")
	m.inFlight, errs[2] = gauge("courier_in_flight", "Requests to endpoints under way.")
	m.retries, errs[3] = gauge("courier_open_retries", "Deliveries that wait to be tried again.")
	m.endpoints, errs[4] = telemetry.Register(r, prometheus.NewGaugeVec(prometheus.GaugeOpts{
		Name: "courier_endpoints", Help: "Endpoints by how they stand, in the courier that delivers.",
	}, []string{"status"}))
	for _, outcome := range outcomes {
		m.attempts.WithLabelValues(outcome)
	}
	return m, errors.Join(errs...)
}
