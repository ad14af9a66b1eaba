package archive

import (
	"cmp"
	"slices"
	"time"

	"assay.dev/contracts"
)

// outcome is what an observation of a week did to the archive.
type outcome string

const (
	fresh     outcome = "new"
	revised   outcome = "revised"   // another value than before
	withdrawn outcome = "withdrawn" // no longer shown
	seen      outcome = "seen"      // the same value, seen earlier or with a member that was not known
	again     outcome = "again"     // the same value, seen later
	unchanged outcome = "unchanged"
)

// change is a value that is to be written. was is what a revised or withdrawn one takes the place of.
type change struct {
	Value
	outcome outcome
	was     contracts.SurchargeWeek
}

// changesBy lists what an observation changes in the weeks that are known. To observe something twice changes nothing.
func changesBy(known []Week, o Observation) []change {
	changes := make([]change, 0, len(o.Weeks))
	for _, shown := range o.Weeks {
		w := Week{Date: shown.EffectiveDate}
		if i, ok := find(known, w.Date); ok {
			w = known[i]
		}
		if c := w.place(o.value(shown, false)); c.outcome != unchanged {
			changes = append(changes, c)
		}
	}
	for _, w := range withdrawals(known, o) {
		newest := w.Newest()
		if c := w.place(o.value(newest.ObservedWeek, true)); c.outcome != unchanged {
			changes = append(changes, c)
		}
	}
	return changes
}

// find is where the week of that date stands, or would stand, among weeks that are sorted newest first.
func find(weeks []Week, date contracts.Date) (at int, ok bool) {
	return slices.BinarySearchFunc(weeks, date, func(w Week, d contracts.Date) int { return cmp.Compare(d, w.Date) })
}

// value is what the observation says of a week.
func (o Observation) value(w contracts.ObservedWeek, isWithdrawn bool) Value {
	at := Sighting{At: o.At, Source: o.Source}
	at.EvidenceSHA256 = cmp.Or(at.EvidenceSHA256, w.EvidenceSHA256)
	if at.EvidenceSHA256 == nil { // a withdrawal stands in no document
		at.EvidenceAt, at.DocumentURL = "", ""
	}
	w.FirstSeen, w.Revised, w.Announced, w.EvidenceSHA256, w.Until, w.Archived = nil, nil, false, nil, "", nil
	return Value{ObservedWeek: w, Withdrawn: isWithdrawn, First: at, Last: at, judged: o.judged()}
}

func (o Observation) judged() time.Time {
	if o.JudgedAt.IsZero() {
		return o.At
	}
	return o.JudgedAt
}

// maxHole is how many days two weeks that follow one another in a whole reading may lie apart: two are missing, and a
// holiday moved one.
const maxHole = 22

// withdrawals are the known weeks that an observation proves to be withdrawn. They are missing between the weeks that
// are shown, or they are newer than all of them although the same path showed them before. A week that is older than
// all that are shown has only moved out of the page. Where more are missing, a date may be misread: that proves nothing.
func withdrawals(known []Week, o Observation) []Week {
	if !o.Whole || len(o.Weeks) == 0 {
		return nil
	}
	dates := make([]contracts.Date, 0, len(o.Weeks))
	for _, w := range o.Weeks {
		dates = append(dates, w.EffectiveDate)
	}
	slices.Sort(dates)
	for i, later := range dates[1:] {
		if later.DaysSince(dates[i]) > maxHole {
			return nil
		}
	}
	oldest, newest := dates[0], dates[len(dates)-1]
	var gone []Week
	for _, w := range known {
		if _, isShown := slices.BinarySearch(dates, w.Date); isShown || w.Date < oldest {
			continue
		}
		last := w.Newest()
		isNewer := w.Date > newest
		switch {
		case last.Imported != "", last.Last.At.After(o.At):
		case isNewer && last.Last.Path != o.Path:
		default:
			gone = append(gone, w)
		}
	}
	return gone
}

// place finds where a value belongs that was seen from v.First to v.Last. It extends the same value if no other one was
// seen in between, and else is a further value.
func (w *Week) place(v Value) change {
	for i := range w.Values {
		known := &w.Values[i]
		if known.Withdrawn == v.Withdrawn && known.Imported == "" && Same(known.SurchargeWeek, v.SurchargeWeek) &&
			!w.isBetween(known, &v) {
			return extend(known, &v)
		}
	}
	v.number = w.nextNumber()
	before, ok := w.knownAt(v.First.At, false)
	c := change{Value: v, outcome: fresh, was: before.SurchargeWeek}
	switch {
	case v.Withdrawn:
		c.outcome = withdrawn
	case ok && !before.Last.At.After(v.First.At):
		c.outcome = revised
	case len(w.Values) > 0:
		c.outcome = seen // late: a newer value is known
	}
	return c
}

