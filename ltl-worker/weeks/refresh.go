package weeks

import (
	"context"
	"errors"
	"log/slog"
	"math/rand/v2"
	"time"

	"go.opentelemetry.io/otel/attribute"

	"assay.dev/contracts"
	"assay.dev/platform/cache"
	"assay.dev/platform/telemetry"
)

// Refresher reads each carrier when it publishes, without a request: one carrier after the other, and only one worker
// of the deployment at a time. It needs no schedule of its own. A cached answer ends when the carrier publishes
// again, or earlier when the week that was due was not shown (see [carrier.Publication.Expires]). The carrier is read
// two minutes before that, so that nobody has to wait for it, and at that moment if the answer still ends then.
type Refresher struct {
	Environment contracts.Environment
	Store       *cache.Store
	Sources     []*Source
	Metrics     *Metrics
	Log         *slog.Logger
	Clock       func() time.Time
	// Every is how often all answers are checked.
	Every time.Duration
	// Accepted receives when an operator accepted what a source says: its doubtful answer is replaced at once.
	Accepted <-chan struct{}

	state map[contracts.Carrier]*attempts
}

// attempts is what the refresher remembers of reading a carrier.
type attempts struct {
	Backoff
	read time.Time // when the carrier was last read, or else when this worker started
	// accepted is the time of the last acceptance that was acted on. isPassedOver: a later one is pending, and another
	// worker read the carrier.
	accepted     time.Time
	isPassedOver bool
}

// Backoff says when something that failed is tried again. Its zero value has not failed.
type Backoff struct {
	// Failures counts those since the last success.
	Failures int
	// Until is when the next attempt may be made.
	Until time.Time
}

// Fail notes a failure at now. The first one is tried again after 5 minutes, a further one after twice as long as the
// one before, up to 2 hours.
func (b *Backoff) Fail(now time.Time) {
	b.Until = now.Add(min(firstBackoff<<min(b.Failures, 10), lastBackoff))
	b.Failures++
}

// Succeed forgets all failures.
func (b *Backoff) Succeed() { *b = Backoff{} }

const (
	// readAhead is how long before its end an answer is replaced, if it was made to live longer than worthReadingAhead.
	// One that was read ahead and has the same end as before lives shorter, so that it is not read ahead again.
	readAhead, worthReadingAhead = 2 * time.Minute, 10 * time.Minute
	firstBackoff, lastBackoff    = 5 * time.Minute, 2 * time.Hour
)

// Run reads carriers until ctx ends.
func (r *Refresher) Run(ctx context.Context) error {
	r.remember(ctx)
	var end time.Time
	for {
		r.wait(ctx, end)
		end = time.Time{}
		for _, s := range r.Sources {
			if ctx.Err() != nil {
				return nil
			}
			entry, outcome := r.due(ctx, s)
			if outcome != "" {
				r.refresh(ctx, s, entry, outcome)
			}
			if entry.Fresh(r.Clock()) && (end.IsZero() || entry.ExpiresAt.Before(end)) {
				end = entry.ExpiresAt
			}
		}
	}
}

// wait waits for the pause, for the end of ctx, or until something was accepted.
func (r *Refresher) wait(ctx context.Context, end time.Time) {
	pause := time.NewTimer(r.pause(end))
	defer pause.Stop()
	select {
	case <-ctx.Done():
	case <-pause.C:
	case <-r.Accepted:
	}
}

// pause is how long to wait before the answers are checked again: until the first of them ends, if that is soon.
// Otherwise it is random, so that workers that started together do not check together.
func (r *Refresher) pause(end time.Time) time.Duration {
	pause := r.Every/2 + rand.N(r.Every)
	if left := end.Sub(r.Clock()); left > 0 {
		return min(pause, left)
	}
	return pause
}

// remember asks the archive when each carrier was last read, so that no publication during a restart is missed.
func (r *Refresher) remember(ctx context.Context) {
	r.state = map[contracts.Carrier]*attempts{}
	for _, s := range r.Sources {
		a := &attempts{read: r.Clock()}
		if known, err := s.Archive.Weeks(ctx, s.recipe.Code); err == nil && len(known) > 0 {
			a.read = known[0].Newest().Last.At
		}
		r.state[s.recipe.Code] = a
	}
}

