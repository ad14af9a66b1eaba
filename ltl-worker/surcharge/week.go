package surcharge

import (
	"math"
	"slices"

	"assay.dev/contracts"
)

// maxComing is how many days ahead a rate may be published.
const maxComing = 14

// history is what one sheet says: its weeks, newest first, and the rows that should be weeks and are not.
type history struct {
	sheet  sheet
	roles  roles
	weeks  []contracts.ObservedWeek
	failed []failure
}

// failure is a data row without a readable date or percent. It counts against the week that stands in its place.
type failure struct {
	date  ordinal // its own; 0 when that is what cannot be read
	near  ordinal // without a date of its own: the older of its neighbours
	tally contracts.Tally
}

// extract reads the rows of a sheet whose columns are known.
func (a *assignment) extract(today contracts.Date) (history, *Refusal) {
	h := history{sheet: a.sheet, roles: a.roles}
	usual := a.shapes[a.roles.percent].median() * a.roles.percentScale
	last := ordinalOf(today) + maxComing
	observed := make([]observation, len(a.rows))
	h.weeks = make([]contracts.ObservedWeek, 0, len(a.rows))
	for i, line := range a.rows {
		observed[i] = a.observe(line, usual)
		if d := a.dates[i]; d <= last {
			observed[i].date = d
		}
	}
	dropOddDates(observed)
	if conflicts, newest := dropConflicts(observed); newest || conflicts > 1 && 10*conflicts > len(observed) {
		return h, &Refusal{Ambiguous, "the same weeks have different percents"}
	}
	var dates []ordinal
	for i, o := range observed {
		switch {
		case o.date != 0 && o.percent > 0:
			dates = append(dates, o.date)
			h.weeks = append(h.weeks, o.week(a.rule))
		case o.row && o.date <= last-maxComing:
			h.failed = append(h.failed, failure{o.date, neighbour(observed, i), o.tally(a.rule)})
		}
	}
	return h, h.settle(dates)
}

// observation is what one row says. What it does not say plausibly is left empty.
type observation struct {
	row     bool // it is a row of data, not a remark
	date    ordinal
	percent float64
	diesel  *float64
}

func (o observation) tally(rule Rule) contracts.Tally {
	tally := contracts.Tally{Required: 2}
	for _, clean := range []bool{o.date != 0, o.percent > 0, rule.Diesel == Required && o.diesel != nil} {
		if clean {
			tally.Clean++
		}
	}
	if rule.Diesel == Required {
		tally.Required++
	}
	return tally
}

func (o observation) week(rule Rule) contracts.ObservedWeek {
	return contracts.ObservedWeek{
		SurchargeWeek: contracts.SurchargeWeek{EffectiveDate: o.date.date(), Percent: o.percent, DieselUSD: o.diesel},
		Tally:         o.tally(rule),
	}
}

// mostJump is by how much a percent may differ from the usual one of its column before it is another figure.
const mostJump = 8

func (a *assignment) observe(line row, usual float64) observation {
	var o observation
	o.row = dataLike(line) && !summary(line, a.roles.date)
	if line.broken || !o.row {
		return o
	}
	if v := line.values[a.roles.percent]; v.kind == figure && v.q.about&(mTL|mService) == 0 && fits(v.q.unit, percent, a.roles.percentScale) {
		p := rounded(v.q.value * a.roles.percentScale)
		if p > 0 && p <= mostPercent && p < usual*mostJump && p > usual/mostJump && !a.roles.inverted(line) {
			o.percent = p
		}
	}
	if a.roles.diesel >= 0 {
		if v := line.values[a.roles.diesel]; v.kind == figure && v.q.unit != percent && v.q.unit != perMile {
			if d := rounded(v.q.value * a.roles.dieselScale); d >= leastDiesel && d <= mostDiesel {
				o.diesel = &d
			}
		}
	}
	return o
}

// fits tells whether a figure's own unit agrees with that of its column.
func fits(have, want unit, scale float64) bool {
	return have == bare || have == want && scale == 1
}

// rounded takes the noise of the binary form off a scaled figure.
func rounded(x float64) float64 { return math.Round(x*1e6) / 1e6 }

// dataLike tells whether a row holds a date or a figure.
func dataLike(r row) bool {
	for i := range r.values {
		if k := r.values[i].kind; k == days || k == figure {
			return true
		}
	}
	return false
}

// dropOddDates takes dates away that are mistyped: not on the weekday of the others, and not a week from any of them.
// A holiday moves a date by a day, but leaves it in its place.
func dropOddDates(all []observation) {
	var counts [7]int
	var dates []ordinal
	for _, o := range all {
		if o.date != 0 {
			counts[o.date.weekday()]++
			dates = append(dates, o.date)
		}
	}
	usual := slices.Index(counts[:], slices.Max(counts[:]))
	if len(dates) < 5 || 10*counts[usual] < 7*len(dates) {
		return
	}
	for i := range all {
		if d := all[i].date; d != 0 && d.weekday() != usual && !inPlace(d, dates) {
			all[i].date = 0
		}
	}
}

// inPlace tells whether d has neighbours a week away, and none closer.
func inPlace(d ordinal, dates []ordinal) bool {
	near := false
	for _, other := range dates {
		gap := d - other
		gap = max(gap, -gap)
		if gap > 0 && gap < 5 {
			return false
		}
		near = near || gap > 0 && gap <= 9
	}
	return near
}

// dropConflicts takes the percents of a date away that is there with different ones. It reports how many dates were, and
// whether the newest was.
func dropConflicts(all []observation) (count int, newest bool) {
	if !repeated(all) {
		return 0, false
	}
	percents := map[ordinal]float64{}
	bad := map[ordinal]bool{}
	var last ordinal
	for _, o := range all {
		if o.date == 0 || o.percent == 0 {
			continue
		}
		if p, ok := percents[o.date]; ok && p != o.percent {
			bad[o.date] = true
		}
		percents[o.date] = o.percent
		last = max(last, o.date)
	}
	for i := range all {
		if bad[all[i].date] {
			all[i].percent = 0
		}
	}
	return len(bad), bad[last]
}

// repeated tells whether a date is there twice.
func repeated(all []observation) bool {
	dates := make([]ordinal, 0, len(all))
	for _, o := range all {
		if o.date != 0 {
			dates = append(dates, o.date)
		}
	}
	slices.Sort(dates)
	return len(slices.Compact(dates)) < len(dates)
}

// neighbour is the older of the dates right above and below row i.
func neighbour(all []observation, i int) ordinal {
	var near ordinal
	for j := i - 1; j >= 0 && near == 0; j-- {
		near = all[j].date
	}
	for j := i + 1; j < len(all); j++ {
		if d := all[j].date; d != 0 {
			if near == 0 || d < near {
				near = d
			}
			break
		}
	}
	return near
}

// settle sorts the weeks, newest first, each once, and checks them as a whole.
func (h *history) settle(dates []ordinal) *Refusal {
	falling := len(dates) > 1 && slices.IsSortedFunc(dates, func(a, b ordinal) int { return int(b - a) })
	weeks, ok := join(nil, h.weeks)
	h.weeks = weeks
	switch {
	case !ok:
		return &Refusal{Ambiguous, "the same week has different percents"}
	case len(h.weeks) == 0:
		return &Refusal{NoRows, "no row has a date and a percent"}
	case !weekly(dates):
		return &Refusal{Implausible, "the dates do not follow one another in weeks"}
	case h.sheet.cut && !falling:
		return &Refusal{Malformed, "the document breaks off where its newest rows could be"}
	}
	return nil
}
