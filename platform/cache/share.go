package cache

import (
	"context"
	"errors"
	"fmt"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"

	"assay.dev/contracts"
	"assay.dev/platform/flight"
	"assay.dev/platform/telemetry"
)

// readKey is what callers in one process share a read of.
type readKey struct {
	key     contracts.CacheKey
	refresh bool
}

// found is what a read found. Hit: it was in the cache, and nobody read the source.
type found struct {
	value any
	hit   bool
}

type sharedRead = flight.Read[found]

var errClosed = contracts.Errorf(contracts.Busy, "the worker is stopping; retry").After(time.Second)

// share begins the read of k with run, or waits for the one that is under way in this process.
func share[A any](
	ctx context.Context, s *Store, k readKey, run func(context.Context, *sharedRead) (found, error),
) (A, error) {
	var none A
	r, joined, err := s.reads.Join(ctx, k, func(ctx context.Context, r *sharedRead) (found, error) {
		ctx, cancel := context.WithTimeout(ctx, 2*s.maxFetch) // to wait for another's fetch, then for ours
		defer cancel()
		return run(ctx, r)
	})
	if errors.Is(err, flight.ErrClosed) {
		return none, errClosed
	}
	if err != nil {
		return none, err
	}
	if joined {
		_, span := telemetry.StartSpan(ctx, scope, "flight.join", trace.WithLinks(trace.Link{SpanContext: r.Leader}),
			trace.WithAttributes(attribute.String("assay.flight.role", string(local))))
		defer span.End()
	}
	f, err := r.Wait(ctx)
	if joined && !f.hit {
		s.metrics.joined(local)
	}
	if err != nil {
		return none, err
	}
	a, ok := f.value.(A)
	if !ok {
		return none, fmt.Errorf("key %s is read as %T and as %T at the same time", k.key, f.value, none)
	}
	return a, nil
}
