package ratelimit_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"assay.dev/gateway/ratelimit"
)

// ledgerStore is a compare-and-set cell.
type ledgerStore struct {
	ledger   ratelimit.Ledger
	revision int
}

// gateway is one gateway's progress through read, propose, write and spend, interleaved with the others' by the test.
type gateway struct {
	account   *ratelimit.Account
	clockAt   int64 // where in its bounds the true time lies, 0..width
	width     int64
	revision  int
	read      bool
	next      ratelimit.Ledger
	lease     ratelimit.Grant
	proposing bool
}

func (g *gateway) now(truth int64) ratelimit.Instant {
	return ratelimit.Instant{Earliest: truth - g.clockAt, Latest: truth - g.clockAt + g.width}
}

// step does the next thing a gateway would do for a waiting request; it tells whether a token was spent.
func (g *gateway) step(store *ledgerStore, limit, want int, truth int64, writeLost bool) (spent bool) {
	return g.account.Spend(g.now(truth)) || g.renew(store, limit, want, truth, writeLost)
}

// renew does the next thing for another lease, while requests may spend this one. It spends nothing: it returns false.
func (g *gateway) renew(store *ledgerStore, limit, want int, truth int64, writeLost bool) bool {
	switch {
	case g.proposing:
		g.proposing = false
		if store.revision != g.revision {
			g.read = false
			return false
		}
		store.ledger, store.revision = g.next, store.revision+1
		if writeLost { // stored, but the acknowledgement never came
			g.read = false
			return false
		}
		g.revision = store.revision
		g.account.Commit(g.lease)
	case !g.read:
		g.account.Observe(store.ledger)
		g.revision, g.read = store.revision, true
	default:
		if g.next, g.lease, g.proposing = g.account.Propose(limit, want, g.now(truth)); !g.proposing {
			g.read = false
		}
	}
	return false
}

func TestNeverMoreThanTheLimitInAnyWindow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		limit := rapid.SampledFrom([]int{1, 2, 7, 60, 1000}).Draw(t, "limit")
		gateways := make([]*gateway, rapid.IntRange(1, 5).Draw(t, "gateways"))
		for i := range gateways {
			width := rapid.Int64Range(0, int64(3*time.Second)).Draw(t, "width")
			gateways[i] = &gateway{
				account: ratelimit.NewAccount(fmt.Sprint(i)), width: width,
				clockAt: rapid.Int64Range(0, width).Draw(t, "clock"),
			}
		}
		store := &ledgerStore{}
		truth := int64(time.Hour)
		var spends []int64
		steps := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) [5]int {
			return [5]int{
				rapid.IntRange(0, 4).Draw(t, "gateway"), rapid.SampledFrom([]int{0, 0, 0, 1, 100, 900, 57000, 58500, 59500}).Draw(t, "ms"),
				rapid.IntRange(1, 200).Draw(t, "repeat"), rapid.IntRange(0, 20).Draw(t, "loss"),
				rapid.IntRange(0, 4).Draw(t, "ahead"),
			}
		}), 1, 120).Draw(t, "steps")
		for _, s := range steps {
			truth += int64(time.Duration(s[1]) * time.Millisecond)
			g := gateways[s[0]%len(gateways)]
			for range s[4] {
				g.renew(store, limit, 1, truth, s[3] == 0)
			}
			for range s[2] {
				if g.step(store, limit, 1+s[3]%3, truth, s[3] == 0) {
					spends = append(spends, truth)
				}
			}
		}
		for i, at := range spends {
			in := 0
			for _, other := range spends[i:] {
				if other < at+int64(ratelimit.Window) {
					in++
				}
			}
			if in > limit {
				t.Fatalf("%d admitted within a window, the limit is %d", in, limit)
			}
		}
	})
}

