package archive

import (
	"slices"
	"sync"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"assay.dev/contracts"
	"assay.dev/platform/kv"
)

// copies are the archived weeks in memory, so that an answer need not wait for the bucket. They follow the bucket;
// while they cannot, each question reads the bucket.
type copies struct {
	mu       sync.Mutex
	carriers map[contracts.Carrier]*held
	complete bool // the copies hold all that the bucket holds, and the watch goes on
	closed   bool // nothing is observed any more
}

// held is what is known of one carrier.
type held struct {
	entries entries
	waiting waiting
	// untold is since when a change waits to be told; zero where none does.
	untold time.Time
	// weeks are made of all that when they are asked for; isMade tells that they are.
	weeks  []Week
	err    error
	isMade bool
}

func newCopies() *copies { return &copies{carriers: map[contracts.Carrier]*held{}} }

func (c *copies) of(carrier contracts.Carrier) *held {
	h := c.carriers[carrier]
	if h == nil {
		h = &held{entries: entries{}}
		c.carriers[carrier] = h
	}
	return h
}

// add takes entries in.
func (c *copies) add(all ...entry) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, e := range all {
		h := c.of(e.carrier)
		if h.entries.add(e) { // a worker's own writes come back to it
			h.isMade = false
		}
		switch now := h.entries[e.key].value; {
		case now == nil || now.Untold == nil:
			h.forgetTold()
		case !c.complete: // it was written before this worker started
			h.untold = time.Now().Add(-takeOver)
		case h.untold.IsZero():
			h.untold = time.Now()
		}
	}
}

// forgetTold notes that nothing waits to be told, where that is so.
func (h *held) forgetTold() {
	if !h.untold.IsZero() && len(h.entries.untold()) == 0 {
		h.untold = time.Time{}
	}
}

func (c *copies) setComplete(complete bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.complete = complete
}

// weeks are the known weeks of a carrier; ok is false while the copies are not complete.
func (c *copies) weeks(carrier contracts.Carrier) (weeks []Week, err error, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.complete {
		return nil, nil, false
	}
	h := c.of(carrier)
	h.make()
	return h.weeks, h.err, true
}

// withObserved are the weeks that were read from the bucket, with what is observed and perhaps not written yet.
func (c *copies) withObserved(carrier contracts.Carrier, read entries) ([]Week, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	h := held{entries: read, waiting: c.of(carrier).waiting}
	return h.build()
}

// make makes the weeks, unless they are made.
func (h *held) make() {
	if !h.isMade {
		h.weeks, h.err = h.build()
		h.isMade = true
	}
}

// changesOf are what an observation changes. It is urgent where they are more than sightings of what is known, or where
// that cannot be told.
func (h *held) changesOf(o Observation, isComplete bool) (changes []change, urgent bool) {
	if !isComplete {
		h.isMade = false
		return nil, true
	}
	if h.make(); h.err != nil {
		return nil, true
	}
	changes = observed(h.weeks, o)
	return changes, slices.ContainsFunc(changes, func(c change) bool { return c.outcome != again })
}

func (h *held) build() ([]Week, error) {
	if err := h.entries.damage(); err != nil {
		return nil, err
	}
	weeks := h.entries.stored()
	for _, o := range h.waiting.all {
		weeks = with(weeks, observed(weeks, o))
	}
	return weeks, nil
}

// follower keeps the copies current.
func (a *Archive) follower() kv.Follower {
	return kv.Follower{
		JS: a.js, KV: a.kv, Bucket: contracts.WeeksBucket, Pattern: a.pattern("*"), Complete: a.copies.setComplete,
		Take: func(all ...jetstream.KeyValueEntry) error {
			a.copies.add(a.decodeAll(all)...)
			a.wake() // another worker may have died before it told a change
			return nil
		},
		Failed: func(err error) {
			a.log.Warn("the archive is read from its bucket each time: it cannot be followed", "error", err)
		},
	}
}
