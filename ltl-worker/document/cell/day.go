package cell

import (
	"strconv"
	"time"

	"assay.dev/ltl-worker/document/token"
	"assay.dev/ltl-worker/surcharge/calendar"
)

// writtenDay is a date as a cell writes it. Year 0 means that the year is not written, month 0 that the month is that
// of the other end of a range.
type writtenDay struct {
	year        int16
	month, mday int8
	weekday     int8 // 1 + the weekday written beside it; 0 for none
}

// on is the day. It is 0 for what is no day of the calendar, and when another weekday is written beside the date.
func (d writtenDay) on() calendar.Day {
	day := calendar.On(int(d.year), int(d.month), int(d.mday))
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
		d = writtenDay{year: number[int16](t[i].Text[:4]), month: number[int8](t[i].Text[4:6]),
			mday: number[int8](t[i].Text[6:])}
		return d, i + 1, calendar.PlausibleYear(int(d.year)) && d.mayBe()
	case len(t[i].Text) == 4:
		return readYearFirst(t, i)
	}
	if d, next, ok := readNamedMonthSecond(t, i); ok {
		return d, next, true
	}
	return readNumeric(t, i)
}

// readNamedMonthFirst reads "September 2nd, 2026", "Sep. 2" and "Sep-02-2026".
func readNamedMonthFirst(t []token.Token, i int) (d writtenDay, next int, ok bool) {
	d.month = monthOf(t[i])
	i = token.Skip(t, i+1, ".-")
	if d.month == 0 || i >= len(t) || !isShort(t[i]) {
		return writtenDay{}, i, false
	}
	d.mday = number[int8](t[i].Text)
	next = d.readYear(t, skipOrdinal(t, i+1), ",-")
	return d, next, true
}

// readNamedMonthSecond reads "2 September 2026", "02-SEP-2026" and "02SEP2026".
func readNamedMonthSecond(t []token.Token, i int) (d writtenDay, next int, ok bool) {
	d.mday = number[int8](t[i].Text)
	i = token.Skip(t, skipOrdinal(t, i+1), "-./")
	if i >= len(t) || monthOf(t[i]) == 0 {
		return writtenDay{}, i, false
	}
	d.month = monthOf(t[i])
	next = d.readYear(t, i+1, ".,-/")
	return d, next, true
}

// readYear reads the year behind some symbols at i, if there is one.
func (d *writtenDay) readYear(t []token.Token, i int, symbols string) (next int) {
	if next = token.Skip(t, i, symbols); next < len(t) && isYear(t[next]) {
		d.year = number[int16](t[next].Text)
		return next + 1
	}
	// "2-Sep-26", and not "July 8-14"
	if next == i+1 && next < len(t) && t[i].Kind == '-' && t[i-2].Kind == '-' && isShort(t[next]) {
		d.year = 2000 + number[int16](t[next].Text)
		return next + 1
	}
	return i
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

// readNumeric reads 9/2/2026, 9-2-26, 9.2.2026 and 9/2.
func readNumeric(t []token.Token, i int) (d writtenDay, next int, ok bool) {
	if i+2 >= len(t) || !isShort(t[i]) || !isShort(t[i+2]) || !isDateSign(t, i+1) {
		return writtenDay{}, i, false
	}
	d = writtenDay{month: number[int8](t[i].Text), mday: number[int8](t[i+2].Text)}
	sep := t[i+1].Kind
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

func monthOf(t token.Token) int8 {
	if t.Kind != token.Word {
		return 0
	}
	return int8(calendar.Month(t.Text))
}

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
