package ratelimit

import (
	"context"
	"sync"
	"sync/atomic"
	"time"
)

// drift bounds how much a local clock may gain or lose: 1 in driftOf.
const driftOf = 5000

// Clock keeps bounds of the server's time. Between readings it runs on the local monotonic clock.
type Clock struct {
	read  func(context.Context) (time.Time, error)
	local func() time.Time // is not compared with the server's time, only with itself

	mu     sync.Mutex
	jumped time.Time // when a reading last contradicted the bounds
	now    atomic.Pointer[reading]
}

// reading is a moment of the server's time and the local moment at which it was known.
type reading struct {
	Instant
	at time.Time
}

// NewClock makes a clock of read, which asks the server for its time. It tells no time before [Clock.Sync] succeeded.
func NewClock(read func(context.Context) (time.Time, error)) *Clock {
	return &Clock{read: read, local: time.Now}
}

// Now is the server's time. The bounds widen with the time since the last reading.
func (c *Clock) Now() Instant { return c.now.Load().instant(c.local()) }

func (r *reading) instant(local time.Time) Instant {
	elapsed := int64(local.Sub(r.at))
	drift := elapsed / driftOf
	return Instant{Earliest: r.Earliest + elapsed - drift, Latest: r.Latest + elapsed + drift}
}

// Sync reads the server's time once.
func (c *Clock) Sync(ctx context.Context) error {
	sent := c.local()
	t, err := c.read(ctx)
	if err != nil {
		return err
	}
	received := c.local()
	n := t.UnixNano()
	c.learn(Instant{Earliest: n, Latest: n + int64(received.Sub(sent))}, received)
	return nil
}

// learn narrows the bounds by a reading. A reading that contradicts them means that a clock was set, or that another
// server with another clock leads now: for a window both times are believed, so that nothing is released too early.
func (c *Clock) learn(seen Instant, at time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	old := c.now.Load()
	if old == nil {
		c.now.Store(&reading{seen, at})
		return
	}
	have := old.instant(at)
	settling := !c.jumped.IsZero() && at.Sub(c.jumped) <= Window+leaseLife
	switch overlap := seen.Earliest <= have.Latest && have.Earliest <= seen.Latest; {
	case settling || (!overlap && c.jumped.IsZero()):
		if c.jumped.IsZero() {
			c.jumped = at
		}
		seen = Instant{min(seen.Earliest, have.Earliest), max(seen.Latest, have.Latest)}
	case !c.jumped.IsZero():
		c.jumped = time.Time{}
	default:
		seen = Instant{max(seen.Earliest, have.Earliest), min(seen.Latest, have.Latest)}
	}
	c.now.Store(&reading{seen, at})
}
