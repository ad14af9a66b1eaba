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
	unread    *prometheus.CounterVec
	refreshes *prometheus.CounterVec
	differing *prometheus.CounterVec
	doubts    *prometheus.CounterVec
	learned   *prometheus.CounterVec
}

// NewMetrics registers them.
func NewMetrics(reg prometheus.Registerer) (*Metrics, error) {
	m := &Metrics{
		unread: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "archive_unread_total", Help: "Answers that lack archived weeks because the archive could not be read.",
		}, []string{"source"}),
		refreshes: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "refresh_total", Help: "Scheduled reads by outcome: read, ahead (before the answer ended), accepted (after an operator accepted its wording), kept (in doubt, so the clean answer stays until it ends), other (another worker reads) or failed.",
		}, []string{"source", "outcome"}),
		differing: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "bracket_differs_total", Help: "Readings whose newest percent is not that of the carrier's bracket table.",
		}, []string{"source"}),
		doubts: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "readings_in_doubt_total", Help: "Readings whose percents are in doubt, by the note that says why.",
		}, []string{"source", "path", "note"}),
		learned: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "lines_learned_total", Help: "Lines of pages that were new beside proven figures, and are known since.",
		}, []string{"source"}),
	}
	return m, errors.Join(reg.Register(m.unread), reg.Register(m.refreshes), reg.Register(m.differing), reg.Register(m.doubts), reg.Register(m.learned))
}

func (m *Metrics) archiveUnread(c contracts.Carrier) { m.unread.WithLabelValues(string(c)).Inc() }

func (m *Metrics) bracketDiffers(c contracts.Carrier) { m.differing.WithLabelValues(string(c)).Inc() }

func (m *Metrics) inDoubt(c contracts.Carrier, path string, note contracts.NoteCode) {
	m.doubts.WithLabelValues(string(c), path, string(note)).Inc()
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

// ExpectBrackets creates the counter of differing percents for a carrier, at 0, so that the first one is an increase.
func (m *Metrics) ExpectBrackets(c contracts.Carrier) { m.differing.WithLabelValues(string(c)) }

// expectDoubts creates the counters of a carrier's doubts at 0, so that the first one is an increase.
func (m *Metrics) expectDoubts(r carrier.Recipe) {
	for _, way := range r.Ways() {
		for _, note := range contracts.NoteCodes {
			if note.IsDoubt() {
				m.doubts.WithLabelValues(string(r.Code), string(way), string(note))
			}
		}
	}
	m.learned.WithLabelValues(string(r.Code))
}
