package ratelimit

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	randv2 "math/rand/v2"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"assay.dev/contracts"
	"assay.dev/platform/bus"
)

const (
	storeTimeout = time.Second
	// maxAttempts bounds the rounds of one decision; a conflict is followed by a pause that grows with the rounds.
	maxAttempts = 32
	maxPause    = 2 * time.Millisecond
	// denyUnasked is how long a tenant without free tokens is refused before the store is read again: another gateway
	// may have returned some.
	denyUnasked = time.Second
	syncEvery   = 5 * time.Second
	idleAfter   = 3 * Window
)

// Tenant is whom a limit is for.
type Tenant struct {
	Environment contracts.Environment
	Name        string
}

// Decision is the answer to one request.
type Decision struct {
	Allowed bool
	// Limit is the tenant's; Remaining what is left of it now.
	Limit, Remaining int
	// Reset is the time until the next token comes back, 0 when none is in use.
	Reset time.Duration
	// Local tells that the store was away and the gateway's own budget decided.
	Local bool
}

// Limiter decides for all tenants of one gateway.
type Limiter struct {
	js     jetstream.JetStream
	bucket jetstream.KeyValue
	clock  *Clock
	me     string
	away   atomic.Pointer[time.Time] // until when the store is not asked; nil when it answers

	mu       sync.RWMutex
	accounts map[Tenant]*account
}

// account serialises one tenant's decisions, so that those that wait are leased for together.
type account struct {
	key     string
	waiting atomic.Int32
	used    atomic.Int64 // when last, by the server's time

	mu       sync.Mutex
	state    *Account
	revision uint64
	read     bool  // state and revision are what the store held when it was last asked
	unstored bool  // tokens were spent that the store does not know of
	denied   int64 // refuse until then, by the server's time
}

// Open binds the bucket and reads the server's clock.
func Open(ctx context.Context, js jetstream.JetStream) (*Limiter, error) {
	bucket, err := bus.OpenBucket(ctx, js, contracts.LimitsBucket)
	if err != nil {
		return nil, err
	}
	stream, err := js.Stream(ctx, "KV_"+contracts.LimitsBucket.Name)
	if err != nil {
		return nil, err
	}
	clock := NewClock(func(ctx context.Context) (time.Time, error) {
		info, err := stream.Info(ctx)
		if err != nil {
			return time.Time{}, err
		}
		return info.TimeStamp, nil
	})
	if err := clock.Sync(ctx); err != nil {
		return nil, err
	}
	return &Limiter{js: js, bucket: bucket, clock: clock, me: rand.Text()[:8], accounts: map[Tenant]*account{}}, nil
}

// Follow keeps the clock right and forgets idle tenants until ctx ends.
func (l *Limiter) Follow(ctx context.Context) error {
	tick := time.NewTicker(syncEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
			l.sync(ctx)
			l.forgetIdle(l.clock.Now())
		}
	}
}

// sync reads the clock; while that fails, the clock's bounds widen by themselves. The bucket is in memory and may be lost
// with the servers: then it is made again, and what the gateways know of it comes with their next writes.
func (l *Limiter) sync(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, storeTimeout)
	defer cancel()
	if err := l.clock.Sync(ctx); errors.Is(err, jetstream.ErrStreamNotFound) {
		_, _ = bus.OpenBucket(ctx, l.js, contracts.LimitsBucket) // tried again at the next tick
	}
}

func (l *Limiter) forgetIdle(now Instant) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for tenant, a := range l.accounts {
		if a.waiting.Load() == 0 && now.Earliest-a.used.Load() > int64(idleAfter) {
			delete(l.accounts, tenant)
		}
	}
}

// Peek tells a tenant's standing as it is known here, and takes nothing.
func (l *Limiter) Peek(tenant Tenant, limit int) Decision {
	a := l.account(tenant)
	defer a.waiting.Add(-1)
	a.mu.Lock()
	defer a.mu.Unlock()
	now := l.clock.Now()
	a.state.Survey(limit, now)
	return a.decision(true, limit, now)
}

// Take takes one token of the tenant's. It waits for the store at most a few seconds, and not at all when the tenant has
// a lease, or has used up its limit, or the store is away.
func (l *Limiter) Take(ctx context.Context, tenant Tenant, limit int) Decision {
	a := l.account(tenant)
	defer a.waiting.Add(-1)
	a.mu.Lock()
	defer a.mu.Unlock()
	return l.decide(ctx, a, limit)
}

