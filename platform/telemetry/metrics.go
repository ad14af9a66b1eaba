package telemetry

import (
	"errors"

	"github.com/prometheus/client_golang/prometheus"
)

// Metrics registers the metrics of a package, each as [Register] does, and gathers what goes wrong.
type Metrics struct {
	to   prometheus.Registerer
	errs []error
}

// NewMetrics registers with a registerer, which may be nil.
func NewMetrics(to prometheus.Registerer) *Metrics { return &Metrics{to: to} }

// Err is what went wrong.
func (m *Metrics) Err() error { return errors.Join(m.errs...) }

func registered[C prometheus.Collector](m *Metrics, c C) C {
	c, err := Register(m.to, c)
	if err != nil {
		m.errs = append(m.errs, err)
	}
	return c
}

// Counter registers a counter.
func (m *Metrics) Counter(name, help string) prometheus.Counter {
	return registered(m, prometheus.NewCounter(prometheus.CounterOpts{Name: name, Help: help}))
}

// Counters registers counters with labels.
func (m *Metrics) Counters(name, help string, labels ...string) *prometheus.CounterVec {
	return registered(m, prometheus.NewCounterVec(prometheus.CounterOpts{Name: name, Help: help}, labels))
}

// Gauge registers a gauge.
func (m *Metrics) Gauge(name, help string) prometheus.Gauge {
	return registered(m, prometheus.NewGauge(prometheus.GaugeOpts{Name: name, Help: help}))
}

// Gauges registers gauges with labels.
func (m *Metrics) Gauges(name, help string, labels ...string) *prometheus.GaugeVec {
	return registered(m, prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: name, Help: help}, labels))
}

// GaugeFunc registers a gauge that is asked for its value.
func (m *Metrics) GaugeFunc(name, help string, value func() float64) {
	registered(m, prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: help}, value))
}

// Histograms registers histograms with labels.
func (m *Metrics) Histograms(name, help string, buckets []float64, labels ...string) *prometheus.HistogramVec {
	return registered(m,
		prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: name, Help: help, Buckets: buckets}, labels))
}
