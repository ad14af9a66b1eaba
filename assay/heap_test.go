package main

import "testing"

func TestHeapGrowth(t *testing.T) {
	t.Parallel()
	const mb = 1 << 20
	for _, c := range []struct {
		live, rate uint64
		want       int
	}{
		{0, 0, 300}, {12 * mb, 0, 300}, {32 * mb, 0, 100}, {48 * mb, 20 * mb, 33}, {54 * mb, 0, 18}, {80 * mb, 0, 15},
		{32 * mb, 90 * mb, 175}, {50 * mb, 90 * mb, 76}, {90 * mb, 90 * mb, 30}, {900 * mb, 0, 15},
	} {
		if got := (heap{live: c.live}).growth(c.rate); got != c.want {
			t.Errorf("%d MB live, %d MB/s: %d, want %d", c.live/mb, c.rate/mb, got, c.want)
		}
	}
	for name, c := range map[string]struct {
		heap
		want bool
	}{"after a start": {heap{live: 20 * mb, objects: 90 * mb}, true}, "lean": {heap{live: 20 * mb, objects: 22 * mb}, false}} {
		if got := c.isWasteful(); got != c.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}
