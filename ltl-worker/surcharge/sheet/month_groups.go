package sheet

import (
	"slices"
	"strings"

	"assay.dev/ltl-worker/surcharge/cell"
	"assay.dev/ltl-worker/surcharge/meaning"
)

// groupMonths puts months that stand side by side below one another: "Effective | LTL %" under "November 2026", beside the same under
// "October 2026". The month becomes the line over its rows. Sheets of another form stay as they are, and so does one with a date in another
// month than the one it stands under.
func groupMonths(s Sheet, v *meaning.Vocabulary) Sheet {
	groups := monthGroups(s.Columns)
	if len(groups) < 2 || !groupsAlike(s.Columns, groups) {
		return s
	}
	period := len(s.Columns) / len(groups)
	var rows []Row
	for g, month := range groups {
		for _, r := range s.Rows {
			if r.Broken {
				return s
			}
			cells := r.Cells[g*period : (g+1)*period]
			if isBlank(cells) {
				continue
			}
			if slices.ContainsFunc(cells, func(c cell.Value) bool { return c.Kind == cell.Dates && !isInMonth(c, month) }) {
				return s
			}
			rows = append(rows, Row{Cells: cells, Section: month})
		}
	}
	columns := make([]meaning.Heading, period)
	for c := range columns {
		columns[c] = v.Heading(s.Columns[c].Levels[1:])
	}
	s.Rows, s.Columns = rows, columns
	return s
}

// monthGroups are the months over columns, from left to right; nil where a column stands under none.
func monthGroups(columns []meaning.Heading) []string {
	var groups []string
	for _, h := range columns {
		if len(h.Levels) != 2 || monthOf(h.Levels[0]) == "" {
			return nil
		}
		if len(groups) == 0 || groups[len(groups)-1] != h.Levels[0] {
			groups = append(groups, h.Levels[0])
		}
	}
	return groups
}

// monthOf is the month of a text that names it with its year and nothing else, as [monthIn] writes it.
func monthOf(text string) string {
	if month := monthIn(text); len(month) > len("%, 2026") && month[len(month)-4] == '2' {
		return month
	}
	return ""
}

// groupsAlike tells whether each group has the same headings in the same order.
func groupsAlike(columns []meaning.Heading, groups []string) bool {
	if len(columns)%len(groups) != 0 {
		return false
	}
	period := len(columns) / len(groups)
	for i, h := range columns {
		if h.Levels[0] != groups[i/period] || h.Levels[1] != columns[i%period].Levels[1] {
			return false
		}
	}
	return period > 1
}

// isInMonth tells whether a date lies in the month of a text such as "November 2026".
func isInMonth(c cell.Value, month string) bool {
	var r cell.Reader
	first := r.Read(firstOfMonth(month)).Dates.First(cell.MonthFirst, 0).Date().Time()
	day := c.Dates.First(cell.MonthFirst, first.Year())
	return day != 0 && day.Date().Time().Month() == first.Month() && day.Date().Time().Year() == first.Year()
}

func firstOfMonth(month string) string { return strings.Replace(monthIn(month), "%", "1", 1) }
