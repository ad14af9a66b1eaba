// Package panics keeps a panic from ending the process: it costs one request, or one job.
package panics

import (
	"context"
	"fmt"
	"log/slog"
	"runtime/debug"
)

// Catch runs f and returns its error. A panic of f is logged with its stack, and returned as an error without it.
func Catch(ctx context.Context, log *slog.Logger, f func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			log.ErrorContext(ctx, "panic", "panic", p, "stack", string(debug.Stack()))
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	return f()
}
