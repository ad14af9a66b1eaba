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
// again, or earlier when the week that was due was not shown (see [carrier.Publication.Expires]), and then the
// carrier is read.
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
	// A failed read is repeated after 5 minutes, then after twice as long each time, up to 2 hours.
	firstBackoff, lastBackoff = 5 * time.Minute, 2 * time.Hour
)

func (r *refresher) run(ctx context.Context) error {
	r.remember(ctx)
	for {
		// A random wait keeps workers that started together from checking together.
		if clock.Sleep(ctx, r.every/2+rand.N(r.every)) != nil {
			return nil
		}
		for _, s := range r.sources {
			if ctx.Err() != nil {
				return nil
			}
			if revision, due := r.due(ctx, s); due {
				r.refresh(ctx, s, revision)
			}
		}
	}
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

// due tells whether the carrier must be read: its cached answer has ended, or it has none and published since it was
// last read. replaces is the revision of the answer to replace; 0 when there is none.
func (r *refresher) due(ctx context.Context, s *source) (replaces uint64, due bool) {
	now, a := r.clock(), r.state[s.recipe.Code]
	if now.Before(a.notUntil) {
		return 0, false
	}
	entry, err := r.store.Get(ctx, contracts.SurchargeKey(r.env, s.recipe.Code))
	if entry.Revision == 0 {
		return 0, errors.Is(err, cache.ErrMiss) && s.recipe.Publication.Last(now).After(a.read)
	}
	return entry.Revision, !entry.Fresh(now)
}

func (r *refresher) refresh(ctx context.Context, s *source, replaces uint64) {
	code := s.recipe.Code
	a := r.state[code]
	answer, mine, err := cache.Refresh(ctx, r.store, contracts.SurchargeKey(r.env, code), replaces, s.read)
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
		r.metrics.refreshed(code, "read")
		r.log.Info("refreshed", "carrier", code, "newest", answer.Weeks[0].EffectiveDate, "expires", answer.ExpiresAt)
	}
}
