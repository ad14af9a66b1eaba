package captchaworker

import (
	"errors"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"assay.dev/platform/telemetry"
)

// metrics are the worker's own, beside those of the bus.
type metrics struct {
	solves    *prometheus.HistogramVec
	reports   *prometheus.CounterVec
	cost      prometheus.Counter
	balance   prometheus.Gauge
	renders   *prometheus.HistogramVec
	remaining prometheus.Gauge
	reserved  prometheus.Gauge
}

func newMetrics(registry prometheus.Registerer) (*metrics, error) {
	// Both services may take over a minute.
	slow := []float64{0.1, 0.5, 1, 2.5, 5, 10, 15, 20, 30, 45, 60, 75}
	gauge := func(name, help string) (prometheus.Gauge, error) {
		return telemetry.Register(registry, prometheus.NewGauge(prometheus.GaugeOpts{Name: name, Help: help}))
	}
	m := new(metrics)
	errs := make([]error, 7)
	m.solves, errs[0] = telemetry.Register(registry, prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Name: "captcha_solve_duration_seconds", Help: "Time from taking a solve job to its result.", Buckets: slow,
	}, []string{"provider", "outcome"}))
	m.reports, errs[1] = telemetry.Register(registry, prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "captcha_bad_solves_reported_total", Help: "Solves that a site refused and the solver was told of.",
	}, []string{"provider"}))
	m.cost, errs[2] = telemetry.Register(registry, prometheus.NewCounter(prometheus.CounterOpts{
		Name: "captcha_cost_usd_total", Help: "US dollars that solves have cost.",
	}))
	m.balance, errs[3] = gauge("captcha_balance_usd", "US dollars left on the solver's account.")
	m.renders, errs[4] = telemetry.Register(registry, prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Name: "render_duration_seconds", Help: "Time from taking a render job to its result.", Buckets: slow,
	}, []string{"outcome"}))
	m.remaining, errs[5] = gauge("render_credits_remaining", "Credits that may still be reserved this month.")
	m.reserved, errs[6] = gauge("render_credits_reserved", "Credits reserved for renders that are not settled.")
	return m, errors.Join(errs...)
}

func (m *metrics) solved(provider, outcome string, took time.Duration, usd float64) {
	m.solves.WithLabelValues(provider, outcome).Observe(took.Seconds())
	m.cost.Add(usd)
}

func (m *metrics) reported(provider string) { m.reports.WithLabelValues(provider).Inc() }

func (m *metrics) rendered(outcome string, took time.Duration) {
	m.renders.WithLabelValues(outcome).Observe(took.Seconds())
}
