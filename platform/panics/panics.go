// Package panics keeps a panic from ending the process: it costs one request, or one job.
package panics

import (
	"context"
	"fmt"
	"log/slog"
	"runtime/debug"
	"sync/atomic"
)

var caught atomic.Int64

// Caught is how many panics this process has caught.
func Caught() int64 { return caught.Load() }

// Catch runs f and returns its error. A panic of f is logged with its stack, and returned as an error without it.
func Catch(ctx context.Context, log *slog.Logger, f func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = Error(ctx, log, p)
		}
	}()
	return f()
}

// Error is a panic that was recovered, as an error. Error counts it and logs it with its stack.
func Error(ctx context.Context, log *slog.Logger, p any) error {
	caught.Add(1)
	log.ErrorContext(ctx, "panic", "panic", p, "stack", string(debug.Stack()))
	return fmt.Errorf("panic: %v", p)
}
