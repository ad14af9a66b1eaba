package archive

import (
	"slices"
	"time"

	"assay.dev/contracts"
)

// formerWeek is an entry of the version before: a week as it was last observed, with the values before it.
type formerWeek struct {
	contracts.ObservedWeek
	Source
	// FirstSeen is of the week's first value.
	FirstSeen time.Time `json:"first_seen"`
	// LastSeen may be up to a day too early, because it was not written more often.
	LastSeen time.Time `json:"last_seen"`
	// Revisions are the values before, oldest first. The seventeenth dropped the first.
	Revisions []formerRevision `json:"revisions"`
}

// formerRevision is a value that another one replaced.
type formerRevision struct {
	Percent   float64   `json:"fuel_surcharge_pct"`
	DieselUSD *float64  `json:"doe_diesel_price_usd"`
	LastSeen  time.Time `json:"last_seen"`
	Source
}

// formerRevisions is how many values before the last one an entry of the version before could hold.
const formerRevisions = 16

// values are those of an entry of the version before, oldest first. The first sighting of a value that replaced another one is
// that of the event which reported it, or else not known.
func (f formerWeek) values(events []contracts.SurchargeRevision) []Value {
	var values []Value
	for _, r := range f.Revisions {
		v := Value{ObservedWeek: f.ObservedWeek, Last: sighting(r.LastSeen, r.Source)}
		v.Percent, v.DieselUSD = r.Percent, r.DieselUSD
		values = append(values, v)
	}
	values = append(values, Value{ObservedWeek: f.ObservedWeek, Last: sighting(f.LastSeen, f.Source)})
	first := f.FirstSeen.UTC().Truncate(time.Second)
	for i := range values {
		values[i].ObservedWeek.FirstSeen = nil
		switch {
		case i > 0:
			values[i].First = firstOf(events, values[i-1], values[i])
		case len(f.Revisions) < formerRevisions:
			values[i].First = &Sighting{At: first, Source: values[i].Last.Source}
		default: // values before it may have been dropped
			values[i].WeekFirstSeen = &first
		}
	}
	return values
}

func sighting(at time.Time, s Source) Sighting {
	return Sighting{At: at.UTC().Truncate(time.Second), Source: s}
}

// firstOf is the first sighting of a value as an event reported it, between the last sightings of the value before and its own.
func firstOf(events []contracts.SurchargeRevision, before, v Value) *Sighting {
	for _, e := range events {
		at := e.SeenAt.UTC().Truncate(time.Second)
		if e.Is.EffectiveDate == v.EffectiveDate && !e.Withdrawn && Same(e.Is, v.SurchargeWeek) && Same(e.Was, before.SurchargeWeek) &&
			!at.Before(before.Last.At) && !at.After(v.Last.At) {
			return &Sighting{At: at, Source: Source{Path: e.Path, Method: v.Last.Method, EvidenceURL: e.EvidenceURL}}
		}
	}
	return nil
}

// takenOverFrom lists what entries of the version before add to the known weeks. What is known already adds nothing, so that an
// entry may be taken over again: a worker of the version before may have changed it.
func takenOverFrom(former []formerWeek, known []Week, events []contracts.SurchargeRevision) []change {
	if len(former) == 0 {
		return nil
	}
	byDate := map[contracts.Date]Week{}
	for _, w := range known {
		byDate[w.Date] = w
	}
	var changes []change
	for _, f := range former {
		w, ok := byDate[f.EffectiveDate]
		if !ok {
			w = Week{Date: f.EffectiveDate}
		}
		for _, v := range f.values(events) {
			c := w.place(v)
			if c.outcome == unchanged {
				continue
			}
			c.outcome = takenOver
			w.Values = w.with(c.Value)
			changes = append(slices.DeleteFunc(changes, func(old change) bool {
				return old.EffectiveDate == c.EffectiveDate && old.number == c.number
			}), c)
		}
	}
	return changes
}
