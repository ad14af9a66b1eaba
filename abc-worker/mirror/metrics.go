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
	// read and dataTime are when the copy was read, and how old it says that it is.
	read, dataTime *prometheus.GaugeVec
	// comparisons, held and published are of watched mirrors.
	comparisons, published *prometheus.CounterVec
	held                   *prometheus.GaugeVec
}

func newMetrics(r prometheus.Registerer) (*metrics, error) {
	m := telemetry.NewMetrics(r)
	published, err := changes.NewCounter(r)
	return &metrics{
		downloads: m.Counters("mirror_downloads_total", "Downloads of bulk files by outcome: new, unchanged, "+
			"refused (by a guard) or failed.",
			"file", "outcome"),
		rows: m.Gauges("mirror_licenses", "Licenses in the copy that this process answers from.", "source"),
		read: m.Gauges("mirror_read_timestamp_seconds",
			"When the copy that this process answers from was downloaded, or found unchanged, Unix time.", "source"),
		dataTime: m.Gauges("mirror_published_timestamp_seconds", "How old the copy that this process answers from "+
			"says that it is, Unix time.", "source"),
		comparisons: m.Counters("mirror_comparisons_total",
			"Editions compared with the one before, by outcome: done, first (nothing to compare with), held, older, lost (what "+
				"it is compared with is gone) or failed.",
			"source", "outcome"),
		published: published,
		held: m.Gauges("mirror_edition_held",
			"1 while the changes of a copy's newest edition are held, because too many licenses are gone from it; else 0.",
			"source"),
	}, errors.Join(err, m.Err())
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
