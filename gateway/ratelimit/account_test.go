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
	switch {
	case g.account.Spend(g.now(truth)):
		return true
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
		steps := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) [4]int {
			return [4]int{
				rapid.IntRange(0, 4).Draw(t, "gateway"), rapid.SampledFrom([]int{0, 0, 0, 1, 100, 900, 57000, 58500, 59500}).Draw(t, "ms"),
				rapid.IntRange(1, 200).Draw(t, "repeat"), rapid.IntRange(0, 20).Draw(t, "loss"),
			}
		}), 1, 120).Draw(t, "steps")
		for _, s := range steps {
			truth += int64(time.Duration(s[1]) * time.Millisecond)
			g := gateways[s[0]%len(gateways)]
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

// Where the clock's bounds lie far apart, a token seems to come back later than a window from now.
func TestNoWaitIsLongerThanTheWindow(t *testing.T) {
	a := ratelimit.NewAccount("a")
	now := ratelimit.Instant{Earliest: int64(time.Hour), Latest: int64(time.Hour + time.Second)}
	_, lease, ok := a.Propose(1, 1, now)
	a.Commit(lease)
	if !ok || !a.Spend(now) {
		t.Fatal("no token")
	}
	if remaining, reset := a.Standing(now); remaining != 0 || reset != ratelimit.Window {
		t.Errorf("%d left, %s", remaining, reset)
	}
}
