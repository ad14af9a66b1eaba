package tariffs

import (
	"context"
	"errors"
	"time"

	"assay.dev/contracts"
	"assay.dev/ltl-worker/carrier"
	"assay.dev/platform/cache"
	"assay.dev/platform/telemetry"
	platform "assay.dev/platform/worker"
)

// stored is an answer beside the weekly percents, such as a bracket table. It is kept in the cache under one key until
// it ends.
type stored[A any, P platform.Originated[A]] struct {
	key     contracts.CacheKey
	store   *cache.Store
	answers *platform.Answers
	clock   func() time.Time
	// read makes the answer anew; fresh, of fresh readings.
	read func(ctx context.Context, fresh bool) (A, error)
}

// get gives the stored answer, or reads it; see [platform.Answer] for a fresh one.
func (s stored[A, P]) get(ctx context.Context, fresh bool) (A, error) {
	return platform.Answer[A, P](ctx, s.answers, s.key, fresh,
		func(ctx context.Context) (A, error) { return s.read(ctx, fresh) })
}

// within is s for a reading that is made of it.
func (s stored[A, P]) within() stored[A, P] {
	s.answers = s.answers.Within()
	return s
}

// refreshDue reads the answer when the stored one has ended, or when there is none and its source published since a
// moment. It tells whether this worker has read it.
func (s stored[A, P]) refreshDue(ctx context.Context, published carrier.Publication,
	since time.Time) (read bool, err error) {
	now := s.clock()
	entry, err := s.store.Get(ctx, s.key)
	switch {
	case entry.Revision != 0 && entry.Fresh(now):
		return false, nil
	case entry.Revision == 0 && (!errors.Is(err, cache.ErrMiss) || !published.Last(now).After(since)):
		return false, nil
	}
	ctx, span := telemetry.StartRoot(ctx, ctx, "assay.dev/ltl-worker/tariffs", "refresh")
	defer span.End()
	_, read, err = cache.Refresh(ctx, s.store, cache.Renewal{Key: s.key, Replaces: entry.Revision},
		func(ctx context.Context) (A, error) {
			return s.read(ctx, false)
		})
	if err != nil {
		telemetry.Failed(span)
	}
	return read, err
}