// A default tenant gets all of its requests, however they are spread over the gateways.
func TestTheFirstRequestsAreAllAdmitted(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const limit = 60
		gateways := make([]*gateway, rapid.IntRange(1, 4).Draw(t, "gateways"))
		for i := range gateways {
			gateways[i] = &gateway{account: ratelimit.NewAccount(fmt.Sprint(i))}
		}
		store := &ledgerStore{}
		truth := int64(time.Hour)
		for n := range limit + 1 {
			g := gateways[rapid.IntRange(0, len(gateways)-1).Draw(t, "gateway")]
			truth += rapid.Int64Range(0, int64(900*time.Millisecond)).Draw(t, "pause")
			admitted := slices.ContainsFunc(make([]bool, 8), func(bool) bool { return g.step(store, limit, 1, truth, false) })
			if admitted != (n < limit) {
				t.Fatalf("request %d of %d: admitted = %t", n+1, limit, admitted)
			}
		}
	})
}

func TestTokensComeBackAWindowAfterTheyWereSpent(t *testing.T) {
	const limit = 60
	g, store := &gateway{account: ratelimit.NewAccount("a")}, &ledgerStore{}
	admit := func(truth int64) bool {
		return slices.ContainsFunc(make([]bool, 8), func(bool) bool { return g.step(store, limit, 1, truth, false) })
	}
	start := int64(time.Hour)
	for i := range limit {
		if !admit(start + int64(i)) {
			t.Fatalf("request %d refused", i+1)
		}
	}
	if admit(start + int64(ratelimit.Window) - 1) {
		t.Error("admitted before the first token came back")
	}
	if !admit(start + int64(ratelimit.Window)) {
		t.Error("refused though the first token came back")
	}
}

// A large limit is leased in slices: few writes, all of it usable.
func TestLargeLimitsNeedFewWrites(t *testing.T) {
	const limit = 100_000_000
	g, store := &gateway{account: ratelimit.NewAccount("a")}, &ledgerStore{}
	truth, admitted := int64(time.Hour), 0
	for range 10 { // seconds
		for range 50_000 {
			truth += int64(time.Second) / 50_000
			for !g.step(store, limit, 1, truth, false) {
				continue
			}
			admitted++
		}
	}
	if store.revision > 20 {
		t.Errorf("%d writes for %d requests in 10 s", store.revision, admitted)
	}
}

// A lease that is renewed early may be spent until the next one is stored, and what is left of it comes back.
func TestALeaseIsSpentUntilTheNextIsStored(t *testing.T) {
	const limit = 6400 // leased in hundreds
	a := ratelimit.NewAccount("a")
	start := int64(time.Hour)
	at := func(d time.Duration) ratelimit.Instant {
		return ratelimit.Instant{Earliest: start + int64(d), Latest: start + int64(d)}
	}
	spend := func(n int, d time.Duration) {
		t.Helper()
		for range n {
			if !a.Spend(at(d)) {
				t.Fatalf("no token after %s", d)
			}
		}
	}
	_, lease, _ := a.Propose(limit, 1, at(0))
	a.Commit(lease)
	spend(10, 0)
	if a.IsEnding(at(500 * time.Millisecond)) {
		t.Error("renewed in the first half of its life")
	}
	if !a.IsEnding(at(501 * time.Millisecond)) {
		t.Error("not renewed in the second half of its life")
	}
	next, second, ok := a.Propose(limit, 1, at(600*time.Millisecond))
	if held := next["a"]; !ok || len(held) != 2 || held[0] != lease || held[1] != second {
		t.Errorf("proposed %v, want both leases whole", next)
	}
	spend(20, 900*time.Millisecond)
	a.Commit(second)
	spend(1, 1500*time.Millisecond)
	if next, _, _ = a.Propose(limit, 1, at(1550*time.Millisecond)); next["a"][0].N != 30 {
		t.Errorf("then %v, want that 30 of the first were spent", next)
	}
}

// Where the clock's bounds lie far apart, a token seems to come back later than a window from now.
func TestNoWaitIsLongerThanTheWindow(t *testing.T) {
	a := ratelimit.NewAccount("a")
	now := ratelimit.Instant{Earliest: int64(time.Hour), Latest: int64(time.Hour + time.Second)}
	_, lease, ok := a.Propose(1, 1, now)
	a.Commit(lease)
	if !ok || !a.Spend(now) {
		t.Fatal("no token")
	}
	if remaining, reset := a.Remaining(now); remaining != 0 || reset != ratelimit.Window {
		t.Errorf("%d left, %s", remaining, reset)
	}
}
