package main

import (
	"context"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

const (
	// The heap may grow to a goal before garbage is collected, but at least by a percentage of what lives in it, and at
	// most by maxGrowth percent. When hot bytes are allocated in each of two seconds, collections take more of the
	// processor, and it may grow more: what stays of a burst lies between what does not, and keeps its pages.
	goal, minGrowth       = 64 << 20, 15
	hotGoal, minHotGrowth = 88 << 20, 30
	maxGrowth             = 300
	hot                   = 32 << 20
	// heapLook is how often the heap is looked at. When fewer than quiet bytes were allocated since the last look, little
	// happens.
	heapLook = time.Second
	quiet    = 1 << 20
	// A start is over at the first quiet moment, and at the latest after startTime. Until then the heap grows by
	// startGrowth percent; by 50, its collections took a fifth of the start.
	startTime, startGrowth = 2 * time.Second, 200
	// After a busy time, the first quiet moment ends what pools hold, but only so often: it costs two collections.
	trimEvery = time.Minute
)

// keepLean bounds the memory that garbage takes, until ctx ends. A fixed percentage of growth is too much when much
// lives, or costs the cached path when little does. In a quiet moment it collects what a busy one left, and gives the
// memory back.
func keepLean(ctx context.Context) {
	look := time.NewTicker(heapLook)
	defer look.Stop()
	growth := startGrowth
	debug.SetGCPercent(growth)
	starting, busy, trimmed := true, true, time.Time{} // what a start leaves goes at once
	var before uint64                                  // the rate of the second before
	for began, was := time.Now(), readHeap(); ; {
		select {
		case <-ctx.Done():
			return
		case <-look.C:
		}
		now := readHeap()
		rate := now.allocated - was.allocated
		isQuiet := rate < quiet
		starting = starting && !isQuiet && time.Since(began) < startTime
		busy = busy || !isQuiet
		if isQuiet && (now.isWasteful() || busy && time.Since(trimmed) > trimEvery) {
			runtime.GC() // what pools hold goes with the second collection
			debug.FreeOSMemory()
			now, busy, trimmed = readHeap(), false, time.Now()
		}
		if wanted := now.growth(min(rate, before)); wanted != growth && !starting {
			growth = wanted
			debug.SetGCPercent(growth)
		}
		was, before = now, rate
	}
}

// heap are sizes in bytes.
type heap struct {
	live      uint64 // after the last collection
	objects   uint64 // now
	allocated uint64 // since the start
}

func readHeap() heap {
	s := []metrics.Sample{{Name: "/gc/heap/live:bytes"}, {Name: "/memory/classes/heap/objects:bytes"},
		{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(s)
	return heap{live: s[0].Value.Uint64(), objects: s[1].Value.Uint64(), allocated: s[2].Value.Uint64()}
}

// growth is the percentage for [debug.SetGCPercent], when so many bytes are allocated in a second.
func (h heap) growth(rate uint64) int {
	upTo, least := int64(goal), int64(minGrowth)
	if rate > hot {
		upTo, least = hotGoal, minHotGrowth
	}
	live := int64(max(h.live, 1<<20))
	return int(min(max((upTo-live)*100/live, least), maxGrowth))
}

// isWasteful tells whether a collection would free much.
func (h heap) isWasteful() bool { return h.objects > h.live+h.live/4 }
