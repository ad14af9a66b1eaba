package cache

import (
	"errors"

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
	flights, err1 := telemetry.Register(r, prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "flight_total", Help: "Reads of a missing answer, by part: owner, waiter (for another process), local (for this one).",
	}, []string{"role"}))
	writes, err2 := telemetry.Register(r, prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "cache_writes_total", Help: "Answers stored, by result: ok or failed.",
	}, []string{"result"}))
	for _, result := range []string{"ok", "failed"} {
		writes.WithLabelValues(result) // a series that begins at 0 shows its first write as an increase
	}
	return &metrics{flights, writes}, errors.Join(err1, err2)
}

func (m *metrics) joined(r role) { m.flights.WithLabelValues(string(r)).Inc() }

func (m *metrics) wrote(err error) {
	result := "ok"
	if err != nil {
		result = "failed"
	}
	m.writes.WithLabelValues(result).Inc()
}
