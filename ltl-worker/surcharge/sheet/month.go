package sheet

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"assay.dev/ltl-worker/surcharge/calendar"
	"assay.dev/ltl-worker/surcharge/cell"
	"assay.dev/ltl-worker/surcharge/meaning"
)

// joinMonthAndDay makes dates of a column of months and a column of days: "August 2026" and "19", as tables print it in
// which the month spans its weeks. Sheets without such columns stay as they are.
func joinMonthAndDay(s Sheet, v *meaning.Vocabulary) Sheet {
	month, day := -1, -1
	for c, h := range s.Columns {
		switch {
		case isEachRow(s.Rows, c, isMonth):
			month = c
		case isEachRow(s.Rows, c, isDay) && h.Is(meaning.Date|meaning.Effective|meaning.Begin):
			day = c
		}
	}
	if month < 0 || day < 0 {
		return s
	}
	var r cell.Reader
	for _, row := range s.Rows {
		word, year, _ := strings.Cut(row.Cells[month].Text, " ")
		row.Cells[day] = r.Read(fmt.Sprintf("%s %s, %s", word, row.Cells[day].Text, year))
		row.Cells[month] = cell.Value{}
	}
	s.Columns[day] = v.Heading([]string{"Date"})
	return s
}

// joinDateParts makes dates of columns headed "Month", "Day" and "Year". Sheets without all three stay as they are.
func joinDateParts(s Sheet, v *meaning.Vocabulary) Sheet {
	month, day, year := columnHeaded(s, "month"), columnHeaded(s, "day"), columnHeaded(s, "year")
	if month < 0 || day < 0 || year < 0 || !isEveryRow(s.Rows, day, isDay) || !isEveryRow(s.Rows, year, isYear) ||
		!isEveryRow(s.Rows, month, isMonthName) {
		return s
	}
	var r cell.Reader
	for _, row := range s.Rows {
		form := "%s %s, %s"
		if isDay(&row.Cells[month]) {
			form = "%s/%s/%s"
		}
		row.Cells[day] = r.Read(fmt.Sprintf(form, row.Cells[month].Text, row.Cells[day].Text, row.Cells[year].Text))
		row.Cells[month], row.Cells[year] = cell.Value{}, cell.Value{}
	}
	over := s.Columns[day].Levels // "Effective" over all three
	s.Columns[day] = v.Heading(append(slices.Clone(over[:len(over)-1]), "Date"))
	s.Columns[month], s.Columns[year] = meaning.Heading{}, meaning.Heading{}
	return s
}

// joinDaysOfMonth makes dates of a column of days under a month: "18th" in a table or a section that is headed "November 2026".
func joinDaysOfMonth(s Sheet, v *meaning.Vocabulary) Sheet {
	for c, h := range s.Columns {
		isDayOfMonth := func(value *cell.Value) bool {
			return value.Kind == cell.Text && ordinalDay.MatchString(value.Text) || h.Is(meaning.Date|meaning.Effective|meaning.Begin) && isDay(value)
		}
		if !isEachRow(s.Rows, c, isDayOfMonth) || slices.ContainsFunc(s.Rows, func(r Row) bool { return s.monthOver(r) == "" }) {
			continue
		}
		var r cell.Reader
		for _, row := range s.Rows {
			day := ordinalDay.FindStringSubmatch(row.Cells[c].Text)[1]
			row.Cells[c] = r.Read(strings.Replace(s.monthOver(row), "%", day, 1))
		}
		s.Columns[c] = v.Heading(append(slices.Clone(h.Levels), "Date"))
	}
	return s
}

// ordinalDay is a day of a month and nothing else: "18th", "Wed 18th".
var ordinalDay = regexp.MustCompile(`(?i)^(?:(?:sun|mon|tue|wed|thu|fri|sat)[a-z]*\.?,? (?:the )?)?([0-3]?\d)(?:st|nd|rd|th)?$`)

// monthOver is the month that the nearest line over a row names, with its year, as [monthIn] writes it.
func (s *Sheet) monthOver(r Row) string {
	for _, line := range append([]string{r.Section}, lastOf(s.Context)...) {
		if month := monthIn(line); strings.Contains(month, ",") {
			return month
		}
	}
	return ""
}

func lastOf(texts []string) []string { return texts[max(0, len(texts)-1):] }

// columnHeaded is the only column whose innermost heading is the word; -1 when there is none or there are several.
func columnHeaded(s Sheet, word string) int {
	found := -1
	for c, h := range s.Columns {
		if n := len(h.Levels); n == 0 || !strings.EqualFold(h.Levels[n-1], word) {
			continue
		}
		if found >= 0 {
			return -1
		}
		found = c
	}
	return found
}

// isMonthName tells whether a cell holds the name of a month and nothing else.
func isMonthName(v *cell.Value) bool {
	return calendar.Month(strings.ToLower(strings.TrimSuffix(v.Text, "."))) > 0 || isDay(v) && v.Quantity.Value <= 12
}

func isYear(v *cell.Value) bool {
	year, several := cell.OnlyYear(v.Text)
	return year > 0 && !several && len(v.Text) == len("2026")
}

func isEachRow(rows []Row, column int, is func(*cell.Value) bool) bool {
	return len(rows) > 1 && isEveryRow(rows, column, is)
}

func isEveryRow(rows []Row, column int, is func(*cell.Value) bool) bool {
	for i := range rows {
		if rows[i].Broken || !is(&rows[i].Cells[column]) {
			return false
		}
	}
	return len(rows) > 0
}

// isMonth tells whether a cell holds a month and its year: "August 2026".
func isMonth(v *cell.Value) bool {
	word, rest, _ := strings.Cut(v.Text, " ")
	year, several := cell.OnlyYear(rest)
	return calendar.Month(strings.ToLower(strings.TrimSuffix(word, "."))) > 0 && year > 0 && !several && len(rest) == len("2026")
}

func isDay(v *cell.Value) bool {
	return v.Kind == cell.Figure && v.Quantity.Unit == cell.Bare && v.Quantity.Decimals == 0 &&
		v.Quantity.Value >= 1 && v.Quantity.Value <= 31
}
