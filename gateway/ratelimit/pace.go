package ratelimit

import (
	"sync/atomic"
	"time"
)

// A server that hangs is given up after leastPatience, so that a request that is answered from the cache waits for less
// than a tenth of a second. Where exchanges take long, as on a busy machine, it is up to defaultPatience: a limit that
// each gateway decides alone is not exact.
const leastPatience = 50 * time.Millisecond

// pace is how long exchanges with the store take lately: the slowest, which counts for less with each later one.
type pace struct {
	slowest atomic.Int64
	least   time.Duration
}

const (
	// slowness is how many times the slowest exchange a ping may take.
	slowness = 4
	// paceDecay: after 400 exchanges the slowest counts for a fifth.
	paceDecay = 256
)

// newPace begins with the longest patience.
func newPace() *pace {
	p := &pace{least: leastPatience}
	p.slowest.Store(int64(defaultPatience / slowness))
	return p
}

func (p *pace) note(took time.Duration) {
	before := p.slowest.Load()
	p.slowest.Store(max(int64(took), before-before/paceDecay)) // of two at once one may go missing
}

// patience is how long the server may take to answer a ping.
func (p *pace) patience() time.Duration {
	return max(p.least, min(slowness*time.Duration(p.slowest.Load()), defaultPatience))
}
