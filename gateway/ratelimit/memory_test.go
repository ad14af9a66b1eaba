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
	hangs   bool // who asks waits for as long as it can
	ledgers map[string]revised
}

type revised struct {
	ledger   ratelimit.Ledger
	revision uint64
}

var errAway = errors.New("the memory is away")

func newMemory() *memory { return &memory{ledgers: map[string]revised{}} }

func (m *memory) Read(ctx context.Context, key string) (ratelimit.Ledger, uint64, error) {
	if err := m.asked(ctx); err != nil {
		return nil, 0, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	r := m.ledgers[key]
	return maps.Clone(r.ledger), r.revision, nil
}

func (m *memory) Swap(ctx context.Context, key string, l ratelimit.Ledger, revision uint64) (uint64, error) {
	if err := m.asked(ctx); err != nil {
		return 0, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.ledgers[key].revision != revision {
		return 0, ratelimit.ErrConflict
	}
	m.ledgers[key] = revised{maps.Clone(l), revision + 1}
	return revision + 1, nil
}

func (m *memory) Now(ctx context.Context) (time.Time, error) { return time.Now(), m.asked(ctx) }

// asked is the error of who asks now.
func (m *memory) asked(ctx context.Context) error {
	m.mu.Lock()
	away, hangs := m.away, m.hangs
	m.mu.Unlock()
	switch {
	case away:
		return errAway
	case hangs:
		<-ctx.Done()
		return ctx.Err()
	}
	return nil
}

func (m *memory) leave(away bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.away = away
}

func (m *memory) hang(hangs bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.hangs = hangs
}