func (w *Week) nextNumber() int {
	number := 0
	for _, v := range w.Values {
		number = max(number, v.number)
	}
	return number + 1
}

// isBetween tells whether another value was seen between the sightings of a known one and those of v.
func (w *Week) isBetween(known, v *Value) bool {
	if len(w.Values) == 1 {
		return false
	}
	from, to := known.Last.At, v.First.At
	if v.Last.At.Before(known.First.At) {
		from, to = v.Last.At, known.First.At
	}
	return slices.ContainsFunc(w.Values, func(other Value) bool {
		if other.number == known.number || other.Imported != "" {
			return false
		}
		return isWithin(other.First.At, from, to) || isWithin(other.Last.At, from, to)
	})
}

func isWithin(at, from, to time.Time) bool {
	return at.After(from) && at.Before(to) || at.Equal(to) && from.Before(to)
}

// extend is the known value with the sightings of v, and with the members that only v has.
func extend(known, v *Value) change {
	c := change{Value: *known, outcome: unchanged}
	if v.Last.At.After(known.Last.At) {
		c.Last, c.outcome = v.Last, again
		c.DieselSeen = dieselSeen(known, v)
	}
	if v.First.At.Before(known.First.At) {
		c.First, c.outcome = v.First, seen
	}
	fill := func(into **float64, from *float64) {
		if *into == nil && from != nil {
			*into, c.outcome = from, seen
		}
	}
	if printsMore(v, known) && c.Last.At.After(v.Last.At) {
		c.DieselSeen = &v.Last
	}
	fill(&c.DieselUSD, v.DieselUSD)
	fill(&c.TruckloadPercent, v.TruckloadPercent)
	if c.EndDate == "" && v.EndDate != "" {
		c.EndDate, c.outcome = v.EndDate, seen
	}
	if c.SurchargeWeek != known.SurchargeWeek && v.First.At.After(known.First.At) {
		before, at := known.SurchargeWeek, v.First.At
		c.Before, c.LearnedAt = cmp.Or(known.Before, &before), &at
	}
	if isCleaner(v.Tally, known.Tally) && (known.DoubtedAt == nil || v.judged.After(*known.DoubtedAt)) {
		c.clear(v)
	}
	return c
}

// isCleaner tells whether all that a reading saw of a week was clean, and less was before.
func isCleaner(now, before contracts.Tally) bool {
	return now.Required > 0 && now.Clean == now.Required && before.Clean < before.Required
}

// clear makes the value clean from the sighting v on: 50.12 % that was read in doubt on Tuesday and cleanly on Thursday
// was still in doubt on Wednesday.
func (c *change) clear(v *Value) {
	before, from := c.Tally, v.First.At
	if c.TallyBefore == nil || from.After(c.First.At) {
		c.TallyBefore, c.CleanFrom = &before, &from
	}
	c.Tally, c.outcome = v.Tally, seen
}

// printsMore tells whether a has the price of diesel or the truckload percent where b does not.
func printsMore(a, b *Value) bool {
	return a.DieselUSD != nil && b.DieselUSD == nil || a.TruckloadPercent != nil && b.TruckloadPercent == nil
}

// dieselSeen is where the price of diesel and the truckload percent were seen, once v is the newest sighting of a known
// value; nil where v prints them, or where nobody did. An entry of a version that did not note it was last seen by a path that shows it, unless
// that is the path of v.
func dieselSeen(known, v *Value) *Sighting {
	switch {
	case !printsMore(known, v):
		return nil
	case known.DieselSeen != nil:
		return known.DieselSeen
	case known.Last.Path == v.Last.Path:
		first := known.First
		return &first
	}
	last := known.Last
	return &last
}

// with is the weeks with the changed values in their places, newest first.
func with(weeks []Week, changes []change) []Week {
	all := slices.Clone(weeks)
	if len(changes) == 0 {
		return all
	}
	for _, c := range changes {
		i, ok := find(all, c.EffectiveDate)
		if !ok {
			all = slices.Insert(all, i, Week{Date: c.EffectiveDate})
		}
		all[i].Values = all[i].with(c.Value)
	}
	return all
}

// with is the week's values with one more, or with one in the place of that of its number.
func (w *Week) with(v Value) []Value {
	values := make([]Value, 0, len(w.Values)+1)
	for _, old := range w.Values {
		if old.number != v.number {
			values = append(values, old)
		}
	}
	values = append(values, v)
	if len(values) > 1 {
		slices.SortFunc(values, byStart)
	}
	return values
}

func byStart(a, b Value) int {
	return cmp.Or(a.First.At.Compare(b.First.At), cmp.Compare(a.number, b.number))
}

func newestFirst(a, b Week) int { return cmp.Compare(b.Date, a.Date) }
