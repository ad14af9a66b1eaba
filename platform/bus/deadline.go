package bus

import (
	"context"
	"time"

	"assay.dev/contracts"
	"assay.dev/platform/internal/handling"
)

const (
	// The reply must be back before the caller gives up: a twentieth of its time, at most maxMargin, is kept for the
	// way.
	maxMargin = 50 * time.Millisecond
	// leastTime is the least that a handler is begun with.
	leastTime = 2 * time.Millisecond
)

// deadline gives the handling.Handler what the caller has left, at most most, less a margin for the way back. A
// request that comes too late is refused: its answer would reach nobody.
func deadline(most time.Duration) handling.Layer {
	return func(next handling.Handler) handling.Handler {
		return func(ctx context.Context, r *handling.Request) (handling.Reply, error) {
			left, err := handling.TimeLeft(r.Header, most)
			if err != nil {
				return handling.Reply{}, err
			}
			left -= min(left/20, maxMargin)
			if left < leastTime {
				return handling.Reply{}, contracts.Errorf(contracts.Timeout,
					"the request came after its deadline; retry with more time")
			}
			ctx, cancel := context.WithTimeout(ctx, left)
			defer cancel()
			return next(ctx, r)
		}
	}
}
