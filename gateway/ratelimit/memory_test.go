package ratelimit_test

import (
	"context"
	"errors"
	"maps"
	"sync"
	"time"

	"assay.dev/gateway/ratelimit"
)

// memory is a source in this process, which a test can take away.
type memory struct {
	mu      sync.Mutex
	away    bool
	ledgers map[string]revised
}

type revised struct {
	ledger   ratelimit.Ledger
	revision uint64
}

var errAway = errors.New("the memory is away")

func newMemory() *memory { return &memory{ledgers: map[string]revised{}} }

func (m *memory) Read(_ context.Context, key string) (ratelimit.Ledger, uint64, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.away {
		return nil, 0, errAway
	}
	r := m.ledgers[key]
	return maps.Clone(r.ledger), r.revision, nil
}

func (m *memory) Swap(_ context.Context, key string, l ratelimit.Ledger, revision uint64) (uint64, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.away {
		return 0, errAway
	}
	if m.ledgers[key].revision != revision {
		return 0, ratelimit.ErrConflict
	}
	m.ledgers[key] = revised{maps.Clone(l), revision + 1}
	return revision + 1, nil
}

func (m *memory) Now(context.Context) (time.Time, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.away {
		return time.Time{}, errAway
	}
	return time.Now(), nil
}

func (m *memory) leave(away bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.away = away
}
