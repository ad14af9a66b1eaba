package weeks

import (
	"errors"

	"github.com/prometheus/client_golang/prometheus"

	"assay.dev/contracts"
	"assay.dev/ltl-worker/carrier"
)

// Metrics are those of this service only. The metrics of requests, paths and breakers belong to the platform
// packages.
type Metrics struct {
	unread, refreshes, differing, doubts, learned *prometheus.CounterVec
}

// NewMetrics registers them.
func NewMetrics(reg prometheus.Registerer) (*Metrics, error) {
	var errs []error
	counter := func(name, help string, labels ...string) *prometheus.CounterVec {
		c := prometheus.NewCounterVec(prometheus.CounterOpts{Name: name, Help: help}, append([]string{"source"}, labels...))
		errs = append(errs, reg.Register(c))
		return c
	}
	return &Metrics{
		unread: counter("archive_unread_total", "Answers that lack archived weeks because the archive could not be read."),
		refreshes: counter("refresh_total", "Scheduled reads by outcome: read, ahead (before the answer ended), accepted "+
			"(after an operator accepted its wording), kept (in doubt, so the clean answer stays until it ends), other "+
			"(another worker reads) or failed.", "outcome"),
		differing: counter("bracket_differs_total", "Percents of readings that are not those of "+
			"the carrier's bracket table."),
		doubts: counter("readings_in_doubt_total",
			"Readings whose percents are in doubt, by the note that says why.", "path", "note"),
		learned: counter("lines_learned_total", "Lines of pages that were new beside proven figures, and are known since."),
	}, errors.Join(errs...)
}

// Refreshed counts a scheduled read of a source that is a carrier or not, such as "diesel" or "ESTES-table".
func (m *Metrics) Refreshed(source, outcome string) {
	m.refreshes.WithLabelValues(source, outcome).Inc()
}

// ExpectRefreshes creates the counters of a source's scheduled reads at 0. Otherwise the first failure would create
// its counter at 1, and no alert would see an increase.
func (m *Metrics) ExpectRefreshes(source string) {
	for _, outcome := range []string{"read", "ahead", "accepted", "kept", "other", "failed"} {
		m.refreshes.WithLabelValues(source, outcome)
	}
}

// expect creates the counters of a carrier's doubts at 0, so that the first one is an increase.
func (m *Metrics) expect(r carrier.Recipe) {
	if r.Table != nil {
		m.differing.WithLabelValues(string(r.Code))
	}
	for _, way := range r.Ways() {
		for _, note := range contracts.NoteCodes {
			if note.IsDoubt() {
				m.doubts.WithLabelValues(string(r.Code), string(way), string(note))
			}
		}
	}
	m.learned.WithLabelValues(string(r.Code))
}
