package cell

import (
	"strconv"
	"strings"

	"assay.dev/ltl-worker/document/token"
	"assay.dev/ltl-worker/surcharge/calendar"
)

// Mark is a date or a number in a text, whatever stands around it.
type Mark struct {
	From, To  int32 // in bytes
	IsDate    bool
	IsDecimal bool
	Date      Range
	Value     float64 // of a number
}

// Marks finds the dates and the numbers in a text, and appends them to buf.
func (r *Reader) Marks(buf []Mark, text string) []Mark {
	if _, m, ok := plain(text); ok {
		return append(buf, m)
	}
	if !hasDigit(text) {
		return buf
	}
	t := r.split(text)
	for i := 0; i < len(t); {
		next := i + 1
		if date, end, ok := dateAt(t, i); ok {
			buf = append(buf, Mark{From: t[i].From, To: t[end-1].To, IsDate: true, Date: date})
			next = end
		} else if token.BeginsNumber(t, i) {
			next = numberEnd(t, i)
			m := Mark{From: t[i].From, To: t[next-1].To}
			number := strings.ReplaceAll(text[m.From:m.To], ",", "")
			m.Value, _ = strconv.ParseFloat(number, 64)
			m.IsDecimal = strings.Contains(number, ".")
			buf = append(buf, m)
		}
		i = next
	}
	return buf
}

// dateAt reads a date at i with the weekday before it and the time behind it. A figure such as 9/2 or 24/7 is none.
func dateAt(t []token.Token, i int) (r Range, next int, ok bool) {
	if t[i].Glued && i > 0 && (t[i-1].Kind == token.Digits || t[i-1].Kind == token.Word) {
		return r, i, false
	}
	from := i
	if t[i].Kind == token.Word {
		if _, isWeekday := calendar.Weekday(t[i].Text); isWeekday {
			from = token.Skip(t, i+1, ",.")
		}
	}
	r.from, next, ok = readDay(t, from)
	isFigure := ok && r.from.year == 0 && t[from].Kind == token.Digits && from+1 < len(t) && t[from+1].Kind == '/'
	if !ok || isFigure || !r.from.mayBe() || next < len(t) && t[next].Glued && t[next].Kind == token.Digits {
		return r, i, false
	}
	return r, skipTime(t, next), true
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
