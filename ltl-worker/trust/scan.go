package trust

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"assay.dev/contracts"
	"assay.dev/ltl-worker/document/cell"
	"assay.dev/ltl-worker/document/token"
	"assay.dev/ltl-worker/surcharge/calendar"
)

// scanned is a text in small letters, with one blank for white space, and the dates and numbers in it.
type scanned struct {
	text  string
	marks []mark
}

// mark is a date or a number in a text.
type mark struct {
	from, to  int32
	isDate    bool
	isDecimal bool
	date      cell.Range
	value     float64
}

// scanner scans texts. It keeps all their marks in one place.
type scanner struct{ marks []mark }

// scan finds the dates and numbers of a text.
func (c *scanner) scan(text string) scanned {
	s := scanned{text: strings.ToLower(fold(text))}
	if !strings.ContainsAny(s.text, "0123456789") {
		return s
	}
	begin := len(c.marks)
	var tokens [32]token.Token
	t := token.SplitLine(tokens[:0], s.text)
	for i := 0; i < len(t); {
		next := i + 1
		if r, end, ok := cell.DateAt(t, i); ok {
			c.marks = append(c.marks, mark{from: t[i].From, to: t[end-1].To, isDate: true, date: r})
			next = end
		} else if token.BeginsNumber(t, i) {
			next = numberEnd(t, i)
			m := mark{from: t[i].From, to: t[next-1].To}
			number := strings.ReplaceAll(s.text[m.from:m.to], ",", "")
			m.value, _ = strconv.ParseFloat(number, 64)
			m.isDecimal = strings.Contains(number, ".")
			c.marks = append(c.marks, m)
		}
		i = next
	}
	s.marks = c.marks[begin:len(c.marks):len(c.marks)]
	return s
}

// fold puts one blank for white space.
func fold(text string) string {
	wasSpace := true
	for i := range len(text) {
		isSpace := text[i] == ' '
		if text[i] >= utf8.RuneSelf || text[i] < ' ' || isSpace && wasSpace {
			return strings.Join(strings.Fields(text), " ")
		}
		wasSpace = isSpace
	}
	return strings.TrimSuffix(text, " ")
}

// numberEnd is the index after the number at i: 1,234.50 or .254.
func numberEnd(t []token.Token, i int) int {
	for t[i].Kind == token.Digits && follows(t, i+1, ',') {
		i += 2
	}
	if t[i].Kind == token.Digits && follows(t, i+1, '.') {
		i += 2
	}
	if t[i].Kind == '.' {
		i++
	}
	return i + 1
}

// follows tells whether a sign and digits stand at i, right behind what is before them.
func follows(t []token.Token, i int, sign rune) bool {
	return i+1 < len(t) && t[i].Kind == sign && t[i].Glued && t[i+1].Glued && t[i+1].Kind == token.Digits
}

// defaultDay is what dates without a year are near to where no week is known.
var defaultDay = calendar.Of("2000-01-01")

// dayOf is the first day of the newest week.
func dayOf(weeks []contracts.SurchargeWeek) calendar.Day {
	if len(weeks) == 0 {
		return defaultDay
	}
	return calendar.Of(weeks[0].EffectiveDate)
}

// day is the day of a date; it is false where the calendar has none. A date without a year is the one nearest to ref, but one that lies
// more than four months before it is of the year after.
func (m *mark) day(ref calendar.Day) (d calendar.Day, ok bool) {
	const back = 120 // days
	year := ref.Year()
	d = m.date.First(year)
	if d == 0 || m.date.HasYear() {
		return d, d != 0
	}
	switch days := d - ref; {
	case days < -back:
		d = m.date.First(year + 1)
	case days > 365-back:
		d = m.date.First(year - 1)
	}
	return d, true
}

// each gives the dates that are days, and the numbers, with the text before each.
func (s scanned) each(ref calendar.Day) func(yield func(between string, m *mark) bool) {
	return func(yield func(string, *mark) bool) {
		end := int32(0)
		for i := range s.marks {
			m := &s.marks[i]
			if m.isDate {
				if _, ok := m.day(ref); !ok {
					continue
				}
			}
			if !yield(s.text[end:m.from], m) {
				return
			}
			end = m.to
		}
		yield(s.text[end:], nil)
	}
}

// with is the text with other words for its dates and numbers.
func (s scanned) with(ref calendar.Day, word func(*mark) string) string {
	if len(s.marks) == 0 {
		return s.text
	}
	var buf [256]byte
	b := buf[:0]
	for between, m := range s.each(ref) {
		if b = append(b, between...); m != nil {
			b = append(b, word(m)...)
		}
	}
	return string(b)
}
