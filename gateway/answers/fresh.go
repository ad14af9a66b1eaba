package answers

import (
	"context"
	"errors"
	"time"

	"assay.dev/contracts"
	"assay.dev/platform/cache"
	"assay.dev/platform/flight"
)

// renewTogether gets a fresh reading, once for all who want one now.
func renewTogether[A any](ctx context.Context, s *Store, n name, q Question[A]) (Found, error) {
	look, joined, err := s.looks.Join(ctx, sought{n, true},
		func(ctx context.Context, _ *flight.Read[Found]) (Found, error) {
			return renew(ctx, s, n, q)
		})
	if err != nil { // full, or closed
		return s.good(n, errBusy())
	}
	found, err := look.Wait(ctx)
	if err != nil {
		return Found{}, contracts.AsError(err)
	}
	return found.collapsed(ctx, look, joined), nil
}

// renew asks a worker for a fresh reading, unless the shared copy is young. When the worker fails, the copy from before
// is served: a good answer does not become worse because somebody asked for a newer one.
func renew[A any](ctx context.Context, s *Store, n name, q Question[A]) (Found, error) {
	entry, err := s.shared(ctx, n.key)
	if errors.Is(err, cache.ErrMiss) {
		s.withdraw(n, entry)
		ctx = cache.Replaces(ctx, n.key, entry.Revision)
	}
	if err == nil {
		if a, err := cache.Decode[A](n.key, entry.Value); err == nil {
			found, err := keep(s, n, q, a, entry.Revision, Shared)
			if err != nil || found.isYoung(time.Now()) {
				return found, err
			}
		} // else an entry of another version: the worker replaces it
	}
	found, err := askWorker(ctx, s, n, q, s.held(n, time.Now()))
	if err != nil {
		return s.good(n, err)
	}
	return found, nil
}

// good is the copy of n as what is left after a reading that failed with err.
func (s *Store) good(n name, err error) (Found, error) {
	held := s.held(n, time.Now())
	if held == nil {
		return Found{}, contracts.AsError(err)
	}
	return Found{Answer: held, Tier: Local, RefreshFailed: true}, nil
}
