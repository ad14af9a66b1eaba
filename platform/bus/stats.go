package bus

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go/micro"

	"assay.dev/platform/internal/handling"
)

// tally counts an endpoint's requests. micro's own counters see only the hand-over to a goroutine.
type tally struct {
	requests, errors, nanos atomic.Int64
}

func (t *tally) count(next handling.Handler) handling.Handler {
	return func(ctx context.Context, r *handling.Request) (handling.Reply, error) {
		start := time.Now()
		rep, err := next(ctx, r)
		t.requests.Add(1)
		t.nanos.Add(int64(time.Since(start)))
		if err != nil {
			t.errors.Add(1)
		}
		return rep, err
	}
}

// Stats is the data of an endpoint in $SRV.STATS: the true numbers, in place of micro's.
type Stats struct {
	Inflight              int           `json:"inflight"` // of the whole service
	Capacity              int           `json:"capacity"` // of the whole service
	Requests              int64         `json:"num_requests"`
	Errors                int64         `json:"num_errors"`
	AverageProcessingTime time.Duration `json:"average_processing_time"`
}

func (s *Server) stats(e *micro.Endpoint) any {
	t := s.tallies[e.Name]
	stats := Stats{
		Inflight: s.slots.Taken(), Capacity: s.slots.Capacity(), Requests: t.requests.Load(), Errors: t.errors.Load(),
	}
	if stats.Requests > 0 {
		stats.AverageProcessingTime = time.Duration(t.nanos.Load() / stats.Requests)
	}
	return stats
}
