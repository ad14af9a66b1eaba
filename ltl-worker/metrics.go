package ltlworker

import (
	"errors"

	"github.com/prometheus/client_golang/prometheus"

	"assay.dev/contracts"
)

// metrics are the worker's own; those of requests, paths and breakers belong to platform.
type metrics struct {
	unread    *prometheus.CounterVec
	refreshes *prometheus.CounterVec
}

func newMetrics(reg prometheus.Registerer) (*metrics, error) {
	m := &metrics{
		unread: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "archive_unread_total", Help: "Answers that lack archived weeks because the archive could not be read.",
		}, []string{"source"}),
		refreshes: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "refresh_total", Help: "Scheduled reads by outcome: read, other (another worker reads) or failed.",
		}, []string{"source", "outcome"}),
	}
	return m, errors.Join(reg.Register(m.unread), reg.Register(m.refreshes))
}

func (m *metrics) archiveUnread(c contracts.Carrier) { m.unread.WithLabelValues(string(c)).Inc() }

func (m *metrics) refreshed(c contracts.Carrier, outcome string) {
	m.refreshes.WithLabelValues(string(c), outcome).Inc()
}

// expectRefreshes counts a carrier's scheduled reads from 0 on, so that the first failure is an increase.
func (m *metrics) expectRefreshes(c contracts.Carrier) {
	for _, outcome := range []string{"read", "other", "failed"} {
		m.refreshes.WithLabelValues(string(c), outcome)
	}
}
