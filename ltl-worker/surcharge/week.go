package surcharge

import (
	"math"
	"slices"

	"assay.dev/contracts"
)

// maxComing is how many days ahead a rate may be published.
const maxComing = 21

// history is what one sheet says: its weeks, newest first, and the rows that should be weeks and are not.
type history struct {
	sheet  sheet
	roles  roles
	weeks  []contracts.ObservedWeek
	failed []failure
}

// failure is a data row without a readable date or percent. It counts against the week that stands in its place.
type failure struct {
	date  contracts.Date // its own; empty when that is what cannot be read
	near  contracts.Date // without a date of its own: the older of its neighbours
	tally contracts.Tally
}

// extract reads the rows of a sheet whose columns are known.
func extract(s sheet, r roles, rule Rule, today contracts.Date) (history, *Refusal) {
	h := history{sheet: s, roles: r}
	a := assignment{sheet: s, roles: r}
	required := 2
	if rule.Diesel == Required {
		required = 3
	}
	usual := shapeOf(s.rows, r.percent).median() * r.percentScale
	observed := make([]observation, len(s.rows))
	for i, line := range s.rows {
		observed[i] = a.observe(line, usual, today)
	}
	dropOddDates(observed)
	if conflicts, newest := dropConflicts(observed); newest || conflicts > 1 && 10*conflicts > len(observed) {
		return h, &Refusal{Ambiguous, "the same weeks have different percents"}
	}
	for i, o := range observed {
		tally := contracts.Tally{Clean: o.clean(rule), Required: required}
		switch {
		case o.date != "" && o.percent > 0:
			h.weeks = append(h.weeks, contracts.ObservedWeek{
				SurchargeWeek: contracts.SurchargeWeek{EffectiveDate: o.date, Percent: o.percent, DieselUSD: o.diesel},
				Tally:         tally,
			})
		case o.row && o.date <= today:
			h.failed = append(h.failed, failure{o.date, neighbour(observed, i), tally})
		}
	}
	return h, h.settle()
}

// observation is what one row says. What it does not say plausibly is left empty.
type observation struct {
	row     bool // it is a row of data, not a remark
	date    contracts.Date
	percent float64
	diesel  *float64
}

func (o observation) clean(rule Rule) int {
	n := 0
	if o.date != "" {
		n++
	}
	if o.percent > 0 {
		n++
	}
	if rule.Diesel == Required && o.diesel != nil {
		n++
	}
	return n
}

// mostJump is by how much a percent may differ from the usual one of its column before it is another figure.
const mostJump = 8

func (a *assignment) observe(line row, usual float64, today contracts.Date) observation {
	var o observation
	if line.broken {
		o.row = dataLike(line)
		return o
	}
	if summary(line, a.roles.date) {
		return o
	}
	o.row = dataLike(line)
	if d := a.roles.dateOf(line, a.roles.date, a.year(line)); d != "" && d <= today.AddDays(maxComing) {
		o.date = d
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
	return slices.ContainsFunc(r.values, func(v value) bool { return v.kind == days || v.kind == figure })
}

// dropOddDates takes dates away that are mistyped: not on the weekday of the others, and not a week from any of them.
// A holiday moves a date by a day, but leaves it in its place.
func dropOddDates(all []observation) {
	var counts [7]int
	var dates []contracts.Date
	for _, o := range all {
		if o.date != "" {
			counts[o.date.Time().Weekday()]++
			dates = append(dates, o.date)
		}
	}
	usual := slices.Index(counts[:], slices.Max(counts[:]))
	if len(dates) < 5 || 10*counts[usual] < 7*len(dates) {
		return
	}
	for i := range all {
		if d := all[i].date; d != "" && int(d.Time().Weekday()) != usual && !inPlace(d, dates) {
			all[i].date = ""
		}
	}
}

// inPlace tells whether d has neighbours a week away, and none closer.
func inPlace(d contracts.Date, dates []contracts.Date) bool {
	near := false
	for _, other := range dates {
		gap := d.DaysSince(other)
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
	percents := map[contracts.Date]float64{}
	bad := map[contracts.Date]bool{}
	var last contracts.Date
	for _, o := range all {
		if o.date == "" || o.percent == 0 {
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

// neighbour is the older of the dates right above and below row i.
func neighbour(all []observation, i int) contracts.Date {
	var near contracts.Date
	for j := i - 1; j >= 0 && near == ""; j-- {
		near = all[j].date
	}
	for j := i + 1; j < len(all); j++ {
		if d := all[j].date; d != "" {
			if near == "" || d < near {
				near = d
			}
			break
		}
	}
	return near
}

// settle sorts the weeks, newest first, each once, and checks them as a whole.
func (h *history) settle() *Refusal {
	rising := len(h.weeks) > 1 && h.weeks[0].EffectiveDate < h.weeks[len(h.weeks)-1].EffectiveDate
	weeks, ok := join(nil, h.weeks)
	h.weeks = weeks
	var dates []contracts.Date
	for _, w := range h.weeks {
		dates = append(dates, w.EffectiveDate)
	}
	switch {
	case !ok:
		return &Refusal{Ambiguous, "the same week has different percents"}
	case len(h.weeks) == 0:
		return &Refusal{NoRows, "no row has a date and a percent"}
	case !weekly(dates):
		return &Refusal{Implausible, "the dates do not follow one another in weeks"}
	case h.sheet.cut && rising:
		return &Refusal{Malformed, "the document breaks off before its newest rows"}
	}
	return nil
}
