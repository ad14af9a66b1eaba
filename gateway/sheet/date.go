package sheet

import (
	"cmp"
	"errors"
	"maps"
	"slices"
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

// Dates reads the dates of a column: those of numbers by the form that all with the same separator have.
type Dates struct {
	// Is1904: bare numbers of days are counted from 1904 on, as the workbook says.
	Is1904 bool
	// forms has the form of each separator's dates; empty where none needs one.
	forms map[rune]DateForm
}

// DatesOf finds the forms of a column's texts. 9/25/2026 tells nothing of 05.08.2026: who writes points may have the
// day first. Where dates do not tell, preferred is taken; without it the error asks for date_form.
func DatesOf(column string, texts []string, preferred DateForm) (Dates, error) {
	bySeparator := map[rune][]string{}
	for _, text := range texts {
		s := separatorOf(text)
		bySeparator[s] = append(bySeparator[s], text)
	}
	if made, left := swapped(texts); made != "" && preferred == "" {
		return Dates{}, undecided("date_form", "a spreadsheet may have swapped the month and the day of dates of the column "+
			"%q, such as %s, and left others as they were, such as %s; write all of them anew, in one way, or say "+
			"date_form=%s or %s if those with the year first are right", contracts.Printable(column), made,
			contracts.Printable(left), MonthFirst, DayFirst)
	}
	d, all := Dates{forms: map[rune]DateForm{}}, []string(nil)
	for _, s := range slices.Sorted(maps.Keys(bySeparator)) {
		form, open := formOf(bySeparator[s])
		if len(open) > 0 {
			form = preferred
		}
		d.forms[s], all = form, append(all, open...)
	}
	if len(all) > 0 && preferred == "" {
		return Dates{}, undecided("date_form", "the column %q does not tell whether the month or the day is first in %s; "+
			"say date_form=%s or %s, or write years with four digits where they are first", contracts.Printable(column),
			strings.Join(all, " and "), MonthFirst, DayFirst)
	}
	return d, nil
}

// formOf is the form of dates of one separator, or examples of them that leave it open. 26-11-24 is no month first, and
// may have the day first or the year.
func formOf(texts []string) (form DateForm, open []string) {
	either, examples := "", map[DateForm]string{}
	isYearLast := false // of one date at least, as its four digits say, or since it is no day with the year first
	for _, text := range texts {
		asMonth, err1 := Dates{}.parse(text, MonthFirst)
		asDay, err2 := Dates{}.parse(text, DayFirst)
		switch {
		case err1 == nil && err2 == nil && asMonth != asDay:
			either = text
		case err1 == nil && err2 != nil:
			examples[MonthFirst] = text
		case err1 != nil && err2 == nil:
			examples[DayFirst] = text
		}
		if parts := dateParts(withoutTime(text)); len(parts) == 3 {
			_, err := day(parts[0], number(parts[1]), parts[2])
			isYearLast = isYearLast || len(parts[2]) == 4 || err1 != nil && err != nil
		}
	}
	switch day := examples[DayFirst]; {
	case len(examples) == 2:
		return "", []string{contracts.Printable(examples[MonthFirst]), contracts.Printable(day)}
	case examples[MonthFirst] != "":
		return MonthFirst, nil
	case day != "" && isYearLast:
		return DayFirst, nil
	case day != "" || either != "":
		return "", []string{contracts.Printable(cmp.Or(day, either))}
	}
	return "", nil
}

// separatorOf is what stands between the numbers of a date; 0 for none.
func separatorOf(text string) rune {
	for _, c := range withoutTime(text) {
		if !unicode.IsDigit(c) && !unicode.IsLetter(c) {
			return c
		}
	}
	return 0
}

// Form is the form that the dates were read by; empty where none needed one, or separators differ in it.
func (d Dates) Form() (form DateForm) {
	for _, f := range d.forms {
		if f != "" && form != "" && f != form {
			return ""
		}
		form = cmp.Or(form, f)
	}
	return form
}

// LooksLikeDay tells of a text that it is a day of our times, whichever order of month and day it has. A short number,
// which a spreadsheet may mean as a day, is as likely another number.
func LooksLikeDay(text string) bool {
	const earliest, shortest = "1990-01-01", len("1/2/26")
	for _, form := range []DateForm{MonthFirst, DayFirst} {
		if date, err := (Dates{}).parse(text, form); err == nil && date >= earliest && len(text) >= shortest {
			return true
		}
	}
	return false
}

// The errors of [Dates.Parse].
var (
	errDay = errors.New("this is not a date that is understood, such as 2026-09-11, 9/11/2026 or 11-Sep-26")
	errUTC = errors.New("this is a time in UTC, at which the day before had not ended everywhere in the United States; " +
		"write the local day")
)

// Parse reads a date by the form of numbers; any other date is the same by both. It may be followed by a time, which is
// left out.
func (d Dates) Parse(text string) (contracts.Date, error) {
	if isUTCNight(text) {
		return "", errUTC
	}
	return d.parse(text, d.forms[separatorOf(text)])
}

func (d Dates) parse(text string, form DateForm) (contracts.Date, error) {
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
	if form == DayFirst {
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
