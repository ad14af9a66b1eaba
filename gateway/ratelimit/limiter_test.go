package ratelimit_test

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"go.uber.org/goleak"

	"assay.dev/contracts"
	"assay.dev/gateway/ratelimit"
	"assay.dev/platform/bustest"
	"assay.dev/platform/clock/clocktest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var acme = ratelimit.Tenant{Environment: contracts.Test, Name: "acme"}

// gateways starts another gateway's limiter at each call, over the ledgers of one source.
type gateways func() *ratelimit.Limiter

// sources are what the suite runs over.
var sources = map[string]func(*testing.T) gateways{
	"memory": func(t *testing.T) gateways { return overMemory(t, newMemory()) },
	"JetStream": func(t *testing.T) gateways {
		srv := bustest.Buckets(t, contracts.LimitsBucket)
		return func() *ratelimit.Limiter { return patient(open(t, srv)) }
	},
	"JetStream on three servers": func(t *testing.T) gateways {
		servers, next := bustest.Cluster(t, contracts.LimitsBucket), 0
		return func() *ratelimit.Limiter {
			next++
			return patient(open(t, servers[next%len(servers)]))
		}
	},
}

func patient(l *ratelimit.Limiter) *ratelimit.Limiter {
	l.BePatient()
	return l
}

func open(t *testing.T, srv *server.Server) *ratelimit.Limiter {
	t.Helper()
	l, err := ratelimit.Open(t.Context(), bustest.JetStream(t, bustest.Connect(t, srv)), 0)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func overMemory(t *testing.T, m *memory) gateways {
	return func() *ratelimit.Limiter {
		l, err := ratelimit.New(t.Context(), m)
		if err != nil {
			t.Fatal(err)
		}
		return l
	}
}

// Every source must bear this: the limit holds exactly, and what is told of it is true.
func TestSources(t *testing.T) {
	t.Parallel()
	for name, source := range sources {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			start := source(t)
			t.Run("exact over gateways", func(t *testing.T) { exactOverGateways(t, start) })
			t.Run("slices of a large limit", func(t *testing.T) { slicesOverGateways(t, start) })
			t.Run("the standing", func(t *testing.T) { decisionTellsTheStanding(t, start) })
			t.Run("new gateways forgive nothing", func(t *testing.T) { newGatewaysForgiveNothing(t, start) })
		})
	}
}

func tenant(name string) ratelimit.Tenant {
	return ratelimit.Tenant{Environment: contracts.Test, Name: name}
}

// However a tenant's requests are spread over gateways, and however many come at once, exactly the limit is admitted.
func exactOverGateways(t *testing.T, start gateways) {
	const limit = 60
	for name, spread := range map[string]struct {
		gateways, callers, requests int
		uneven                      bool
	}{
		"one gateway":                  {1, 1, 200, false},
		"two gateways in turn":         {2, 1, 200, false},
		"one of two gateways gets all": {2, 1, 200, true},
		"a flood over three gateways":  {3, 24, 3000, false},
	} {
		t.Run(name, func(t *testing.T) {
			var all []*ratelimit.Limiter
			for range spread.gateways {
				all = append(all, start())
			}
			var admitted, asked atomic.Int64
			var callers sync.WaitGroup
			began := time.Now()
			for range spread.callers {
				callers.Go(func() {
					for n := asked.Add(1); n <= int64(spread.requests); n = asked.Add(1) {
						g := all[int(n)%len(all)]
						if spread.uneven && n%20 != 0 {
							g = all[0]
						}
						if d := g.Take(context.Background(), tenant(name), limit); d.Local {
							t.Errorf("decided alone: %+v", d)
						} else if d.Allowed {
							admitted.Add(1)
						} else if d.Reset <= 0 || d.Reset > ratelimit.Window+time.Second || d.Remaining != 0 {
							t.Errorf("refused with %+v", d)
						}
					}
				})
			}
			callers.Wait()
			if n := admitted.Load(); n < limit || n > mostSince(began, limit) {
				t.Errorf("%d of %d requests admitted, want %d", n, spread.requests, limit)
			}
		})
	}
}

// mostSince is how many requests a limit may have admitted since began: a machine may be so busy that a test outlasts the
// window, and then tokens come back.
func mostSince(began time.Time, limit int64) int64 {
	return limit * (1 + int64(time.Since(began)/ratelimit.Window))
}

