package cache

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/nats-io/nats.go/jetstream"
	"github.com/prometheus/client_golang/prometheus"
	"go.opentelemetry.io/otel/attribute"

	"assay.dev/contracts"
	"assay.dev/platform/bus"
	"assay.dev/platform/flight"
	"assay.dev/platform/kv"
	"assay.dev/platform/telemetry"
)

const (
	defaultMaxFetch = time.Minute
	defaultLease    = 5 * time.Second
	// defaultIOTime is short: nobody should wait long for a bucket when the source can be read.
	defaultIOTime = 2 * time.Second
)

// ErrMiss means that no servable answer is stored.
var ErrMiss = errors.New("no servable answer is stored")

// Entry is a stored answer: Value is its JSON, which begins with the Provenance.
type Entry struct {
	contracts.Provenance
	Value    []byte
	Revision uint64
}

// Deps holds what a store needs. Log and Metrics may be nil.
type Deps struct {
	Log     *slog.Logger
	Metrics prometheus.Registerer
	// MaxFetch bounds each fetch. 0 means 60 s.
	MaxFetch time.Duration
	// Lease is the time after which a flight ends when its owner has died. A living owner renews it three times in that
	// time. 0 means 5 s. NATS counts whole seconds.
	Lease time.Duration
	// IOTime bounds one operation on a bucket. 0 means 2 s. When an operation takes longer, the worker reads the source
	// without a flight.
	IOTime time.Duration
}

// Store is the cache of answers.
type Store struct {
	log      *slog.Logger
	js       jetstream.JetStream
	answers  jetstream.KeyValue
	flights  jetstream.KeyValue
	metrics  *metrics
	maxFetch time.Duration
	lease    time.Duration
	ioTime   time.Duration
	failed   time.Duration // failedTTL, or a longer time in tests
	reads    *flight.Group[readKey, found]
}

// Open binds to the buckets of answers and flights.
func Open(ctx context.Context, js jetstream.JetStream, d Deps) (*Store, error) {
	answers, err := kv.Open(ctx, js, contracts.AnswersBucket)
	if err != nil {
		return nil, fmt.Errorf("opening the cache: %w", err)
	}
	flights, err := kv.Open(ctx, js, contracts.FlightsBucket)
	if err != nil {
		return nil, fmt.Errorf("opening the cache: %w", err)
	}
	metrics, err := newMetrics(d.Metrics)
	if err != nil {
		return nil, fmt.Errorf("opening the cache: %w", err)
	}
	log := cmp.Or(d.Log, slog.New(slog.DiscardHandler))
	return &Store{
		log: log, js: js, answers: answers, flights: flights,
		metrics: metrics, maxFetch: cmp.Or(d.MaxFetch, defaultMaxFetch), lease: cmp.Or(d.Lease, defaultLease),
		ioTime: cmp.Or(d.IOTime, defaultIOTime), failed: failedTTL,
		reads: flight.NewGroup[readKey, found](log, 0),
	}, nil
}

// Close waits for the fetches under way until ctx ends, then cancels them. No fetch begins after Close.
func (s *Store) Close(ctx context.Context) error { return s.reads.Close(ctx) }

// Get returns the entry of key if its answer may be served now. The error is [ErrMiss] when there is no such entry,
// else the bucket's. An entry that has expired, is damaged or has an old form is a miss too: Get then returns its
// Revision, which [Refresh] and flights need to replace it.
func (s *Store) Get(ctx context.Context, key contracts.CacheKey) (Entry, error) {
	ctx, span := telemetry.StartSpan(ctx, scope, "cache.get")
	defer span.End()
	e, err := s.readEntry(ctx, key)
	if err == nil && !e.Fresh(time.Now()) {
		err = ErrMiss
	}
	span.SetAttributes(attribute.Bool("assay.cache.hit", err == nil))
	if err == nil {
		span.SetAttributes(attribute.Float64("assay.cache.age_s", time.Since(e.ReadAt).Seconds()))
	}
	return e, err
}

