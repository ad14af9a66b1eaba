package scrape

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/sony/gobreaker/v2"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"

	"assay.dev/contracts"
)

const (
	// minConfidence is the least confidence of an answer; below it the path has failed.
	minConfidence  = 0.50
	defaultTimeout = 15 * time.Second
	// fairChance is the least time in which a healthy site should answer: a time-out after less proves nothing.
	fairChance   = time.Second
	defaultRetry = 15 * time.Second
)

// Reading is what a path read: the value, how cleanly, from where and when.
type Reading[T any] struct {
	Value T
	contracts.Tally
	// EvidenceURL is what a person opens to see the same.
	EvidenceURL string
	// ReadAt is when the site was read; left zero, it is when Read returned.
	ReadAt time.Time
	// Documents are what it was read from, the one that the values stand in first. A path leaves them to its source.
	Documents []Document
	// InDoubt says that another path is to be tried, unless that costs money. Where none reads it without doubt, this
	// reading is the result.
	InDoubt bool
}

// Doubt is a [Failure] of kind changed for a reading whose confidence is below 0.50, and nil for any other.
func (r Reading[T]) Doubt() error {
	if r.Confidence() < minConfidence {
		return Failf(Changed, "%d of %d required fields are clean, a confidence of %.2f", r.Clean, r.Required, r.Confidence())
	}
	return nil
}

// Path is one way to the facts. Read returns
//   - a Reading; one with a confidence below 0.50 counts as a failure of kind changed;
//   - a *[Failure]: the next path is tried; kind unclear ends the read. Unavailable (not set up here), refused (our own
//     doing) and unclear do not count against the path;
//   - a *[contracts.Error] that is an answer, such as NOT_FOUND or CAPTCHA_SOLVER_NOT_CONFIGURED: it ends the read as
//     it is, no further path is tried, and it counts as a success of the path. Codes that say the work could not be
//     done (INTERNAL, SOURCE_UNAVAILABLE, TIMEOUT, BUSY, NO_WORKER) are failures instead; BUSY and NO_WORKER do not
//     count against the path.
//
// Of a Failure and an Error in one chain the outer one is what the path meant. Read must end when ctx does.
type Path[Q, T any] struct {
	// Name is the path's label in metrics and traces.
	Name   string
	Method contracts.Method
	// Timeout bounds one Read; 0 means 15 s. A path before the last also leaves time for those after it.
	Timeout time.Duration
	Read    func(ctx context.Context, q Q) (Reading[T], error)
}

// Result is a Reading and the path that read it.
type Result[T any] struct {
	Reading[T]
	Method contracts.Method
	Path   string
	// Doubtful are the readings of other paths that are in doubt.
	Doubtful []Result[T]
}

// Provenance is that of an answer made of the reading alone. When it ends, and what it notes, is the caller's to say.
func (r Result[T]) Provenance() contracts.Provenance {
	return contracts.Provenance{
		Schema: contracts.AnswerSchema, ReadAt: r.ReadAt.UTC(), Method: r.Method, EvidenceURL: r.EvidenceURL, Complete: true,
	}
}

// Source answers questions of type Q with a T by the first of its paths that works and gives no doubt.
type Source[Q, T any] struct {
	name    string
	log     *slog.Logger
	metrics *sourceMetrics
	prepare func(*Page) any
	paths   []guarded[Q, T]

	newest   atomic.Int64 // unix nanoseconds of the last success; 0: none yet
	lastPath atomic.Value // string: the path of that success
	failing  since        // no path reads it
	fallback since        // a path behind the first one reads it
	watchAge sync.Once
}

type guarded[Q, T any] struct {
	Path[Q, T]
	breaker *breaker[Reading[T]]
	// unavailable: the last read found that the path is not set up here.
	unavailable *atomic.Bool
}

