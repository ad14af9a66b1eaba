package captchaworker

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"assay.dev/captcha-worker/solver"
	"assay.dev/platform/telemetry"
)

// metrics are the worker's own, beside those of the bus.
type metrics struct {
	solves    *prometheus.HistogramVec
	reports   *prometheus.CounterVec
	cost      prometheus.Counter
	balance   *prometheus.GaugeVec // without a key there is no account, and no series
	budget    *prometheus.GaugeVec
	renders   *prometheus.HistogramVec
	remaining *prometheus.GaugeVec
	reserved  prometheus.Gauge
}

func newMetrics(registry prometheus.Registerer) (*metrics, error) {
	// Both services may take over a minute.
	slow := []float64{0.1, 0.5, 1, 2.5, 5, 10, 15, 20, 30, 45, 60, 75}
	m := telemetry.NewMetrics(registry)
	return &metrics{
		solves: m.Histograms("captcha_solve_duration_seconds", "Time from taking a solve job to its result.", slow,
			"provider", "outcome"),
		reports: m.Counters("captcha_bad_solves_reported_total",
			"Solves that a site refused and the solver was told of.", "provider"),
		cost:      m.Counter("captcha_cost_usd_total", "US dollars that solves have cost."),
		balance:   m.Gauges("captcha_balance_usd", "US dollars left on the solver's account."),
		budget:    m.Gauges("captcha_budget_remaining_usd", "US dollars that may still be reserved for solves this month."),
		renders:   m.Histograms("render_duration_seconds", "Time from taking a render job to its result.", slow, "outcome"),
		remaining: m.Gauges("render_credits_remaining", "Credits that may still be reserved this month."),
		reserved:  m.Gauge("render_credits_reserved", "Credits reserved for renders that are not settled."),
	}, m.Err()
}

// begin has the solves by a provider counted from 0 on, so that the first failure of each kind is an increase. Without
// a key there are none.
func (m *metrics) begin(client *solver.Client) {
	if !client.Configured() {
		return
	}
	provider := client.Provider()
	for _, outcome := range []string{"solved", "budget_spent", "timeout", "error"} {
		m.solves.WithLabelValues(provider, outcome)
	}
	for _, kind := range solver.Kinds {
		m.solves.WithLabelValues(provider, string(kind))
	}
}

func (m *metrics) solved(provider, outcome string, took time.Duration, usd float64) {
	m.solves.WithLabelValues(provider, outcome).Observe(took.Seconds())
	m.cost.Add(usd)
}

func (m *metrics) reported(provider string) { m.reports.WithLabelValues(provider).Inc() }

func (m *metrics) rendered(outcome string, took time.Duration) {
	m.renders.WithLabelValues(outcome).Observe(took.Seconds())
}
