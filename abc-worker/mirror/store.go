package mirror

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/nats-io/nats.go/jetstream"
	"github.com/prometheus/client_golang/prometheus"

	"assay.dev/contracts"
	"assay.dev/platform/cache"
	"assay.dev/platform/clock"
	"assay.dev/platform/evidence"
	"assay.dev/platform/kv"
	"assay.dev/platform/scrape"
)

const (
	// MaxAge is when a copy is to be renewed: an hour before its answers would be older than they may be.
	MaxAge = contracts.LicenseTTL - time.Hour
	// defaultRetry is how soon a renewal that failed is tried again.
	defaultRetry = 10 * time.Minute
	// defaultYoung is how old a copy may be that counts as a fresh reading (contract §7.1).
	defaultYoung = time.Minute
	// maxLoad bounds a load: download, wait for another worker's download, reading.
	maxLoad = 3 * time.Minute
	// maxCompare bounds a comparison with the publishing of its changes. What is left then is done by the next one.
	maxCompare = 10 * time.Minute
	// defaultTakeOver is how long a comparison may stand still.
	defaultTakeOver = 30 * time.Second
)

// Deps is what mirrors need. Log and Metrics may be nil.
type Deps struct {
	Environment contracts.Environment
	Fetcher     *scrape.Fetcher
	Log         *slog.Logger
	Metrics     prometheus.Registerer
	// JetStream and Answers share the files among the workers of a deployment. Without them a store keeps nothing.
	JetStream jetstream.JetStream
	Answers   *cache.Store
	// Keeper keeps each edition as evidence; nil keeps none.
	Keeper *evidence.Keeper
	// MaxAge, Retry and Young replace the defaults.
	MaxAge, Retry, Young time.Duration
	// Reread tells that the files are documents of an earlier reading: nothing else is asked of their publishers.
	Reread bool
	// Resized names mirrors whose files may have any number of rows: an operator has seen that the change is true.
	Resized []string
	// Watched names mirrors that are loaded and renewed without a question, and whose changes are published. WatchEvery
	// is how often their files are asked for; 0 leaves that as it is.
	Watched    []string
	WatchEvery time.Duration
	// Watching tells whether the watched mirrors are watched already; nil: from the start on.
	Watching func() bool
	// TakeOver is how long another worker may be at a comparison without a sign before this one goes on with it; 0 means
	// the default.
	TakeOver time.Duration
}

// Store keeps the mirrors of a process.
type Store struct {
	Deps
	editions jetstream.KeyValue
	compared jetstream.KeyValue // nil where nothing is watched
	files    jetstream.ObjectStore
	metrics  *metrics

	base   context.Context
	cancel context.CancelFunc

	mu      sync.Mutex
	closed  bool
	mirrors []*Mirror
	running sync.WaitGroup
}

// Open binds to the shared files, if d names them.
func Open(ctx context.Context, d Deps) (*Store, error) {
	d.Log = cmp.Or(d.Log, slog.New(slog.DiscardHandler))
	d.MaxAge, d.Retry = cmp.Or(d.MaxAge, MaxAge), cmp.Or(d.Retry, defaultRetry)
	d.Young, d.TakeOver = cmp.Or(d.Young, defaultYoung), cmp.Or(d.TakeOver, defaultTakeOver)
	s := &Store{Deps: d}
	var err error
	if s.metrics, err = newMetrics(d.Metrics); err != nil {
		return nil, err
	}
	if d.JetStream != nil {
		if s.editions, err = kv.Open(ctx, d.JetStream, contracts.MirrorsBucket); err != nil {
			return nil, err
		}
		if s.files, err = openFiles(ctx, d.JetStream); err != nil {
			return nil, err
		}
	}
	if d.JetStream != nil && len(d.Watched) > 0 {
		if s.compared, err = kv.Open(ctx, d.JetStream, contracts.ComparedBucket); err != nil {
			return nil, err
		}
	}
	base := context.WithoutCancel(ctx)
	if d.Reread {
		base = ctx
	}
	s.base, s.cancel = context.WithCancel(base)
	return s, nil
}

func openFiles(ctx context.Context, js jetstream.JetStream) (jetstream.ObjectStore, error) {
	files, err := js.ObjectStore(ctx, contracts.MirrorsStore)
	if err != nil {
		return nil, fmt.Errorf("object store %s: `assay provision` makes it when it is missing: %w",
			contracts.MirrorsStore, err)
	}
	return files, nil
}

// Mirror makes a mirror of the files. Nothing is loaded before it is asked.
func (s *Store) Mirror(spec Spec) *Mirror {
	m := &Mirror{Spec: spec, store: s}
	if m.Fetch == nil {
		m.Fetch = s.Fetcher.Fetch
	}
	for _, f := range spec.Files {
		s.metrics.expect(f)
	}
	if s.compared != nil && slices.Contains(s.Watched, m.Name) { // from the start, also where the watching begins later
		s.metrics.watches(m)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.mirrors = append(s.mirrors, m)
	return m
}

// Run renews the copies that are in use, each off the way of its answers, until ctx ends.
func (s *Store) Run(ctx context.Context) error {
	every := min(s.MaxAge/10, time.Minute)
	if s.WatchEvery > 0 {
		every = min(every, s.WatchEvery/2)
	}
	tick := time.NewTicker(max(every, time.Millisecond))
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
			s.mu.Lock()
			mirrors := s.mirrors
			s.mu.Unlock()
			for _, m := range mirrors {
				m.refresh()
			}
		}
	}
}

// start runs f in a goroutine of the store for at most so long; false when the store is closed.
func (s *Store) start(most time.Duration, f func(context.Context)) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return false
	}
	s.running.Go(func() {
		ctx, cancel := context.WithTimeout(s.base, most)
		defer cancel()
		f(ctx)
	})
	return true
}

// Close ends the loads under way and waits for them.
func (s *Store) Close(ctx context.Context) error {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	s.cancel()
	if err := clock.Wait(ctx, &s.running); err != nil {
		return fmt.Errorf("mirrors: %w", err)
	}
	return nil
}
