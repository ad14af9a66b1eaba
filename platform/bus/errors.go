package bus

import (
	"context"
	"errors"
	"log/slog"

	"assay.dev/contracts"
	"assay.dev/platform/internal/handling"
)

// codeErrors gives every failure a code, and logs those that are ours.
func codeErrors(log *slog.Logger) handling.Layer {
	return func(next handling.Handler) handling.Handler {
		return func(ctx context.Context, r *handling.Request) (handling.Reply, error) {
			rep, err := next(ctx, r)
			if err == nil {
				return rep, nil
			}
			coded := coded(ctx, err)
			if coded.Code == contracts.Internal {
				log.ErrorContext(ctx, "request failed", "subject", r.Subject.Name, "error", err)
			}
			return handling.Reply{}, coded
		}
	}
}

// coded is [contracts.AsError], except that a handling.Handler which Stop cut short did not fail: another worker can
// do it.
func coded(ctx context.Context, err error) *contracts.Error {
	if e := contracts.AsError(err); e.Code != contracts.Canceled ||
		!errors.Is(context.Cause(ctx), handling.ErrStopping) {
		return e
	}
	return handling.ErrStopping
}
