package bus

import (
	"context"
	"log/slog"

	"assay.dev/platform/panics"
)

// recoverPanic turns a panic into an error: it costs one request, not the process.
func recoverPanic(log *slog.Logger) layer {
	return func(next handler) handler {
		return func(ctx context.Context, r *request) (rep reply, err error) {
			err = panics.Catch(ctx, log, func() (err error) {
				rep, err = next(ctx, r)
				return err
			})
			return rep, err
		}
	}
}
