package sheet

import (
	"fmt"

	"assay.dev/ltl-worker/surcharge/calendar"
	"assay.dev/ltl-worker/surcharge/cell"
	"assay.dev/ltl-worker/surcharge/meaning"
)

// readSixDigits reads dates that are written in six digits, such as 111826, in columns that are headed as dates. All must be days of the
// carrier's century in one order, month first or year first, and not in both.
func readSixDigits(s Sheet) {
	for c, h := range s.Columns {
		if !h.Is(meaning.Date | meaning.Effective | meaning.Begin | meaning.End) {
			continue
		}
		monthFirst, yearFirst := sixDigits(s.Rows, c, 4, 0, 2), sixDigits(s.Rows, c, 0, 2, 4)
		dates := monthFirst
		if dates == nil {
			dates = yearFirst
		}
		if dates == nil || monthFirst != nil && yearFirst != nil {
			continue
		}
		for i, date := range dates {
			s.Rows[i].Cells[c] = date
		}
	}
}

// sixDigits are the dates of a column whose year, month and day begin at those places; nil where a cell is no such date.
func sixDigits(rows []Row, column, year, month, day int) []cell.Value {
	var r cell.Reader
	var dates []cell.Value
	for _, row := range rows {
		if row.Broken || !isSixDigits(row.Cells[column]) {
			return nil
		}
		text := row.Cells[column].Text
		date := r.Read(fmt.Sprintf("20%s-%s-%s", text[year:year+2], text[month:month+2], text[day:day+2]))
		if date.Kind != cell.Dates || date.Dates.First(cell.MonthFirst, 0) < earliestSixDigits {
			return nil
		}
		date.Text = text
		dates = append(dates, date)
	}
	return dates
}

// earliestSixDigits is the first day that is believed: 110426 is no day of 2011.
var earliestSixDigits = calendar.On(2015, 1, 1)

func isSixDigits(v cell.Value) bool {
	return v.Kind == cell.Figure && len(v.Text) == 6 && v.Quantity.Unit == cell.Bare && v.Quantity.Decimals == 0
}
