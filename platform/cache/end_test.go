package cache_test

import (
	"context"
	"errors"
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
	store := stores(t, bustest.Buckets(t, buckets...), 1)[0]
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
			if err := cache.End(within(t, patient), store, key, step.before); err != nil {
				t.Fatal(err)
			}
			return fill() == step.want
		})
	}
	var e cache.Entry
	clocktest.Await(t, "the new one is stored", func() bool {
		var err error
		e, err = store.Get(within(t, patient), key)
		return err == nil
	})
	if err := cache.End(within(t, patient), store, key, e.ReadAt.Add(time.Second)); err != nil {
		t.Fatal(err)
	}
	if e, err := store.Get(within(t, patient), key); !errors.Is(err, cache.ErrMiss) || e.Fresh(time.Now().Add(-time.Hour)) {
		t.Errorf("by a clock that is behind it goes on until %s, %v", e.ExpiresAt, err)
	}
	if err := cache.End(within(t, patient), store, contracts.CacheKey("test.ltl.none"), time.Now()); err != nil {
		t.Errorf("none is stored: %v", err)
	}
}

// An answer that is being read while it ends is told to who asked, and served to nobody afterwards.
func TestAnAnswerThatEndsWhileItIsReadIsNotStored(t *testing.T) {
	t.Parallel()
	for name, stored := range map[string]bool{"none is stored": false, "one has expired": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			srv := bustest.Buckets(t, buckets...)
			all := stores(t, srv, 2)
			if stored {
				if _, err := cache.Fill(within(t, patient), all[0], key, func(context.Context) (page, error) {
					return newPage("expired", -time.Second), nil
				}); err != nil {
					t.Fatal(err)
				}
				clocktest.Await(t, "the expired one is stored", func() bool {
					e, _ := all[1].Get(within(t, patient), key)
					return e.Revision > 0
				})
			}
			clocktest.Await(t, "the source is read", func() bool { // who comes while the expired one is stored gets that
				got, err := cache.Fill(within(t, patient), all[0], key, func(ctx context.Context) (page, error) {
					past := newPage("past", time.Hour)
					return past, cache.End(ctx, all[1], key, past.ReadAt.Add(time.Millisecond))
				})
				if err != nil || got.Text != "past" && (!stored || got.Text != "expired") {
					t.Fatalf("who asked got %q, %v", got.Text, err)
				}
				return got.Text == "past"
			})
			for _, s := range all {
				clocktest.Await(t, "the source is read again", func() bool { // who comes while it is stored gets it too
					got, err := cache.Fill(within(t, patient), s, key, func(context.Context) (page, error) {
						return newPage("new", time.Hour), nil
					})
					return err == nil && got.Text == "new"
				})
			}
		})
	}
}
