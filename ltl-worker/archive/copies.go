package archive

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"assay.dev/contracts"
	"assay.dev/platform/kv"
)

// copies are the archived weeks in memory, so that an answer need not wait for the bucket. They follow the bucket; while they
// cannot, each question reads the bucket.
type copies struct {
	mu       *sync.Mutex
	carriers map[contracts.Carrier]*held
	state    *state
}

// state is guarded by the lock of the copies.
type state struct {
	complete bool // the copies hold all that the bucket holds, and the watch goes on
	closed   bool // nothing is observed any more
}

// held is what is known of one carrier.
type held struct {
	entries entries
	// stored are the weeks of the entries in the present form, former those of the version before; isStored tells that they are
	// made. Nobody else is given the slice stored.
	stored   []Week
	former   []formerWeek
	isStored bool
	waiting  waiting
	// weeks are made of all that when they are asked for; isMade tells that they are.
	weeks  []Week
	err    error
	isMade bool
}

func newCopies() copies {
	return copies{mu: &sync.Mutex{}, carriers: map[contracts.Carrier]*held{}, state: &state{}}
}

func (c copies) of(carrier contracts.Carrier) *held {
	h := c.carriers[carrier]
	if h == nil {
		h = &held{entries: entries{}}
		c.carriers[carrier] = h
	}
	return h
}

// add takes entries in.
func (c copies) add(all ...entry) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, e := range all {
		h := c.of(e.carrier)
		h.add(e)
	}
}

func (c copies) setComplete(complete bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.state.complete = complete
}

// weeks are the known weeks of a carrier; ok is false while the copies are not complete.
func (c copies) weeks(carrier contracts.Carrier) (weeks []Week, err error, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.state.complete {
		return nil, nil, false
	}
	h := c.of(carrier)
	h.make()
	return h.weeks, h.err, true
}

// withObserved are the weeks that were read from the bucket, with what is observed and perhaps not written yet.
func (c copies) withObserved(carrier contracts.Carrier, read entries) ([]Week, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	h := held{entries: read, waiting: c.of(carrier).waiting}
	return h.build()
}

// add takes an entry in. A value, which is what is written most, changes one of the stored weeks; all else makes them anew.
func (h *held) add(e entry) {
	old, known := h.entries[e.key]
	if known && old.revision >= e.revision {
		return
	}
	h.entries[e.key], h.isMade = e, false
	i, ok := find(h.stored, e.date)
	if !h.isStored || e.value == nil || !ok || old.damage != nil {
		h.isStored = false
		return
	}
	h.stored[i].Values = h.stored[i].with(*e.value)
}

// make makes the weeks, unless they are made.
func (h *held) make() {
	if !h.isMade {
		h.weeks, h.err = h.build()
		h.isMade = true
	}
}

// changesOf are what an observation changes. It is urgent where they are more than sightings of what is known, or where that
// cannot be told.
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
	if !h.isStored {
		h.stored, h.former = h.entries.stored()
		h.isStored = true
	}
	weeks := with(h.stored, takenOverFrom(h.former, h.stored, nil))
	for _, o := range h.waiting.all {
		weeks = with(weeks, observed(weeks, o))
	}
	return weeks, nil
}

const (
	// followFor is after how long the copies are compared with the whole bucket again.
	followFor = 10 * time.Minute
	// followAgain is the pause before a new watch takes the place of one that failed.
	followAgain = time.Second
)

// follow keeps the copies current until ctx ends or the archive stops.
func (a *Archive) follow(ctx context.Context) {
	defer a.copies.setComplete(false)
	for ctx.Err() == nil && !a.isStopping() {
		err := a.followOnce(ctx)
		if err != nil && ctx.Err() == nil {
			a.copies.setComplete(false)
			a.log.Warn("the archive is read from its bucket each time: it cannot be followed", "error", err)
			a.pause(ctx, followAgain+rand.N(followAgain))
		}
	}
}

// pause waits, at most until the archive stops.
func (a *Archive) pause(ctx context.Context, d time.Duration) {
	ctx, cancel := context.WithTimeout(ctx, d)
	defer cancel()
	select {
	case <-ctx.Done():
	case <-a.stopping:
	}
}

func (a *Archive) isStopping() bool {
	select {
	case <-a.stopping:
		return true
	default:
		return false
	}
}

// followOnce watches the bucket, reads all of it, and then takes in what changes, for followFor.
func (a *Archive) followOnce(ctx context.Context) error {
	all := string(a.env) + ".>"
	w, err := a.kv.Watch(ctx, all, jetstream.UpdatesOnly())
	if err != nil {
		return fmt.Errorf("watch: %w", err)
	}
	defer func() {
		_ = w.Stop()
		go func() { // what came meanwhile waits for a taker
			for range w.Updates() { //nolint:revive // it is dropped
			}
		}()
	}()
	if err := kv.CheckStream(ctx, a.js, contracts.WeeksBucket.Stream()); err != nil {
		return err
	}
	list, err := kv.Entries(ctx, a.js, a.kv, all)
	if err != nil {
		return err
	}
	a.copies.add(a.decodeAll(list)...)
	a.copies.setComplete(true)
	return a.takeChanges(ctx, w.Updates())
}

func (a *Archive) takeChanges(ctx context.Context, changes <-chan jetstream.KeyValueEntry) error {
	end := time.NewTimer(followFor)
	defer end.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-a.stopping:
			return nil
		case <-end.C:
			return nil
		case e, open := <-changes:
			switch {
			case !open:
				return errors.New("the watch ended")
			case e != nil:
				a.copies.add(a.decode(e))
			}
		}
	}
}
