package scrape

import (
	"context"
	"errors"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/sony/gobreaker/v2"

	"assay.dev/contracts"
)

// When a path is given up for a while, and for how long.
const (
	failuresInARow  = 5
	failureRatio    = 0.6 // of at least ratioRequests in the window
	ratioRequests   = 10
	breakerWindow   = time.Minute
	breakerBucket   = 10 * time.Second
	breakerOpenTime = 30 * time.Second
)

// breaker is gobreaker's with the time of its opening and its metrics.
type breaker[R any] struct {
	*gobreaker.CircuitBreaker[R]
	opened atomic.Int64 // unix nanoseconds; 0: not open
	// show has the metrics show its state, or no state of a path that is not set up.
	show func(isSetUp bool)
	// inARow counts failures without a success between. gobreaker forgets its own count with the window, in which a
	// site that hangs fails two or three times. Guarded by gobreaker's lock.
	inARow int
}

func newBreaker[R any](source, path string, m *sourceMetrics, log *slog.Logger) *breaker[R] {
	b := &breaker[R]{}
	state := func(s gobreaker.State) { m.breakerState.WithLabelValues(source, path).Set(stateValue(s)) }
	state(gobreaker.StateClosed)
	b.show = func(isSetUp bool) {
		if !isSetUp {
			m.breakerState.DeleteLabelValues(source, path)
			return
		}
		state(b.State())
	}
	b.CircuitBreaker = gobreaker.NewCircuitBreaker[R](gobreaker.Settings{
		Name: path, Interval: breakerWindow, BucketPeriod: breakerBucket, Timeout: breakerOpenTime,
		ReadyToTrip: func(c gobreaker.Counts) bool {
			return b.inARow >= failuresInARow ||
				c.Requests >= ratioRequests && float64(c.TotalFailures) >= failureRatio*float64(c.Requests)
		},
		IsExcluded: notThePathsDoing,
		IsSuccessful: func(err error) bool {
			if err == nil || answerIn(err) != nil {
				b.inARow = 0
				return true
			}
			b.inARow++
			return false
		},
		OnStateChange: func(_ string, from, to gobreaker.State) {
			b.opened.Store(0)
			if to == gobreaker.StateOpen {
				b.opened.Store(time.Now().UnixNano())
			}
			state(to)
			m.transitions.WithLabelValues(source, path, to.String()).Inc()
			log.Warn("breaker", "source", source, "path", path, "from", from.String(), "to", to.String())
		},
	})
	return b
}

// untilProbe is how long the breaker stays open; 0 when it is not.
func (b *breaker[R]) untilProbe() time.Duration {
	opened := b.opened.Load()
	if opened == 0 {
		return 0
	}
	return max(0, time.Until(time.Unix(0, opened).Add(breakerOpenTime)))
}

func stateValue(s gobreaker.State) float64 {
	return map[gobreaker.State]float64{gobreaker.StateClosed: 0, gobreaker.StateHalfOpen: 1, gobreaker.StateOpen: 2}[s]
}

// notThePathsDoing tells failures that say nothing about the upstream: the caller left, we refused, nothing is set up,
// or one thing of many is not understood.
func notThePathsDoing(err error) bool {
	if errors.Is(err, context.Canceled) {
		return true
	}
	switch f, coded := outermost(err); {
	case f != nil:
		return f.Kind == Refused || f.Kind == Unavailable || f.Kind == Unclear
	case coded != nil:
		return coded.Code == contracts.Busy || coded.Code == contracts.NoWorker || coded.Code == contracts.Canceled
	}
	return false
}

// answerIn returns the coded error in err that is an answer and no failure, such as NOT_FOUND; nil when there is
// none.
func answerIn(err error) *contracts.Error {
	_, coded := outermost(err)
	if coded == nil {
		return nil
	}
	switch coded.Code {
	case contracts.Internal, contracts.SourceUnavailable, contracts.Timeout, contracts.Busy, contracts.NoWorker,
		contracts.Canceled:
		return nil
	}
	return coded
}

// outermost returns the first Failure or Error in the chain of err. The path meant that one; what follows is its
// cause.
func outermost(err error) (*Failure, *contracts.Error) {
	for ; err != nil; err = errors.Unwrap(err) {
		switch e := err.(type) { //nolint:errorlint // the loop unwraps: which comes first is the question
		case *Failure:
			return e, nil
		case *contracts.Error:
			return nil, e
		}
	}
	return nil, nil
}
