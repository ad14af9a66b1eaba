package worker

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"assay.dev/contracts"
	"assay.dev/platform/cache"
	"assay.dev/platform/telemetry"
)

// How old a stored answer must be to be read anew on request (contract §7.1).
const (
	freshEnough     = time.Minute
	freshEnoughPaid = 15 * time.Minute // where a reading costs money
)

// Answers gives the answers of one source, such as a state: the stored ones, and fresh ones on request.
type Answers struct {
	// Paid says that a reading costs money.
	Paid bool
	// FallbackFails says that a fresh reading by a fallback counts as failed where the stored answer is by the first
	// path, because a fallback of this product shows less.
	FallbackFails bool
	// Clock replaces time.Now where ages are decided.
	Clock func() time.Time
	// Admit refuses readings while the source is full.
	Admit cache.Admission

	code     string
	turn     string
	store    *cache.Store
	log      *slog.Logger
	outcomes *prometheus.CounterVec
}

// Answers makes the answers of the source of that code, such as "CA". [Worker.OpenAnswers] comes before.
func (w *Worker) Answers(code string) *Answers {
	for _, o := range freshOutcomes {
		w.fresh.WithLabelValues(code, string(o)) // from 0 on, so that the first is an increase
	}
	return &Answers{
		Clock: time.Now, Admit: cache.Anybody, code: code, turn: contracts.TurnKey(w.cfg.Environment, w.service.Product,
			code),
		store: w.store, log: w.Log, outcomes: w.fresh,
	}
}

func newFreshReads(r prometheus.Registerer) (*prometheus.CounterVec, error) {
	m := telemetry.NewMetrics(r)
	return m.Counters("fresh_reads_total",
		"Requests for a fresh reading by outcome: read, young (the stored answer is), other "+
			"(another is under way) or failed.", "source", "outcome"), m.Err()
}

// freshOutcome is what became of a request for a fresh reading.
type freshOutcome string

const (
	freshRead   freshOutcome = "read"   // the source was read, or there was no stored answer
	freshYoung  freshOutcome = "young"  // the stored answer is as good
	freshOther  freshOutcome = "other"  // the source is being read anew for somebody else
	freshFailed freshOutcome = "failed" // the source could not be read: the stored answer is given, if there is one
)

var freshOutcomes = []freshOutcome{freshRead, freshYoung, freshOther, freshFailed}

// Originated is an answer that begins with a [contracts.Provenance].
type Originated[A any] interface {
	*A
	Origin() *contracts.Provenance
}

// Within returns an Answers for what a reading itself needs. The reading has the source's turn already and is counted
// already.
func (from *Answers) Within() *Answers {
	within := *from
	within.turn = ""
	return &within
}

// Answer gives the stored answer of key, or has the source read. With fresh, a stored answer that is old enough is read
// anew, one of the source at a time over all workers. Where that is not done or fails, the stored answer is given, and
// its RefreshFailed tells of a failure. A reading that could only give what was known before sets RefreshFailed itself.
func Answer[A any, P Originated[A]](
	ctx context.Context, from *Answers, key contracts.CacheKey, fresh bool, read func(context.Context) (A, error),
) (A, error) {
	if !fresh {
		return cache.FillAdmitted(ctx, from.store, key, from.Admit, read)
	}
	a, outcome, err := answerAnew[A, P](ctx, from, key, read)
	if from.turn != "" {
		from.outcomes.WithLabelValues(from.code, string(outcome)).Inc()
	}
	return a, err
}

func answerAnew[A any, P Originated[A]](
	ctx context.Context, from *Answers, key contracts.CacheKey, read func(context.Context) (A, error),
) (A, freshOutcome, error) {
	stored, err := from.store.Get(ctx, key)
	if err != nil {
		if errors.Is(err, cache.ErrMiss) {
			ctx = cache.Replaces(ctx, key, stored.Revision)
		}
		return firstAnswer[A, P](ctx, from, key, read)
	}
	outcome := freshYoung
	if !from.isYoung(stored.Provenance) {
		a, done, err := reread[A, P](ctx, from, key, stored, read)
		if done {
			return a, freshRead, nil
		}
		if outcome = freshOther; err != nil {
			outcome = freshFailed
			from.log.WarnContext(ctx, "a fresh reading failed", "source", from.code, "error", err)
		}
	}
	a, err := cache.FillAdmitted(ctx, from.store, key, from.Admit, read)
	origin := P(&a).Origin()
	// else it ended meanwhile, and was read
	origin.RefreshFailed = outcome == freshFailed && origin.ReadAt.Equal(stored.ReadAt)
	return a, outcome, err
}

// firstAnswer reads where nothing is stored.
func firstAnswer[A any, P Originated[A]](
	ctx context.Context, from *Answers, key contracts.CacheKey, read func(context.Context) (A, error),
) (A, freshOutcome, error) {
	var isOld *bool // nil where another's reading is waited for
	a, err := cache.FillAdmitted(ctx, from.store, key, from.Admit, func(ctx context.Context) (A, error) {
		a, err := read(ctx)
		origin := P(&a).Origin()
		isOld, origin.RefreshFailed = new(origin.RefreshFailed), false // of this reply, not of the stored answer
		return a, err
	})
	if err != nil {
		return a, freshFailed, err
	}
	origin := P(&a).Origin()
	if origin.RefreshFailed = isOld != nil && *isOld || isOld == nil && !from.isYoung(*origin); origin.RefreshFailed {
		return a, freshFailed, nil
	}
	return a, freshRead, nil
}

// reread reads the answer anew, unless another worker does that for this source. A reading in doubt fails where the
// stored answer is not: that one stays until its own end.
func reread[A any, P Originated[A]](
	ctx context.Context, from *Answers, key contracts.CacheKey, stored cache.Entry, read func(context.Context) (A, error),
) (A, bool, error) {
	renewal := cache.Renewal{Key: key, Replaces: stored.Revision, Turn: from.turn}
	return cache.Refresh(ctx, from.store, renewal, func(ctx context.Context) (A, error) {
		a, err := read(ctx)
		switch origin := P(&a).Origin(); {
		case err != nil:
		case origin.RefreshFailed:
			err = contracts.Errorf(contracts.SourceUnavailable, "what it is made of could not be read anew")
		case origin.InDoubt() && !stored.InDoubt():
			err = contracts.Errorf(contracts.SourceUnavailable, "what is read now is in doubt")
		case from.FallbackFails && origin.Noted(contracts.NoteFallback) && !stored.Noted(contracts.NoteFallback):
			err = contracts.Errorf(contracts.SourceUnavailable, "only a fallback answers")
		}
		return a, err
	})
}

// isYoung tells whether a stored answer is as good as a fresh reading.
func (from *Answers) isYoung(stored contracts.Provenance) bool {
	limit := freshEnough
	if from.Paid || stored.Method == contracts.ScraperAPI {
		limit = freshEnoughPaid
	}
	return from.Clock().Sub(stored.ReadAt) < limit
}
