package ltlworker

import (
	"context"
	"errors"
	"log/slog"
	"math/rand/v2"
	"time"

	"assay.dev/contracts"
	"assay.dev/platform/cache"
	"assay.dev/platform/clock"
)

// refresher reads each carrier when it publishes, without a request: one carrier after the other, and only one worker
// of the deployment at a time. It needs no schedule of its own. A cached answer ends when the carrier publishes
// again, or earlier when the week that was due was not shown (see [carrier.Publication.Expires]). The carrier is read
// two minutes before that, so that nobody has to wait for it, and at that moment if the answer still ends then.
type refresher struct {
	env     contracts.Environment
	store   *cache.Store
	sources []*source
	metrics *metrics
	log     *slog.Logger
	clock   func() time.Time
	// every is how often all answers are checked.
	every time.Duration

	state map[contracts.Carrier]*attempts
}

// attempts is what the refresher remembers of reading a carrier.
type attempts struct {
	read     time.Time // when the carrier was last read, or else when this worker started
	failures int       // since the last success
	notUntil time.Time // when the carrier may be read again after a failure
}

const (
	// readAhead is how long before its end an answer is replaced, if it was made to live longer than worthReadingAhead.
	// One that was read ahead and has the same end as before lives shorter, so that it is not read ahead again.
	readAhead, worthReadingAhead = 2 * time.Minute, 10 * time.Minute
	// A failed read is repeated after 5 minutes, then after twice as long each time, up to 2 hours.
	firstBackoff, lastBackoff = 5 * time.Minute, 2 * time.Hour
)

func (r *refresher) run(ctx context.Context) error {
	r.remember(ctx)
	var end time.Time
	for {
		if clock.Sleep(ctx, r.pause(end)) != nil {
			return nil
		}
		end = time.Time{}
		for _, s := range r.sources {
			if ctx.Err() != nil {
				return nil
			}
			entry, outcome := r.due(ctx, s)
			if outcome != "" {
				r.refresh(ctx, s, entry.Revision, outcome)
			}
			if entry.Fresh(r.clock()) && (end.IsZero() || entry.ExpiresAt.Before(end)) {
				end = entry.ExpiresAt
			}
		}
	}
}

// pause is how long to wait before the answers are checked again: until the first of them ends, if that is soon.
// Otherwise it is random, so that workers that started together do not check together.
func (r *refresher) pause(end time.Time) time.Duration {
	pause := r.every/2 + rand.N(r.every)
	if left := end.Sub(r.clock()); left > 0 {
		return min(pause, left)
	}
	return pause
}

// remember asks the archive when each carrier was last read, so that no publication during a restart is missed.
func (r *refresher) remember(ctx context.Context) {
	r.state = map[contracts.Carrier]*attempts{}
	for _, s := range r.sources {
		a := &attempts{read: r.clock()}
		if known, err := s.archive.Weeks(ctx, s.recipe.Code); err == nil && len(known) > 0 {
			a.read = known[0].Newest().Last.At
		}
		r.state[s.recipe.Code] = a
	}
}

// due gives the stored answer of the carrier, and the outcome of a read if the carrier must be read: "read" where the
// answer has ended, or there is none and the carrier published since it was last read; "ahead" where the answer ends
// soon. It is "" where nothing is to be done. Nothing that was paid for is read ahead.
func (r *refresher) due(ctx context.Context, s *source) (entry cache.Entry, outcome string) {
	now, a := r.clock(), r.state[s.recipe.Code]
	if now.Before(a.notUntil) {
		return entry, ""
	}
	entry, err := r.store.Get(ctx, contracts.SurchargeKey(r.env, s.recipe.Code))
	life := entry.ExpiresAt.Sub(entry.ReadAt)
	switch {
	case entry.Revision == 0:
		if errors.Is(err, cache.ErrMiss) && s.recipe.Publication.Last(now).After(a.read) {
			return entry, "read"
		}
	case !entry.Fresh(now):
		return entry, "read"
	case life > worthReadingAhead && entry.ExpiresAt.Sub(now) <= readAhead && entry.Method != contracts.ScraperAPI:
		return entry, "ahead"
	}
	return entry, ""
}

// refresh reads the carrier, unless another worker does. outcome is counted when the read succeeds.
func (r *refresher) refresh(ctx context.Context, s *source, replaces uint64, outcome string) {
	code := s.recipe.Code
	a := r.state[code]
	answer, mine, err := cache.Refresh(ctx, r.store, cache.Renewal{Key: contracts.SurchargeKey(r.env, code), Replaces: replaces}, s.read)
	now := r.clock()
	switch {
	case ctx.Err() != nil:
	case err != nil:
		a.failures++
		a.notUntil = now.Add(min(firstBackoff<<min(a.failures-1, 10), lastBackoff))
		r.metrics.refreshed(code, "failed")
		r.log.Warn("refresh failed", "carrier", code, "failures", a.failures, "next", a.notUntil, "error", err)
	case !mine:
		r.metrics.refreshed(code, "other")
	default:
		a.failures, a.read = 0, now
		r.metrics.refreshed(code, outcome)
		r.log.Info("refreshed", "carrier", code, "outcome", outcome, "newest", answer.Weeks[0].EffectiveDate, "expires", answer.ExpiresAt)
	}
}
