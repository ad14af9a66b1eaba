package cell

import (
	"strings"

	"assay.dev/ltl-worker/document/token"
	"assay.dev/ltl-worker/surcharge/calendar"
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
// rest are the words behind the last of them. A figure without a unit is a word.
func Scan(text string) (parts []Part, rest string) {
	if len(text) > maxLine {
		return nil, ""
	}
	t := token.SplitLine(nil, text)
	var words []string
	closed := 0 // parts whose words behind them have ended
	ended := 0  // parts whose sentence has ended
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
			if t[i].Kind == '.' && endsSentence(t, i) {
				words, ended = nil, len(parts)
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
	if ended > 0 && ended == len(parts) {
		words = nil // they are of another sentence
	}
	rest = strings.Join(words, " ")
	return parts, rest
}

func beginsFigure(t []token.Token, i int) bool {
	return i < len(t) && (t[i].Kind == token.Digits || t[i].Kind == '$')
}

// endsSentence tells whether the full stop at i is no part of an abbreviation, a figure or an address.
func endsSentence(t []token.Token, i int) bool {
	return i > 0 && i+1 < len(t) && (t[i-1].Kind == '%' || t[i-1].Kind == token.Digits || t[i-1].Kind == token.Word && len(t[i-1].Text) > 3) && t[i+1].Kind == token.Word && !t[i+1].Glued
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
	r.from.weekday = weekdayBefore(t, i)
	next = skipTime(t, next)
	if after, ok := skipRangeOrAnd(t, i, next); ok {
		after, _ = skipDateWords(t, after)
		if to, end, ok := readRangeEnd(t, after); ok && (end >= len(t) || t[end].Kind != '%' && !isPoint(t, end)) &&
			after < len(t) && (monthOf(t[after]) > 0 || to.open || to.year > 0) {
			r.to, r.ranged, next = to, true, end
		}
	}
	return r, next, true
}

// skipRangeOrAnd passes what joins the days of a range, which is "and" where "between" stands before the first.
func skipRangeOrAnd(t []token.Token, first, i int) (next int, ok bool) {
	if first > 0 && t[first-1].Text == "between" && i < len(t) && t[i].Text == "and" {
		return i + 1, true
	}
	return skipRangeSign(t, i)
}

// isPoint tells whether the full stop at i stands inside a figure.
func isPoint(t []token.Token, i int) bool {
	return t[i].Kind == '.' && i+1 < len(t) && t[i+1].Kind == token.Digits && t[i+1].Glued
}

// mayBe tells whether the day is one of the calendar in some year.
func (d writtenDay) mayBe() bool {
	if d.open && d.mday <= 12 && d.month <= 31 && d.month > 12 {
		d.month, d.mday = d.mday, d.month
	}
	return d.month >= 1 && d.month <= 12 && d.mday >= 1 && d.mday <= 31
}

func weekdayBefore(t []token.Token, i int) int8 {
	for i--; i >= 0 && (t[i].Kind == ',' || t[i].Kind == '.' || t[i].Text == "the"); i-- {
	}
	if i >= 0 {
		if day, ok := calendar.Weekday(t[i].Text); ok {
			return int8(day) + 1
		}
	}
	return 0
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
	read := token.ReadNumber
	if i > 0 && t[i-1].Kind == '(' {
		read = token.ReadAnyNumber // "fifty-two and one-half percent (52.50%)"
	}
	n, next, ok := read(t, i)
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
	if q.Unit == Percent && (isIncrease(t, next) || isIncreaseOf(t, start)) {
		return q, start, false // "0.5% lower than last week"
	}
	return q, next, q.Unit != Bare
}

// isInNumber tells whether the digits at i go on with a number that begins before them: the "50" of "52.50".
func isInNumber(t []token.Token, i int) bool {
	return i > 1 && t[i].Glued && t[i-1].Glued && (t[i-1].Kind == '.' || t[i-1].Kind == ',') && t[i-2].Kind == token.Digits
}

// isIncreaseOf tells whether a change is told right before i: "a general rate increase of 5.9%", "our rate increase will average 5.9%", "list
// rates will go up by an average of 5.9%".
func isIncreaseOf(t []token.Token, i int) bool {
	end := i
	for i > 0 && (tellsSize[t[i-1].Text] || end > i && t[i-1].Text == "will") {
		i--
	}
	if i > 1 && (t[i-1].Text == "up" || t[i-1].Text == "down") && goes[t[i-2].Text] {
		return true
	}
	return i > 0 && end > i && t[end-1].Text != "an" && increases[t[i-1].Text]
}

// increases are words of changes, goes those that are one with "up" or "down", and tellsSize the words between a change and its size.
var (
	increases = wordSet(`increase increases increased increasing decrease decreases decreased decreasing discount discounts rise rises rose risen rising
		hike hikes grow grows grew climb climbs climbed fall falls fell fallen drop drops dropped reduction`)
	goes      = wordSet(`go goes going gone went move moves moved moving`)
	tellsSize = wordSet(`of by average averages averaging an about around approximately roughly nearly`)
)

// isIncrease tells whether the percent before i is the size of a change: "a 5.9% general rate increase".
func isIncrease(t []token.Token, i int) bool {
	for i < len(t) && ofIncrease[t[i].Text] {
		i++
	}
	return i < len(t) && changes[t[i].Text]
}

// ofIncrease are words between the size of a change and its name.
var ofIncrease = wordSet(`general rate rates average overall annual list base price tariff across the board`)

func wordSet(list string) map[string]bool {
	all := map[string]bool{}
	for word := range strings.FieldsSeq(list) {
		all[word] = true
	}
	return all
}

// changes stand behind a percent that is a change.
var changes = wordSet(`lower higher increase decrease savings discount off bonus hike gri`)
