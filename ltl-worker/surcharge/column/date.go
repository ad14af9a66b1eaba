package column

import (
	"fmt"

	"assay.dev/ltl-worker/document"
	"assay.dev/ltl-worker/document/cell"
	"assay.dev/ltl-worker/surcharge/calendar"
	"assay.dev/ltl-worker/surcharge/meaning"
	"assay.dev/ltl-worker/surcharge/refusal"
)

// ofSomethingElse are meanings of dates on which something else happens than that a percent begins to apply.
const ofSomethingElse = meaning.Index | meaning.Posted | meaning.Price

// dateRules say how clearly dates are headed as the first days of percents.
var dateRules = []rankRule{
	{"another service or place", 0, func(f facts) bool { return f.foreign }},
	{"last days", 0, func(f facts) bool { return f.heading.Is(meaning.End) && !f.heading.Is(meaning.Begin) }},
	{"effective dates", 4, func(f facts) bool {
		return f.heading.Is(meaning.Effective) && !f.heading.Is(ofSomethingElse)
	}},
	{"first days", 3, func(f facts) bool { return f.heading.Is(meaning.Begin) && !f.heading.Is(ofSomethingElse) }},
	{"dates of something else", 0, func(f facts) bool { return f.heading.Is(ofSomethingElse | meaning.Unknown) }},
	{"just dates", 2, func(f facts) bool { return f.heading.Is(meaning.Date) }},
	{"nothing against it", 1, func(f facts) bool {
		return f.heading.IsEmpty() || f.heading.Meanings.HasOnly(meaning.Neutral|meaning.Fuel)
	}},
}

const clearDate = 2 // the least rank of dates that their heading calls dates

// findDate takes the column of effective dates: the one that says so best, and only one.
func (c *Columns) findDate() *refusal.Refusal {
	best, bestRank, count, unheaded := None, 0, 0, 0
	for i, f := range c.facts {
		if !f.shape.IsDated() {
			continue
		}
		if f.heading.IsEmpty() {
			unheaded++
		}
		switch rank := rankBy(dateRules, f); {
		case rank > bestRank:
			best, bestRank, count = i, rank, 1
		case rank == bestRank && rank > 0 && !c.sameValues(best, i):
			count++
		}
	}
	if count == 2 && unheaded == 0 {
		best, count = c.firstOfWeek(best, bestRank, count)
	}
	switch {
	case best == None:
		return &refusal.Refusal{Reason: refusal.NoTable, Detail: "no column of effective dates"}
	case count > 1, unheaded > 0 && bestRank >= clearDate, c.Sheet.Headed && !c.Sheet.Loose && unheaded > 0 && c.withoutHeading() > 1:
		return ambiguous("more than one column could hold the effective date")
	}
	c.Date = best
	return c.readDates()
}

// firstOfWeek is the first of two columns of dates that are headed alike when the other one has the last days of the same weeks:
// "Wednesday" and "Tuesday".
func (c *Columns) firstOfWeek(first, rank, count int) (column, rest int) {
	for i, f := range c.facts {
		if i == first || !f.shape.IsDated() || rankBy(dateRules, f) != rank {
			continue
		}
		if isWeekBefore(c.daysIn(first), c.daysIn(i)) {
			return first, 1
		}
	}
	return first, count
}

func (c *Columns) daysIn(column int) []calendar.Day {
	days, _ := c.firstDays(column, cell.MonthFirst)
	return days
}

// isWeekBefore tells whether each day is the first one of the week that the other day ends.
func isWeekBefore(firsts, lasts []calendar.Day) bool {
	for i := range firsts {
		if firsts[i] == 0 || lasts[i] != firsts[i]+6 {
			return false
		}
	}
	return len(firsts) > 0
}

func ambiguous(detail string) *refusal.Refusal {
	return &refusal.Refusal{Reason: refusal.Ambiguous, Detail: detail}
}

// readDates reads the effective dates and checks them.
func (c *Columns) readDates() *refusal.Refusal {
	if refused := c.decideOrder(); refused != nil {
		return refused
	}
	if 10*calendar.Known(c.Effective) < 6*c.facts[c.Date].shape.Dates {
		return &refusal.Refusal{Reason: refusal.NoTable, Detail: "no column of readable effective dates"}
	}
	return c.checkSequence()
}