// NewSource makes a source of at least one path, in order of preference. Its name is a label from a closed set.
func NewSource[Q, T any](name string, deps Deps, paths ...Path[Q, T]) *Source[Q, T] {
	s := &Source[Q, T]{name: name, log: deps.logger(), metrics: newSourceMetrics(deps.Metrics), prepare: deps.Prepare}
	for _, p := range paths {
		if p.Timeout <= 0 {
			p.Timeout = defaultTimeout
		}
		s.paths = append(s.paths, guarded[Q, T]{p, newBreaker[Reading[T]](name, p.Name, s.metrics, s.log), new(atomic.Bool)})
		s.metrics.expect(name, p.Name)
	}
	return s
}

// Read asks the paths in order. When none works the error is SOURCE_UNAVAILABLE with the time after which a retry
// makes sense, or the context's when that has ended before a path could fail.
func (s *Source[Q, T]) Read(ctx context.Context, q Q) (Result[T], error) {
	ctx = ForSource(ctx, s.name)
	var failures []error
	var doubtful []Result[T]
	retry := time.Duration(0)
	for i := range s.paths {
		if ctx.Err() != nil || len(doubtful) > 0 && s.paths[i].Method == contracts.ScraperAPI {
			break
		}
		reading, err := s.try(ctx, i, q)
		if err == nil {
			read := Result[T]{Reading: reading, Method: s.paths[i].Method, Path: s.paths[i].Name}
			if !reading.InDoubt {
				return s.succeeded(read, doubtful), nil
			}
			doubtful = append(doubtful, read)
			continue
		}
		if answer := answerIn(err); answer != nil {
			s.failing.set(false)
			return Result[T]{}, answer
		}
		failures = append(failures, err)
		if after := s.retryAfter(i, err); retry == 0 || after < retry {
			retry = after
		}
		if KindOf(err) == Unclear {
			break // a path behind it may know less
		}
	}
	if len(doubtful) > 0 {
		return s.succeeded(doubtful[0], doubtful[1:]), nil
	}
	if errors.Is(ctx.Err(), context.Canceled) || len(failures) == 0 && ctx.Err() != nil {
		return Result[T]{}, ctx.Err()
	}
	if slices.ContainsFunc(failures, func(err error) bool { return !notThePathsDoing(err) || isNoConnection(err) }) {
		s.failing.set(true)
	}
	return Result[T]{}, contracts.Wrap(errors.Join(failures...), contracts.SourceUnavailable,
		"%s could not be read just now%s; retry later", s.name, whyUnread(failures)).After(retry)
}

// try reads by one path, behind its breaker and within its share of the time.
func (s *Source[Q, T]) try(ctx context.Context, i int, q Q) (Reading[T], error) {
	p := &s.paths[i]
	ctx, span := tracer(ctx).Start(ctx, "path", trace.WithAttributes(attribute.String("assay.source", s.name),
		attribute.String("assay.path", p.Name), attribute.String("assay.method", string(p.Method))))
	defer span.End()
	start := time.Now()
	reading, err := p.breaker.Execute(func() (Reading[T], error) {
		share := s.share(ctx, i)
		span.AddEvent("breaker let through", trace.WithAttributes(attribute.Int64("assay.share_ms", share.Milliseconds())))
		Notef(ctx, "path %s (%s) starts, %d ms allowed", p.Name, p.Method, share.Milliseconds())
		return s.readPath(ctx, p.Path, share, q)
	})
	if unavailable := KindOf(err) == Unavailable; p.unavailable.Swap(unavailable) != unavailable {
		p.breaker.show(!unavailable)
	}
	if errors.Is(err, gobreaker.ErrOpenState) || errors.Is(err, gobreaker.ErrTooManyRequests) {
		span.AddEvent("breaker refused")
	}
	s.metrics.count(s.name, p.Name, err)
	s.report(ctx, span, p.Path, reading, err, time.Since(start))
	return reading, err
}

func (s *Source[Q, T]) readPath(ctx context.Context, p Path[Q, T], share time.Duration, q Q) (Reading[T], error) {
	bounded, cancel := context.WithTimeout(ctx, share)
	defer cancel()
	bounded, read := RecordDocuments(bounded)
	read.prepare = s.prepare
	reading, err := p.Read(bounded, q)
	switch {
	case errors.Is(ctx.Err(), context.Canceled):
		return reading, ctx.Err()
	case err != nil && bounded.Err() != nil && share < min(fairChance, p.Timeout):
		return reading, Failf(Refused, "only %s were left for it: %w", share, err)
	case err != nil:
		return reading, err
	}
	if reading.ReadAt.IsZero() {
		reading.ReadAt = time.Now().UTC()
	}
	reading.Documents = read.Ordered(reading.EvidenceURL)
	s.metrics.confidence.WithLabelValues(s.name).Observe(reading.Confidence())
	return reading, reading.Doubt()
}

