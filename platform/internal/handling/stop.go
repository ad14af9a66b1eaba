package handling

import (
	"context"
	"sync"
	"time"

	"assay.dev/contracts"
)

// ErrStopping is the cause with which handlers are cancelled that a stop cannot wait for. It is BUSY, so that callers
// try another worker.
var ErrStopping = contracts.Errorf(contracts.Busy, "the worker is stopping; retry").After(time.Second)

// AbandonGrace is how long handlers that were cancelled may take to answer.
const AbandonGrace = time.Second

// Await waits for the handlers that are running until ctx ends. Then it cancels them with abandon and waits for
// [AbandonGrace]. It tells whether all ended.
func Await(ctx context.Context, running *sync.WaitGroup, abandon context.CancelCauseFunc) bool {
	done := make(chan struct{})
	go func() { running.Wait(); close(done) }()
	select {
	case <-done:
		return true
	case <-ctx.Done():
	}
	abandon(ErrStopping)
	select {
	case <-done:
		return true
	case <-time.After(AbandonGrace):
		return false
	}
}
