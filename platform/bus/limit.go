package bus

import (
	"context"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"assay.dev/contracts"
)

// limit refuses what got no slot.
func limit(next handler) handler {
	return func(ctx context.Context, r *request) (reply, error) {
		if !r.admitted {
			return reply{}, contracts.Errorf(contracts.Busy, "the worker has no capacity left; retry").After(time.Second)
		}
		return next(ctx, r)
	}
}

// slots bounds what is in hand at one time.
type slots struct {
	taken              chan struct{}
	inflight, capacity prometheus.Gauge
}

func newSlots(n int, m *serverMetrics) *slots {
	m.capacity.Add(float64(n))
	return &slots{make(chan struct{}, n), m.inflight, m.capacity}
}

// take never waits. It also tells how many slots are taken now.
func (s *slots) take() (ok bool, inflight int) {
	select {
	case s.taken <- struct{}{}:
		s.inflight.Inc()
		return true, len(s.taken)
	default:
		return false, len(s.taken)
	}
}

func (s *slots) give() {
	<-s.taken
	s.inflight.Dec()
}

// close takes the slots out of the gauge that servers of one process share.
func (s *slots) close() { s.capacity.Sub(float64(cap(s.taken))) }
