package cache

import (
	"context"
	"encoding/json"
	"errors"

	"assay.dev/contracts"
	"assay.dev/platform/panics"
)

// Fill returns the stored answer of key. When there is none, it calls fetch, returns the answer and stores it.
//
// When several callers want one key, in this or other processes, one of them fetches, and all get its answer or its
// error. Deps.MaxFetch bounds the fetch. The caller's context does not end it, because others wait for it too; it ends
// the caller's own wait. A caller gets the answer before it is stored, and also when it cannot be stored. Callers in
// one process get the same answer: do not change it.
func Fill[A any](
	ctx context.Context, s *Store, key contracts.CacheKey, fetch func(context.Context) (A, error),
) (A, error) {
	return share[A](ctx, s, readKey{key: key}, func(ctx context.Context, r *sharedRead) (found, error) {
		return fill(ctx, s, r, key, fetch)
	})
}

// Refresh reads a source again although an answer of it is stored, and replaces that answer. The caller gives the
// revision of the entry that it found due. Refresh returns false, and neither an answer nor an error, when another
// worker replaces that entry or has replaced it. After a failure the stored answer is still there.
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

// maxRounds bounds how often fill waits for other owners. Each round ends without an answer when that round's owner
// dies.
const maxRounds = 5

func fill[A any](
	ctx context.Context, s *Store, r *sharedRead, key contracts.CacheKey, fetch func(context.Context) (A, error),
) (found, error) {
	fetched := func(a A) { r.Settle(found{value: a}, nil) }
	for range maxRounds {
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
		doc, err := s.awaitFlight(ctx, key, entry.Revision)
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
		break // a worker of another version wrote what this one cannot read
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

// fetchFor fetches for all who wait for f. It calls fetched, which answers this process's callers, before it stores
// the answer.
func fetchFor[A any](
	ctx context.Context, s *Store, f *ownFlight, key contracts.CacheKey, fetch func(context.Context) (A, error),
	fetched func(A),
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

// fetchAlone fetches without a flight: when the bucket of flights does not answer, or a flight ends without an answer.
// Another worker may fetch the same at that time, which is better than no answer.
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
		_, _ = s.put(ctx, key, doc) // put logs its failure
	}
	return a, nil
}

// fetchWithin calls fetch with a context that ends after Deps.MaxFetch. A panic becomes an error.
func fetchWithin[A any](ctx context.Context, s *Store, fetch func(context.Context) (A, error)) (a A, err error) {
	ctx, cancel := context.WithTimeout(ctx, s.maxFetch)
	defer cancel()
	err = panics.Catch(ctx, s.log, func() (err error) {
		a, err = fetch(ctx)
		return err
	})
	return a, err
}
