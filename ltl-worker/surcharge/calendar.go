package surcharge

import (
	"fmt"
	"slices"
	"strings"

	"assay.dev/contracts"
)

// resolveOrder decides whether the dates of the column are month first, as Americans write, or day first. Day first
// must be proved by the whole column; where both orders could be meant the sheet is refused.
func (a *assignment) resolveOrder() *Refusal {
	var monthFirst, dayFirst []contracts.Date
	open := 0
	for _, r := range a.rows {
		if r.broken || r.values[a.roles.date].kind != days {
			continue
		}
		v := r.values[a.roles.date]
		if v.dates.from.open {
			open++
		}
		year := a.year(r)
		if d := v.dates.start(false, year); d != "" {
			monthFirst = append(monthFirst, d)
		}
		if d := v.dates.start(true, year); d != "" {
			dayFirst = append(dayFirst, d)
		}
	}
	switch n := a.shapes[a.roles.date].days; {
	case 10*len(monthFirst) < 6*n && len(dayFirst) < n:
		return &Refusal{NoTable, "no column of readable effective dates"}
	case open == 0 || len(dayFirst) < n || len(monthFirst) == n && weekly(monthFirst):
	case len(monthFirst) < n && n >= 3 && weekly(dayFirst):
		a.roles.dayFirst = true
	case len(monthFirst) < n, weekly(dayFirst):
		return &Refusal{Ambiguous, "day and month of the dates cannot be told apart"}
	}
	return a.checkOrder()
}

// checkOrder refuses effective dates that lie before the dates of the price index they follow from, or after their own
// ends.
func (a *assignment) checkOrder() *Refusal {
	for c, h := range a.columns {
		after, before := h.is(mIndex|mPosted|mPrice) && !h.is(mEffective|mBegin), h.is(mEnd) && !h.is(mBegin)
		if c == a.roles.date || !a.shapes[c].dated() || after == before {
			continue
		}
		wrong, all := 0, 0
		for _, r := range a.rows {
			if r.broken {
				continue
			}
			effective, other := a.roles.dateOf(r, a.roles.date, a.year(r)), a.roles.dateOf(r, c, a.year(r))
			if effective == "" || other == "" {
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

// dateOf is the date in a row's cell, empty when there is none.
func (r roles) dateOf(line row, column, year int) contracts.Date {
	if v := line.values[column]; v.kind == days {
		return v.dates.start(r.dayFirst, year)
	}
	return ""
}

// year is the one year that the lines over a row name; 0 when they name none or several.
func (a *assignment) year(r row) int {
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
func onlyYear(s string) int {
	if !strings.ContainsAny(s, "0123456789") {
		return 0
	}
	year := 0
	for _, t := range lex(nil, s) {
		if !isYear(t) {
			continue
		}
		if year > 0 && year != number(t.text) {
			return -1
		}
		year = number(t.text)
	}
	return year
}

// weekly tells whether dates follow one another in weeks. Holidays shift a few by a day, and weeks may be missing, but a
// monthly or daily list is none.
func weekly(dates []contracts.Date) bool {
	dates = slices.Clone(dates)
	slices.Sort(dates)
	dates = slices.Compact(dates)
	var gaps []int
	regular := 0
	for i := 1; i < len(dates); i++ {
		gap := dates[i].DaysSince(dates[i-1])
		gaps = append(gaps, gap)
		if gap%7 == 0 || gap == 6 || gap == 8 {
			regular++
		}
	}
	slices.Sort(gaps)
	return len(gaps) == 0 || 10*regular >= 7*len(gaps) && gaps[len(gaps)/2] <= 14
}
