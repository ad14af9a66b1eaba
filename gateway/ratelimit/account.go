package ratelimit

import "time"

const (
	// Window is the span over which a limit holds.
	Window = time.Minute
	// leaseLife is how long a lease may be spent.
	leaseLife = time.Second
	// sliceOf is the share of what is free that one lease takes.
	sliceOf = 64
)

// Instant is a moment of the server's time that is not known exactly: it lies between Earliest and Latest, both in
// nanoseconds since 1970.
type Instant struct{ Earliest, Latest int64 }

// Grant is a number of tokens that may be spent until End, in nanoseconds of the server's time. None is spent later.
type Grant struct {
	End int64 `json:"e"`
	N   int   `json:"n"`
}

func (g Grant) release() int64 { return g.End + int64(Window) }

// Ledger holds, by gateway, the grants that still count against a tenant's limit.
type Ledger map[string][]Grant

// Account is one tenant as one gateway sees it. It is a pure state machine: reading and writing the store, and the
// order in which that happens, are the caller's. A proposal becomes spendable only by [Account.Commit].
type Account struct {
	me     string
	others Ledger  // the other gateways' grants, as last read; nil before
	mine   []Grant // settled; this gateway alone knows them
	lease  lease

	remaining int   // what would be admitted, when last surveyed, less what was spent since
	release   int64 // when the first token in use comes back; 0 when none is in use
}

type lease struct {
	Grant
	spent int
	last  int64 // the latest moment at which a token of it can have been spent
}

func (l lease) isOpen(now Instant) bool { return l.spent < l.N && now.Latest <= l.End }

// NewAccount is the account of the gateway named me, which knows nothing yet.
func NewAccount(me string) *Account { return &Account{me: me} }

// Observe takes over what the store holds. What an earlier account of this gateway wrote is kept as settled.
func (a *Account) Observe(stored Ledger) {
	if a.others == nil {
		a.mine = append(a.mine, stored[a.me]...)
	}
	a.others = make(Ledger, len(stored))
	for gateway, grants := range stored {
		if gateway != a.me {
			a.others[gateway] = grants
		}
	}
}

// Spend takes one token of the lease, if one is left that may still be spent.
func (a *Account) Spend(now Instant) bool {
	if !a.lease.isOpen(now) {
		return false
	}
	a.lease.spent++
	a.lease.last = max(a.lease.last, now.Latest)
	a.remaining--
	if a.release == 0 {
		a.release = Grant{End: now.Latest}.release()
	}
	return true
}

// IsEnding tells whether tokens are left of the lease, and less than half of its life: time to propose the next one.
func (a *Account) IsEnding(now Instant) bool {
	return a.lease.isOpen(now) && now.Latest > a.lease.End-int64(leaseLife/2)
}

// Propose makes the ledger with a new lease in it, of at least want tokens if that many are free. The lease is for
// [Account.Commit] once the ledger is stored; until then tokens of the one before may be spent, so what is left of it
// is not free. It returns false, and a ledger without a lease, when none is free.
func (a *Account) Propose(limit, want int, now Instant) (Ledger, Grant, bool) {
	left := 0
	if a.lease.isOpen(now) {
		left = a.lease.N - a.lease.spent
	} else {
		a.settle()
	}
	a.mine = unreleased(a.mine, now)
	a.Survey(limit, now)
	held := a.mine[:len(a.mine):len(a.mine)]
	if left > 0 {
		held = append(held, a.lease.Grant)
	}
	next := Ledger{a.me: held}
	for gateway, grants := range a.others {
		if kept := unreleased(grants, now); len(kept) > 0 {
			next[gateway] = kept
		}
	}
	free := a.remaining - left
	if free <= 0 {
		return next, Grant{}, false
	}
	g := Grant{End: now.Latest + int64(leaseLife), N: min(max(want, free/sliceOf, 1), free)}
	next[a.me] = append(held, g)
	return next, g, true
}

// Commit opens the lease of a proposal that was stored, in the place of the one before.
func (a *Account) Commit(g Grant) {
	a.settle()
	a.lease = lease{Grant: g}
}

// settle closes the lease: its unspent tokens are nobody's any more, so they must never be spent.
func (a *Account) settle() {
	if a.lease.spent > 0 {
		a.mine = append(a.mine, Grant{End: a.lease.last, N: a.lease.spent})
	}
	a.lease = lease{}
}

// Survey counts anew what [Account.Remaining] tells.
func (a *Account) Survey(limit int, now Instant) {
	used, release := 0, int64(0)
	count := func(g Grant) {
		if r := g.release(); g.N > 0 && r > now.Earliest {
			used += g.N
			if release == 0 || r < release {
				release = r
			}
		}
	}
	for _, grants := range a.others {
		for _, g := range grants {
			count(g)
		}
	}
	for _, g := range a.mine {
		count(g)
	}
	count(Grant{End: a.lease.last, N: a.lease.spent})
	a.remaining, a.release = max(0, limit-used), release
}

// Remaining is how many requests would be admitted and how long until the next token comes back (0 when none is in
// use), as far as is known here. The bounds of the clock may be far apart; no wait is longer than the window all the
// same.
func (a *Account) Remaining(now Instant) (remaining int, reset time.Duration) {
	return max(0, a.remaining), min(Window, time.Duration(max(0, a.release-now.Earliest)))
}

// Shared tells whether other gateways hold tokens, as last read.
func (a *Account) Shared(now Instant) bool {
	for _, grants := range a.others {
		if len(unreleased(grants, now)) > 0 {
			return true
		}
	}
	return false
}

func unreleased(grants []Grant, now Instant) []Grant {
	kept := grants[:0:0]
	for _, g := range grants {
		if g.release() > now.Earliest {
			kept = append(kept, g)
		}
	}
	return kept
}
