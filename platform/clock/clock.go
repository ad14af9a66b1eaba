// Package clock waits for a time to pass.
package clock

import (
	"context"
	"time"
)

// Sleep returns nil after d, or the error of ctx as soon as ctx ends.
func Sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}
