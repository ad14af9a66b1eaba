package exhibit

import (
	"bytes"
	"html"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// writeMarked writes the text, escaped, with every value marked that stands in it by itself. Those of the class asked are find.
func writeMarked(b *bytes.Buffer, text, find string, values []string) {
	known, written := spelled{}, 0
	known.addValue(find, "<mark class=asked>")
	for _, value := range values {
		known.addValue(value, "<mark>")
	}
	for from := 0; from < len(text); {
		r, size := utf8.DecodeRuneInString(text[from:])
		if !isWord(r) {
			from += size
			continue
		}
		end := wordEnd(text, from)
		if to, mark := known.longest(text, from, end); to > from {
			b.WriteString(html.EscapeString(text[written:from]) + mark + html.EscapeString(text[from:to]) + "</mark>")
			written, end = to, to
		}
		from = end
	}
	b.WriteString(html.EscapeString(text[written:]))
}

func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// wordEnd is where the letters and digits that begin at from end.
func wordEnd(text string, from int) int {
	if n := strings.IndexFunc(text[from:], func(r rune) bool { return !isWord(r) }); n >= 0 {
		return from + n
	}
	return len(text)
}

// spelled are the spellings of values by their first words, in lower case.
type spelled map[string][]spelling

// spelling is a form of a value, and the tag that marks it.
type spelling struct{ text, mark string }

// addValue adds the spellings of a value. What was added before marks a text that both spell.
func (known spelled) addValue(value, mark string) {
	for _, s := range spellings(value) {
		s = strings.TrimLeftFunc(strings.Join(strings.Fields(s), " "), func(r rune) bool { return !isWord(r) })
		if s != "" {
			first := strings.ToLower(s[:wordEnd(s, 0)])
			known[first] = append(known[first], spelling{s, mark})
		}
	}
}

// longest is the end of the longest spelling that stands by itself in text from a word on, and its mark; from when there is none.
func (known spelled) longest(text string, from, wordEnd int) (end int, mark string) {
	end = from
	for _, s := range known[strings.ToLower(text[from:wordEnd])] {
		if to, ok := spelledAt(text, from, s.text); ok && to > end && isAlone(text, from, to) {
			end, mark = to, s.mark
		}
	}
	return end, mark
}

// spelledAt tells whether a spelling stands at from, in any letter case and with any white space where it has a blank.
func spelledAt(text string, from int, s string) (to int, ok bool) {
	for _, want := range s {
		if want == ' ' {
			rest := strings.TrimLeftFunc(text[from:], unicode.IsSpace)
			if len(rest) == len(text)-from {
				return from, false
			}
			from = len(text) - len(rest)
			continue
		}
		got, size := utf8.DecodeRuneInString(text[from:])
		if size == 0 || got != want && unicode.ToLower(got) != unicode.ToLower(want) {
			return from, false
		}
		from += size
	}
	return from, true
}

// isAlone tells whether text[from:to] is a number or word by itself and no part of a longer one: in 46.32 neither 6.32
// nor 46 is.
func isAlone(text string, from, to int) bool {
	after, size := utf8.DecodeRuneInString(text[to:])
	next, _ := utf8.DecodeRuneInString(text[to+size:])
	last, _ := utf8.DecodeLastRuneInString(text[:to])
	isFraction := from >= 2 && text[from-1] == '.' && unicode.IsDigit(rune(text[from-2])) && unicode.IsDigit(rune(text[from]))
	goesOn := isWord(last) && isWord(after) || unicode.IsDigit(last) && after == '.' && unicode.IsDigit(next)
	return !isFraction && !goesOn
}

// dateSpellings are the forms in which sources print dates.
var dateSpellings = []string{
	time.DateOnly, "1/2/2006", "01/02/2006", "1/2/06", "01/02/06", "1-2-2006", "01-02-2006", "20060102", "2006/01/02",
	"January 2, 2006", "Jan 2, 2006", "Jan. 2, 2006", "02-Jan-2006", "2 January 2006",
}

// spellings are the forms in which a source may print a value of an answer.
func spellings(value string) []string {
	if day, err := time.Parse(time.DateOnly, value); err == nil {
		var all []string
		for _, layout := range dateSpellings {
			all = append(all, day.Format(layout))
		}
		return all
	}
	all := []string{value}
	if n, err := strconv.ParseFloat(value, 64); err == nil && strings.Trim(value, "0123456789.") == "" {
		for _, decimals := range []int{1, 2, 3, 4} {
			if text := strconv.FormatFloat(n, 'f', decimals, 64); sameNumber(text, n) {
				all = append(all, text)
			}
		}
	}
	return all
}

func sameNumber(text string, n float64) bool {
	read, err := strconv.ParseFloat(text, 64)
	return err == nil && read == n
}
