package archive

import (
	"errors"
	"slices"
	"time"

	"assay.dev/contracts"
)

const (
	// sightAgainEvery is how often it is written, at most, that a carrier still shows what is known.
	sightAgainEvery = 5 * time.Minute
	// manyWaiting observations of one carrier are written at once; beyond maxWaiting they are lost.
	manyWaiting, maxWaiting = 8, 64
)

// waiting are the observations of one carrier that this worker has not written yet, oldest first.
type waiting struct {
	all     []Observation
	taken   int // of all, from the first: the writer is writing them
	urgent  bool
	written time.Time
}

// addObservation puts an observation behind the others. One that is urgent says more than that the carrier still shows
// what is known. Of three that show the same, the one between is left out: a value is kept with its first and its last
// sighting.
func (w *waiting) addObservation(o Observation, urgent bool) error {
	w.urgent = w.urgent || urgent
	last := len(w.all) - 1
	if last-w.taken >= 1 && w.all[last].shows(o) && w.all[last-1].shows(o) && !o.At.Before(w.all[last].At) {
		w.all[last] = o
		return nil
	}
	if len(w.all) == maxWaiting {
		return errors.New("too many observations are waiting")
	}
	w.all = append(w.all, o)
	return nil
}

// shows tells whether both observations show the same at the same place, as cleanly.
func (o Observation) shows(other Observation) bool {
	return o.Whole == other.Whole && o.Path == other.Path && o.Method == other.Method &&
		o.EvidenceURL == other.EvidenceURL &&
		slices.EqualFunc(o.Weeks, other.Weeks, func(a, b contracts.ObservedWeek) bool {
			return a.EffectiveDate == b.EffectiveDate && a.Tally == b.Tally && isEqual(a.SurchargeWeek, b.SurchargeWeek) &&
				isEqual(b.SurchargeWeek, a.SurchargeWeek)
		})
}

// due is how long the observations may still wait; false when there are none.
func (w *waiting) due(now time.Time) (time.Duration, bool) {
	switch {
	case len(w.all) == 0:
		return 0, false
	case w.urgent, len(w.all) >= manyWaiting:
		return 0, true
	}
	return max(0, w.written.Add(sightAgainEvery).Sub(now)), true
}

// take gives what waits to the writer.
func (w *waiting) take() []Observation {
	w.taken, w.urgent = len(w.all), false
	return w.all[:w.taken:w.taken]
}

// done drops what the writer has taken.
func (w *waiting) done(now time.Time) {
	w.all, w.taken, w.written = slices.Clone(w.all[w.taken:]), 0, now
}

// observe makes an observation known before it is written.
func (c *copies) observe(o Observation) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return errors.New("the archive is closed")
	}
	own := c.of(o.Carrier)
	changes, urgent := own.changesOf(o, c.complete)
	if err := own.waiting.addObservation(o, urgent); err != nil {
		return err
	}
	if own.hasWeeks && own.err == nil {
		own.weeks = with(own.weeks, changes)
	}
	return nil
}

// take gives the observations of a carrier whose time to be written has come, or a carrier of whose weeks a change has
// waited too long to be told, or says how long the writer may wait. When the archive stops, all observations are due,
// and once there are none no more are taken.
func (c *copies) take(now time.Time, stopping bool) (carrier contracts.Carrier, all []Observation, wait time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	wait = sightAgainEvery
	for _, carrier := range contracts.Carriers {
		own := c.of(carrier)
		due, any := own.waiting.due(now)
		if any && (due == 0 || stopping) {
			return carrier, own.waiting.take(), 0
		}
		if any {
			wait = min(wait, due)
		}
		if stopping || own.untold.IsZero() {
			continue
		}
		left := takeOver - now.Sub(own.untold)
		if left <= 0 {
			return carrier, nil, 0
		}
		wait = min(wait, left)
	}
	c.closed = stopping
	return "", nil, wait
}

// done drops observations of a carrier that were taken.
func (c *copies) done(carrier contracts.Carrier, now time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	own := c.of(carrier)
	own.waiting.done(now)
	if own.forgetTold(); !own.untold.IsZero() {
		own.untold = now
	}
}
