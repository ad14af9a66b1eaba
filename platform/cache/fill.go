package cache

import (
	"context"
	"encoding/json"
	"errors"

	"assay.dev/contracts"
	"assay.dev/platform/panics"
)

// Fill returns the stored answer of key, or has it fetched, stored and returned. However many call Fill for one key, in
// however many processes, one of them fetches; the failure of that fetch is everybody's. The fetch does not end with its
// caller's context but with Deps.MaxFetch; a caller waits as long as its own context allows, and not until the answer is
// stored: that comes after, and may fail. Callers in one process share the answer: do not change it.
func Fill[A any](ctx context.Context, s *Store, key contracts.CacheKey, fetch func(context.Context) (A, error)) (A, error) {
	return share[A](ctx, s, readKey{key: key}, func(ctx context.Context, r *sharedRead) (found, error) {
		return fill(ctx, s, r, key, fetch)
	})
}

// Refresh is Fill for an answer that is to be read anew although the stored one may be servable. It replaces the entry of
// the revision given, which the caller has found due; when another worker is replacing that entry or has replaced it, it
// returns false and nothing else. A failure leaves the stored answer as it is.
func Refresh[A any](
	ctx context.Context, s *Store, key contracts.CacheKey, replaces uint64, fetch func(context.Context) (A, error),
) (A, bool, error) {
	a, err := share[A](ctx, s, readKey{key: key, refresh: true}, func(ctx context.Context, _ *sharedRead) (found, error) {
		a, err := refresh(ctx, s, key, replaces, fetch)
		return found{value: a}, err
	})
	if errors.Is(err, errTaken) {
		return a, false, nil
	}
	return a, err == nil, err
}

var errTaken = errors.New("another worker is reading this source")

// rounds bounds how often fill tries to get at an answer that others promise and do not deliver.
const rounds = 5

func fill[A any](
	ctx context.Context, s *Store, r *sharedRead, key contracts.CacheKey, fetch func(context.Context) (A, error),
) (found, error) {
	fetched := func(a A) { r.Settle(found{value: a}, nil) }
	for range rounds {
		entry, err := s.Get(ctx, key)
		if err == nil {
			if a, err := decode[A](entry.Value); err == nil {
				return found{a, true}, nil
			}
		} else if !errors.Is(err, ErrMiss) {
			break
		}
		f, err := s.claim(ctx, key, entry.Revision)
		if err == nil {
			a, err := fetchFor(ctx, s, f, key, fetch, fetched)
			return found{value: a}, err
		}
		if !errors.Is(err, errTaken) {
			break
		}
		doc, err := s.await(ctx, key, entry.Revision)
		if errors.Is(err, errGone) {
			continue
		}
		if errors.Is(err, errVanished) && ctx.Err() == nil {
			break
		}
		if err != nil {
			return found{}, err
		}
		if a, err := decode[A](doc); err == nil {
			return found{value: a}, nil
		}
		break // the owner is of a version that we do not understand
	}
	a, err := fetchAlone(ctx, s, key, fetch, fetched)
	return found{value: a}, err
}

func refresh[A any](
	ctx context.Context, s *Store, key contracts.CacheKey, replaces uint64, fetch func(context.Context) (A, error),
) (A, error) {
	var none A
	entry, err := s.Get(ctx, key)
	if err != nil && !errors.Is(err, ErrMiss) {
		return none, err
	}
	if entry.Revision != replaces {
		return none, errTaken
	}
	f, err := s.claim(ctx, key, replaces)
	if err != nil {
		return none, err
	}
	return fetchFor(ctx, s, f, key, fetch, func(A) {})
}

// fetchFor fetches on behalf of all who wait for f. It tells what was fetched before it is stored.
func fetchFor[A any](
	ctx context.Context, s *Store, f *ownFlight, key contracts.CacheKey, fetch func(context.Context) (A, error), fetched func(A),
) (A, error) {
	s.metrics.joined(owner)
	stop := f.keepAlive(ctx)
	a, err := fetchWithin(ctx, s, fetch)
	var doc []byte
	if err == nil {
		doc, err = json.Marshal(a)
	}
	if err != nil {
		stop()
		f.fail(ctx, err)
		return a, err
	}
	fetched(a)
	revision, err := s.put(ctx, key, doc)
	stop()
	if err != nil {
		f.land(ctx, 0, doc)
		return a, nil
	}
	f.land(ctx, revision, nil)
	return a, nil
}

// fetchAlone is for when the flights cannot be reached, or have nothing to give: two fetches are better than no answer.
func fetchAlone[A any](
	ctx context.Context, s *Store, key contracts.CacheKey, fetch func(context.Context) (A, error), fetched func(A),
) (A, error) {
	s.metrics.joined(owner)
	s.log.WarnContext(ctx, "reading a source without coordination", "key", key)
	a, err := fetchWithin(ctx, s, fetch)
	if err != nil {
		return a, err
	}
	fetched(a)
	if doc, err := json.Marshal(a); err == nil {
		_, _ = s.put(ctx, key, doc) // put has told
	}
	return a, nil
}

// fetchWithin gives fetch the time that one may take.
func fetchWithin[A any](ctx context.Context, s *Store, fetch func(context.Context) (A, error)) (a A, err error) {
	ctx, cancel := context.WithTimeout(ctx, s.maxFetch)
	defer cancel()
	err = panics.Catch(ctx, s.log, func() (err error) {
		a, err = fetch(ctx)
		return err
	})
	return a, err
}
