package bus

import (
	"context"
	"fmt"
	"runtime/debug"
)

// recoverPanic turns a panic into an error with its stack: it costs one request, not the process.
func recoverPanic(next handler) handler {
	return func(ctx context.Context, r *request) (rep reply, err error) {
		defer func() {
			if p := recover(); p != nil {
				err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
			}
		}()
		return next(ctx, r)
	}
}
