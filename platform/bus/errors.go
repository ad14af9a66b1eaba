package bus

import (
	"context"
	"errors"
	"log/slog"

	"assay.dev/contracts"
	"assay.dev/platform/telemetry"
)

// codeErrors gives every failure a code, and logs those that are ours.
func codeErrors(log *slog.Logger) layer {
	return func(next handler) handler {
		return func(ctx context.Context, r *request) (reply, error) {
			rep, err := next(ctx, r)
			if err == nil {
				return rep, nil
			}
			coded := coded(ctx, err)
			if coded.Code == contracts.Internal {
				log.ErrorContext(ctx, "request failed", "subject", r.subject.Name, "request_id", telemetry.RequestID(ctx), "error", err)
			}
			return reply{}, coded
		}
	}
}

// coded is [contracts.AsError], except that a handler which Stop cut short did not fail: another worker can do it.
func coded(ctx context.Context, err error) *contracts.Error {
	if e := contracts.AsError(err); e.Code != contracts.Canceled || !errors.Is(context.Cause(ctx), errStopping) {
		return e
	}
	return errStopping
}
