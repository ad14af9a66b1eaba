package cell

import (
	"strconv"
	"time"

	"assay.dev/ltl-worker/document/token"
	"assay.dev/ltl-worker/surcharge/calendar"
)

// Order is the order of day and month in dates such as 9/2/2026.
type Order bool

// The orders.
const (
	MonthFirst Order = false // as Americans write
	DayFirst   Order = true
)

// writtenDay is a date as a cell writes it. Year 0 means that the year is not written, month 0 that the month is that
// of the other end of a range.
type writtenDay struct {
	year        int16
	month, mday int8
	open        bool // month and mday may stand for each other: 9/2/2026
	weekday     int8 // 1 + the weekday written beside it; 0 for none
}

// on is the day when the order of month and day is known. It is 0 for what is no day of the calendar, and when
// another weekday is written beside the date.
func (d writtenDay) on(order Order) calendar.Day {
	month, mday := d.month, d.mday
	if d.open && order == DayFirst {
		month, mday = mday, month
	}
	day := calendar.On(int(d.year), int(month), int(mday))
	if day != 0 && d.weekday > 0 && day.Weekday() != time.Weekday(d.weekday-1) {
		return 0
	}
	return day
}

// readDay reads one date at i; next is the index after it.
func readDay(t []token.Token, i int) (d writtenDay, next int, ok bool) {
	switch {
	case i >= len(t):
		return writtenDay{}, i, false
	case t[i].Kind == token.Word:
		return readNamedMonthFirst(t, i)
	case t[i].Kind != token.Digits:
		return writtenDay{}, i, false
	case len(t[i].Text) == 8:
		d = readEightDigits(t[i].Text)
		return d, i + 1, d.month > 0
	case len(t[i].Text) == 4:
		return readYearFirst(t, i)
	}
	if d, next, ok := readNamedMonthSecond(t, i); ok {
		return d, next, true
	}
	return readNumeric(t, i)
}

// readEightDigits reads 20260902 and, where that is no date, 09022026. The month is 0 when it is neither.
func readEightDigits(s string) writtenDay {
	d := writtenDay{year: number[int16](s[:4]), month: number[int8](s[4:6]), mday: number[int8](s[6:])}
	if !d.isPlausible() {
		d = writtenDay{year: number[int16](s[4:]), month: number[int8](s[:2]), mday: number[int8](s[2:4])}
	}
	if !d.isPlausible() {
		return writtenDay{}
	}
	return d
}

func (d writtenDay) isPlausible() bool {
	return calendar.PlausibleYear(int(d.year)) && d.month >= 1 && d.month <= 12 && d.mday >= 1 && d.mday <= 31
}

// readNamedMonthFirst reads "September 2nd, 2026", "Sep. 2", "Sep-02-2026" and "Sep-02-26".
func readNamedMonthFirst(t []token.Token, i int) (d writtenDay, next int, ok bool) {
	month := monthOf(t[i])
	i = token.Skip(t, i+1, ".-")
	hyphened := i > 0 && t[i-1].Kind == '-'
	if month == 0 || i >= len(t) || !isShort(t[i]) {
		return writtenDay{}, i, false
	}
	d = writtenDay{month: month, mday: number[int8](t[i].Text)}
	i = skipOrdinal(t, i+1)
	next = token.Skip(t, i, ",-")
	if next < len(t) && isYear(t[next]) {
		d.year = number[int16](t[next].Text)
		return d, next + 1, true
	}
	if year, after := apostropheYear(t, next); year > 0 {
		d.year = year
		return d, after, true
	}
	if hyphened && isShortYear(t, i, next) && t[i].Glued { // "July 8-14" is a range
		d.year = 2000 + number[int16](t[next].Text)
		return d, next + 1, true
	}
	return d, i, true
}

// readNamedMonthSecond reads "2 September 2026", "02-SEP-2026", "2-Sep-26", "02SEP2026" and "02SEP26".
func readNamedMonthSecond(t []token.Token, i int) (d writtenDay, next int, ok bool) {
	d = writtenDay{mday: number[int8](t[i].Text)}
	i = token.Skip(t, skipOrdinal(t, i+1), "-./")
	if i+1 < len(t) && t[i].Text == "of" && monthOf(t[i+1]) > 0 {
		i++ // "the 18th of November"
	}
	if i >= len(t) || monthOf(t[i]) == 0 {
		return writtenDay{}, i, false
	}
	d.month = monthOf(t[i])
	i++
	next = token.Skip(t, i, ".,-/")
	switch {
	case next < len(t) && isYear(t[next]):
		d.year = number[int16](t[next].Text)
	case isShortYear(t, i, next), next == i && i < len(t) && t[i].Glued && t[i].Kind == token.Digits && len(t[i].Text) == 2:
		d.year = 2000 + number[int16](t[next].Text)
	case next < len(t) && t[next].Kind == '\'':
		year, after := apostropheYear(t, next)
		d.year = year
		return d, after, true
	default:
		return d, i, true
	}
	return d, next + 1, true
}

