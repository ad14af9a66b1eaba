package cache_test

import (
	"context"
	"testing"
	"time"

	"assay.dev/contracts"
	"assay.dev/platform/bustest"
	"assay.dev/platform/cache"
)

// An answer ends when it was read before the moment; one that was read since stays.
func TestAnAnswerThatWasReadBeforeEnds(t *testing.T) {
	t.Parallel()
	store := stores(t, bustest.Server(t), 1)[0]
	old := newPage("old", time.Hour)
	fill := func() string {
		got, err := cache.Fill(within(t, patient), store, key, func(context.Context) (page, error) { return newPage("new", time.Hour), nil })
		if err != nil {
			t.Fatal(err)
		}
		return got.Text
	}
	if _, err := cache.Fill(within(t, patient), store, key, func(context.Context) (page, error) { return old, nil }); err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct {
		before time.Time
		want   string
	}{{old.ReadAt, "old"}, {old.ReadAt.Add(time.Second), "new"}} {
		if err := cache.End[page](within(t, patient), store, key, step.before); err != nil {
			t.Fatal(err)
		}
		if got := fill(); got != step.want {
			t.Errorf("%q, want %q", got, step.want)
		}
	}
	if err := cache.End[page](within(t, patient), store, contracts.CacheKey("test.ltl.none"), time.Now()); err != nil {
		t.Errorf("none is stored: %v", err)
	}
}
