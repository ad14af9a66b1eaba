package cache

import (
	"context"

	"assay.dev/contracts"
	"assay.dev/platform/clock"
)

// Delivered reads an answer that was too large for a worker's reply. The worker may still be writing it, and a replica
// may be a moment behind the write, so an entry that is missing or stale is read again until [Deps.IOTime] has passed.
// The failure is SOURCE_UNAVAILABLE.
func (s *Store) Delivered(ctx context.Context, key contracts.CacheKey) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, s.ioTime)
	defer cancel()
	for pause := minPause; ; pause = min(2*pause, maxPause) {
		entry, err := s.Get(ctx, key)
		if err == nil {
			return entry.Value, nil
		}
		if clock.Sleep(ctx, pause) != nil {
			return nil, contracts.Wrap(err, contracts.SourceUnavailable, "the answer could not be delivered; retry")
		}
	}
}
