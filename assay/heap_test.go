package main

import "testing"

func TestHeapGrowth(t *testing.T) {
	t.Parallel()
	const mb = 1 << 20
	for _, c := range []struct {
		live uint64
		want int
	}{{0, 300}, {12 * mb, 300}, {32 * mb, 200}, {48 * mb, 100}, {64 * mb, 50}, {80 * mb, 30}, {900 * mb, 30}} {
		if got := (heap{live: c.live}).growth(); got != c.want {
			t.Errorf("%d MB live: %d", c.live/mb, got)
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
