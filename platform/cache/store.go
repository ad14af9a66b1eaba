package cache

import (
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
	// defaultIOTime is short: an answer is worth more than its copy.
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

// Deps is what a store needs; what is nil is not written to.
type Deps struct {
	Log     *slog.Logger
	Metrics prometheus.Registerer
	// MaxFetch bounds each fetch, whoever waits for it; 60 s when it is 0.
	MaxFetch time.Duration
	// Lease is how long a flight outlives its owner, which renews it three times in that time; 5 s when it is 0. NATS counts
	// it in whole seconds.
	Lease time.Duration
	// IOTime bounds one operation on a bucket; 2 s when it is 0. After that a source is read without coordination.
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
		metrics: metrics, maxFetch: cmp.Or(d.MaxFetch, defaultMaxFetch), lease: cmp.Or(d.Lease, defaultLease), ioTime: cmp.Or(d.IOTime, defaultIOTime),
		reads: flight.NewGroup[readKey, found](log, 0),
	}, nil
}

// Close waits for the fetches under way until ctx ends, then cancels them. No fetch begins after Close.
func (s *Store) Close(ctx context.Context) error { return s.reads.Close(ctx) }

// Get returns the servable entry of key. The failure is [ErrMiss] when there is none, else what the bucket said. An entry
// that is stale, damaged or of an old form is a miss too; its Revision is given then, as the one to replace.
func (s *Store) Get(ctx context.Context, key contracts.CacheKey) (Entry, error) {
	ctx, span := telemetry.StartSpan(ctx, scope, "cache.get")
	defer span.End()
	e, err := s.read(ctx, key)
	if err == nil && !e.Fresh(time.Now()) {
		err = ErrMiss
	}
	span.SetAttributes(attribute.Bool("assay.cache.hit", err == nil))
	if err == nil {
		span.SetAttributes(attribute.Float64("assay.cache.age_s", time.Since(e.ReadAt).Seconds()))
	}
	return e, err
}

// read is Get that takes a stale entry for a good one.
func (s *Store) read(ctx context.Context, key contracts.CacheKey) (Entry, error) {
	ctx, cancel := context.WithTimeout(ctx, s.ioTime)
	defer cancel()
	linked, unlink := bus.Linked(ctx, s.js.Conn())
	defer unlink()
	stored, err := s.answers.Get(linked, string(key))
	if errors.Is(err, jetstream.ErrKeyNotFound) {
		return Entry{}, ErrMiss
	}
	if err != nil {
		return Entry{}, fmt.Errorf("reading the cache: %w", err)
	}
	e := Entry{Revision: stored.Revision()}
	if e.Value, err = kv.Expand(stored.Value()); err == nil {
		err = json.Unmarshal(e.Value, &e.Provenance)
	}
	if err != nil || e.Schema != contracts.AnswerSchema || e.ReadAt.IsZero() || e.ExpiresAt.IsZero() {
		s.log.WarnContext(ctx, "a cache entry is not understood and counts as a miss", "key", key, "schema", e.Schema, "error", err)
		return Entry{Revision: e.Revision}, ErrMiss
	}
	return e, nil
}

// put stores an answer. It works on after the reader's context ended: the answer is there, keep it.
func (s *Store) put(ctx context.Context, key contracts.CacheKey, doc []byte) (uint64, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.ioTime)
	defer cancel()
	ctx, span := telemetry.StartSpan(ctx, scope, "kv.put")
	defer span.End()
	revision, err := s.answers.Put(ctx, string(key), kv.Compress(doc))
	s.metrics.wrote(err)
	if err != nil {
		s.log.WarnContext(ctx, "an answer is not cached", "key", key, "error", err)
		return 0, err
	}
	return revision, nil
}

// decode is strict about the JSON types and, when A has a method Validate() error, about the rest.
func decode[A any](doc []byte) (A, error) {
	var a A
	if err := json.Unmarshal(doc, &a); err != nil {
		return a, err
	}
	if checked, ok := any(a).(interface{ Validate() error }); ok {
		return a, checked.Validate()
	}
	return a, nil
}

// scope names this package's spans.
const scope = "assay.dev/platform/cache"