// A larger limit is leased in slices: never more is admitted, and little is stranded.
func slicesOverGateways(t *testing.T, start gateways) {
	const limit = 2000
	var admitted atomic.Int64
	var callers sync.WaitGroup
	began := time.Now()
	for range 3 {
		g := start()
		for range 4 {
			callers.Go(func() {
				for range limit / 2 {
					if d := g.Take(context.Background(), tenant("large"), limit); d.Local {
						t.Errorf("decided alone: %+v", d)
					} else if d.Allowed {
						admitted.Add(1)
					}
				}
			})
		}
	}
	callers.Wait()
	if n := admitted.Load(); n > mostSince(began, limit) || n < limit*95/100 {
		t.Errorf("%d admitted of a limit of %d", n, limit)
	}
}

func decisionTellsTheStanding(t *testing.T, start gateways) {
	l := start()
	began := time.Now()
	if d := l.Peek(acme, 60); d.Remaining != 60 || d.Reset != 0 {
		t.Errorf("before the first request: %+v", d)
	}
	for used := 1; used <= 3; used++ {
		d := l.Take(t.Context(), acme, 60)
		least := ratelimit.Window - time.Second - time.Since(began)
		if !d.Allowed || d.Limit != 60 || d.Remaining != 60-used || d.Reset < least || d.Reset > ratelimit.Window+time.Second {
			t.Errorf("request %d: %+v", used, d)
		}
	}
	if d := l.Peek(acme, 60); d.Remaining != 57 {
		t.Errorf("after three requests: %+v", d)
	}
}

// With NATS away each gateway admits at most the limit, its earlier admissions included, and takes no time over it; when
// NATS is back, what was admitted meanwhile counts everywhere.
func TestOpenWithTheLocalBudgetWhenNATSIsAway(t *testing.T) {
	t.Parallel()
	srv := bustest.Buckets(t, contracts.LimitsBucket)
	first, second := patient(open(t, srv)), patient(open(t, srv))
	follow(t, first)
	take := func(l *ratelimit.Limiter, n int) (admitted int, local bool) {
		for range n {
			d := l.Take(t.Context(), acme, 60)
			local = d.Local
			if d.Allowed {
				admitted++
			}
		}
		return admitted, local
	}
	if n, local := take(first, 20); n != 20 || local {
		t.Fatalf("%d admitted with NATS, local %t", n, local)
	}
	opts := bustest.Stop(srv)
	began := time.Now()
	if n, local := take(first, 100); n != 40 || !local {
		t.Errorf("%d more admitted without NATS, want 40; local %t", n, local)
	}
	if took := time.Since(began); took > clocktest.Patience/2 {
		t.Errorf("100 decisions without NATS took %s", took)
	}
	bustest.Start(t, opts)
	clocktest.Await(t, "the store is asked again", func() bool { _, local := take(first, 1); return !local })
	if n, local := take(second, 10); n != 0 || local {
		t.Errorf("another gateway admits %d, local %t, when NATS is back", n, local)
	}
}

func follow(t *testing.T, l *ratelimit.Limiter) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- l.Follow(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
}

// Gateways whose clocks are ten minutes apart admit the limit together, and tell alike when the next token comes back.
func TestGatewaysWithWrongClocksShareTheLimit(t *testing.T) {
	t.Parallel()
	const limit = 60
	srv := bustest.Buckets(t, contracts.LimitsBucket)
	var all []*ratelimit.Limiter
	for _, wrong := range []time.Duration{-10 * time.Minute, 0, 10 * time.Minute} {
		local := func() time.Time { return time.Now().Add(wrong) }
		l, err := ratelimit.OpenWithClock(t.Context(), bustest.JetStream(t, bustest.Connect(t, srv)), local)
		if err != nil {
			t.Fatal(err)
		}
		follow(t, l)
		all = append(all, patient(l))
	}
	began, admitted := time.Now(), int64(0)
	for n := range 5 * limit {
		switch d := all[n%len(all)].Take(t.Context(), acme, limit); {
		case d.Local:
			t.Errorf("decided alone: %+v", d)
		case d.Allowed:
			admitted++
		case d.Reset > ratelimit.Window+time.Second:
			t.Errorf("refused with %+v", d)
		}
	}
	if admitted < limit || admitted > mostSince(began, limit) {
		t.Errorf("%d admitted, want %d", admitted, limit)
	}
}

