package abcworker

import (
	"context"
	"time"

	"assay.dev/contracts"
	"assay.dev/platform/cache"
)

// How old a stored answer must be before a caller who asks for a fresh one has it read anew.
const (
	freshAfter     = time.Minute
	paidFreshAfter = 15 * time.Minute // where a reading costs money
)

// answer is a stored answer.
type answer interface {
	Noted(code contracts.NoteCode) bool
}

// answered gives the stored answer of key, or reads it. With fresh, an answer that is old enough is read anew, at most one
// of a source at a time; when that fails, the stored one is given, and failed tells so.
func answered[A answer](
	ctx context.Context, w *worker, s *source, key contracts.CacheKey, fresh bool, read func(context.Context) (A, error),
) (a A, failed bool, err error) {
	if fresh {
		a, done, failed := reread(ctx, w, s, key, read)
		if done {
			return a, false, nil
		}
		if failed {
			a, err = cache.Fill(ctx, w.store, key, read)
			return a, true, err
		}
	}
	a, err = cache.Fill(ctx, w.store, key, read)
	return a, false, err
}

// reread reads an answer anew. done is false when there is none to replace, when it is new enough, and when this source is
// being reread. It fails when only a fallback answers: that would be no better than a stored answer by the first path.
func reread[A answer](
	ctx context.Context, w *worker, s *source, key contracts.CacheKey, read func(context.Context) (A, error),
) (a A, done, failed bool) {
	entry, err := w.store.Get(ctx, key)
	if err != nil || time.Since(entry.ReadAt) < s.freshAfter() {
		return a, false, false
	}
	select {
	case s.refreshing <- struct{}{}:
		defer func() { <-s.refreshing }()
	default:
		return a, false, false
	}
	a, done, err = cache.Refresh(ctx, w.store, key, entry.Revision, func(ctx context.Context) (A, error) {
		a, err := read(ctx)
		if err == nil && a.Noted(contracts.NoteFallback) && !entry.Noted(contracts.NoteFallback) {
			err = contracts.Errorf(contracts.SourceUnavailable, "only a fallback answers")
		}
		return a, err
	})
	if err != nil {
		s.log.WarnContext(ctx, "a stored answer is not renewed", "state", s.state, "error", err)
	}
	return a, done, err != nil
}

func (s *source) freshAfter() time.Duration {
	if s.recipe.Paid {
		return paidFreshAfter
	}
	return freshAfter
}