// share is a path's time: what is left after the time that the paths behind it may want, at least half of it, and never
// more than its own bound.
func (s *Source[Q, T]) share(ctx context.Context, i int) time.Duration {
	deadline, ok := ctx.Deadline()
	if !ok {
		return s.paths[i].Timeout
	}
	left, wanted := time.Until(deadline), time.Duration(0)
	for _, later := range s.paths[i+1:] {
		if later.breaker.untilProbe() == 0 && !later.unavailable.Load() {
			wanted += later.Timeout
		}
	}
	return min(s.paths[i].Timeout, max(left/2, left-wanted))
}

func (s *Source[Q, T]) report(ctx context.Context, span trace.Span, p Path[Q, T], r Reading[T], err error,
	took time.Duration) {
	span.SetAttributes(attribute.Float64("assay.confidence", r.Confidence()))
	if err == nil {
		Notef(ctx, "path %s read it: %d of %d required fields clean, confidence %.2f", p.Name, r.Clean,
			r.Required, r.Confidence())
		return
	}
	Notef(ctx, "path %s: %v", p.Name, err)
	if answer := answerIn(err); answer != nil {
		span.SetAttributes(attribute.String("assay.answer", string(answer.Code)))
		return
	}
	span.SetStatus(codes.Error, err.Error())
	span.SetAttributes(attribute.String("error.type", string(KindOf(err))))
	level := slog.LevelWarn
	if notThePathsDoing(err) && KindOf(err) != Unclear || errors.Is(err, gobreaker.ErrOpenState) {
		level = slog.LevelInfo
	}
	s.log.Log(ctx, level, "path failed", "source", s.name, "path", p.Name, "kind", KindOf(err), "err", err, "dur_ms",
		took.Milliseconds())
}

// retryAfter is when the path may work again.
func (s *Source[Q, T]) retryAfter(i int, err error) time.Duration {
	f, coded := outermost(err)
	switch open := s.paths[i].breaker.untilProbe(); {
	case open > 0:
		return max(open, time.Second)
	case f != nil && f.RetryAfter > 0:
		return f.RetryAfter
	case coded != nil && coded.RetryAfter > 0:
		return coded.RetryAfter
	case KindOf(err) == Unclear: // the site says the same for as long as nobody changes it
		return contracts.FallbackTTL
	}
	return defaultRetry
}

func (s *Source[Q, T]) succeeded(r Result[T], doubtful []Result[T]) Result[T] {
	r.Doubtful = doubtful
	s.failing.set(false)
	s.fallback.set(r.Path != s.paths[0].Name)
	s.lastPath.Store(r.Path)
	s.newest.Store(r.ReadAt.UnixNano())
	s.watchAge.Do(func() { s.metrics.watchAge(s.name, func() time.Time { return time.Unix(0, s.newest.Load()) }) })
	return r
}

// Health is the live part of a listing: the last success with its path, and the state of the first path's breaker.
func (s *Source[Q, T]) Health() contracts.SourceHealth {
	health := contracts.SourceHealth{
		Breaker: s.paths[0].breaker.State().String(), FailingSince: s.failing.at.Load(), FallbackSince: s.fallback.at.Load(),
	}
	if newest := s.newest.Load(); newest != 0 {
		health.LastSuccess = new(time.Unix(0, newest).UTC())
		health.LastPath, _ = s.lastPath.Load().(string)
	}
	return health
}

// since is the moment from which on something holds.
type since struct{ at atomic.Pointer[time.Time] }

// set notes whether it holds now.
func (s *since) set(holds bool) {
	if !holds {
		s.at.Store(nil)
		return
	}
	s.at.CompareAndSwap(nil, new(time.Now().UTC().Truncate(time.Second)))
}
