package cache

import (
	"context"

	"assay.dev/contracts"
	"assay.dev/platform/clock"
)

// Delivered returns the stored answer of key. The gateway calls it when a worker's reply says that the answer was too
// large for a message. The worker stores an answer after it has told it, and a replica may show it later still, so
// Delivered waits for it as long as storing may take, Deps.IOTime. Its error is SOURCE_UNAVAILABLE.
func (s *Store) Delivered(ctx context.Context, key contracts.CacheKey) ([]byte, error) {
	patience, cancel := context.WithTimeout(ctx, s.ioTime)
	defer cancel()
	for pause := minPause; ; pause = min(2*pause, maxPause) {
		entry, err := s.Get(ctx, key)
		if err == nil {
			return entry.Value, nil
		}
		if clock.Sleep(patience, pause) != nil {
			return nil, contracts.Wrap(err, contracts.SourceUnavailable, "the answer could not be delivered; retry")
		}
	}
}
