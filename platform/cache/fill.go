package cache

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"

	"assay.dev/contracts"
	"assay.dev/platform/flight"
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
	return FillAdmitted(ctx, s, key, Anybody, fetch)
}

// Admission says whether this process may fetch now: its error is the answer to who asked. The fetch is given the
// context that it returns; leave follows when the fetch is over, or another process fetches.
type Admission func(context.Context) (admitted context.Context, leave func(), err error)

// Anybody is the Admission to a source that is never full.
func Anybody(ctx context.Context) (context.Context, func(), error) { return ctx, func() {}, nil }

// FillAdmitted is Fill for a source that can be full. That is found out once for all who want the answer, and before a
// flight is claimed: of a crowd that comes at once, most are refused, and each flight is two writes to three servers.
func FillAdmitted[A any](
	ctx context.Context, s *Store, key contracts.CacheKey, admit Admission, fetch func(context.Context) (A, error),
) (A, error) {
	return share[A](ctx, s, readKey{key: key}, func(ctx context.Context, r *sharedRead) (found, error) {
		return fill(ctx, s, r, key, admit, fetch)
	})
}

// Renewal names the answer that is to be read anew.
type Renewal struct {
	Key contracts.CacheKey
	// Replaces is the revision of the entry that the caller has found due.
	Replaces uint64
	// Turn, if it is set, is a [contracts.TurnKey]: of all renewals with that turn, in all processes, one goes on at a
	// time.
	Turn string
}

// Refresh is Fill for an answer that is to be read anew although the stored one may be servable. It returns false and
// nothing else when another worker is replacing that entry or has replaced it, or has the turn. A failure, also one of
// another worker a moment ago, leaves the stored answer as it is.
func Refresh[A any](ctx context.Context, s *Store, r Renewal, fetch func(context.Context) (A, error)) (A, bool, error) {
	a, err := share[A](ctx, s, readKey{key: r.Key, refresh: true},
		func(ctx context.Context, _ *sharedRead) (found, error) {
			a, err := refresh(ctx, s, r, fetch)
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
	ctx context.Context, s *Store, r *sharedRead, key contracts.CacheKey, admit Admission,
	fetch func(context.Context) (A, error),
) (found, error) {
	tell := func(a A, err error) { r.Settle(found{value: a}, err) }
	var entry Entry
	for round := range maxRounds {
		var err error
		entry, err = s.look(ctx, key, round)
		if err == nil {
			if a, err := Decode[A](key, entry.Value); err == nil {
				return found{a, true}, nil
			}
		} else if !errors.Is(err, ErrMiss) {
			break
		}
		admitted, leave, err := admit(ctx)
		if err != nil {
			return found{}, err
		}
		f, err := s.claim(ctx, flightKey(key, entry.Revision))
		if err == nil {
			defer leave()
			a, err := fetchFor(admitted, s, f, place{key, entry.Revision}, fetch, tell)
			return found{value: a}, err
		}
		leave()
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
		if a, err := Decode[A](key, doc); err == nil {
			return found{value: a}, nil
		}
		break // a worker of another version wrote what this one cannot read
	}
	a, err := fetchAlone(ctx, s, place{key, entry.Revision}, fetch, tell)
	return found{value: a}, err
}

// look returns the entry of key as Get does. In the first round it believes whoever found a moment ago that the entry
// has expired. When the entry was replaced since, the record of that flight is still there, and the claim fails.
func (s *Store) look(ctx context.Context, key contracts.CacheKey, round int) (Entry, error) {
	if revision, ok := replaces(ctx, key); ok && round == 0 {
		return Entry{Revision: revision}, ErrMiss
	}
	return s.Get(ctx, key)
}

func refresh[A any](ctx context.Context, s *Store, r Renewal, fetch func(context.Context) (A, error)) (A, error) {
	var none A
	if r.Turn != "" {
		end, err := s.takeTurn(ctx, r.Turn)
		if err != nil {
			return none, err
		}
		defer end()
	}
	entry, err := s.Get(ctx, r.Key)
	if err != nil && !errors.Is(err, ErrMiss) {
		return none, err
	}
	if entry.Revision != r.Replaces {
		return none, errTaken
	}
	f, err := s.claim(ctx, flightKey(r.Key, r.Replaces))
	if errors.Is(err, errTaken) {
		return none, cmp.Or(s.failedNow(ctx, flightKey(r.Key, r.Replaces)), err)
	}
	if err != nil {
		return none, err
	}
	return fetchFor(ctx, s, f, place{r.Key, r.Replaces}, fetch, func(A, error) {})
}

// takeTurn makes this process the only one that has the turn until end is called. errTaken when another has it.
func (s *Store) takeTurn(ctx context.Context, turn string) (end func(), err error) {
	f, err := s.claim(ctx, turn)
	if err != nil {
		return nil, err
	}
	stop := f.keepAlive(ctx)
	return func() { stop(); f.remove(ctx) }, nil
}

// place is where an answer is stored: in the place of the entry that was there before the source was read.
type place struct {
	key      contracts.CacheKey
	replaces uint64
}

// fetchFor fetches for all who wait for f. It calls tell, which answers this process's callers, before it stores the
// answer or the failure. A failure of a process that stops is told later: its callers ask another, which needs the
// record to be gone.
func fetchFor[A any](
	ctx context.Context, s *Store, f *ownFlight, at place, fetch func(context.Context) (A, error),
	tell func(A, error),
) (A, error) {
	s.metrics.joined(owner)
	stop := f.keepAlive(ctx)
	a, err := fetchWithin(ctx, s, fetch)
	if err == nil || !errors.Is(context.Cause(ctx), flight.ErrClosed) {
		tell(a, err)
	}
	var doc []byte
	if err == nil {
		doc, err = json.Marshal(a)
	}
	if err != nil {
		stop()
		f.fail(ctx, err)
		return a, err
	}
	revision, err := s.put(ctx, at.key, doc, at.replaces)
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
	ctx context.Context, s *Store, at place, fetch func(context.Context) (A, error), tell func(A, error),
) (A, error) {
	s.metrics.joined(owner)
	s.log.WarnContext(ctx, "reading a source without coordination", "key", at.key)
	a, err := fetchWithin(ctx, s, fetch)
	if err != nil {
		return a, err
	}
	tell(a, nil)
	if at.replaces == 0 { // the bucket may not have answered before
		if e, err := s.Get(context.WithoutCancel(ctx), at.key); errors.Is(err, ErrMiss) && !e.ExpiresAt.Equal(ended) {
			at.replaces = e.Revision
		}
	}
	if doc, err := json.Marshal(a); err == nil {
		_, _ = s.put(ctx, at.key, doc, at.replaces) // put logs its failure
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
