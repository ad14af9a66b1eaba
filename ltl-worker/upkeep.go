package ltlworker

import (
	"context"
	"log/slog"
	"math/rand/v2"
	"time"

	"assay.dev/ltl-worker/weeks"
	"assay.dev/platform/clock"
)

// upkeep is one stored answer that is kept current, also when nobody asks for it.
type upkeep struct {
	source string // in metrics and in the log
	// refresh reads the answer when that is due, or when there is none and its source published since a moment.
	refresh func(ctx context.Context, since time.Time) (read bool, err error)
}

// upkeeper keeps answers current, one after the other.
type upkeeper struct {
	answers []upkeep
	every   time.Duration
	clock   func() time.Time
	log     *slog.Logger
	metrics *weeks.Metrics
}

// run looks at the answers about once in every until ctx ends. After a failure it waits as long as the refresher of
// weekly percents does.
func (k upkeeper) run(ctx context.Context) error {
	began, state := k.clock(), make([]weeks.Backoff, len(k.answers))
	for clock.Sleep(ctx, k.every/2+rand.N(k.every)) == nil {
		for i, u := range k.answers {
			if ctx.Err() == nil && !k.clock().Before(state[i].Until) {
				k.refresh(ctx, u, &state[i], began)
			}
		}
	}
	return nil
}

func (k upkeeper) refresh(ctx context.Context, u upkeep, a *weeks.Backoff, began time.Time) {
	read, err := u.refresh(ctx, began)
	switch {
	case ctx.Err() != nil:
	case err != nil:
		a.Fail(k.clock())
		k.metrics.Refreshed(u.source, "failed")
		k.log.Warn("refresh failed", "source", u.source, "failures", a.Failures, "next", a.Until, "error", err)
	case read:
		a.Succeed()
		k.metrics.Refreshed(u.source, "read")
		k.log.Info("refreshed", "source", u.source)
	}
}
