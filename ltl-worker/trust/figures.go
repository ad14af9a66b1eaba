package trust

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"

	"assay.dev/contracts"
)

// State is what is known of a reading's figures without its words.
type State string

// The states.
const (
	// Proven: at least eight weeks, the newest among them, follow from the bracket table, or were all seen clean with
	// these values.
	Proven State = "proven"
	// Contradicted: three or more weeks differ from what was seen clean, or from the bracket table that held.
	Contradicted State = "contradicted"
	// Unproven is anything else.
	Unproven State = "unproven"
)

const (
	enough    = 8 // weeks that prove
	fewAtMost = 2 // weeks that may differ: those are revisions
	mostMoved = 3 // percent points that a percent may move in a week
)

// Difference is a week that is shown otherwise than it is known.
type Difference struct {
	Week         contracts.Date
	Shown, Known float64 // percents
}

// Figures is what the figures say of themselves.
type Figures struct {
	State
	// By says what proves or contradicts them: "law" or "continuity".
	By string
	// Differs are the weeks that contradict, newest first.
	Differs []Difference
	// Off has the bracket table's percents where they differ: of the newest week, and of weeks not seen clean so.
	Off map[contracts.Date]float64
	// Moved says in words why the percent of a week is not plausible after the clean weeks before it; "" where all are.
	Moved string
}

// Past is what is known of a source's figures.
type Past struct {
	// Clean are the weeks as clean readings saw them, newest first.
	Clean []contracts.SurchargeWeek
	// Unread is set when the archive cannot be read: then it proves and contradicts nothing.
	Unread bool
	// Table is the carrier's bracket table, from a clean reading or shipped; nil where none is known.
	Table *contracts.FuelTableAnswer
	// TableFrom is the first day of the table; "" where it is not known.
	TableFrom contracts.Date
	// Price gives the national price of diesel that a week's percent follows, for weeks beside which none is printed. ok
	// is false while it cannot be read. It may be nil.
	Price func(week contracts.Date) (usd float64, ok bool)

	tableUntil contracts.Date // "" where nobody accepted figures that the table does not give
}

// Prove holds the weeks of a reading against the past. Figures that a person accepted are taken as seen clean.
func (p Past) Prove(weeks []contracts.SurchargeWeek, k Known) Figures {
	f := Figures{State: Unproven, Off: map[contracts.Date]float64{}}
	if len(weeks) == 0 {
		return f
	}
	p.tableUntil = p.reissued(k)
	same, differs := p.compare(weeks, k)
	broken := p.broken(weeks)
	switch {
	case len(differs) > fewAtMost:
		f.State, f.By, f.Differs = Contradicted, "continuity", differs
	case len(broken) > fewAtMost:
		f.State, f.By, f.Differs = Contradicted, "law", broken
	case p.law(weeks):
		f.State, f.By = Proven, "law"
	case slices.Contains(same, weeks[0].EffectiveDate) && len(same) >= enough && len(differs) == 0:
		f.State, f.By = Proven, "continuity"
	}
	for i, w := range weeks {
		last, isNew := contracts.SurchargeWeek{}, false
		if !slices.Contains(same, w.EffectiveDate) {
			last, isNew = p.before(w)
		}
		want, isLaw := p.bracket(w)
		switch {
		case (i == 0 || isNew) && isLaw && !isBracket(want, w):
			f.Off[w.EffectiveDate] = want
		case !isNew || f.Moved != "" || isLaw && f.By == "law" || isRevision(i, w, differs):
		case i > 0 && isBetween(last.Percent, w.Percent, weeks[i-1].Percent): // the week after it bears it out
		default:
			f.Moved = p.moved(last, w)
		}
	}
	f.Moved = cmp.Or(f.Moved, p.unlikeTruckloads(weeks, same))
	return f
}

// unlikeTruckloads tells of the first week in force or to come that nobody saw clean and whose truckload percent is not
// as many times its percent as in each of the last eight clean weeks: the two may have changed places. "" for none.
func (p Past) unlikeTruckloads(weeks []contracts.SurchargeWeek, same []contracts.Date) string {
	times, n := 0.0, 0
	for _, w := range p.Clean {
		switch {
		case n == enough || w.TruckloadPercent == nil:
			continue
		case n == 0:
			times = *w.TruckloadPercent / w.Percent
		case !isTimes(times, w):
			return ""
		}
		n++
	}
	for i, w := range weeks {
		if n == enough && !p.Unread && (i == 0 || w.EffectiveDate >= p.Clean[0].EffectiveDate) &&
			!slices.Contains(same, w.EffectiveDate) && !isTimes(times, w) {
			return fmt.Sprintf("%.2f%% in the week of %s is beside %.2f%% for truckloads, which was %.3f times as much before",
				w.Percent, w.EffectiveDate, *w.TruckloadPercent, times)
		}
	}
	return ""
}

// isTimes tells whether the truckload percent is so many times the percent, as far as both are rounded.
func isTimes(times float64, w contracts.SurchargeWeek) bool {
	return w.TruckloadPercent == nil || math.Abs(*w.TruckloadPercent-times*w.Percent) <= 0.02*times
}

