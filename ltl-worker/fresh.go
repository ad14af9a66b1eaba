package ltlworker

import (
	"context"
	"time"

	"assay.dev/contracts"
	"assay.dev/platform/cache"
)

// How old a stored answer must be to be read anew on request. A rendering service is paid for each read.
const (
	freshEnough     = time.Minute
	freshEnoughPaid = 15 * time.Minute
)

// readFresh answers a request for a fresh reading. A stored answer that is young, or that another worker is replacing, is
// served as it is; so is a good one when the reading fails, with [contracts.Provenance.RefreshFailed].
func (s *source) readFresh(ctx context.Context, store *cache.Store, key contracts.CacheKey) (contracts.SurchargeAnswer, error) {
	stored, err := store.Get(ctx, key)
	if err != nil || s.isYoung(stored.Provenance) {
		return cache.Fill(ctx, store, key, s.read)
	}
	answer, read, err := cache.Refresh(ctx, store, key, stored.Revision, s.read)
	if read {
		return answer, nil
	}
	copied, copyErr := cache.Fill(ctx, store, key, s.read)
	copied.RefreshFailed = err != nil
	return copied, copyErr
}

func (s *source) isYoung(stored contracts.Provenance) bool {
	limit := freshEnough
	if stored.Method == contracts.ScraperAPI {
		limit = freshEnoughPaid
	}
	return s.clock().Sub(stored.ReadAt) < limit
}
