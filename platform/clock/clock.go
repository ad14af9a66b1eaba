// Package clock waits for a time to pass, or for what is running to end.
package clock

import (
	"context"
	"sync"
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

// Wait returns nil when all that is running has ended, or the error of ctx as soon as ctx ends.
func Wait(ctx context.Context, running *sync.WaitGroup) error {
	done := make(chan struct{})
	go func() { running.Wait(); close(done) }()
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
