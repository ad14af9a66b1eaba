package ratelimit_test

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"
	"go.uber.org/goleak"

	"assay.dev/contracts"
	"assay.dev/gateway/ratelimit"
	"assay.dev/platform/bus/bustest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var acme = ratelimit.Tenant{Environment: contracts.Test, Name: "acme"}

func open(t *testing.T, js jetstream.JetStream) *ratelimit.Limiter {
	t.Helper()
	l, err := ratelimit.Open(t.Context(), js)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// However a tenant's requests are spread over gateways, and however many come at once, exactly the limit is admitted.
func TestExactOverGateways(t *testing.T) {
	t.Parallel()
	srv := bustest.Server(t)
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
			tenant := ratelimit.Tenant{Environment: contracts.Test, Name: name}
			var gateways []*ratelimit.Limiter
			for range spread.gateways {
				gateways = append(gateways, open(t, bustest.JetStream(t, bustest.Connect(t, srv))))
			}
			var admitted, asked atomic.Int64
			var callers sync.WaitGroup
			for range spread.callers {
				callers.Go(func() {
					for n := asked.Add(1); n <= int64(spread.requests); n = asked.Add(1) {
						g := gateways[int(n)%len(gateways)]
						if spread.uneven && n%20 != 0 {
							g = gateways[0]
						}
						if d := g.Take(context.Background(), tenant, limit); d.Allowed {
							admitted.Add(1)
						} else if d.Reset <= 0 || d.Reset > ratelimit.Window+time.Second || d.Remaining != 0 {
							t.Errorf("refused with %+v", d)
						}
					}
				})
			}
			callers.Wait()
			if n := admitted.Load(); n != limit {
				t.Errorf("%d of %d requests admitted, want %d", n, spread.requests, limit)
			}
		})
	}
}

// Also when each decision goes to three servers that replicate the ledger.
func TestExactOverReplicas(t *testing.T) {
	t.Parallel()
	const limit = 60
	var gateways []*ratelimit.Limiter
	for _, srv := range bustest.Cluster(t) {
		gateways = append(gateways, open(t, bustest.JetStream(t, bustest.Connect(t, srv))))
	}
	var admitted atomic.Int64
	var callers sync.WaitGroup
	for _, g := range gateways {
		for range 4 {
			callers.Go(func() {
				for range limit {
					if d := g.Take(context.Background(), acme, limit); d.Local {
						t.Errorf("decided alone: %+v", d)
					} else if d.Allowed {
						admitted.Add(1)
					}
				}
			})
		}
	}
	callers.Wait()
	if n := admitted.Load(); n != limit {
		t.Errorf("%d requests admitted, want %d", n, limit)
	}
}

// A larger limit is leased in slices: never more is admitted, and little is stranded.
func TestSlicesOverGateways(t *testing.T) {
	t.Parallel()
	srv := bustest.Server(t)
	const limit = 2000
	var admitted atomic.Int64
	var callers sync.WaitGroup
	for range 3 {
		g := open(t, bustest.JetStream(t, bustest.Connect(t, srv)))
		for range 4 {
			callers.Go(func() {
				for range limit / 2 {
					if g.Take(context.Background(), acme, limit).Allowed {
						admitted.Add(1)
					}
				}
			})
		}
	}
	callers.Wait()
	if n := admitted.Load(); n > limit || n < limit*95/100 {
		t.Errorf("%d admitted of a limit of %d", n, limit)
	}
}

func TestDecisionTellsTheStanding(t *testing.T) {
	t.Parallel()
	l := open(t, bustest.JetStream(t, bustest.Connect(t, bustest.Server(t))))
	if d := l.Peek(acme, 60); d.Remaining != 60 || d.Reset != 0 {
		t.Errorf("before the first request: %+v", d)
	}
	for used := 1; used <= 3; used++ {
		d := l.Take(t.Context(), acme, 60)
		if !d.Allowed || d.Limit != 60 || d.Remaining != 60-used || d.Reset < 59*time.Second || d.Reset > 61*time.Second {
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
	srv := bustest.Server(t)
	first, second := open(t, bustest.JetStream(t, bustest.Connect(t, srv))), open(t, bustest.JetStream(t, bustest.Connect(t, srv)))
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
	if took := time.Since(began); took > 2*time.Second {
		t.Errorf("100 decisions without NATS took %s", took)
	}
	bustest.Start(t, opts)
	for end := time.Now().Add(15 * time.Second); ; time.Sleep(100 * time.Millisecond) {
		if _, local := take(first, 1); !local {
			break
		}
		if time.Now().After(end) {
			t.Fatal("the store is never asked again")
		}
	}
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

func TestIdleTenantsAreForgottenAndNotForgiven(t *testing.T) {
	t.Parallel()
	srv := bustest.Server(t)
	js := bustest.JetStream(t, bustest.Connect(t, srv))
	for range 60 {
		if d := open(t, js).Take(t.Context(), acme, 60); !d.Allowed { // each a gateway that has just started
			t.Fatalf("refused: %+v", d)
		}
	}
	if d := open(t, js).Take(t.Context(), acme, 60); d.Allowed {
		t.Error("a gateway that has just started admits more than the limit")
	}
}
