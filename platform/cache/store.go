package cache

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/nats-io/nats.go/jetstream"
	"github.com/prometheus/client_golang/prometheus"

	"assay.dev/contracts"
)

// ErrMiss means that no servable answer is stored.
var ErrMiss = errors.New("cache: miss")

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
}

// Store is the cache of answers.
type Store struct{}

// Open binds to the buckets of answers and flights.
func Open(ctx context.Context, js jetstream.JetStream, d Deps) (*Store, error) {
	return &Store{}, nil
}

// Close waits for the fetches under way until ctx ends, then cancels them.
func (s *Store) Close(ctx context.Context) error { return nil }

// Get returns the servable entry of key, or ErrMiss. With ErrMiss the entry is still given when there is one that is stale,
// damaged or of an old form: its Revision is the one to replace.
func (s *Store) Get(ctx context.Context, key contracts.CacheKey) (Entry, error) {
	return Entry{}, ErrMiss
}

// Fill returns the stored answer, or has it fetched.
func Fill[A any](ctx context.Context, s *Store, key contracts.CacheKey, fetch func(context.Context) (A, error)) (A, error) {
	return fetch(ctx)
}

// Refresh has the answer fetched even if the stored one is servable, by one worker at a time.
func Refresh[A any](ctx context.Context, s *Store, key contracts.CacheKey, fetch func(context.Context) (A, error)) (A, bool, error) {
	a, err := fetch(ctx)
	return a, err == nil, err
}
