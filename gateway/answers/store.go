package answers

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync/atomic"
	"time"

	"github.com/maypok86/otter/v2"
	"github.com/prometheus/client_golang/prometheus"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"

	"assay.dev/contracts"
	"assay.dev/platform/bus"
	"assay.dev/platform/cache"
	"assay.dev/platform/flight"
	"assay.dev/platform/telemetry"
)

const (
	// checkEvery is how long a copy is served before the shared entry is looked at again.
	checkEvery = 30 * time.Second
	// checkAgain is how long a copy is served after a look at the shared entry failed, and how long one that is in doubt
	// is: an operator may have accepted what its source says.
	checkAgain = 5 * time.Second
	// heldPatience is how long a request that could be given a copy waits for a better one.
	heldPatience = 50 * time.Millisecond
	// defaultSharedTime is that of [Deps] that say nothing. With the time after which a worker is given up when NATS hangs
	// it is less than a second.
	defaultSharedTime = 200 * time.Millisecond
	// maxLooks bounds what is being looked for at one time.
	maxLooks = 1024
	// copyOverhead is about what a copy takes beside its body.
	copyOverhead = 512
)

// Deps is what a store needs.
type Deps struct {
	Log     *slog.Logger
	Metrics prometheus.Registerer
	Cache   *cache.Store
	Client  *bus.Client
	// MaxBytes bounds the copies.
	MaxBytes uint64
	// SharedTime bounds one look at the shared entry; 0 is 200 ms.
	SharedTime time.Duration
}

// Store finds answers. Requests for the same answer at the same time are one.
type Store struct {
	cache  *cache.Store
	client *bus.Client
	copies *otter.Cache[name, *Answer]
	counts counts
	// sharedTime is Deps.SharedTime, and heldPatience the constant, or a longer time in tests.
	sharedTime, heldPatience time.Duration

	looks *flight.Group[sought, Found]
	// forgets counts the calls of Forget: a look that began before one makes no copy.
	forgets atomic.Uint64
}

// Open makes a store without copies.
func Open(d Deps) (*Store, error) {
	copies, err := otter.New(&otter.Options[name, *Answer]{
		MaximumWeight: d.MaxBytes,
		Weigher: func(n name, a *Answer) uint32 {
			// half: its codings
			return uint32(len(n.key) + len(n.view.After.Number) + len(a.Body) + len(a.Body)/2 + copyOverhead)
		},
	})
	if err != nil {
		return nil, err
	}
	counts, err := newCounts(d.Metrics)
	if err != nil {
		return nil, err
	}
	return &Store{
		cache: d.Cache, client: d.Client, copies: copies, counts: counts,
		sharedTime: cmp.Or(d.SharedTime, defaultSharedTime), heldPatience: heldPatience,
		looks: flight.NewGroup[sought, Found](d.Log, maxLooks),
	}, nil
}

// Close gives up what is being looked for: nobody waits for it any more, and workers keep what they find.
func (s *Store) Close(ctx context.Context) error {
	defer s.copies.StopAllGoroutines()
	now, end := context.WithCancel(ctx)
	end()
	return s.looks.Close(now)
}

// Get finds the answer. It ends with ctx, but what it began goes on for the others that wait for it. Its failures are
// [contracts.Error]s; NOT_FOUND is an answer of the source's.
func Get[A any](ctx context.Context, s *Store, q Question[A]) (Found, error) {
	ctx, span := telemetry.StartSpan(ctx, "assay.dev/gateway/answers", "answer.find")
	defer span.End()
	n, now := name{q.Key, q.View}, time.Now()
	q.forgets = s.forgets.Load()
	held := s.held(n, now)
	if q.Fresh && (held == nil || !held.isYoung(now)) {
		found, err := renewTogether(telemetry.WithRequestID(ctx, q.RequestID), s, n, q)
		return s.found(span, found, err)
	}
	if held != nil && now.UnixNano() < held.checkAt.Load() {
		return s.found(span, Found{Answer: held, Tier: Local}, nil)
	}
	found, err := lookTogether(telemetry.WithRequestID(ctx, q.RequestID), s, n, q, held)
	return s.found(span, found, err)
}

// Kept is the answer that is stored under a key and may be served; nil where there is none. Nobody is asked for one.
func Kept[A any](ctx context.Context, s *Store, key contracts.CacheKey) (*A, error) {
	entry, err := s.shared(ctx, key)
	if errors.Is(err, cache.ErrMiss) {
		return nil, nil
	}
	if err != nil {
		return nil, contracts.Wrap(err, contracts.SourceUnavailable,
			"stored answers cannot be read just now; retry later").After(time.Second)
	}
	a, err := cache.Decode[A](key, entry.Value)
	if err != nil {
		return nil, nil //nolint:nilerr // one of another version, or a damaged one, is as good as none
	}
	return &a, nil
}

