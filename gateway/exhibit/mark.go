package exhibit

import (
	"html"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// span is text[from:to].
type span struct{ from, to int }

func (s span) holds(other span) bool { return s.from <= other.from && other.to <= s.to }

// in is the part of a span that is in a text, which may be cut.
func (s span) in(text string) span { return span{min(s.from, len(text)), min(s.to, len(text))} }

// row is what was read of one week or license: where its values are in the text that is shown, and the whole of it; the
// zero whole is that of values which stand apart from each other, as in a table whose rows are columns.
type row struct {
	values []span
	whole  span
}

// rowsIn are the rows that were read, as far as they are in the text. A row of which a value is not there as it was
// read is left out.
func (s shown) rowsIn() map[string]row {
	rows := map[string]row{}
	for key, spots := range s.rows {
		var r row
		for i, spot := range spots {
			within, unit := s.place(spot)
			within, unit = within.in(s.text), unit.in(s.text)
			value, ok := spelledIn(s.text, within, spot.Text)
			if !ok {
				r.values = nil
				break
			}
			if r.values = append(r.values, value); i == 0 {
				r.whole = unit
			}
			r.whole = span{min(r.whole.from, unit.from, value.from), max(r.whole.to, unit.to, value.to)}
		}
		if len(r.values) > 0 {
			r.whole = linesOf(s.text, r.whole)
			rows[key] = r
		}
	}
	for key, r := range rows {
		for other, o := range rows {
			if other != key && slices.ContainsFunc(o.values, r.whole.holds) {
				r.whole = span{}
				break
			}
		}
		rows[key] = r
	}
	return rows
}

// linesOf are the whole lines in which a span is.
func linesOf(text string, s span) span {
	from := strings.LastIndexByte(text[:s.from], '\n') + 1
	if end := strings.IndexByte(text[s.to:], '\n'); end >= 0 {
		return span{from, s.to + end + 1}
	}
	return span{from, len(text)}
}

// asked is the key of the row that a text asks for; empty for none.
func asked(rows map[string]row, find string) string {
	wanted := letters(find)
	for key := range rows {
		if wanted != "" && letters(key) == wanted {
			return key
		}
	}
	return ""
}

// writeMarked is the text, escaped, with every value marked that was read, and with the row outlined that is asked for;
// where its values stand apart, each of them.
func writeMarked(text string, rows map[string]row, asked string) string {
	marks := map[span]string{}
	for _, r := range rows {
		for _, v := range r.values {
			marks[v] = "<mark>"
		}
	}
	outlined := rows[asked].whole
	if outlined == (span{}) {
		for _, v := range rows[asked].values {
			marks[v] = "<mark class=asked>"
		}
	}
	var b strings.Builder
	written := 0
	write := func(to int, tag string) {
		if to > written {
			b.WriteString(html.EscapeString(text[written:to]))
			written = to
		}
		b.WriteString(tag)
	}
	inFront := func(a, b span) int { return a.from - b.from }
	isOpen := false
	for _, v := range slices.SortedFunc(maps.Keys(marks), inFront) {
		if v.from < written {
			continue // it overlaps the one before
		}
		if isOpen && v.from >= outlined.to {
			write(outlined.to, "</mark>")
			isOpen = false
		}
		if !isOpen && outlined.holds(v) {
			write(outlined.from, `<mark class=row>`)
			isOpen = true
		}
		write(v.from, marks[v])
		write(v.to, "</mark>")
	}
	if isOpen {
		write(outlined.to, "</mark>")
	}
	write(len(text), "")
	return b.String()
}

func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// spelledIn is where a text first stands by itself within a span.
func spelledIn(text string, within span, s string) (span, bool) {
	s = strings.Join(strings.Fields(s), " ")
	for from := within.from; from < within.to && s != ""; {
		if to, ok := spelledAt(text[:within.to], from, s); ok && isAlone(text, from, to) {
			return span{from, to}, true
		}
		_, size := utf8.DecodeRuneInString(text[from:])
		from += size
	}
	return span{}, false
}

// spelledAt tells whether a text stands at from, in any letter case and with any white space where it has a blank.
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
	first, _ := utf8.DecodeRuneInString(text[from:])
	before, _ := utf8.DecodeLastRuneInString(text[:from])
	after, size := utf8.DecodeRuneInString(text[to:])
	next, _ := utf8.DecodeRuneInString(text[to+size:])
	last, _ := utf8.DecodeLastRuneInString(text[:to])
	isFraction := from >= 2 && text[from-1] == '.' && unicode.IsDigit(rune(text[from-2])) &&
		unicode.IsDigit(rune(text[from]))
	goesOn := isWord(before) && isWord(first) || isWord(last) && isWord(after) ||
		unicode.IsDigit(last) && after == '.' && unicode.IsDigit(next)
	return !isFraction && !goesOn
}
