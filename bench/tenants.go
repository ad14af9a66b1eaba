package main

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"assay.dev/contracts"
	"assay.dev/gateway/ratelimit"
)

const (
	// manyTenants is how many tenants a gateway is to bear that have used up their limits.
	manyTenants = 10_000
	// tenantLimit is small, so that they get there soon.
	tenantLimit = 3
	// asking is how many requests are decided at the same time.
	asking = 64
)

// measureTenants has all tenants use up their limits, and then ask again and again.
func measureTenants(ctx context.Context, o options, s *store) ([]figure, error) {
	tenth, err := exhaust(ctx, o, s.js, "a", manyTenants/10)
	if err != nil {
		return nil, err
	}
	all, err := exhaust(ctx, o, s.js, "b", manyTenants)
	if err != nil {
		return nil, err
	}
	fmt.Printf("growth    tenants at their limit: %.0f refusals a second of %d, %.0f of %d\n", tenth, manyTenants/10, all, manyTenants)
	return []figure{{
		name: "10,000 tenants at their limit, refusals", value: all / 1000, unit: "k/s",
		detail: fmt.Sprintf("%d ask at the same time; %s", asking, grown(tenth/1000, all/1000, "k/s")),
	}}, nil
}

// exhaust has tenants use up their limits, and returns how many refusals a second they get then.
func exhaust(ctx context.Context, o options, js jetstream.JetStream, name string, number int) (refusals float64, err error) {
	limiter, err := ratelimit.Open(ctx, js)
	if err != nil {
		return 0, err
	}
	ask := func(i int) bool {
		tenant := ratelimit.Tenant{Environment: contracts.Test, Name: fmt.Sprint("bench-", name, i%number)}
		return limiter.Take(ctx, tenant, tenantLimit).Allowed
	}
	if admitted := decide(time.Hour, number*(tenantLimit+1), ask); admitted.allowed != int64(number*tenantLimit) {
		return 0, fmt.Errorf("%d requests of %d tenants were admitted, and %d may be", admitted.allowed, number, number*tenantLimit)
	}
	refused := decide(o.time, 0, ask)
	if refused.all == 0 {
		return 0, errors.New("nothing was decided")
	}
	return float64(refused.all-refused.allowed) / refused.took.Seconds(), nil
}

// decisions are those of many requests.
type decisions struct {
	all, allowed int64
	took         time.Duration
}

// decide asks for the requests 0, 1, … until there were most of them, or the time is over; 0 is no bound.
func decide(d time.Duration, most int, ask func(i int) bool) decisions {
	var next, allowed atomic.Int64
	var running sync.WaitGroup
	began := time.Now()
	for range asking {
		running.Go(func() {
			for time.Since(began) < d {
				i := next.Add(1) - 1
				if most > 0 && i >= int64(most) {
					next.Add(-1)
					return
				}
				if ask(int(i)) {
					allowed.Add(1)
				}
			}
		})
	}
	running.Wait()
	return decisions{next.Load(), allowed.Load(), time.Since(began)}
}