func newGatewaysForgiveNothing(t *testing.T, start gateways) {
	began := time.Now()
	for range 60 {
		if d := start().Take(t.Context(), tenant("many starts"), 60); !d.Allowed {
			t.Fatalf("refused: %+v", d)
		}
	}
	if d := start().Take(t.Context(), tenant("many starts"), 60); d.Allowed && time.Since(began) < ratelimit.Window {
		t.Error("a gateway that has just started admits more than the limit")
	}
}

func TestTokensComeBackAfterTheWindow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := overMemory(t, newMemory())()
		take := func() (admitted int) {
			for range 100 {
				if l.Take(t.Context(), acme, 60).Allowed {
					admitted++
				}
			}
			return admitted
		}
		if n := take(); n != 60 {
			t.Errorf("%d admitted at first", n)
		}
		time.Sleep(ratelimit.Window - time.Second)
		if n := take(); n != 0 {
			t.Errorf("%d admitted before the window was over", n)
		}
		time.Sleep(2 * time.Second)
		if n := take(); n != 60 {
			t.Errorf("%d admitted after the window", n)
		}
	})
}

// Of a lease of many tokens that was taken while the source was away, each decision says so, and none after it.
func TestEveryTokenOfALocalLeaseIsLocal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const limit = 6400 // leased in hundreds
		m := newMemory()
		l := overMemory(t, m)()
		ctx, cancel := context.WithCancel(t.Context())
		followed := make(chan error, 1)
		go func() { followed <- l.Follow(ctx) }()
		take := func(n int, local bool) {
			t.Helper()
			for i := range n {
				if d := l.Take(ctx, acme, limit); !d.Allowed || d.Local != local {
					t.Fatalf("decision %d: %+v, want local %v", i, d, local)
				}
			}
		}
		take(10, false)
		m.leave(true)
		take(90, false) // what is left of the lease that the source knows
		take(250, true)
		m.leave(false)
		time.Sleep(10 * time.Second)
		take(250, false)
		cancel()
		if err := <-followed; err != nil {
			t.Error(err)
		}
	})
}

// A tenant who has a lease does not wait for the source, whenever it begins to hang, while it does, or when it answers again.
func TestNobodyWithALeaseWaitsForASourceThatHangs(t *testing.T) {
	const limit, pause = 100_000, 10 * time.Millisecond
	for phase := time.Duration(0); phase < time.Second; phase += 90 * time.Millisecond {
		synctest.Test(t, func(t *testing.T) {
			m := newMemory()
			l := overMemory(t, m)()
			l.BeQuick()
			ctx, cancel := context.WithCancel(t.Context())
			followed := make(chan error, 1)
			go func() { followed <- l.Follow(ctx) }()
			take := func(during time.Duration) (local bool) {
				for until := time.Now().Add(during); time.Now().Before(until); time.Sleep(pause) {
					began := time.Now()
					d := l.Take(ctx, acme, limit)
					if took := time.Since(began); !d.Allowed || took > 0 {
						t.Errorf("%+v after %s", d, took)
					}
					local = d.Local
				}
				return local
			}
			if take(10*time.Second + phase) {
				t.Error("decided alone with the source")
			}
			m.hang(true)
			if !take(20 * time.Second) {
				t.Error("not decided alone without the source")
			}
			m.hang(false)
			if take(5 * time.Second) {
				t.Error("still decided alone with the source again")
			}
			cancel()
			if err := <-followed; err != nil {
				t.Error(err)
			}
		})
	}
}

// While the source is away the limit holds for each gateway alone, and a gateway asks again within seconds.
func TestTheSourceGoesAndComesBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMemory()
		l := overMemory(t, m)()
		ctx, cancel := context.WithCancel(t.Context())
		followed := make(chan error, 1)
		go func() { followed <- l.Follow(ctx) }()
		if d := l.Take(ctx, acme, 60); !d.Allowed || d.Local {
			t.Errorf("at first: %+v", d)
		}
		m.leave(true)
		for n := 2; n <= 61; n++ {
			if d := l.Take(ctx, acme, 60); !d.Local || d.Allowed != (n <= 60) {
				t.Errorf("request %d without the source: %+v", n, d)
			}
		}
		m.leave(false)
		time.Sleep(10 * time.Second)
		if d := l.Take(ctx, acme, 60); d.Local || d.Allowed {
			t.Errorf("with the source again: %+v", d)
		}
		if d := overMemory(t, m)().Take(ctx, acme, 60); d.Allowed {
			t.Errorf("what was admitted meanwhile does not count: %+v", d)
		}
		cancel()
		if err := <-followed; err != nil {
			t.Error(err)
		}
	})
}