// due gives the stored answer of the carrier, and the outcome of a read if the carrier must be read: "read" where the
// answer has ended, or there is none and the carrier published since it was last read; "ahead" where the answer ends
// soon; "accepted" where it, or what was read after it, is in doubt and an operator has accepted what the source says
// since, or ever where the worker has just started. It is "" where nothing is to be done. Nothing that was paid for is
// read ahead, or at a start.
func (r *Refresher) due(ctx context.Context, s *Source) (entry cache.Entry, outcome string) {
	now, a := r.Clock(), r.state[s.recipe.Code]
	accepted := s.Words.AcceptedAt(s.recipe.Code)
	isNew, isStart := accepted.After(a.accepted), a.accepted.IsZero()
	if now.Before(a.Until) && !isNew {
		return entry, ""
	}
	entry, err := r.Store.Get(ctx, contracts.SurchargeKey(r.Environment, s.recipe.Code))
	life := entry.ExpiresAt.Sub(entry.ReadAt)
	switch {
	case err != nil && !errors.Is(err, cache.ErrMiss):
		return entry, ""
	case isNew && !(isStart && entry.Method == contracts.ScraperAPI) &&
		(entry.InDoubt() || len(s.Words.Doubts(s.recipe.Code).Paths) > 0):
		a.isPassedOver = true
		return entry, "accepted"
	case isNew: // the answer may be ended at any moment
		if a.isPassedOver {
			s.JudgeAgain(ctx)
		}
		a.accepted, a.isPassedOver, a.Until = accepted, false, time.Time{}
	}
	switch {
	case entry.Revision == 0:
		if s.recipe.Publication.Last(now).After(a.read) {
			return entry, "read"
		}
	case !entry.Fresh(now):
		return entry, "read"
	case life > worthReadingAhead && entry.ExpiresAt.Sub(now) <= readAhead && entry.Method != contracts.ScraperAPI:
		return entry, "ahead"
	}
	return entry, ""
}

// errKept leaves a clean answer where it is until it ends, because the new reading is in doubt.
var errKept = errors.New("what is read now is in doubt")

// refresh reads the carrier, unless another worker does. outcome is counted when the read succeeds.
func (r *Refresher) refresh(ctx context.Context, s *Source, stored cache.Entry, outcome string) {
	code := s.recipe.Code
	ctx, span := telemetry.StartRoot(ctx, ctx, "assay.dev/ltl-worker/weeks", "refresh")
	defer span.End()
	span.SetAttributes(attribute.String("assay.source", string(code)))
	a := r.state[code]
	renewal := cache.Renewal{Key: contracts.SurchargeKey(r.Environment, code), Replaces: stored.Revision}
	answer, mine, err := cache.Refresh(ctx, r.Store, renewal,
		func(ctx context.Context) (contracts.SurchargeAnswer, error) {
			if outcome == "accepted" {
				a.accepted, a.isPassedOver = s.Words.AcceptedAt(code), false
				s.JudgeAgain(ctx)
			}
			answer, err := s.Read(ctx)
			if err == nil && answer.InDoubt() && stored.Fresh(r.Clock()) && !stored.InDoubt() {
				err = errKept
			}
			return answer, err
		})
	now := r.Clock()
	switch {
	case ctx.Err() != nil:
	case errors.Is(err, errKept):
		a.Succeed()
		a.read, a.Until = now, stored.ExpiresAt
		r.Metrics.Refreshed(string(code), "kept")
		r.Log.WarnContext(ctx, "the new reading is in doubt; the earlier answer stays until it ends", "carrier", code,
			"expires", stored.ExpiresAt)
	case err != nil:
		telemetry.Failed(span)
		a.Fail(now)
		r.Metrics.Refreshed(string(code), "failed")
		r.Log.WarnContext(ctx, "refresh failed", "carrier", code, "failures", a.Failures, "next", a.Until, "error", err)
	case !mine:
		r.Metrics.Refreshed(string(code), "other")
	default:
		a.Succeed()
		a.read = now
		r.Metrics.Refreshed(string(code), outcome)
		r.Log.InfoContext(ctx, "refreshed", "carrier", code, "outcome", outcome,
			"newest", answer.Weeks[0].EffectiveDate, "expires", answer.ExpiresAt)
	}
}
