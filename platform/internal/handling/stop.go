package handling

import (
	"context"
	"sync"
	"time"

	"assay.dev/contracts"
	"assay.dev/platform/clock"
)

// ErrStopping is the cause with which handlers are cancelled that a stop cannot wait for. It is BUSY, so that callers
// try another worker.
var ErrStopping = contracts.Errorf(contracts.Busy, "the worker is stopping; retry").After(time.Second)

// AbandonGrace is how long handlers that were cancelled may take to answer.
const AbandonGrace = time.Second

// Await waits for the handlers that are running until ctx ends. Then it cancels them with abandon and waits for grace.
// It tells whether all ended.
func Await(ctx context.Context, running *sync.WaitGroup, abandon context.CancelCauseFunc, grace time.Duration) bool {
	if clock.Wait(ctx, running) == nil {
		return true
	}
	abandon(ErrStopping)
	last, cancel := context.WithTimeout(context.Background(), grace)
	defer cancel()
	return clock.Wait(last, running) == nil
}
