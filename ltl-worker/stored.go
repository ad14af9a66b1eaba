package ltlworker

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"math/rand/v2"
	"time"

	"assay.dev/contracts"
	"assay.dev/ltl-worker/carrier"
	"assay.dev/platform/cache"
	"assay.dev/platform/clock"
	platform "assay.dev/platform/worker"
)

// stored is an answer beside the weekly percents, such as a bracket table. It is kept in the cache under one key until
// it ends.
type stored[A any, P platform.Originated[A]] struct {
	key     contracts.CacheKey
	store   *cache.Store
	answers *platform.Answers
	clock   func() time.Time
	// read makes the answer anew.
	read func(context.Context) (A, error)
}

// get gives the stored answer, or reads it; see [platform.Answer] for a fresh one.
func (s stored[A, P]) get(ctx context.Context, fresh bool) (A, error) {
	return platform.Answer[A, P](ctx, s.answers, s.key, fresh, s.read)
}

// peek gives the stored answer without reading it anew; false where there is none.
func (s stored[A, P]) peek(ctx context.Context) (a A, ok bool) {
	entry, err := s.store.Get(ctx, s.key)
	if err == nil {
		err = json.Unmarshal(entry.Value, &a)
	}
	return a, err == nil
}

// refreshDue reads the answer when the stored one has ended, or when there is none and its source published since a
// moment. It tells whether this worker has read it.
func (s stored[A, P]) refreshDue(ctx context.Context, published carrier.Publication, since time.Time) (read bool, err error) {
	now := s.clock()
	entry, err := s.store.Get(ctx, s.key)
	switch {
	case entry.Revision != 0 && entry.Fresh(now):
		return false, nil
	case entry.Revision == 0 && (!errors.Is(err, cache.ErrMiss) || !published.Last(now).After(since)):
		return false, nil
	}
	_, read, err = cache.Refresh(ctx, s.store, cache.Renewal{Key: s.key, Replaces: entry.Revision}, s.read)
	return read, err
}

// upkeep is one stored answer that is kept current, also when nobody asks for it.
type upkeep struct {
	source    string // in metrics and in the log
	published carrier.Publication
	refresh   func(ctx context.Context, published carrier.Publication, since time.Time) (read bool, err error)
}

// upkeeper keeps answers current, one after the other.
type upkeeper struct {
	answers []upkeep
	every   time.Duration
	clock   func() time.Time
	log     *slog.Logger
	metrics *metrics
}

// run looks at the answers about once in every until ctx ends. After a failure it waits as long as the refresher of
// weekly percents does.
func (k upkeeper) run(ctx context.Context) error {
	began, state := k.clock(), make([]attempts, len(k.answers))
	for clock.Sleep(ctx, k.every/2+rand.N(k.every)) == nil {
		for i, u := range k.answers {
			if ctx.Err() == nil && !k.clock().Before(state[i].notUntil) {
				k.refresh(ctx, u, &state[i], began)
			}
		}
	}
	return nil
}

func (k upkeeper) refresh(ctx context.Context, u upkeep, a *attempts, began time.Time) {
	read, err := u.refresh(ctx, u.published, began)
	switch {
	case ctx.Err() != nil:
	case err != nil:
		a.failures++
		a.notUntil = k.clock().Add(min(firstBackoff<<min(a.failures-1, 10), lastBackoff))
		k.metrics.refreshedSource(u.source, "failed")
		k.log.Warn("refresh failed", "source", u.source, "failures", a.failures, "next", a.notUntil, "error", err)
	case read:
		a.failures = 0
		k.metrics.refreshedSource(u.source, "read")
		k.log.Info("refreshed", "source", u.source)
	}
}
