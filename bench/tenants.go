package main

import (
	"context"
	"errors"
	"fmt"
	"runtime"
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

// tenantCost is what tenants at their limit cost.
type tenantCost struct {
	refusals float64 // a second
	liveMB   float64
}

// measureTenants has all tenants use up their limits, and then ask again and again.
func measureTenants(ctx context.Context, o options, _ *subject, js jetstream.JetStream) ([]figure, error) {
	tenth, err := exhaust(ctx, o, js, "a", manyTenants/10)
	if err != nil {
		return nil, err
	}
	all, err := exhaust(ctx, o, js, "b", manyTenants)
	if err != nil {
		return nil, err
	}
	fmt.Printf("growth    tenants at their limit: %d %+v, %d %+v\n", manyTenants/10, tenth, manyTenants, all)
	return []figure{
		{name: "10,000 tenants at their limit, refusals", value: all.refusals / 1000, unit: "k/s", least: true,
			detail: fmt.Sprintf("%d ask at the same time; %s", asking,
				grown(tenth.refusals/1000, all.refusals/1000, "k/s"))},
		{name: "10,000 tenants at their limit, memory", value: all.liveMB, unit: "MB",
			detail: "of the limiter, live; " + grown(tenth.liveMB, all.liveMB, "MB")},
	}, nil
}

func exhaust(ctx context.Context, o options, js jetstream.JetStream, name string, number int) (c tenantCost, err error) {
	before := liveMB()
	limiter, err := ratelimit.Open(ctx, js)
	if err != nil {
		return c, err
	}
	ask := func(i int) bool {
		tenant := ratelimit.Tenant{Environment: contracts.Test, Name: fmt.Sprint("bench-", name, i%number)}
		return limiter.Take(ctx, tenant, tenantLimit).Allowed
	}
	if admitted := decide(time.Hour, number*(tenantLimit+1), ask); admitted.allowed != int64(number*tenantLimit) {
		return c, fmt.Errorf("%d requests of %d tenants were admitted, and %d may be", admitted.allowed, number, number*tenantLimit)
	}
	refused := decide(o.time, 0, ask)
	if refused.all == 0 {
		return c, errors.New("nothing was decided")
	}
	live := liveMB() - before
	runtime.KeepAlive(limiter)
	return tenantCost{float64(refused.all-refused.allowed) / refused.took.Seconds(), live}, nil
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