// before is the last clean week before another one.
func (p Past) before(w contracts.SurchargeWeek) (last contracts.SurchargeWeek, ok bool) {
	i := slices.IndexFunc(p.Clean, func(c contracts.SurchargeWeek) bool { return c.EffectiveDate < w.EffectiveDate })
	if i < 0 || p.Unread {
		return last, false
	}
	return p.Clean[i], true
}

func isBetween(a, x, b float64) bool { return min(a, b) <= x && x <= max(a, b) }

// isRevision tells whether the i-th week, newest first, was seen clean with another percent and may have been corrected:
// one that is past, or by no more than a percent may move in a week. Of the newest two, one may be in force.
func isRevision(i int, w contracts.SurchargeWeek, differs []Difference) bool {
	return slices.ContainsFunc(differs, func(d Difference) bool {
		return d.Week == w.EffectiveDate && (i > 1 || math.Abs(d.Shown-d.Known) <= mostMoved+0.0005)
	})
}

// compare are the weeks that were seen clean with the same percent, and those that were seen with another one.
func (p Past) compare(weeks []contracts.SurchargeWeek, k Known) (same []contracts.Date, differs []Difference) {
	known := map[contracts.Date]float64{}
	for _, w := range p.Clean {
		known[w.EffectiveDate] = w.Percent
	}
	if p.Unread {
		clear(known)
	}
	for d, w := range k.figures {
		known[d] = w.Percent
	}
	for _, w := range weeks {
		switch percent, ok := known[w.EffectiveDate]; {
		case ok && near(percent, w.Percent):
			same = append(same, w.EffectiveDate)
		case ok:
			differs = append(differs, Difference{w.EffectiveDate, w.Percent, percent})
		}
	}
	return same, differs
}

// law tells whether the bracket table gives the percents: of at least eight weeks, the newest among them, before the
// third that has another.
func (p Past) law(weeks []contracts.SurchargeWeek) bool {
	fits, misses := 0, 0
	for i, w := range weeks {
		switch want, ok := p.bracket(w); {
		case ok && isBracket(want, w):
			fits++
		case i == 0:
			return false
		case ok:
			misses++
		}
		if misses > fewAtMost {
			break
		}
	}
	return fits >= enough
}

func isBracket(percent float64, w contracts.SurchargeWeek) bool {
	return math.Abs(percent-w.Percent) < 0.005
}

// broken are the weeks that differ from the bracket table and are newer than the clean weeks that fit it, eight or
// more.
func (p Past) broken(weeks []contracts.SurchargeWeek) []Difference {
	var last contracts.Date
	fits := 0
	for _, w := range p.Clean {
		if want, ok := p.bracket(w); ok && isBracket(want, w) {
			last = max(last, w.EffectiveDate)
			fits++
		}
	}
	var broken []Difference
	for _, w := range weeks {
		want, ok := p.bracket(w)
		if ok && fits >= enough && w.EffectiveDate > last && !isBracket(want, w) {
			broken = append(broken, Difference{w.EffectiveDate, w.Percent, want})
		}
	}
	return broken
}

// reissued is the first of the newest weeks that a person accepted although the table gives them another percent; ""
// for none.
func (p Past) reissued(k Known) contracts.Date {
	var first contracts.Date
	for _, d := range slices.Backward(slices.Sorted(maps.Keys(k.figures))) {
		want, ok := p.bracket(k.figures[d])
		if ok && isBracket(want, k.figures[d]) {
			break
		}
		if ok {
			first = d
		}
	}
	return first
}

// bracket is the percent that the table gives for the price beside a week.
func (p Past) bracket(w contracts.SurchargeWeek) (percent float64, ok bool) {
	if p.Table == nil || w.DieselUSD == nil || w.EffectiveDate < p.TableFrom ||
		p.tableUntil != "" && w.EffectiveDate >= p.tableUntil {
		return 0, false
	}
	return p.Table.PercentAt(*w.DieselUSD)
}

// moved says why a percent is not plausible after the last clean week: it moved against the price that it follows, or
// by more than three points a week.
func (p Past) moved(last, w contracts.SurchargeWeek) string {
	by := w.Percent - last.Percent
	weeks := float64(max(1, (w.EffectiveDate.DaysSince(last.EffectiveDate)+3)/7)) // a holiday moves a start by a day
	since := fmt.Sprintf("the week of %s has %.2f %%, and that of %s had %.2f %%", w.EffectiveDate, w.Percent,
		last.EffectiveDate, last.Percent)
	if math.Abs(by) > mostMoved*weeks+0.0005 {
		return since + ": that is more than three points a week"
	}
	is, isKnown := p.price(w)
	was, wasKnown := p.price(last)
	switch {
	case near(by, 0):
	case !isKnown || !wasKnown:
		return since + ", and the price of diesel that it follows cannot be read now"
	case by > 0 && is < was-0.0005, by < 0 && is > was+0.0005:
		return fmt.Sprintf("%s, while diesel went from %.3f to %.3f dollars", since, was, is)
	}
	return ""
}

func (p Past) price(w contracts.SurchargeWeek) (usd float64, ok bool) {
	switch {
	case w.DieselUSD != nil:
		return *w.DieselUSD, true
	case p.Price == nil:
		return 0, false
	}
	return p.Price(w.EffectiveDate)
}
