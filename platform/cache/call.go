package cache

import (
	"context"
	"fmt"
	"sync"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"

	"assay.dev/contracts"
)

type callKey struct {
	key     contracts.CacheKey
	refresh bool
}

// call is one read in this process; who wants the same joins it. The fields are for reading once done is closed.
type call struct {
	done    chan struct{}
	settled sync.Once
	leader  trace.SpanContext // set at the start
	value   any
	err     error
	hit     bool // it was in the cache: nobody flew
}

// settle gives the callers what they wait for; only the first time counts.
func (c *call) settle(value any, err error) {
	c.settled.Do(func() {
		c.value, c.err = value, err
		close(c.done)
	})
}

var errClosed = contracts.Errorf(contracts.Busy, "the worker is stopping; retry").After(time.Second)

// join leads the call of k with run, or waits for the one under way.
func join[A any](ctx context.Context, s *Store, k callKey, run func(context.Context, *call) (any, error)) (A, error) {
	var none A
	c, lead, err := s.enter(ctx, k)
	if err != nil {
		return none, err
	}
	if lead {
		go s.lead(ctx, k, c, run)
	}
	if err := c.wait(ctx, s, !lead); err != nil {
		return none, err
	}
	a, ok := c.value.(A)
	if !ok {
		return none, fmt.Errorf("key %s is read as %T and as %T at the same time", k.key, c.value, none)
	}
	return a, nil
}

func (s *Store) enter(ctx context.Context, k callKey) (c *call, lead bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if c, ok := s.calls[k]; ok {
		return c, false, nil
	}
	if s.closed {
		return nil, false, errClosed
	}
	c = &call{done: make(chan struct{}), leader: trace.SpanContextFromContext(ctx)}
	s.calls[k] = c
	s.running.Add(1)
	return c, true, nil
}

// lead runs apart from the first caller's cancellation: others may wait for the answer, and it is worth keeping.
func (s *Store) lead(ctx context.Context, k callKey, c *call, run func(context.Context, *call) (any, error)) {
	defer s.running.Done()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*s.maxFetch) // to wait for another's fetch, then for ours
	defer cancel()
	defer context.AfterFunc(s.base, cancel)()
	value, err := run(ctx, c)
	s.mu.Lock()
	delete(s.calls, k)
	s.mu.Unlock()
	c.settle(value, err)
}

func (c *call) wait(ctx context.Context, s *Store, joined bool) error {
	if !joined {
		select {
		case <-c.done:
			return c.err
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	_, span := tracer(ctx).Start(ctx, "flight.join", trace.WithLinks(trace.Link{SpanContext: c.leader}),
		trace.WithAttributes(attribute.String("assay.flight.role", string(local))))
	defer span.End()
	select {
	case <-c.done:
		if !c.hit {
			s.metrics.joined(local)
		}
		return c.err
	case <-ctx.Done():
		s.metrics.joined(local)
		return ctx.Err()
	}
}