// decideOrder decides whether the effective dates are month first, as Americans write, or day first. Day first must
// be proved by the whole column. Where both orders could be meant the sheet is refused.
func (c *Columns) decideOrder() *refusal.Refusal {
	all := c.facts[c.Date].shape.Dates
	monthFirst, open := c.firstDays(c.Date, cell.MonthFirst)
	c.Effective = monthFirst
	if open == 0 || calendar.Known(monthFirst) == all && calendar.Weekly(monthFirst) {
		return nil
	}
	dayFirst, _ := c.firstDays(c.Date, cell.DayFirst)
	impossible := calendar.Known(monthFirst) < all // a month first would be a 13th month somewhere
	switch {
	case calendar.Known(dayFirst) < all:
		return nil
	case impossible && all >= 3 && calendar.Weekly(dayFirst):
		c.Effective, c.order = dayFirst, cell.DayFirst
	case impossible, calendar.Weekly(dayFirst):
		return ambiguous("day and month of the dates cannot be told apart")
	}
	return nil
}

// firstDays are the days of a column, 0 where there is none. open counts those whose day and month may stand for each
// other.
func (c *Columns) firstDays(column int, order cell.Order) (days []calendar.Day, open int) {
	days = make([]calendar.Day, len(c.Sheet.Rows))
	for i, r := range c.Sheet.Rows {
		if r.Broken || r.Cells[column].Kind != cell.Dates {
			continue
		}
		written := r.Cells[column].Dates
		if written.IsOpen() {
			open++
		}
		if written.HasYear() {
			days[i] = written.First(order, 0)
			continue
		}
		days[i] = c.carrier.Nearest(c.yearOver(r), func(year int) calendar.Day { return written.First(order, year) })
	}
	return days, open
}

// yearOver is the year that the lines over a row name, the nearest line first; 0 when they name none or several.
func (c *Columns) yearOver(r document.Row) int {
	if year, _ := cell.OnlyYear(r.Section); year > 0 {
		return year
	}
	for i := len(c.Sheet.Context) - 1; i >= 0; i-- {
		if year, several := cell.OnlyYear(c.Sheet.Context[i]); year > 0 || several {
			return year
		}
	}
	return 0
}

// checkSequence refuses effective dates that lie before the dates of the price index from which they follow, or after
// the last days of their own weeks.
func (c *Columns) checkSequence() *refusal.Refusal {
	for i, f := range c.facts {
		earlier := f.heading.Is(ofSomethingElse) && !f.heading.Is(meaning.Effective|meaning.Begin)
		later := f.heading.Is(meaning.End) && !f.heading.Is(meaning.Begin)
		if i == c.Date || !f.shape.IsDated() || earlier == later {
			continue
		}
		if c.isMostlyOnWrongSide(i, earlier) {
			detail := fmt.Sprintf("effective dates on the wrong side of %q", f.heading)
			return &refusal.Refusal{Reason: refusal.Implausible, Detail: detail}
		}
	}
	return nil
}

// isMostlyOnWrongSide tells whether most dates of a column that should be earlier than the effective dates are later,
// or the other way round.
func (c *Columns) isMostlyOnWrongSide(column int, earlier bool) bool {
	others, _ := c.firstDays(column, c.order)
	wrong, all := 0, 0
	for i, other := range others {
		effective := c.Effective[i]
		if effective == 0 || other == 0 {
			continue
		}
		all++
		if earlier && effective < other || !earlier && effective > other {
			wrong++
		}
	}
	return 2*wrong > all
}

// LastDays are the last days of the weeks as the sheet prints them, in the cells of the effective dates or in the one column of
// last days; 0 where none is printed.
func (c *Columns) LastDays() []calendar.Day {
	column := c.Date
	for i, f := range c.facts {
		if f.shape.IsDated() && !f.foreign && f.heading.Is(meaning.End) && !f.heading.Is(meaning.Begin|ofSomethingElse) {
			if column != c.Date {
				return make([]calendar.Day, len(c.Sheet.Rows)) // which one is not plain
			}
			column = i
		}
	}
	if column != c.Date {
		days, _ := c.firstDays(column, c.order)
		return days
	}
	days := make([]calendar.Day, len(c.Sheet.Rows))
	for i, r := range c.Sheet.Rows {
		if !r.Broken && r.Cells[column].Kind == cell.Dates && r.Cells[column].Dates.HasYear() {
			days[i] = r.Cells[column].Dates.Last(c.order, 0)
		}
	}
	return days
}
