package cell

import (
	"cmp"
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

// HasYear tells whether the cell writes a year.
func (r Range) HasYear() bool { return r.from.year != 0 || r.to.year != 0 }

// First is the first day of the range. A year that is not written is that of the other end, or else year, unless that
// is
// 0. The result is 0 when the cell names no day of the calendar or no plausible range.
func (r Range) First(year int) calendar.Day {
	first, _ := r.days(year)
	return first
}

// Last is the last day of the range, under the rules of [Range.First]; 0 where the cell names a day only.
func (r Range) Last(year int) calendar.Day {
	_, last := r.days(year)
	return last
}

func (r Range) days(year int) (first, last calendar.Day) {
	from, to := r.from, r.to
	if !r.ranged {
		from.year = cmp.Or(from.year, int16(year))
		return from.on(), 0
	}
	to.month = cmp.Or(to.month, from.month)
	switch {
	case from.year == 0 && to.year == 0:
		from.year, to.year = int16(year), int16(year)
		if from.on() > to.on() {
			to.year++ // Dec 31 - Jan 6
		}
	case from.year == 0:
		from.year = to.year
		if from.on() > to.on() {
			from.year-- // Dec 30 - Jan 5, 2027
		}
	}
	first, last = from.on(), to.on()
	if first == 0 || last < first || last-first > maxRangeDays {
		return 0, 0
	}
	return first, last
}

// readRange reads a cell that names one day or one range, and says nothing else of weight.
func readRange(t []token.Token) (Range, bool) {
	var r Range
	i, weekday := skipDateWords(t, 0)
	from, i, ok := readDay(t, i)
	if !ok {
		return r, false
	}
	r.from = from
	r.from.weekday = weekday
	i = skipTime(t, i)
	if next, ok := skipRangeSign(t, i); ok {
		next, weekday = skipDateWords(t, next)
		if next == len(t) || next+1 == len(t) && t[next].Text == "present" {
			return r, true // "9/2/2026 - present"
		}
		if to, after, ok := readRangeEnd(t, next); ok {
			r.to, r.ranged, i = to, true, skipTime(t, after)
			r.to.weekday = weekday
		}
	}
	return r, isWithoutWeight(t, i)
}

// notBeforeDate are meanings of words that make a date before which they stand another date than that of the week, or
// that of the week of another place.
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
			if found := meaning.OfWord(t[i].Text); found == 0 || found.Has(notBeforeDate) {
				return i, weekday
			}
		case ':', ',', '(', '.', '*', '»', '→', '►':
		default:
			return i, weekday
		}
	}
	return i, weekday
}

// skipRangeSign passes "-", "to" or "through" at i; it is false when none is there.
func skipRangeSign(t []token.Token, i int) (next int, ok bool) {
	if i >= len(t) {
		return i, false
	}
	switch t[i].Text {
	case "to", "through", "thru", "until", "till":
		return i + 1, true
	}
	return i + 1, t[i].Kind == '-'
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
	next = d.readYear(t, skipOrdinal(t, i+1), ",")
	return d, next, true
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
	for i += 3; i < len(t) &&
		(timeWords[t[i].Text] || t[i].Glued && (t[i].Kind == token.Digits || strings.ContainsRune(":.+-", t[i].Kind))); i++ {
	}
	return i
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
			if !weekday && meaning.OfWord(t[i].Text) != meaning.Neutral {
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

// OnlyYear is the one year that a text names. It is 0 when the text names none; several is set when it names two or
// more.
func OnlyYear(text string) (year int, several bool) {
	if !hasDigit(text) {
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
