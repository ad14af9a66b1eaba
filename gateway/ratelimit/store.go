package ratelimit

import (
	"context"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"assay.dev/contracts"
	"assay.dev/platform/bus"
	"assay.dev/platform/kv"
)

const (
	// storeTimeout bounds what a request waits for the store.
	storeTimeout = 400 * time.Millisecond
	// electionPause is how long a store without a leader is given before it is asked again, once.
	electionPause = 20 * time.Millisecond
	// restTime is for how long a store that failed is left alone at least.
	restTime = time.Second
	maxPause = 2 * time.Millisecond // after a conflict
	// maxStale is how often the store may refuse a write for a conflict and then show that nobody wrote. A leader that has
	// lost its followers does so.
	maxStale = 8
)

// asking bounds an exchange with the store. A caller that hangs up must not leave the others that wait for this lease
// without one.
func (l *Limiter) asking(ctx context.Context) (context.Context, context.CancelFunc) {
	linked, unlink := bus.Linked(context.WithoutCancel(ctx), l.js.Conn())
	bounded, cancel := context.WithTimeout(linked, storeTimeout)
	return bounded, func() {
		cancel()
		unlink()
	}
}

func (l *Limiter) observe(ctx context.Context, a *account) bool {
	ctx, cancel := l.asking(ctx)
	defer cancel()
	var stored Ledger
	a.revision = 0
	e, err := l.bucket.Get(ctx, a.key)
	switch {
	case errors.Is(err, jetstream.ErrKeyNotFound):
	case err != nil:
		l.rest()
		return false
	default:
		a.revision = e.Revision()
		if json.Unmarshal(e.Value(), &stored) != nil {
			stored = nil // not a ledger: the write that follows puts one in its place
		}
	}
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
	value, _ := json.Marshal(next) // numbers and strings always marshal
	ctx, cancel := l.asking(ctx)
	defer cancel()
	revision, err := kv.Swap(ctx, l.js, contracts.LimitsBucket, a.key, value, a.revision,
		jetstream.WithRetryAttempts(1), jetstream.WithRetryWait(electionPause))
	switch {
	case err == nil:
		a.revision, a.refused, a.unstored = revision, 0, false
		a.state.Commit(lease)
	case kv.Conflict(err):
		a.read, a.refused = false, a.revision
		time.Sleep(rand.N(min(maxPause, time.Duration(attempt+1)*100*time.Microsecond)))
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
	for ctx.Err() == nil {
		select {
		case <-ctx.Done():
		case <-time.After(restTime):
			if l.sync(ctx) == nil {
				l.away.Store(false)
				return
			}
		}
	}
}
