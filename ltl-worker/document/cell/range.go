package cell

import (
	"strings"

	"assay.dev/ltl-worker/document/token"
	"assay.dev/ltl-worker/surcharge/calendar"
	"assay.dev/ltl-worker/surcharge/meaning"
)

// Range is the day or the range of days that a cell names: "9/2/2026", "Sep 2 - 8, 2026" or "9/2/2026 - present".
type Range struct {
	from, to writtenDay
	ranged   bool // to is written
}

// maxRangeDays is the longest range that is read: a carrier may keep a percent for weeks when the index is late.
const maxRangeDays = 35

// IsOpen tells whether day and month of the first day may stand for each other: 9/2/2026.
func (r Range) IsOpen() bool { return r.from.open }

// IsRange tells whether the cell names a first and a last day.
func (r Range) IsRange() bool { return r.ranged }

// HasYear tells whether the cell writes a year.
func (r Range) HasYear() bool { return r.from.year != 0 || r.to.year != 0 }

// First is the first day of the range. A year that is not written is that of the other end, or else year, unless that is
// 0. The result is 0 when the cell names no day of the calendar or no plausible range.
func (r Range) First(order Order, year int) calendar.Day {
	first, _ := r.days(order, year)
	return first
}

// Last is the last day of the range, under the rules of [Range.First]; 0 where the cell names a day only.
func (r Range) Last(order Order, year int) calendar.Day {
	_, last := r.days(order, year)
	return last
}

func (r Range) days(order Order, year int) (first, last calendar.Day) {
	from, to := r.from, r.to
	if !r.ranged {
		if from.year == 0 {
			from.year = int16(year)
		}
		return from.on(order), 0
	}
	if to.month == 0 {
		to.month = from.month
	}
	switch {
	case from.year == 0 && to.year == 0:
		from.year, to.year = int16(year), int16(year)
		if from.on(order) > to.on(order) {
			to.year++ // Dec 31 - Jan 6
		}
	case from.year == 0:
		from.year = to.year
		if from.on(order) > to.on(order) {
			from.year-- // Dec 30 - Jan 5, 2027
		}
	case to.year == 0:
		to.year = from.year
		if from.on(order) > to.on(order) {
			to.year++
		}
	}
	first, last = from.on(order), to.on(order)
	if first == 0 || last < first || last-first > maxRangeDays {
		return 0, 0
	}
	return first, last
}

// readRange reads a cell that names one day or one range, and says nothing else of weight.
func readRange(t []token.Token) (Range, bool) {
	var r Range
	i, weekday := skipDateWords(t, skipClock(t, 0))
	i = skipClock(t, i)
	if from, to, next, ok := readDaysOfMonth(t, i); ok {
		r.from, r.to, r.ranged = from, to, true
		return r, isWithoutWeight(t, skipTime(t, next))
	}
	from, i, ok := readDay(t, i)
	if !ok {
		return r, false
	}
	r.from = from
	r.from.weekday = weekday
	i = skipTime(t, i)
	if next, ok := skipRangeSign(t, i); ok {
		next, weekday = skipDateWords(t, next)
		if next == len(t) || t[next].Text == "present" || t[next].Text == "further" {
			return r, isWithoutWeight(t, skipOpenEnd(t, next)) // "9/2/2026 - present"
		}
		if to, after, ok := readRangeEnd(t, next); ok {
			r.to, r.ranged, i = to, true, skipTime(t, after)
			r.to.weekday = weekday
		}
	}
	return r, isWithoutWeight(t, i)
}

// notBeforeDate are meanings of words that make a date before which they stand another date than that of the week, or that of the week
// of another place.
const notBeforeDate = meaning.End | meaning.Index | meaning.Posted | meaning.Truckload | meaning.Service |
	meaning.Other | meaning.Price | meaning.Abroad | meaning.Region

// skipDateWords passes what may stand before a date, such as "Week of Wed,". weekday is 1 + the weekday among it.
func skipDateWords(t []token.Token, i int) (next int, weekday int8) {
	for ; i < len(t); i++ {
		switch t[i].Kind {
		case token.Word:
			if monthOf(t[i]) > 0 {
				return i, weekday
			}
			if day, ok := calendar.Weekday(t[i].Text); ok {
				weekday = int8(day) + 1
				continue
			}
			if tellsWeek(t, i) {
				continue
			}
			if found := meaning.OfWord(t[i].Text); found == 0 || found.Has(notBeforeDate) {
				return i, weekday
			}
		case token.Digits:
			if i == 0 || t[i-1].Text != "week" && t[i-1].Text != "wk" || i+1 == len(t) || t[i+1].Kind != ':' && t[i+1].Kind != '(' {
				return i, weekday
			} // "Week 47: 11/18/2026"
		case ':', ',', '(', '.', '*', '»', '→', '►':
		default:
			return i, weekday
		}
	}
	return i, weekday
}

// tellsWeek tells whether the word at i only tells which week a date is of: "Previous week (11/11/2026)".
func tellsWeek(t []token.Token, i int) bool {
	switch t[i].Text {
	case "previous", "prior", "last", "next", "upcoming":
		return i+1 < len(t) && (t[i+1].Kind == '(' || t[i+1].Kind == ':' || t[i+1].Text == "week")
	}
	return false
}

