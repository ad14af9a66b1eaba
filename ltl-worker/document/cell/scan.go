package cell

import (
	"strings"

	"assay.dev/ltl-worker/document/token"
)

// Part is one value in a line of text, and the words beside it.
type Part struct {
	Value
	// Before are the words between the value before it and this one, After those behind it up to the next mark.
	Before, After string
}

// maxLine is the longest line, in bytes, that is scanned.
const maxLine = 1000

// Scan finds the dates and the figures with a unit in a line: "June 10, 2026 – 42.82% (DOE diesel $5.210)" has three.
// A figure without a unit is a word.
func (r *Reader) Scan(text string) (parts []Part) {
	if len(text) > maxLine || !hasDigit(text) {
		return nil
	}
	t := r.split(text)
	var words []string
	closed := 0 // parts whose words behind them have ended
	take := func(v Value) {
		parts = append(parts, Part{Value: v, Before: strings.Join(words, " ")})
		words = nil
	}
	for i := 0; i < len(t); {
		if dates, next, ok := scanDates(t, i); ok {
			take(Value{Kind: Dates, Text: text, Dates: dates})
			i = next
			continue
		}
		if q, next, ok := scanFigure(t, i); ok {
			take(Value{Kind: Figure, Text: text, Quantity: q})
			i = next
			continue
		}
		next := i + 1
		switch t[i].Kind {
		case token.Word, token.Digits:
			words = append(words, t[i].Text)
		case '(', ',', ';', ')', '-', '.':
			if n := len(parts); n > closed && t[i].Kind != '-' {
				parts[n-1].After = strings.Join(words, " ")
				closed = n
			}
		case '/':
			if n := len(parts); n > closed && len(words) > 0 && beginsFigure(t, next) { // "51.22% LTL / 76.8% TL"
				parts[n-1].After = strings.Join(words, " ")
				closed, words = n, nil
			} else {
				words = append(words, "/")
			}
		case '|', '·', '•': // parts lines as a new line does
			if n := len(parts); n > closed {
				parts[n-1].After = strings.Join(words, " ")
				closed, words = n, nil
			}
		case '&', '<', '>', '+', '#':
			words = append(words, string(t[i].Kind))
		}
		i = next
	}
	return parts
}

func beginsFigure(t []token.Token, i int) bool {
	return i < len(t) && (t[i].Kind == token.Digits || t[i].Kind == '$')
}

// scanDates reads a date or a range of dates at i. A month alone, or two figures that are no date, are none.
func scanDates(t []token.Token, i int) (r Range, next int, ok bool) {
	if t[i].Kind != token.Digits && monthOf(t[i]) == 0 || i > 0 && t[i].Glued && t[i-1].Kind != '(' {
		return r, i, false
	}
	r.from, next, ok = readDay(t, i)
	if !ok || !r.from.mayBe() || next < len(t) && t[next].Kind == '%' {
		return r, i, false
	}
	next = skipTime(t, next)
	if after, ok := skipRangeSign(t, next); ok {
		after, _ = skipDateWords(t, after)
		if to, end, ok := readRangeEnd(t, after); ok && (end >= len(t) || t[end].Kind != '%' && !isPoint(t, end)) &&
			after < len(t) && (monthOf(t[after]) > 0 || to.month > 0) {
			r.to, r.ranged, next = to, true, end
		}
	}
	return r, next, true
}

// isPoint tells whether the full stop at i stands inside a figure.
func isPoint(t []token.Token, i int) bool {
	return t[i].Kind == '.' && i+1 < len(t) && t[i+1].Kind == token.Digits && t[i+1].Glued
}

// mayBe tells whether the day is one of the calendar in some year.
func (d writtenDay) mayBe() bool {
	return d.month >= 1 && d.month <= 12 && d.mday >= 1 && d.mday <= 31
}

// scanFigure reads a figure with its unit at i: "$5.599", "46.32%", "30.25 pct".
func scanFigure(t []token.Token, i int) (q Quantity, next int, ok bool) {
	start := i
	if t[i].Kind == '$' && i+1 < len(t) {
		q.Unit = Dollars
		i++
	}
	if !token.BeginsNumber(t, i) || isInNumber(t, i) {
		return q, start, false
	}
	n, next, ok := token.ReadNumber(t, i)
	if !ok {
		return q, start, false
	}
	q.Value, q.Decimals = n.Value, n.Decimals
	if next < len(t) {
		unit := unitOfSign[t[next].Kind]
		if t[next].Kind == token.Word {
			unit = unitOfWord[t[next].Text]
		}
		if unit != Bare && unit != Dollars && q.Unit == Bare {
			q.Unit = unit
			next++
		}
	}
	if start > 0 && (t[start-1].Kind == '+' || t[start-1].Kind == '-' && t[start].Glued) && q.Unit == Percent {
		return q, start, false // a change
	}
	return q, next, q.Unit != Bare
}

// isInNumber tells whether the digits at i go on with a number that begins before them: the "50" of "52.50".
func isInNumber(t []token.Token, i int) bool {
	return i > 1 && t[i].Glued && t[i-1].Glued && (t[i-1].Kind == '.' || t[i-1].Kind == ',') && t[i-2].Kind == token.Digits
}
