package cache

import (
	"context"
	"strconv"
	"strings"

	"assay.dev/contracts"
	"assay.dev/platform/internal/handling"
)

// Replaces notes in the context that the entry of key with that revision, 0 for none, was found expired now. A worker
// that is asked within a second need not look for it again, nor need [Fill].
func Replaces(ctx context.Context, key contracts.CacheKey, revision uint64) context.Context {
	return handling.WithReplaces(ctx, flightKey(key, revision))
}

// replaces is the revision that [Replaces] noted for key; false for none.
func replaces(ctx context.Context, key contracts.CacheKey) (revision uint64, ok bool) {
	rest, ok := strings.CutPrefix(handling.Replaces(ctx), string(key)+".")
	if !ok {
		return 0, false
	}
	revision, err := strconv.ParseUint(rest, 10, 64)
	return revision, err == nil
}
