package cache_test

import (
	"context"
	"testing"
	"time"

	"assay.dev/contracts"
	"assay.dev/platform/bustest"
	"assay.dev/platform/cache"
	"assay.dev/platform/clock/clocktest"
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
		clocktest.Await(t, step.want+" is answered", func() bool { // an answer is told first, and stored a moment later
			if err := cache.End[page](within(t, patient), store, key, step.before); err != nil {
				t.Fatal(err)
			}
			return fill() == step.want
		})
	}
	if err := cache.End[page](within(t, patient), store, contracts.CacheKey("test.ltl.none"), time.Now()); err != nil {
		t.Errorf("none is stored: %v", err)
	}
}
