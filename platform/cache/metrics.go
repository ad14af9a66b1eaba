package cache

import (
	"github.com/prometheus/client_golang/prometheus"

	"assay.dev/platform/telemetry"
)

// role is the part that a caller has in a flight.
type role string

const (
	owner  role = "owner"  // this caller reads the source
	waiter role = "waiter" // another process reads it
	local  role = "local"  // another caller in this process reads it, or waits for it
)

type metrics struct {
	flights *prometheus.CounterVec
	writes  *prometheus.CounterVec
}

func newMetrics(r prometheus.Registerer) (*metrics, error) {
	of := telemetry.NewMetrics(r)
	m := &metrics{
		flights: of.Counters("flight_total", "Reads of a missing answer, by part: owner, waiter (for another "+
			"process), local (for this one).", "role"),
		writes: of.Counters("cache_writes_total", "Answers stored, by result: ok or failed.", "result"),
	}
	for _, result := range []string{"ok", "failed"} {
		m.writes.WithLabelValues(result) // a series that begins at 0 shows its first write as an increase
	}
	return m, of.Err()
}

func (m *metrics) joined(r role) { m.flights.WithLabelValues(string(r)).Inc() }

func (m *metrics) wrote(err error) {
	result := "ok"
	if err != nil {
		result = "failed"
	}
	m.writes.WithLabelValues(result).Inc()
}
