package ratelimit

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"assay.dev/contracts"
)

const (
	// maxAttempts bounds the rounds of one decision; a conflict is followed by a pause that grows with the rounds.
	maxAttempts = 32
	// denyUnasked is how long a tenant without free tokens is refused before the store is read again while other gateways
	// hold some of its tokens: they may have returned them.
	denyUnasked = time.Second
	syncEvery   = 5 * time.Second
	idleAfter   = 3 * Window
	// maxEnding is how many leases may wait for their renewal.
	maxEnding = 256
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
	// Local tells that the gateway's own budget decided, because the store was away: also of tokens of a lease that was
	// taken while it was.
	Local bool
}

// Limiter decides for all tenants of one gateway.
type Limiter struct {
	source Source
	clock  *Clock
	me     string
	// patience bounds what a request waits for the source.
	patience time.Duration
	away     atomic.Bool   // the store failed: requests do not ask it until Follow found that it answers
	failed   chan struct{} // wakes Follow
	ending   chan ending   // what Follow renews

	mu       sync.RWMutex
	accounts map[Tenant]*account
}

// account serialises one tenant's decisions, so that those that wait are leased for together.
type account struct {
	key     string
	waiting atomic.Int32
	used    atomic.Int64 // when last, by the server's time

	mu       sync.Mutex
	renewing chan struct{} // closed when who takes the next lease is done; nil while nobody does
	ahead    bool          // Follow was asked for the lease after this one
	state    *Account
	revision uint64
	read     bool   // state and revision are what the store held when it was last asked
	refused  uint64 // the revision that the store refused to replace, for a conflict
	stale    int    // how often in a row it showed that revision again all the same
	unstored bool   // tokens were spent that the store does not know of
	local    bool   // the lease is one of those that the store does not know of
	denied   int64  // refuse until then, by the server's time
	deniedOf int    // the limit that was used up
}

// Open makes the limiter of one gateway over [contracts.LimitsBucket]. A request waits for the bucket for patience at
// most; 0 is 400 ms, and less where the bucket answers sooner.
func Open(ctx context.Context, js jetstream.JetStream, patience time.Duration) (*Limiter, error) {
	source, err := openJetStream(ctx, js)
	if err != nil {
		return nil, err
	}
	l, err := New(ctx, source)
	if err == nil && patience > 0 {
		l.patience, source.pace.least = patience, patience
	}
	return l, err
}

// New makes the limiter of one gateway over source, whose clock it reads.
func New(ctx context.Context, source Source) (*Limiter, error) {
	return start(ctx, source, NewClock(source.Now))
}

func start(ctx context.Context, source Source, clock *Clock) (*Limiter, error) {
	if err := clock.Sync(ctx); err != nil {
		return nil, err
	}
	return &Limiter{
		source: source, clock: clock, me: rand.Text()[:8], patience: defaultPatience,
		failed: make(chan struct{}, 1), ending: make(chan ending, maxEnding), accounts: map[Tenant]*account{},
	}, nil
}

// ending is a lease that another is to follow.
type ending struct {
	*account
	limit int
}

// Follow keeps the clock right, renews leases before they end, forgets idle tenants and asks a store that failed
// whether it is back, until ctx ends.
func (l *Limiter) Follow(ctx context.Context) error {
	var renewing sync.WaitGroup
	defer renewing.Wait()
	renewing.Go(func() { l.renewEnding(ctx) })
	tick := time.NewTicker(syncEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
			_ = l.sync(ctx) // while that fails, the clock's bounds widen by themselves
			l.forgetIdle(l.clock.Now())
		case <-l.failed:
			l.awaitStore(ctx)
		}
	}
}

func (l *Limiter) renewEnding(ctx context.Context) {
	var renewing sync.WaitGroup
	defer renewing.Wait()
	for {
		select {
		case <-ctx.Done():
			return
		case e := <-l.ending:
			renewing.Go(func() {
				e.mu.Lock()
				defer e.mu.Unlock()
				l.renew(ctx, e.account, e.limit)
			})
		}
	}
}

// renewAhead has Follow take the next lease while requests spend this one, so that none waits for the store, not even
// for one that hangs: it is known to be away before this lease ends.
func (l *Limiter) renewAhead(a *account, limit int, now Instant) {
	if a.ahead || a.renewing != nil || l.away.Load() || !a.state.IsEnding(now) {
		return
	}
	select {
	case l.ending <- ending{a, limit}:
		a.ahead = true
	default: // many tenants' leases end: who finds this one at its end renews it
	}
}

func (l *Limiter) sync(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	return l.clock.Sync(ctx)
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

// Peek tells what is left of a tenant's limit, as it is known here, and takes nothing.
func (l *Limiter) Peek(tenant Tenant, limit int) Decision {
	a := l.account(tenant)
	defer a.waiting.Add(-1)
	a.mu.Lock()
	defer a.mu.Unlock()
	now := l.clock.Now()
	a.state.Survey(limit, now)
	return a.decision(true, limit, now)
}

// Take takes one token of the tenant's. It waits for the store less than a second, and not at all when the tenant has
// a lease, which [Limiter.Follow] renews, or has used up its limit, or the store is away.
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
	for range maxAttempts {
		now := l.clock.Now()
		a.used.Store(now.Latest)
		if a.state.Spend(now) {
			l.renewAhead(a, limit, now)
			d := a.decision(true, limit, now)
			d.Local = a.local
			return d
		}
		if now.Earliest < a.denied && limit <= a.deniedOf {
			return a.decision(false, limit, now)
		}
		if l.away.Load() {
			return a.alone(limit, now)
		}
		if !l.renew(ctx, a, limit) {
			break
		}
	}
	return Decision{Limit: limit, Reset: denyUnasked} // never more than the limit, not even when all contend
}

// deniedUntil is up to when a tenant without free tokens is refused without reading the store again: until the first
// token comes back, if no other gateway holds one that it may return before.
func (a *account) deniedUntil(now Instant) int64 {
	if !a.state.Shared(now) {
		return a.state.release
	}
	return min(now.Earliest+int64(denyUnasked), a.state.release)
}

// alone decides without the store. What is spent is in the next ledger that is stored.
func (a *account) alone(limit int, now Instant) Decision {
	a.read, a.unstored = false, true
	_, lease, ok := a.state.Propose(limit, int(a.waiting.Load()), now)
	if ok {
		a.state.Commit(lease)
		a.local, a.ahead = true, false
		ok = a.state.Spend(now)
	}
	d := a.decision(ok, limit, now)
	d.Local = true
	return d
}

func (a *account) decision(allowed bool, limit int, now Instant) Decision {
	d := Decision{Allowed: allowed, Limit: limit}
	d.Remaining, d.Reset = a.state.Remaining(now)
	return d
}
