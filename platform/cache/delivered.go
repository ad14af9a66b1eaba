package cache

import (
	"context"
	"time"

	"assay.dev/contracts"
	"assay.dev/platform/clock"
)

// Delivered reads an answer that was too large for a worker's reply. A replica may be a moment behind the write, so an
// entry that is missing or stale is read again a few times. The failure is SOURCE_UNAVAILABLE.
func (s *Store) Delivered(ctx context.Context, key contracts.CacheKey) ([]byte, error) {
	var entry Entry
	var err error
	for range 5 {
		if entry, err = s.Get(ctx, key); err == nil {
			return entry.Value, nil
		}
		if clock.Sleep(ctx, 50*time.Millisecond) != nil {
			break
		}
	}
	return nil, contracts.Wrap(err, contracts.SourceUnavailable, "the answer could not be delivered; retry")
}