// apostropheYear reads the "'26" of "Mar 18 '26"; year is 0 when there is none.
func apostropheYear(t []token.Token, i int) (year int16, next int) {
	if i+1 >= len(t) || t[i].Kind != '\'' || t[i+1].Kind != token.Digits || !t[i+1].Glued || len(t[i+1].Text) != 2 {
		return 0, i
	}
	return 2000 + number[int16](t[i+1].Text), i + 2
}

// isShortYear tells whether the hyphen at i and the token at next, right behind it, are the "-26" of "2-Sep-26".
func isShortYear(t []token.Token, i, next int) bool {
	return next == i+1 && next < len(t) && t[i].Kind == '-' && t[next].Kind == token.Digits && len(t[next].Text) == 2
}

// readYearFirst reads 2026-09-02, 2026/09/02 and "2026 Sep 2".
func readYearFirst(t []token.Token, i int) (d writtenDay, next int, ok bool) {
	d = writtenDay{year: number[int16](t[i].Text)}
	i++
	sep := i
	i = token.Skip(t, i, "-/.")
	if !calendar.PlausibleYear(int(d.year)) || i+1 >= len(t) {
		return d, i, false
	}
	if t[i].Kind == token.Word {
		d.month = monthOf(t[i])
	} else if isShort(t[i]) && i == sep+1 {
		d.month = number[int8](t[i].Text)
	}
	i = token.Skip(t, i+1, "-/.")
	if d.month == 0 || i >= len(t) || !isShort(t[i]) {
		return d, i, false
	}
	d.mday = number[int8](t[i].Text)
	return d, i + 1, true
}

// readNumeric reads 9/2/2026, 9-2-26, 9.2.2026 and 9/2. The date stays open to either order of day and month.
func readNumeric(t []token.Token, i int) (d writtenDay, next int, ok bool) {
	if i+2 >= len(t) || !isShort(t[i]) || !isShort(t[i+2]) || !isDateSign(t, i+1) {
		return writtenDay{}, i, false
	}
	d = writtenDay{month: number[int8](t[i].Text), mday: number[int8](t[i+2].Text), open: true}
	sep := t[i+1].Kind
	if i+3 < len(t) {
		if year, next := apostropheYear(t, token.Skip(t, i+3, string(sep)+",")); year > 0 {
			d.year = year
			return d, next, true
		}
	}
	if i+4 >= len(t) || t[i+3].Kind != sep || t[i+4].Kind != token.Digits || !isDateSign(t, i+3) {
		return d, i + 3, sep == '/' // without a year only 9/2 is a date: 9.2 is a number
	}
	switch y := t[i+4]; {
	case isYear(y):
		d.year = number[int16](y.Text)
		return d, i + 5, true
	case len(y.Text) == 2:
		d.year = 2000 + number[int16](y.Text)
		return d, i + 5, true
	}
	return writtenDay{}, i, false
}

// isDateSign tells whether the symbol at i may stand between the numbers of a date. Blanks may stand around a slash,
// not around a hyphen or a point.
func isDateSign(t []token.Token, i int) bool {
	switch t[i].Kind {
	case '/':
		return true
	case '-', '.':
		return t[i].Glued && t[i+1].Glued
	}
	return false
}

// skipOrdinal is the index after the "nd" of "2nd".
func skipOrdinal(t []token.Token, i int) int {
	if i < len(t) && t[i].Glued {
		switch t[i].Text {
		case "st", "nd", "rd", "th":
			return i + 1
		}
	}
	return i
}

func monthOf(t token.Token) int8 { return int8(calendar.Month(t.Text)) }

// isShort tells whether t can be the number of a day or a month.
func isShort(t token.Token) bool { return t.Kind == token.Digits && len(t.Text) <= 2 }

func isYear(t token.Token) bool {
	return t.Kind == token.Digits && len(t.Text) == 4 && calendar.PlausibleYear(int(number[int16](t.Text)))
}

// number is the value of at most four digits.
func number[T int8 | int16](digits string) T {
	n, _ := strconv.Atoi(digits)
	return T(n)
}
