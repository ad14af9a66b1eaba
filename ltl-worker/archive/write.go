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

// write is the owner of the queue. After Stop it writes what is left in it and returns.
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

// repeated is how long an observation that says the same as the one before adds nothing.
const repeated = time.Minute

// persist tries until the observation is written or ctx ends. While it waits, the queue bounds what comes after it.
func (a *Archive) persist(ctx context.Context, o Observation) {
	last := a.last[o.Carrier]
	if age := o.At.Sub(last.At); age >= 0 && age < repeated && reflect.DeepEqual(o.Weeks, last.Weeks) {
		return
	}
	a.last[o.Carrier] = Observation{} // until it is written
	for wait := time.Second; ; wait = min(2*wait, 30*time.Second) {
		err := a.keep(ctx, o)
		if err == nil {
			a.last[o.Carrier] = o
			return
		}
		if ctx.Err() != nil {
			a.lost(o, err)
			return
		}
		a.log.Warn("archive cannot be written, trying again", "carrier", o.Carrier, "error", err, "wait", wait)
		_ = clock.Sleep(ctx, wait) // when ctx ends, one more try tells
	}
}

// keep writes what the observation adds to what is known. Doing it twice is doing it once.
func (a *Archive) keep(ctx context.Context, o Observation) error {
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
			return err // another worker may have written it: what it wrote is loaded at the next try
		}
		a.weeks.WithLabelValues(string(outcome)).Inc()
	}
	return nil
}

// outcome is what an observation of a week did to the archive.
type outcome string

const (
	fresh     outcome = "new"
	revised   outcome = "revised"
	seen      outcome = "seen"
	unchanged outcome = "unchanged"
)

// merge is the archived week after w was observed.
func merge(was entry, w contracts.ObservedWeek, o Observation) (Week, outcome) {
	now := Week{ObservedWeek: w, Source: o.Source, FirstSeen: o.At, LastSeen: o.At}
	switch {
	case !was.known():
		return now, fresh
	case o.At.Before(was.LastSeen):
		return was.Week, unchanged // written late: a newer observation is known
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

// put writes a week over the revision it was made from; 0 when there was none.
func (a *Archive) put(ctx context.Context, c contracts.Carrier, w Week, revision uint64) error {
	value, err := json.Marshal(w)
	if err != nil {
		return err
	}
	_, err = a.kv.Update(ctx, a.key(c, string(w.EffectiveDate)), value, revision)
	return err
}
