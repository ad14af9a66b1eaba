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

// readKey names a read that callers in one process share. A refresh and a fill of one key are two reads.
type readKey struct {
	key     contracts.CacheKey
	refresh bool
}

// found is the result of a read. Hit says that the answer was in the cache, so that nobody read the source.
type found struct {
	value any
	hit   bool
}

type sharedRead = flight.Read[found]

var errClosed = contracts.Errorf(contracts.Busy, "the worker is stopping; retry").After(time.Second)

// share waits for the read of k that this process already does, or else begins one with run.
func share[A any](
	ctx context.Context, s *Store, k readKey, run func(context.Context, *sharedRead) (found, error),
) (A, error) {
	var none A
	r, joined, err := s.reads.Join(ctx, k, func(ctx context.Context, r *sharedRead) (found, error) {
		// another worker's fetch may fail to come, and then ours follows
		ctx, cancel := context.WithTimeout(ctx, 2*s.maxFetch)
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
