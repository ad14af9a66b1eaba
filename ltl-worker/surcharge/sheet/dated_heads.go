package sheet

import (
	"regexp"
	"slices"
	"strings"

	"assay.dev/ltl-worker/surcharge/calendar"
	"assay.dev/ltl-worker/surcharge/cell"
	"assay.dev/ltl-worker/surcharge/meaning"
)

// The dates of weeks may stand in headings: over groups of columns, or as the days of a calendar of a month.

// unfoldDates makes a row of each group of columns under a date: "LTL" and "TL" under "Week of 11/18/2026", beside those under "Week
// of 11/11/2026". Sheets of another form stay as they are.
func unfoldDates(s Sheet, v *meaning.Vocabulary) Sheet {
	if len(s.Rows) != 1 || s.Rows[0].Broken || len(s.Columns) < 2 {
		return s
	}
	var r cell.Reader
	var rows []Row
	var columns []meaning.Heading
	last := ""
	at := 0
	for c, h := range s.Columns {
		date := slices.IndexFunc(h.Levels, func(level string) bool { return r.Read(level).Kind == cell.Dates })
		if date < 0 {
			return s
		}
		if h.Levels[date] != last {
			last, at = h.Levels[date], 0
			rows = append(rows, Row{Cells: []cell.Value{r.Read(last)}})
		}
		rest := v.Heading(slices.Delete(slices.Clone(h.Levels), date, date+1))
		switch {
		case len(rows) == 1:
			columns = append(columns, rest)
		case at >= len(columns) || columns[at].String() != rest.String():
			return s
		}
		at++
		row := &rows[len(rows)-1]
		row.Cells = append(row.Cells, s.Rows[0].Cells[c])
	}
	if len(rows) < 2 || slices.ContainsFunc(rows, func(r Row) bool { return len(r.Cells) != len(columns)+1 }) {
		return s
	}
	s.Rows, s.Columns = rows, append([]meaning.Heading{v.Heading([]string{"Date"})}, columns...)
	return s
}

// dayCell is a cell of a calendar: the day of the month and what is noted on it.
var dayCell = regexp.MustCompile(`^([0-3]?\d)(?:st|nd|rd|th)?:? (.+)$`)

// calendarSheet reads the calendar of a month, under whose days percents are noted. It is false for other grids.
func calendarSheet(lines [][]cell.Value, v *meaning.Vocabulary, base Sheet) (Sheet, bool) {
	month := base.monthOver(Row{})
	if len(lines) < 2 || !isWeek(lines[0]) {
		return base, false
	}
	var r cell.Reader
	for _, line := range lines[1:] {
		for _, c := range line {
			parts, rest := cell.Scan(c.Text)
			if len(parts) == 2 && rest == "" && parts[0].Kind == cell.Dates && parts[1].Before == "" {
				base.Rows = append(base.Rows, Row{Cells: []cell.Value{parts[0].Value, parts[1].Value}})
			} else if found := dayCell.FindStringSubmatch(c.Text); found != nil && month != "" {
				date := r.Read(strings.Replace(month, "%", found[1], 1))
				base.Rows = append(base.Rows, Row{Cells: []cell.Value{date, r.Read(found[2])}})
			}
		}
	}
	base.Name += " as a calendar"
	base.Headed, base.Columns = true, []meaning.Heading{v.Heading([]string{"Date"}), v.Heading(nil)}
	return base, len(base.Rows) > 0
}

// isWeek tells whether a line names the seven days of the week.
func isWeek(line []cell.Value) bool {
	return len(line) == 7 && !slices.ContainsFunc(line, func(c cell.Value) bool {
		_, ok := calendar.Weekday(strings.ToLower(c.Text))
		return !ok
	})
}
