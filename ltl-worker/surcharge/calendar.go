package surcharge

import (
	"fmt"
	"slices"
	"strings"
)

// resolveOrder decides whether the dates of the column are month first, as Americans write, or day first. Day first
// must be proved by the whole column; where both orders could be meant the sheet is refused.
func (a *assignment) resolveOrder() *Refusal {
	monthFirst, open := a.starts(a.roles.date, false)
	n := a.shapes[a.roles.date].days
	if open == 0 || count(monthFirst) == n && weekly(monthFirst) {
		a.dates = monthFirst
	} else {
		dayFirst, _ := a.starts(a.roles.date, true)
		switch {
		case count(dayFirst) < n:
			a.dates = monthFirst
		case count(monthFirst) < n && n >= 3 && weekly(dayFirst):
			a.dates, a.roles.dayFirst = dayFirst, true
		case count(monthFirst) < n, weekly(dayFirst):
			return &Refusal{Ambiguous, "day and month of the dates cannot be told apart"}
		default:
			a.dates = monthFirst
		}
	}
	if 10*count(a.dates) < 6*n {
		return &Refusal{NoTable, "no column of readable effective dates"}
	}
	return a.checkOrder()
}

// starts are the dates of a column, 0 where there is none, and how many of them are open to either order.
func (a *assignment) starts(column int, dayFirst bool) (starts []ordinal, open int) {
	starts = make([]ordinal, len(a.rows))
	for i, r := range a.rows {
		if r.broken || r.values[column].kind != days {
			continue
		}
		d := r.values[column].dates
		if d.from.open {
			open++
		}
		year := int16(0)
		if d.from.year == 0 && d.to.year == 0 {
			year = a.year(r)
		}
		starts[i] = d.start(dayFirst, year)
	}
	return starts, open
}

func count(dates []ordinal) int {
	n := 0
	for _, d := range dates {
		if d != 0 {
			n++
		}
	}
	return n
}

// checkOrder refuses effective dates that lie before the dates of the price index they follow from, or after their own
// ends.
func (a *assignment) checkOrder() *Refusal {
	for c, h := range a.columns {
		after, before := h.is(mIndex|mPosted|mPrice) && !h.is(mEffective|mBegin), h.is(mEnd) && !h.is(mBegin)
		if c == a.roles.date || !a.shapes[c].dated() || after == before {
			continue
		}
		others, _ := a.starts(c, a.roles.dayFirst)
		wrong, all := 0, 0
		for i, other := range others {
			effective := a.dates[i]
			if effective == 0 || other == 0 {
				continue
			}
			all++
			if after && effective < other || before && effective > other {
				wrong++
			}
		}
		if 2*wrong > all {
			return &Refusal{Implausible, fmt.Sprintf("effective dates on the wrong side of %q", h)}
		}
	}
	return nil
}

// year is the one year that the lines over a row name; 0 when they name none or several.
func (a *assignment) year(r row) int16 {
	if y := onlyYear(r.section); y > 0 {
		return y
	}
	for i := len(a.context) - 1; i >= 0; i-- {
		if y := onlyYear(a.context[i]); y != 0 {
			return max(y, 0)
		}
	}
	return 0
}

// onlyYear is the year that s names, 0 when it names none and -1 when several.
func onlyYear(s string) int16 {
	if !strings.ContainsAny(s, "0123456789") {
		return 0
	}
	year := int16(0)
	for _, t := range lex(nil, s) {
		if !isYear(t) {
			continue
		}
		if y := number[int16](t.text); year > 0 && year != y {
			return -1
		} else {
			year = y
		}
	}
	return year
}

// weekly tells whether dates follow one another in weeks. Holidays shift a few by a day, and weeks may be missing, but a
// monthly or daily list is none.
func weekly(dates []ordinal) bool {
	dates = slices.Clone(dates)
	slices.Sort(dates)
	dates = slices.Compact(dates)
	if len(dates) > 0 && dates[0] == 0 {
		dates = dates[1:]
	}
	var gaps []ordinal
	regular := 0
	for i := 1; i < len(dates); i++ {
		gap := dates[i] - dates[i-1]
		gaps = append(gaps, gap)
		if gap%7 == 0 || gap == 6 || gap == 8 {
			regular++
		}
	}
	slices.Sort(gaps)
	return len(gaps) == 0 || 10*regular >= 7*len(gaps) && gaps[len(gaps)/2] <= 14
}
