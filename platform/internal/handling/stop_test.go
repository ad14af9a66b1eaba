package handling

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"assay.dev/platform/clock"
)

// Handlers that were cancelled have a second to answer, and a stop waits no longer for them.
func TestHandlersHaveASecondToEnd(t *testing.T) {
	for takes, ends := range map[time.Duration]bool{0: true, 990 * time.Millisecond: true, 1010 * time.Millisecond: false} {
		t.Run(takes.String(), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				base, abandon := context.WithCancelCause(t.Context())
				var running sync.WaitGroup
				running.Go(func() {
					<-base.Done()
					_ = clock.Sleep(t.Context(), takes)
				})
				ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
				defer cancel()
				if got := Await(ctx, &running, abandon, AbandonGrace); got != ends || !errors.Is(context.Cause(base), ErrStopping) {
					t.Errorf("ended: %t, %v", got, context.Cause(base))
				}
				running.Wait()
			})
		})
	}
}
