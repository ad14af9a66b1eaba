package answers

import (
	"context"
	"errors"
	"time"

	"go.opentelemetry.io/otel/trace"

	"assay.dev/contracts"
	"assay.dev/platform/cache"
	"assay.dev/platform/flight"
)

// lookTogether looks for an answer once for all who want it now. The look may outlast the patience of those for whom a
// copy is held: they get that, and who asks later gets what was found.
func lookTogether[A any](ctx context.Context, s *Store, n name, q Question[A], held *Answer) (Found, error) {
	look, joined, err := s.looks.Join(ctx, sought{name: n},
		func(ctx context.Context, _ *flight.Read[Found]) (Found, error) {
			return look(ctx, s, n, q, held)
		})
	if err != nil { // full, or closed
		return Found{}, errBusy()
	}
	patience := ctx
	if held != nil {
		var cancel context.CancelFunc
		patience, cancel = context.WithTimeout(ctx, s.heldPatience)
		defer cancel()
	}
	found, err := look.Wait(patience)
	if err != nil && held != nil && ctx.Err() == nil && patience.Err() != nil {
		if held = s.held(n, time.Now()); held != nil {
			return held.keep(checkAgain), nil
		}
		found, err = look.Wait(ctx) // it was withdrawn meanwhile
	}
	switch {
	case ctx.Err() != nil && err != nil:
		return Found{}, contracts.AsError(ctx.Err())
	case err != nil:
		return Found{}, contracts.AsError(err)
	}
	return found.collapsed(ctx, look, joined), nil
}

func errBusy() error {
	return contracts.Errorf(contracts.Busy, "the gateway is busy").After(time.Second)
}

// collapsed notes that the look was another request's, if it was.
func (f Found) collapsed(ctx context.Context, look *flight.Read[Found], joined bool) Found {
	if joined {
		f.Collapsed = true
		trace.SpanFromContext(ctx).AddLink(trace.Link{SpanContext: look.Leader})
	}
	return f
}

// look asks the shared cache and then a worker. A held copy is served when neither has a better one.
func look[A any](ctx context.Context, s *Store, n name, q Question[A], held *Answer) (Found, error) {
	entry, err := s.shared(ctx, n.key)
	switch {
	case err == nil && held != nil && held.revision == entry.Revision:
		return held.keep(held.checkEvery()), nil
	case err == nil:
		if a, err := cache.Decode[A](n.key, entry.Value); err == nil {
			return keep(s, n, q, a, entry.Revision, Shared)
		} // else an entry of another version: the worker replaces it
	case errors.Is(err, cache.ErrMiss):
		s.withdraw(n, entry)
		held = s.held(n, time.Now())
		ctx = cache.Replaces(ctx, n.key, entry.Revision)
	case held != nil:
		s.counts.failedChecks.Inc()
		return held.keep(checkAgain), nil
	}
	found, err := askWorker(ctx, s, n, q, held)
	if err != nil && held != nil {
		s.counts.failedChecks.Inc()
		return held.keep(checkAgain), nil
	}
	return found, err
}

// askWorker asks a worker. Where a copy is held, a reply of a worker of another version is a failure.
func askWorker[A any](ctx context.Context, s *Store, n name, q Question[A], held *Answer) (Found, error) {
	ctx, cancel := context.WithTimeout(ctx, q.MaxTime)
	defer cancel()
	a, err := ask(ctx, s, q)
	if err == nil && held != nil && !ofThisVersion(a) {
		err = contracts.Errorf(contracts.SourceUnavailable, "a worker of another version answers; the copy is better")
	}
	if err != nil {
		return Found{}, err
	}
	return keep(s, n, q, a, 0, Worker)
}

func (s *Store) shared(ctx context.Context, key contracts.CacheKey) (cache.Entry, error) {
	ctx, cancel := context.WithTimeout(ctx, s.sharedTime)
	defer cancel()
	return s.cache.Get(ctx, key)
}
