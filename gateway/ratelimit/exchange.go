package ratelimit

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"assay.dev/platform/bus"
	"assay.dev/platform/clock"
)

const (
	// defaultPatience bounds what a request waits for the store.
	defaultPatience = bus.PingPatience * 4 / 5
	// restTime is the least time between a failure of the store and the next request to it.
	restTime = time.Second
	maxPause = 2 * time.Millisecond // after a conflict
	// maxStale is how often the store may refuse a write for a conflict and then show that nobody wrote. A leader that
	// has lost its followers does so.
	maxStale = 8
)

// asking bounds an exchange with the source. A caller that hangs up must not leave the others that wait for this lease
// without one.
func (l *Limiter) asking(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(ctx), l.patience)
}

func (l *Limiter) observe(ctx context.Context, a *account) bool {
	ctx, cancel := l.asking(ctx)
	defer cancel()
	stored, revision, err := l.source.Read(ctx, a.key)
	if err != nil {
		l.rest()
		return false
	}
	a.revision = revision
	if a.stale++; a.refused == 0 || a.revision != a.refused {
		a.stale = 0
	}
	if a.stale >= maxStale {
		l.rest()
		return false
	}
	a.state.Observe(stored)
	a.read = true
	return true
}

// store writes next and opens the lease. After a conflict or a failure the store must be read before the next try.
func (l *Limiter) store(ctx context.Context, a *account, next Ledger, lease Grant, attempt int) {
	exchange, cancel := l.asking(ctx)
	defer cancel()
	revision, err := l.source.Swap(exchange, a.key, next, a.revision)
	switch {
	case err == nil:
		a.revision, a.refused, a.unstored, a.local = revision, 0, false, false
		a.state.Commit(lease)
	case errors.Is(err, ErrConflict):
		a.read, a.refused = false, a.revision
		_ = clock.Sleep(exchange, rand.N(min(maxPause, time.Duration(attempt+1)*100*time.Microsecond)))
	default:
		a.read = false
		l.rest()
	}
}

// rest keeps the store from being asked until Follow found that it answers.
func (l *Limiter) rest() {
	l.away.Store(true)
	select {
	case l.failed <- struct{}{}:
	default: // Follow is at it
	}
}

// awaitStore returns when a store that failed answers again, or ctx ends.
func (l *Limiter) awaitStore(ctx context.Context) {
	for clock.Sleep(ctx, restTime) == nil {
		if l.sync(ctx) == nil {
			l.away.Store(false)
			return
		}
	}
}