// Forget drops all copies of an answer, however many weeks they show, and keeps looks under way from adding one. The
// next caller gets the shared answer or a new one.
func (s *Store) Forget(key contracts.CacheKey) {
	s.forgets.Add(1)
	for size := range contracts.MaxWeeks + 1 {
		s.copies.Invalidate(name{key, View{Size: size}})
	}
}

// ForgetAll is Forget for all keys that begin so.
func (s *Store) ForgetAll(begin contracts.CacheKey) {
	s.forgets.Add(1)
	for n := range s.copies.Keys() {
		if strings.HasPrefix(string(n.key), string(begin)) {
			s.copies.Invalidate(n)
		}
	}
}

// withdraw drops a copy that was read before its entry was ended, such as after an acceptance was taken back: it is
// served no longer, whether a worker has a better one or not.
func (s *Store) withdraw(n name, ended cache.Entry) {
	if a, ok := s.copies.GetIfPresent(n); ok && ended.ReadAt.After(a.ReadAt) {
		s.copies.Invalidate(n)
	}
}

// held is the copy that may be served at now.
func (s *Store) held(n name, now time.Time) *Answer {
	a, ok := s.copies.GetIfPresent(n)
	if !ok || !a.Fresh(now) {
		return nil
	}
	return a
}

func (s *Store) found(span trace.Span, f Found, err error) (Found, error) {
	if err != nil {
		if !errors.Is(err, ErrNoView) {
			s.counts.missed.Inc()
		}
		return Found{}, err
	}
	s.counts.of[f.Tier].Inc()
	if f.RefreshFailed {
		s.counts.failedRequests.Inc()
	}
	if span.IsRecording() {
		span.SetAttributes(attribute.String("assay.cache.tier", string(f.Tier)),
			attribute.Bool("assay.cache.collapsed", f.Collapsed),
			attribute.Int64("assay.cache.age_s", int64(time.Since(f.ReadAt).Seconds())))
	}
	if f.absent != nil {
		return Found{}, f.absent
	}
	return f, nil
}

func (a *Answer) checkEvery() time.Duration {
	if a.InDoubt() {
		return checkAgain
	}
	return checkEvery
}

func (a *Answer) keep(d time.Duration) Found {
	a.checkAt.Store(time.Now().Add(d).UnixNano())
	return Found{Answer: a, Tier: Local}
}

// keep makes the copy of an answer, and gives it. A held copy that outdates the answer stays, and is given.
func keep[A any](s *Store, n name, q Question[A], a A, revision uint64, tier Tier) (Found, error) {
	answer, err := render(q, a, revision)
	if err != nil {
		return Found{}, contracts.AsError(err)
	}
	answer.keep(answer.checkEvery())
	found := Found{Answer: answer, Tier: tier, RefreshFailed: answer.RefreshFailed}
	answer.RefreshFailed = false // of this reply, not of the copy
	now := time.Now()
	kept, _ := s.copies.Compute(n, func(held *Answer, ok bool) (*Answer, otter.ComputeOp) {
		if ok && held.Fresh(now) && held.outdates(answer) {
			return held, otter.CancelOp
		}
		return answer, otter.WriteOp
	})
	if q.forgets != s.forgets.Load() {
		s.copies.Invalidate(n)
	}
	if kept != answer {
		found.Answer, found.Tier = kept, Local
		kept.keep(kept.checkEvery())
	}
	return found, nil
}

// counts are made once: a label's look-up costs more than the count.
type counts struct {
	of     map[Tier]prometheus.Counter
	missed prometheus.Counter
	// failedChecks and failedRequests count copies that go on because nothing newer could be had: in the background,
	// and for clients who asked for a fresh reading.
	failedChecks, failedRequests prometheus.Counter
}

func newCounts(r prometheus.Registerer) (counts, error) {
	m := telemetry.NewMetrics(r)
	requests := m.Counters("gateway_cache_requests_total", "Answers by the tier that gave them; result miss "+
		"means a worker was asked.", "tier", "result")
	failed := m.Counters("gateway_refresh_failures_total",
		"Copies served on because nothing newer could be had, by what wanted it: check (the gateway, in the "+
			"background) or request (a client).", "by")
	if err := m.Err(); err != nil {
		return counts{}, err
	}
	return counts{
		failedChecks: failed.WithLabelValues("check"), failedRequests: failed.WithLabelValues("request"),
		of: map[Tier]prometheus.Counter{
			Local:  requests.WithLabelValues(string(Local), "hit"),
			Shared: requests.WithLabelValues(string(Shared), "hit"),
			Worker: requests.WithLabelValues(string(Worker), "miss"),
		},
		missed: requests.WithLabelValues(string(Worker), "error"),
	}, nil
}
