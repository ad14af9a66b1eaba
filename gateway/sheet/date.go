package sheet

import (
	"cmp"
	"errors"
	"strconv"
	"strings"
	"unicode"

	"assay.dev/contracts"
)

// DateForm is the order of month and day in dates of numbers.
type DateForm string

// The forms. A column of other dates, such as 2026-09-11 and 11-Sep-26, has none.
const (
	MonthFirst DateForm = "mdy"
	DayFirst   DateForm = "dmy"
)

// Dates reads the dates of a column: those of numbers by the form that the column as a whole has.
type Dates struct {
	// Form is the form of the column; empty where no date needs one.
	Form DateForm
	// Is1904: bare numbers of days are counted from 1904 on, as the workbook says.
	Is1904 bool
}

// DatesOf finds the form of a column's texts. Where they do not tell, preferred is taken; without it the error asks for
// date_form.
func DatesOf(name string, texts []string, preferred DateForm) (Dates, error) {
	needed, example, excluded := false, "", map[DateForm]string{}
	for _, text := range texts {
		asMonth, err1 := Dates{Form: MonthFirst}.Parse(text)
		asDay, err2 := Dates{Form: DayFirst}.Parse(text)
		switch {
		case err1 == nil && err2 == nil && asMonth != asDay:
			needed = true
			example = cmp.Or(example, text)
		case err1 == nil && err2 != nil:
			excluded[DayFirst] = text
		case err1 != nil && err2 == nil:
			excluded[MonthFirst] = text
		}
	}
	_, noDay := excluded[DayFirst]
	_, noMonth := excluded[MonthFirst]
	switch {
	case noDay && noMonth && preferred == "":
		return Dates{}, undecided("date_form", "the column %s has %s, with the month first, and %s, with the day "+
			"first; say date_form=%s or %s",
			name, contracts.Printable(excluded[DayFirst]), contracts.Printable(excluded[MonthFirst]), MonthFirst, DayFirst)
	case noDay && !noMonth:
		return Dates{Form: MonthFirst}, nil
	case noMonth && !noDay:
		return Dates{Form: DayFirst}, nil
	case needed && preferred == "":
		return Dates{}, undecided("date_form", "nothing in the column %s tells whether %s has the month or the day "+
			"first; say date_form=%s or %s",
			name, contracts.Printable(example), MonthFirst, DayFirst)
	case needed || noDay:
		return Dates{Form: preferred}, nil
	}
	return Dates{}, nil
}

// LooksLikeDay tells of a text that it is a day of our times, whichever order of month and day it has. A short number,
// which a spreadsheet may mean as a day, is as likely another number.
func LooksLikeDay(text string) bool {
	const earliest, shortest = "1990-01-01", len("1/2/26")
	for _, form := range []DateForm{MonthFirst, DayFirst} {
		if date, err := (Dates{Form: form}).Parse(text); err == nil && date >= earliest && len(text) >= shortest {
			return true
		}
	}
	return false
}

var errDay = errors.New("this is not a date")

// Parse reads a date by the form of numbers; any other date is the same by both. It may be followed by a time, which is
// left out.
func (d Dates) Parse(text string) (contracts.Date, error) {
	parts := dateParts(withoutTime(text))
	switch len(parts) {
	case 1:
		return d.countedDay(parts[0])
	case 2:
		if isDigits(parts[1]) && strings.Contains(text, ".") {
			return d.countedDay(parts[0]) // with a part of a day
		}
		return "", errDay
	case 3:
	default:
		return "", errDay
	}
	for i, part := range parts {
		if month := monthOf(part); month > 0 {
			rest := append(append([]string{}, parts[:i]...), parts[i+1:]...)
			if i == 0 || i == 1 && len(rest[0]) < 3 {
				return day(rest[1], month, rest[0])
			}
			return day(rest[0], month, rest[1]) // 2026-Sep-11
		}
	}
	if len(parts[0]) == 4 {
		return day(parts[0], number(parts[1]), parts[2])
	}
	if d.Form == DayFirst {
		return day(parts[2], number(parts[1]), parts[0])
	}
	return day(parts[2], number(parts[0]), parts[1])
}

// withoutTime cuts off a time of day, and a weekday.
func withoutTime(text string) string {
	text = strings.TrimSpace(text)
	if i := strings.IndexByte(text, ':'); i > 0 {
		text = strings.TrimRight(text[:i], "0123456789")
		text = strings.TrimRight(text, "Tt ,")
	}
	if name, rest, ok := strings.Cut(text, " "); ok && len(name) >= 3 && isWeekday(strings.TrimRight(name, ",.")) {
		text = rest
	}
	return text
}

func isWeekday(text string) bool {
	return begins(text, []string{"monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"}) > 0
}

// begins is the place, from 1 on, of the name that a text of three letters or more begins; 0 for none.
func begins(text string, names []string) int {
	for i, name := range names {
		if len(text) >= 3 && strings.HasPrefix(name, strings.ToLower(text)) {
			return i + 1
		}
	}
	return 0
}

var months = []string{
	"january", "february", "march", "april", "may", "june", "july", "august", "september", "october",
	"november", "december",
}

func monthOf(text string) int {
	if strings.EqualFold(text, "sept") {
		return 9
	}
	return begins(text, months)
}

// dateParts takes a date apart into numbers and names.
func dateParts(text string) (parts []string) {
	const maxParts = 4
	var kind func(rune) bool
	for _, c := range text {
		switch {
		case kind != nil && kind(c):
			parts[len(parts)-1] += string(c)
		case unicode.IsDigit(c), unicode.IsLetter(c):
			kind = unicode.IsDigit
			if unicode.IsLetter(c) {
				kind = unicode.IsLetter
			}
			if parts = append(parts, string(c)); len(parts) > maxParts {
				return nil
			}
		case strings.ContainsRune("/-. ,\u00a0", c):
			kind = nil
		default:
			return nil
		}
	}
	return parts
}

func number(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil || len(text) > 4 {
		return -1
	}
	return n
}

// day is a day of the calendar. A year of two digits is one of 1970 to 2069.
func day(year string, month int, of string) (contracts.Date, error) {
	const pivot, century = 70, 100
	y, d := number(year), number(of)
	switch len(year) {
	case 2:
		if y += 1900; y < 1900+pivot {
			y += century
		}
	case 4:
	default:
		return "", errDay
	}
	if y < 0 || month < 1 || d < 1 || month > 12 || d > 31 {
		return "", errDay
	}
	text := strconv.Itoa(y*10_000 + month*100 + d)
	if len(text) != 8 {
		return "", errDay
	}
	date, err := contracts.ParseDate(text[:4] + "-" + text[4:6] + "-" + text[6:])
	if err != nil {
		return "", errDay
	}
	return date, nil
}

// The days of a spreadsheet that a bare number may be: those of 1982 to 2064.
const minDayNumber, lastDayNumber = 30_000, 60_000

// countedDay reads a date without separators: 20260911, or a spreadsheet's number of days, such as 46276 or 46276.5.
func (d Dates) countedDay(text string) (contracts.Date, error) {
	if len(text) == 8 {
		return day(text[:4], number(text[4:6]), text[6:])
	}
	if n, err := strconv.Atoi(text); err == nil && len(text) == 5 && n >= minDayNumber && n <= lastDayNumber {
		date, _ := dayOf(float64(n), d.Is1904)
		return contracts.Date(date), nil
	}
	return "", errDay
}
