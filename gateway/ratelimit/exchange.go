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

// renew takes the next lease, or waits for who is at it. a.mu is held, but not while the store is waited for: as long
// as tokens are left, others spend them. It may end without a lease: when none is free, or the store fails. It returns
// false after so many conflicts that it gave up.
func (l *Limiter) renew(ctx context.Context, a *account, limit int) bool {
	if other := a.renewing; other != nil {
		a.mu.Unlock()
		<-other
		a.mu.Lock()
		return true
	}
	done := make(chan struct{})
	a.renewing = done
	defer func() {
		a.renewing = nil
		close(done)
	}()
	return l.lease(ctx, a, limit)
}

func (l *Limiter) lease(ctx context.Context, a *account, limit int) bool {
	current := false // what is known was read here
	for attempt := range maxAttempts {
		if l.away.Load() {
			return true
		}
		if !a.read {
			if !l.observe(ctx, a) {
				continue
			}
			current = true
		}
		now := l.clock.Now()
		next, lease, ok := a.state.Propose(limit, int(a.waiting.Load()), now)
		switch {
		case !ok && !current:
			a.read = false
		case !ok && !a.unstored:
			a.denied, a.deniedOf = a.deniedUntil(now), limit
			return true
		default:
			if l.store(ctx, a, next, lease, attempt) && ok {
				return true
			}
		}
	}
	return false
}

func (l *Limiter) observe(ctx context.Context, a *account) bool {
	var stored Ledger
	var revision uint64
	err := l.ask(ctx, a, func(ctx context.Context) (err error) {
		stored, revision, err = l.source.Read(ctx, a.key)
		return err
	})
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
func (l *Limiter) store(ctx context.Context, a *account, next Ledger, lease Grant, attempt int) bool {
	replaces, unstored := a.revision, a.unstored
	a.unstored = false // what is spent alone from here on is not in next
	var revision uint64
	err := l.ask(ctx, a, func(ctx context.Context) (err error) {
		revision, err = l.source.Swap(ctx, a.key, next, replaces)
		if errors.Is(err, ErrConflict) {
			_ = clock.Sleep(ctx, rand.N(min(maxPause, time.Duration(attempt+1)*100*time.Microsecond)))
		}
		return err
	})
	if err == nil {
		a.revision, a.refused, a.local, a.ahead = revision, 0, false, false
		a.state.Commit(lease)
		return true
	}
	a.read, a.unstored = false, a.unstored || unstored
	if errors.Is(err, ErrConflict) {
		a.refused = replaces
	} else {
		l.rest()
	}
	return false
}

// ask does an exchange with the source without a.mu, and with a bound. A caller that hangs up must not leave the others
// that wait for this lease without one.
func (l *Limiter) ask(ctx context.Context, a *account, exchange func(context.Context) error) error {
	a.mu.Unlock()
	defer a.mu.Lock()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), l.patience)
	defer cancel()
	return exchange(ctx)
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
