package ratelimit

import (
	"context"
	"errors"
	"time"
)

// Source is where gateways keep the ledgers that they share, and whose clock they go by.
type Source interface {
	// Read returns the ledger under key and its revision; nil and 0 when there is none.
	Read(ctx context.Context, key string) (Ledger, uint64, error)
	// Swap puts a ledger in the place of that revision and returns the new one. The error is [ErrConflict] when the
	// revision is no longer the newest.
	Swap(ctx context.Context, key string, ledger Ledger, revision uint64) (uint64, error)
	// Now is the source's time.
	Now(ctx context.Context) (time.Time, error)
}

// ErrConflict is the error of a [Source.Swap] that came too late: another gateway wrote first.
var ErrConflict = errors.New("another gateway wrote first")
