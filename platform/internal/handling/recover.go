package handling

import (
	"context"
	"log/slog"

	"assay.dev/platform/panics"
)

// Recover turns a panic into an error: it costs one request, not the process.
func Recover(log *slog.Logger) Layer {
	return func(next Handler) Handler {
		return func(ctx context.Context, r *Request) (rep Reply, err error) {
			err = panics.Catch(ctx, log, func() (err error) {
				rep, err = next(ctx, r)
				return err
			})
			return rep, err
		}
	}
}
