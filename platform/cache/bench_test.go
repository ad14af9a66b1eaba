package cache_test

import (
	"context"
	"strconv"
	"testing"
	"time"

	"assay.dev/contracts"
	"assay.dev/platform/bustest"
	"assay.dev/platform/cache"
)

func BenchmarkFill(b *testing.B) {
	s := stores(b, bustest.Buckets(b, buckets...), 1)[0]
	fetch := func(context.Context) (page, error) { return newPage("a", time.Hour), nil }
	b.Run("hit", func(b *testing.B) {
		for b.Loop() {
			if _, err := cache.Fill(context.Background(), s, key, fetch); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("miss", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			k := contracts.CacheKey("test.miss." + strconv.Itoa(i))
			if _, err := cache.Fill(context.Background(), s, k, fetch); err != nil {
				b.Fatal(err)
			}
		}
	})
}
