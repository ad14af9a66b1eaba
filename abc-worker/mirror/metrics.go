package mirror

import (
	"errors"

	"github.com/prometheus/client_golang/prometheus"

	"assay.dev/platform/telemetry"
)

type metrics struct {
	downloads *prometheus.CounterVec
	rows      *prometheus.GaugeVec
}

func newMetrics(r prometheus.Registerer) (*metrics, error) {
	downloads, err1 := telemetry.Register(r, prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "mirror_downloads_total", Help: "Downloads of bulk files by outcome: new, unchanged, refused (by a guard) or failed.",
	}, []string{"file", "outcome"}))
	rows, err2 := telemetry.Register(r, prometheus.NewGaugeVec(prometheus.GaugeOpts{
		Name: "mirror_licenses", Help: "Licenses in the copy that this process answers from.",
	}, []string{"source"}))
	return &metrics{downloads, rows}, errors.Join(err1, err2)
}

// expect counts a file's downloads from 0 on, so that the first failure is an increase.
func (m *metrics) expect(f File) {
	for _, outcome := range []string{"new", "unchanged", "refused", "failed"} {
		m.downloads.WithLabelValues(f.Name, outcome)
	}
}
