package handling

import (
	"github.com/prometheus/client_golang/prometheus"
)

// Slots bounds what is in hand at one time.
type Slots struct {
	taken              chan struct{}
	inflight, capacity prometheus.Gauge
}

// NewSlots makes n slots.
func NewSlots(n int, m *Metrics) *Slots {
	m.capacity.Add(float64(n))
	return &Slots{make(chan struct{}, n), m.inflight, m.capacity}
}

// Take never waits. It also tells how many slots are taken now.
func (s *Slots) Take() (ok bool, inflight int) {
	select {
	case s.taken <- struct{}{}:
		s.inflight.Inc()
		return true, len(s.taken)
	default:
		return false, len(s.taken)
	}
}

// Give gives a slot back.
func (s *Slots) Give() {
	<-s.taken
	s.inflight.Dec()
}

// Close takes the slots out of the gauge that servers of one process share.
func (s *Slots) Close() { s.capacity.Sub(float64(cap(s.taken))) }

// Taken is how many slots are taken now.
func (s *Slots) Taken() int { return len(s.taken) }

// Capacity is how many slots there are.
func (s *Slots) Capacity() int { return cap(s.taken) }