func (l *Limiter) account(tenant Tenant) *account {
	l.mu.RLock()
	a := l.accounts[tenant]
	if a != nil {
		a.waiting.Add(1)
	}
	l.mu.RUnlock()
	if a != nil {
		return a
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if a = l.accounts[tenant]; a == nil {
		sum := sha256.Sum256([]byte(string(tenant.Environment) + "\x00" + tenant.Name))
		a = &account{key: hex.EncodeToString(sum[:16]), state: NewAccount(l.me)}
		a.used.Store(l.clock.Now().Latest)
		l.accounts[tenant] = a
	}
	a.waiting.Add(1)
	return a
}

func (l *Limiter) decide(ctx context.Context, a *account, limit int) Decision {
	current := false // what is known was read in this decision
	for attempt := range maxAttempts {
		now := l.clock.Now()
		a.used.Store(now.Latest)
		if a.state.Spend(now) {
			return a.decision(true, limit, now)
		}
		if now.Earliest < a.denied {
			return a.decision(false, limit, now)
		}
		if l.resting() {
			return a.alone(limit, now)
		}
		if !a.read {
			if err := l.observe(ctx, a); err != nil {
				continue
			}
			current = true
		}
		next, lease, ok := a.state.Propose(limit, int(a.waiting.Load()), now)
		switch {
		case !ok && current && a.unstored:
			l.store(ctx, a, next, lease, attempt)
		case !ok && current:
			a.denied = min(now.Earliest+int64(denyUnasked), a.state.release)
			return a.decision(false, limit, now)
		case !ok:
			a.read = false
		default:
			l.store(ctx, a, next, lease, attempt)
		}
	}
	return Decision{Limit: limit, Reset: denyUnasked} // never more than the limit, not even when all contend
}

// alone decides without the store. What is spent is in the next ledger that is stored.
func (a *account) alone(limit int, now Instant) Decision {
	a.read, a.unstored = false, true
	_, lease, ok := a.state.Propose(limit, int(a.waiting.Load()), now)
	if ok {
		a.state.Commit(lease)
		ok = a.state.Spend(now)
	}
	d := a.decision(ok, limit, now)
	d.Local = true
	return d
}

func (a *account) decision(allowed bool, limit int, now Instant) Decision {
	d := Decision{Allowed: allowed, Limit: limit}
	d.Remaining, d.Reset = a.state.Standing(now)
	return d
}

// asking bounds an exchange with the store. A caller that hangs up must not leave the others that wait for this lease
// without one.
func asking(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(ctx), storeTimeout)
}

func (l *Limiter) observe(ctx context.Context, a *account) error {
	ctx, cancel := asking(ctx)
	defer cancel()
	began := time.Now()
	var stored Ledger
	a.revision = 0
	e, err := l.bucket.Get(ctx, a.key)
	switch {
	case errors.Is(err, jetstream.ErrKeyNotFound):
	case err != nil:
		return l.rest(began, err)
	default:
		a.revision = e.Revision()
		if json.Unmarshal(e.Value(), &stored) != nil {
			stored = nil // not a ledger: the write that follows puts one in its place
		}
	}
	a.state.Observe(stored)
	a.read = true
	return nil
}

// store writes next and opens the lease. After a conflict or a failure the store must be read before the next try.
func (l *Limiter) store(ctx context.Context, a *account, next Ledger, lease Grant, attempt int) {
	value, _ := json.Marshal(next) // numbers and strings always marshal
	began := time.Now()
	ctx, cancel := asking(ctx)
	defer cancel()
	revision, err := l.bucket.Update(ctx, a.key, value, a.revision)
	switch {
	case err == nil:
		a.revision, a.unstored = revision, false
		a.state.Commit(lease)
	case errors.Is(err, jetstream.ErrKeyRevisionMismatch):
		a.read = false
		time.Sleep(randv2.N(min(maxPause, time.Duration(attempt+1)*100*time.Microsecond)))
	default:
		a.read = false
		_ = l.rest(began, err)
	}
}

// rest keeps the store from being asked for a while: longer when it took long to fail.
func (l *Limiter) rest(began time.Time, err error) error {
	until := time.Now().Add(max(time.Second, 4*time.Since(began)))
	l.away.Store(&until)
	return err
}

func (l *Limiter) resting() bool {
	until := l.away.Load()
	return until != nil && time.Now().Before(*until)
}
