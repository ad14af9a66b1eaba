package mirror

import (
	"errors"

	"github.com/prometheus/client_golang/prometheus"

	"assay.dev/contracts"
	"assay.dev/platform/changes"
	"assay.dev/platform/telemetry"
)

type metrics struct {
	downloads *prometheus.CounterVec
	rows      *prometheus.GaugeVec
	// read and dated are when the copy was read, and how old it says that it is.
	read, dated *prometheus.GaugeVec
	// comparisons, held and published are of watched mirrors.
	comparisons, published *prometheus.CounterVec
	held                   *prometheus.GaugeVec
}

func newMetrics(r prometheus.Registerer) (*metrics, error) {
	downloads, err1 := telemetry.Register(r, prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "mirror_downloads_total", Help: "Downloads of bulk files by outcome: new, unchanged, refused (by a guard) or failed.",
	}, []string{"file", "outcome"}))
	rows, err2 := telemetry.Register(r, prometheus.NewGaugeVec(prometheus.GaugeOpts{
		Name: "mirror_licenses", Help: "Licenses in the copy that this process answers from.",
	}, []string{"source"}))
	read, err6 := telemetry.Register(r, prometheus.NewGaugeVec(prometheus.GaugeOpts{
		Name: "mirror_read_timestamp_seconds", Help: "When the copy that this process answers from was downloaded, or found unchanged, Unix time.",
	}, []string{"source"}))
	dated, err7 := telemetry.Register(r, prometheus.NewGaugeVec(prometheus.GaugeOpts{
		Name: "mirror_published_timestamp_seconds", Help: "How old the copy that this process answers from says that it is, Unix time.",
	}, []string{"source"}))
	comparisons, err3 := telemetry.Register(r, prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "mirror_comparisons_total",
		Help: "Editions compared with the one before, by outcome: done, first (nothing to compare with), held, older, lost (what it is compared with is gone) or failed.",
	}, []string{"source", "outcome"}))
	published, err4 := changes.NewCounter(r)
	held, err5 := telemetry.Register(r, prometheus.NewGaugeVec(prometheus.GaugeOpts{
		Name: "mirror_edition_held", Help: "1 while the changes of a copy's newest edition are held, because too many licenses are gone from it; else 0.",
	}, []string{"source"}))
	return &metrics{downloads, rows, read, dated, comparisons, published, held}, errors.Join(err1, err2, err3, err4, err5, err6, err7)
}

// watches counts a mirror's comparisons and changes from 0 on, so that the first is an increase.
func (m *metrics) watches(of *Mirror) {
	source := of.Name
	for _, outcome := range []string{"done", "first", "held", "older", "lost", "failed"} {
		m.comparisons.WithLabelValues(source, outcome)
	}
	for _, group := range []string{of.Watch.appeared().Group(), contracts.SourceDegraded.Group()} {
		changes.Expect(m.published, of.source(group), group)
	}
	m.held.WithLabelValues(source)
}

// expect counts a file's downloads from 0 on, so that the first failure is an increase.
func (m *metrics) expect(f File) {
	for _, outcome := range []string{"new", "unchanged", "refused", "failed"} {
		m.downloads.WithLabelValues(f.Name, outcome)
	}
}
