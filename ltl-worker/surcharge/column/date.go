package column

import (
	"fmt"
	"slices"

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
	never("no dates", func(f facts) bool { return !f.shape.IsDated() }),
	never("another service or place", func(f facts) bool { return f.foreign }),
	never("last days", func(f facts) bool { return f.heading.Is(meaning.End) && !f.heading.Is(meaning.Begin) }),
	{"effective dates", 4, func(f facts) bool {
		return f.heading.Is(meaning.Effective) && !f.heading.Is(ofSomethingElse)
	}},
	{"first days", 3, func(f facts) bool { return f.heading.Is(meaning.Begin) && !f.heading.Is(ofSomethingElse) }},
	never("dates of something else", func(f facts) bool { return f.heading.Is(ofSomethingElse | meaning.Unknown) }),
	{"just dates", 2, func(f facts) bool { return f.heading.Is(meaning.Date) }},
	{"nothing against it", 1, func(f facts) bool {
		return f.heading.Meanings.HasOnly(meaning.Neutral | meaning.Fuel)
	}},
}

const clearDate = 2 // the least rank of dates that their heading calls dates

// findDate takes the column of effective dates: the one that says so best, and only one.
func (c *Columns) findDate() *refusal.Refusal {
	choice := c.choose(func(i int) int { return rankBy(dateRules, c.facts[i]) })
	isUnheaded := func(f facts) bool { return f.shape.IsDated() && f.heading.IsEmpty() }
	switch {
	case choice.column == None:
		return &refusal.Refusal{Reason: refusal.NoTable, Detail: "no column of effective dates"}
	case choice.equals > 1, choice.rank >= clearDate && slices.ContainsFunc(c.facts, isUnheaded):
		return ambiguous("more than one column could hold the effective date")
	}
	c.Date = choice.column
	return c.readDates()
}

func ambiguous(detail string) *refusal.Refusal {
	return &refusal.Refusal{Reason: refusal.Ambiguous, Detail: detail}
}

// readDates reads the effective dates and checks them. Dates such as 9/2/2026 are month first, as Americans write.
func (c *Columns) readDates() *refusal.Refusal {
	c.Effective = c.firstDays(c.Date)
	if 10*calendar.Known(c.Effective) < 6*c.facts[c.Date].shape.Dates {
		return &refusal.Refusal{Reason: refusal.NoTable, Detail: "no column of readable effective dates"}
	}
	return c.checkSequence()
}

// firstDays are the days of a column, 0 where there is none.
func (c *Columns) firstDays(column int) []calendar.Day {
	days := make([]calendar.Day, len(c.Sheet.Rows))
	for i, r := range c.Sheet.Rows {
		if r.Broken {
			continue
		}
		if written := r.Cells[column].Dates; written.HasYear() {
			days[i] = written.First(0)
		} else {
			days[i] = c.carrier.Nearest(c.yearOver(r), written.First)
		}
	}
	for i, r := range c.Sheet.Rows {
		if !r.Broken && !r.Cells[column].Dates.HasYear() {
			days[i] = c.carrier.Moved(days, i, r.Cells[column].Dates.First)
		}
	}
	return days
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
		if !f.shape.IsDated() || earlier == later {
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
	wrong, all := 0, 0
	for i, other := range c.firstDays(column) {
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

// LastDays are the last days of the weeks as the sheet prints them, in the cells of the effective dates or in the one
// column of last days; 0 where none is printed.
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
		return c.firstDays(column)
	}
	days := make([]calendar.Day, len(c.Sheet.Rows))
	for i, r := range c.Sheet.Rows {
		if !r.Broken {
			days[i] = r.Cells[column].Dates.Last(0)
		}
	}
	return days
}