// readEntry returns the entry of key, even when its answer has expired.
func (s *Store) readEntry(ctx context.Context, key contracts.CacheKey) (Entry, error) {
	stored, err := exchange(ctx, s, func(ctx context.Context) (jetstream.KeyValueEntry, error) {
		return s.answers.Get(ctx, string(key))
	})
	if errors.Is(err, jetstream.ErrKeyNotFound) {
		return Entry{}, ErrMiss
	}
	if err != nil {
		return Entry{}, fmt.Errorf("reading the cache: %w", err)
	}
	e := Entry{Revision: stored.Revision()}
	if e.Value, err = kv.Expand(stored.Value()); err == nil {
		e.Provenance, err = provenance(e.Value, time.Now())
	}
	if err != nil || e.Schema != contracts.AnswerSchema || e.ReadAt.IsZero() || e.ExpiresAt.IsZero() {
		s.log.WarnContext(ctx, "a cache entry is not understood and counts as a miss", "key", key, "schema", e.Schema,
			"error", err)
		return Entry{Revision: e.Revision}, ErrMiss
	}
	return e, nil
}

// provenance reads that of a stored answer. Of one that has expired it reads the beginning alone, which says so.
func provenance(doc []byte, now time.Time) (p contracts.Provenance, err error) {
	if p, err = lifeOf(doc); err == nil && p.Fresh(now) {
		err = json.Unmarshal(doc, &p)
	}
	return p, err
}

// lifeOf reads the members of a stored answer that say for how long it may be served, and nothing behind the last of
// them.
func lifeOf(doc []byte) (p contracts.Provenance, err error) {
	d := json.NewDecoder(bytes.NewReader(doc))
	members := map[string]any{"schema": &p.Schema, "read_at": &p.ReadAt, "expires_at": &p.ExpiresAt}
	if _, err = d.Token(); err != nil {
		return p, err
	}
	for len(members) > 0 && d.More() {
		name, err := d.Token()
		if err != nil {
			return p, err
		}
		key, _ := name.(string)
		member, ok := members[key]
		if !ok {
			member = new(json.RawMessage)
		}
		if err := d.Decode(member); err != nil {
			return p, err
		}
		delete(members, key)
	}
	return p, nil
}

// put stores an answer in the place of the entry with a revision, 0 for none. It goes on when the caller's context
// ends: the source has been read already. It stores nothing when that entry was replaced meanwhile, such as by [End].
func (s *Store) put(ctx context.Context, key contracts.CacheKey, doc []byte, replaces uint64) (uint64, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.ioTime)
	defer cancel()
	ctx, span := telemetry.StartSpan(ctx, scope, "kv.put")
	defer span.End()
	revision := uint64(0)
	err := kv.Retry(ctx, func(ctx context.Context) (err error) {
		revision, err = s.swap(ctx, key, doc, replaces)
		if kv.Conflict(err) { // with this very answer, when its acknowledgement was lost
			if e, gone := s.readEntry(ctx, key); gone == nil && bytes.Equal(e.Value, doc) {
				revision, err = e.Revision, nil
			}
		}
		return err
	})
	if kv.Conflict(err) {
		s.log.InfoContext(ctx, "an answer is not cached: its entry was replaced while it was read", "key", key)
		return 0, err
	}
	s.metrics.wrote(err)
	if err != nil {
		telemetry.Failed(span)
		s.log.WarnContext(ctx, "an answer is not cached", "key", key, "error", err)
		return 0, err
	}
	return revision, nil
}

// swap writes an entry in the place of the one with a revision, 0 for none.
func (s *Store) swap(ctx context.Context, key contracts.CacheKey, doc []byte, replaces uint64) (uint64, error) {
	return exchange(ctx, s, func(ctx context.Context) (uint64, error) {
		if replaces == 0 {
			return s.answers.Create(ctx, string(key), kv.Compress(doc))
		}
		return s.answers.Update(ctx, string(key), kv.Compress(doc), replaces)
	})
}

// exchange makes one operation on a bucket within Deps.IOTime. It fails at once when the connection is lost.
func exchange[A any](ctx context.Context, s *Store, operation func(context.Context) (A, error)) (A, error) {
	ctx, cancel := context.WithTimeout(ctx, s.ioTime)
	defer cancel()
	return bus.WhileConnected(ctx, s.js.Conn(), operation)
}

// scope names this package's spans.
const scope = "assay.dev/platform/cache"
