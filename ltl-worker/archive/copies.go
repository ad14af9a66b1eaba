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
	carriers map[contracts.Carrier]*carrierCopy
	complete bool // the copies hold all that the bucket holds, and the watch goes on
	closed   bool // nothing is observed any more
}

// carrierCopy is what is known of one carrier.
type carrierCopy struct {
	entries entries
	waiting waiting
	// untold is since when a change waits to be told; zero where none does.
	untold time.Time
	// weeks are made of all that when they are asked for; hasWeeks tells that they are.
	weeks    []Week
	err      error
	hasWeeks bool
}

func newCopies() *copies { return &copies{carriers: map[contracts.Carrier]*carrierCopy{}} }

func (c *copies) of(carrier contracts.Carrier) *carrierCopy {
	own := c.carriers[carrier]
	if own == nil {
		own = &carrierCopy{entries: entries{}}
		c.carriers[carrier] = own
	}
	return own
}

// addEntries takes entries in.
func (c *copies) addEntries(all ...entry) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, e := range all {
		own := c.of(e.carrier)
		if own.entries.add(e) { // a worker's own writes come back to it
			own.hasWeeks = false
		}
		switch now := own.entries[e.key].value; {
		case now == nil || now.Untold == nil:
			own.forgetTold()
		case !c.complete: // it was written before this worker started
			own.untold = time.Now().Add(-takeOver)
		case own.untold.IsZero():
			own.untold = time.Now()
		}
	}
}

// forgetTold notes that nothing waits to be told, where that is so.
func (own *carrierCopy) forgetTold() {
	if !own.untold.IsZero() && len(own.entries.untold()) == 0 {
		own.untold = time.Time{}
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
	own := c.of(carrier)
	own.ensureWeeks()
	return own.weeks, own.err, true
}

// observed is what waits to be written of a carrier.
func (c *copies) observed(carrier contracts.Carrier) []Observation {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.of(carrier).waiting.all)
}

// ensureWeeks makes the weeks, unless they are made.
func (own *carrierCopy) ensureWeeks() {
	if !own.hasWeeks {
		own.weeks, own.err = build(own.entries, own.waiting.all)
		own.hasWeeks = true
	}
}

// changesOf are what an observation changes. It is urgent where they are more than sightings of what is known, or where
// that cannot be told.
func (own *carrierCopy) changesOf(o Observation, isComplete bool) (changes []change, urgent bool) {
	if !isComplete {
		own.hasWeeks = false
		return nil, true
	}
	if own.ensureWeeks(); own.err != nil {
		return nil, true
	}
	changes = changesBy(own.weeks, o)
	return changes, slices.ContainsFunc(changes, func(c change) bool { return c.outcome != again })
}

// build makes the weeks of entries and of observations, which may be in the entries already.
func build(known entries, observed []Observation) ([]Week, error) {
	if err := known.damage(); err != nil {
		return nil, err
	}
	weeks := known.stored()
	for _, o := range observed {
		weeks = with(weeks, changesBy(weeks, o))
	}
	return weeks, nil
}

// follower keeps the copies current.
func (a *Archive) follower() kv.Follower {
	return kv.Follower{
		JS: a.js, KV: a.kv, Bucket: contracts.WeeksBucket, Pattern: a.pattern("*"), Complete: a.copies.setComplete,
		Take: func(all ...jetstream.KeyValueEntry) error {
			a.copies.addEntries(a.decodeAll(all)...)
			a.wake() // another worker may have died before it told a change
			return nil
		},
		Failed: func(err error) {
			a.log.Warn("the archive is read from its bucket each time: it cannot be followed", "error", err)
		},
	}
}