// skipRangeSign passes "-", "to" or "through" at i; it is false when none is there.
func skipRangeSign(t []token.Token, i int) (next int, ok bool) {
	if i+1 < len(t) && t[i].Kind == '(' && t[i+1].Kind == token.Word {
		i++ // "9/9/2026 (thru 9/15/2026)"
	}
	if i >= len(t) {
		return i, false
	}
	switch t[i].Text {
	case "to", "through", "thru", "until", "till":
		return i + 1, true
	}
	return i + 1, t[i].Kind == '-'
}

// skipOpenEnd passes the words of an open end: "present", "until further notice".
func skipOpenEnd(t []token.Token, i int) int {
	for i < len(t) && (t[i].Text == "present" || t[i].Text == "further" || t[i].Text == "notice") {
		i++
	}
	return i
}

// readDaysOfMonth reads a range whose month stands behind both days: "8-14 July 2026".
func readDaysOfMonth(t []token.Token, i int) (from, to writtenDay, next int, ok bool) {
	if i+3 >= len(t) || !isShort(t[i]) {
		return from, to, i, false
	}
	end, ok := skipRangeSign(t, skipOrdinal(t, i+1))
	if !ok || end >= len(t) || !isShort(t[end]) {
		return from, to, i, false
	}
	to, next, ok = readNamedMonthSecond(t, end)
	from = writtenDay{month: to.month, mday: number[int8](t[i].Text)}
	return from, to, next, ok && to.month > 0
}

// readRangeEnd reads the last day of a range, also the "8, 2026" of "September 2-8, 2026".
func readRangeEnd(t []token.Token, i int) (d writtenDay, next int, ok bool) {
	if d, next, ok := readDay(t, i); ok {
		return d, next, true
	}
	if i >= len(t) || !isShort(t[i]) {
		return writtenDay{}, i, false
	}
	d = writtenDay{mday: number[int8](t[i].Text)}
	i = skipOrdinal(t, i+1)
	if next := token.Skip(t, i, ","); next < len(t) && isYear(t[next]) {
		d.year = number[int16](t[next].Text)
		i = next + 1
	}
	return d, i, true
}

// skipClock passes the time of day before a date: "12:01 a.m. on".
func skipClock(t []token.Token, i int) int {
	if i+3 >= len(t) || t[i].Kind != token.Digits || t[i+1].Kind != ':' || t[i+2].Kind != token.Digits {
		return i
	}
	i += 3
	for i < len(t) && (timeWords[t[i].Text] || t[i].Text == "on" || t[i].Kind == ',') {
		i++
	}
	return i
}

// skipTime passes the time of day of a timestamp: "T00:01:00Z", ", 12:01 a.m.". The date is taken as it is printed.
func skipTime(t []token.Token, i int) int {
	start := i
	if i < len(t) && (t[i].Text == "t" || t[i].Text == "at" || t[i].Kind == ',') {
		i++
	}
	if i+2 >= len(t) || t[i].Kind != token.Digits || t[i+1].Kind != ':' {
		return start
	}
	for i < len(t) {
		switch {
		case isHalfOfDay(t, i):
			i += 3
		case isTimePart(t[i]) && (t[i].Kind != ':' || i+1 < len(t) && t[i+1].Glued):
			i++
		default:
			return i
		}
	}
	return i
}

// isHalfOfDay tells whether "a.m." or "p.m." stands at i.
func isHalfOfDay(t []token.Token, i int) bool {
	return i+2 < len(t) && (t[i].Text == "a" || t[i].Text == "p") && t[i+1].Kind == '.' && t[i+2].Text == "m"
}

func isTimePart(t token.Token) bool {
	switch t.Kind {
	case token.Digits, ':', '.', '+':
		return true
	case '-':
		return t.Glued
	}
	return timeWords[t.Text]
}

// timeWords may stand in a time of day.
var timeWords = map[string]bool{
	"am": true, "pm": true, "z": true, "utc": true, "gmt": true,
	"et": true, "est": true, "edt": true, "ct": true, "cst": true, "cdt": true,
}

// marksAfterDate may stand behind a date and change nothing.
const marksAfterDate = "*†‡§()[].,!¹²³#"

// isWithoutWeight tells whether nothing but footnote marks, weekdays and neutral words stands from i on.
func isWithoutWeight(t []token.Token, i int) bool {
	for ; i < len(t); i++ {
		switch t[i].Kind {
		case token.Digits:
			if !isFootnote(t, i) {
				return false
			}
		case token.Word:
			_, weekday := calendar.Weekday(t[i].Text)
			if !weekday && !badges[t[i].Text] && meaning.OfWord(t[i].Text) != meaning.Neutral {
				return false
			}
		default:
			if !strings.ContainsRune(marksAfterDate, t[i].Kind) {
				return false
			}
		}
	}
	return true
}

// badges may stand behind a date and tell which week it is.
var badges = map[string]bool{"upcoming": true, "next": true, "latest": true, "now": true, "today": true, "week": true, "this": true, "effect": true}

// OnlyYear is the one year that a text names. It is 0 when the text names none; several is set when it names two or
// more.
func OnlyYear(text string) (year int, several bool) {
	if !strings.ContainsAny(text, "0123456789") {
		return 0, false
	}
	for _, t := range token.Split(nil, text) {
		if !isYear(t) {
			continue
		}
		y := int(number[int16](t.Text))
		if year > 0 && year != y {
			return 0, true
		}
		year = y
	}
	return year, false
}
