package archive

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"time"

	"assay.dev/contracts"
	"assay.dev/platform/clock"
)

// write takes observations from the queue until Stop. Then it writes what is left in the queue and returns.
func (a *Archive) write(ctx context.Context) {
	defer close(a.stopped)
	for {
		select {
		case o := <-a.queue:
			a.persist(ctx, o)
		case <-a.stopping:
			for {
				select {
				case o := <-a.queue:
					a.persist(ctx, o)
				default:
					return
				}
			}
		}
	}
}

// minRepeat is how long after an observation another one with the same weeks is not written.
const minRepeat = time.Minute

// persist tries until the observation is written or ctx ends. Meanwhile later observations wait in the queue.
func (a *Archive) persist(ctx context.Context, o Observation) {
	last := a.last[o.Carrier]
	if age := o.At.Sub(last.At); age >= 0 && age < minRepeat && reflect.DeepEqual(o.Weeks, last.Weeks) {
		return
	}
	a.last[o.Carrier] = Observation{} // nothing counts as written until it is
	for wait := time.Second; ; wait = min(2*wait, 30*time.Second) {
		err := a.writeWeeks(ctx, o)
		if err == nil {
			a.last[o.Carrier] = o
			return
		}
		if ctx.Err() != nil {
			a.logLost(o, err)
			return
		}
		a.log.Warn("archive cannot be written, trying again", "carrier", o.Carrier, "error", err, "wait", wait)
		_ = clock.Sleep(ctx, wait) // when ctx ends, one more try tells
	}
}

// writeWeeks writes the weeks that the observation adds or changes. To write an observation twice has no further
// effect.
func (a *Archive) writeWeeks(ctx context.Context, o Observation) error {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	known, err := a.load(ctx, o.Carrier)
	if err != nil {
		return err
	}
	for _, w := range o.Weeks {
		was := known[w.EffectiveDate]
		now, outcome := merge(was, w, o)
		if outcome == unchanged {
			continue
		}
		if outcome == revised {
			id := fmt.Sprintf("%s.%d", a.key(o.Carrier, string(w.EffectiveDate)), was.revision)
			if err := a.revised(ctx, id, a.revision(was.Week, now, o)); err != nil {
				return err
			}
		}
		if err := a.put(ctx, o.Carrier, now, was.revision); err != nil {
			return err // another worker may have written the week; the next try loads it
		}
		a.weeks.WithLabelValues(string(outcome)).Inc()
	}
	return nil
}

// outcome is what an observation of a week did to the archive.
type outcome string

const (
	fresh     outcome = "new"
	revised   outcome = "revised" // another percent or price
	seen      outcome = "seen"    // the same value, seen later or with a diesel price that was not known
	unchanged outcome = "unchanged"
)

// merge is the archived week after w was observed, and what changed.
func merge(was entry, w contracts.ObservedWeek, o Observation) (Week, outcome) {
	now := Week{ObservedWeek: w, Source: o.Source, FirstSeen: o.At, LastSeen: o.At}
	switch {
	case !was.known():
		return now, fresh
	case o.At.Before(was.LastSeen):
		return was.Week, unchanged // this observation waited, and a newer one was written
	case !Same(was.SurchargeWeek, w.SurchargeWeek):
		now.FirstSeen = was.FirstSeen
		now.Revisions = slices.Concat(was.Revisions[max(0, len(was.Revisions)-maxRevisions+1):],
			[]Revision{{Percent: was.Percent, DieselUSD: was.DieselUSD, LastSeen: was.LastSeen, Source: was.Source}})
		return now, revised
	case was.DieselUSD == nil && w.DieselUSD != nil:
		now.FirstSeen, now.Revisions = was.FirstSeen, was.Revisions
		return now, seen
	case o.At.Sub(was.LastSeen) >= 24*time.Hour:
		was.LastSeen = o.At
		return was.Week, seen
	}
	return was.Week, unchanged
}

func (a *Archive) revision(was, now Week, o Observation) contracts.SurchargeRevision {
	return contracts.SurchargeRevision{
		Environment: a.env, Carrier: o.Carrier, Was: was.SurchargeWeek, Is: now.SurchargeWeek,
		SeenAt: o.At, Path: o.Path, EvidenceURL: o.EvidenceURL,
	}
}

// put writes a week if its key still has the revision that the week was made from; 0 means that there is no key yet.
func (a *Archive) put(ctx context.Context, c contracts.Carrier, w Week, revision uint64) error {
	value, err := json.Marshal(w)
	if err != nil {
		return err
	}
	_, err = a.kv.Update(ctx, a.key(c, string(w.EffectiveDate)), value, revision)
	return err
}
