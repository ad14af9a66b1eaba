package evidence

import (
	"github.com/nats-io/nats.go"
	"github.com/prometheus/client_golang/prometheus"

	"assay.dev/platform/telemetry"
)

// outcome is what became of a document.
type outcome string

const (
	stored   outcome = "kept"
	repeated outcome = "repeated" // the same bytes were kept a short while ago
	lost     outcome = "lost"
)

type metrics struct {
	documents *prometheus.CounterVec
	bytes     prometheus.Counter
	waited    prometheus.Histogram
}

func newMetrics(r prometheus.Registerer) (*metrics, error) {
	documents, err := telemetry.Register(r, prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "evidence_documents_total", Help: "Documents that answers were read from: kept, repeated (the same bytes are kept already), lost.",
	}, []string{"outcome"}))
	if err != nil {
		return nil, err
	}
	bytes, err := telemetry.Register(r, prometheus.NewCounter(prometheus.CounterOpts{
		Name: "evidence_bytes_total", Help: "Bytes of kept documents, as they are stored: compressed, with their labels.",
	}))
	if err != nil {
		return nil, err
	}
	waited, err := telemetry.Register(r, prometheus.NewHistogram(prometheus.HistogramOpts{
		Name: "evidence_wait_seconds", Help: "Time for which an answer waited until its documents were kept.",
		Buckets: []float64{.0001, .00025, .0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5},
	}))
	if err != nil {
		return nil, err
	}
	for _, o := range []outcome{stored, repeated, lost} {
		documents.WithLabelValues(string(o)) // an alert needs to see 0 before 1
	}
	return &metrics{documents, bytes, waited}, nil
}

func (m *metrics) count(o outcome) { m.documents.WithLabelValues(string(o)).Inc() }

func (m *metrics) keep(all []*nats.Msg) {
	m.count(stored)
	for _, msg := range all {
		m.bytes.Add(float64(len(msg.Data) + len(msg.Header.Get(headerLabel))))
	}
}
