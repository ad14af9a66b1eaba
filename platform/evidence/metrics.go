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
	waited    prometheus.Observer
}

func newMetrics(r prometheus.Registerer) (*metrics, error) {
	of := telemetry.NewMetrics(r)
	m := &metrics{
		documents: of.Counters("evidence_documents_total",
			"Documents that answers were read from: kept, repeated (the same bytes are kept already), lost.", "outcome"),
		bytes: of.Counter("evidence_bytes_total", "Bytes of kept documents, as they are stored: "+
			"compressed, with their labels."),
		waited: of.Histograms("evidence_wait_seconds", "Time for which an answer waited until its documents were kept.",
			[]float64{.0001, .00025, .0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5}).WithLabelValues(),
	}
	for _, o := range []outcome{stored, repeated, lost} {
		m.documents.WithLabelValues(string(o)) // an alert needs to see 0 before 1
	}
	return m, of.Err()
}

func (m *metrics) count(o outcome) { m.documents.WithLabelValues(string(o)).Inc() }

func (m *metrics) keep(all []*nats.Msg) {
	m.count(stored)
	for _, msg := range all {
		m.bytes.Add(float64(len(msg.Data) + len(msg.Header.Get(headerLabel))))
	}
}
