package surcharge

import (
	"strconv"
	"strings"
	"time"
)

// day is a date as a cell writes it. A year of 0 is not written; a month of 0 is that of the range's other end.
type day struct {
	year        int16
	month, mday int8
	open        bool // month and mday may stand for each other: 9/2/2026
	weekday     int8 // 1 + the weekday written beside it; 0 for none
}

func parseDay(t []token, i int) (day, int, bool) {
	switch {
	case i >= len(t):
		return day{}, i, false
	case t[i].kind == word:
		return parseMonthFirst(t, i)
	case t[i].kind != digits:
		return day{}, i, false
	case len(t[i].text) == 8:
		return parseCompact(t[i].text), i + 1, parseCompact(t[i].text).month > 0
	case len(t[i].text) == 4:
		return parseYearFirst(t, i)
	}
	if d, next, ok := parseDayFirst(t, i); ok {
		return d, next, true
	}
	return parseNumeric(t, i)
}

// parseCompact reads 20260902 and, where that is no date, 09022026.
func parseCompact(s string) day {
	y, m, d := number[int16](s[:4]), number[int8](s[4:6]), number[int8](s[6:])
	if !plausibleYear(y) || m < 1 || m > 12 || d < 1 || d > 31 {
		y, m, d = number[int16](s[4:]), number[int8](s[:2]), number[int8](s[2:4])
	}
	if !plausibleYear(y) || m < 1 || m > 12 || d < 1 || d > 31 {
		return day{}
	}
	return day{year: y, month: m, mday: d}
}

// parseMonthFirst reads "September 2nd, 2026", "Sep. 2", "Sep-02-2026" and "Sep-02-26".
func parseMonthFirst(t []token, i int) (day, int, bool) {
	month := monthOf(t[i].text)
	i = skip(t, i+1, ".-")
	if month == 0 || i >= len(t) || !isShort(t[i]) {
		return day{}, i, false
	}
	d := day{month: month, mday: number[int8](t[i].text)}
	i = skipOrdinal(t, i+1)
	next := skip(t, i, ",-")
	if next < len(t) && isYear(t[next]) {
		d.year = number[int16](t[next].text)
		return d, next + 1, true
	}
	if next == i+1 && next < len(t) && t[i].kind == '-' && t[i].glued && len(t[next].text) == 2 && t[next].kind == digits {
		d.year = 2000 + number[int16](t[next].text)
		return d, next + 1, true
	}
	return d, i, true
}

// parseDayFirst reads "2 September 2026", "02-SEP-2026", "2-Sep-26" and "02SEP2026".
func parseDayFirst(t []token, i int) (day, int, bool) {
	d := day{mday: number[int8](t[i].text)}
	i = skip(t, skipOrdinal(t, i+1), "-./")
	if i >= len(t) || t[i].kind != word || monthOf(t[i].text) == 0 {
		return day{}, i, false
	}
	d.month = monthOf(t[i].text)
	i++
	next := skip(t, i, ".,-/")
	switch {
	case next < len(t) && isYear(t[next]):
		d.year = number[int16](t[next].text)
	case next == i+1 && next < len(t) && t[i].kind == '-' && len(t[next].text) == 2 && t[next].kind == digits:
		d.year = 2000 + number[int16](t[next].text)
	default:
		return d, i, true
	}
	return d, next + 1, true
}

// parseYearFirst reads 2026-09-02, 2026/09/02 and "2026 Sep 2".
func parseYearFirst(t []token, i int) (day, int, bool) {
	d := day{year: number[int16](t[i].text)}
	i++
	sep := i
	i = skip(t, i, "-/.")
	if !plausibleYear(d.year) || i+1 >= len(t) {
		return d, i, false
	}
	if t[i].kind == word {
		d.month = monthOf(t[i].text)
	} else if isShort(t[i]) && i == sep+1 {
		d.month = number[int8](t[i].text)
	}
	i = skip(t, i+1, "-/.")
	if d.month == 0 || i >= len(t) || !isShort(t[i]) {
		return d, i, false
	}
	d.mday = number[int8](t[i].text)
	return d, i + 1, true
}

// parseNumeric reads 9/2/2026, 9-2-26, 9.2.2026 and 9/2. American order is assumed until the column tells otherwise.
func parseNumeric(t []token, i int) (day, int, bool) {
	if i+2 >= len(t) || !isShort(t[i]) || !isShort(t[i+2]) {
		return day{}, i, false
	}
	sep := t[i+1].kind
	d := day{month: number[int8](t[i].text), mday: number[int8](t[i+2].text), open: true}
	if sep != '/' && sep != '-' && sep != '.' || sep != '/' && !(t[i+1].glued && t[i+2].glued) {
		return day{}, i, false
	}
	if i+4 < len(t) && t[i+3].kind == sep && t[i+4].kind == digits && (sep == '/' || t[i+3].glued && t[i+4].glued) {
		switch y := t[i+4]; {
		case isYear(y):
			d.year = number[int16](y.text)
			return d, i + 5, true
		case len(y.text) == 2:
			d.year = 2000 + number[int16](y.text)
			return d, i + 5, true
		}
		return day{}, i, false
	}
	return d, i + 3, sep == '/'
}

func skip(t []token, i int, symbols string) int {
	for ; i < len(t); i++ {
		if t[i].kind == word || t[i].kind == digits || !strings.ContainsRune(symbols, t[i].kind) {
			return i
		}
	}
	return i
}

func skipOrdinal(t []token, i int) int {
	if i < len(t) && t[i].glued {
		switch t[i].text {
		case "st", "nd", "rd", "th":
			return i + 1
		}
	}
	return i
}

func isShort(t token) bool { return t.kind == digits && len(t.text) <= 2 }

func isYear(t token) bool {
	return t.kind == digits && len(t.text) == 4 && plausibleYear(number[int16](t.text))
}

func plausibleYear(y int16) bool { return y >= 1990 && y <= 2099 }

func number[T int8 | int16](s string) T {
	n, _ := strconv.Atoi(s) // only called with few digits
	return T(n)
}

func monthOf(s string) int8 {
	if len(s) < 3 {
		return 0
	}
	for m := time.January; m <= time.December; m++ {
		name := months[m-1]
		if s == name || s == name[:3] || (s == "sept" && m == time.September) {
			return int8(m)
		}
	}
	return 0
}

var months = [...]string{"january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december"}

var weekdays = map[string]int8{
	"sunday": 1, "sun": 1, "monday": 2, "mon": 2, "tuesday": 3, "tue": 3, "tues": 3, "wednesday": 4, "wed": 4,
	"thursday": 5, "thu": 5, "thur": 5, "thurs": 5, "friday": 6, "fri": 6, "saturday": 7, "sat": 7,
}

func weekdayOf(s string) int8 { return weekdays[s] }
