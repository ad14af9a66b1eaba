package handling

import (
	"context"
	"time"

	"assay.dev/contracts"
)

// defaultTime bounds a call or a job whose context has no deadline.
const defaultTime = 30 * time.Second

// WithDeadline is ctx, or one that ends after 30 s when ctx sets no deadline.
func WithDeadline(ctx context.Context) (context.Context, context.CancelFunc) {
	if _, ok := ctx.Deadline(); ok {
		return ctx, func() {}
	}
	return context.WithTimeout(ctx, defaultTime)
}

// Unreachable is SOURCE_UNAVAILABLE for an err that says that NATS is away.
func Unreachable(err error) error {
	return contracts.Wrap(err, contracts.SourceUnavailable,
		"the message bus cannot be reached; retry").After(2 * time.Second)
}
