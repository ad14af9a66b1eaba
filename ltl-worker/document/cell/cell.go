// Package cell reads what one cell of a table says: a date or a range of dates, a number with its unit, text, or
// nothing.
package cell

import (
	"strings"
	"unicode/utf8"

	"assay.dev/ltl-worker/document/token"
)

// Kind is what a cell holds.
type Kind uint8

// The kinds.
const (
	Blank  Kind = iota // nothing, or a word for nothing, such as "n/a"
	Text               // anything else that is not a value
	Dates              // a day or a range of days
	Figure             // a number
)

// Value is what a cell says.
type Value struct {
	Text     string   // as the document has it
	Quantity Quantity // of Kind Figure
	Dates    Range    // of Kind Dates
	Kind     Kind
	At       int32 // where its leaf stands, as a [scrape.Spot] says it; 0 where that is not known
}

// Reader reads cells. It keeps the tokens of the last text, so it serves one goroutine.
type Reader struct {
	text   string
	tokens []token.Token
}

func hasDigit(text string) bool {
	for i := range len(text) {
		if '0' <= text[i] && text[i] <= '9' {
			return true
		}
	}
	return false
}

func (r *Reader) split(text string) []token.Token {
	if text != r.text {
		r.text, r.tokens = text, token.SplitLine(r.tokens[:0], text)
	}
	return r.tokens
}

// Read reads one cell: "9/2/2026" is Dates, "46.32%" is a Figure, "TBD" is Blank and "see notice" is Text.
func (r *Reader) Read(text string) Value {
	if text == "" {
		return Value{}
	}
	if v, _, ok := plain(text); ok {
		return v
	}
	v := Value{Kind: Text, Text: text}
	isValue := hasDigit(text)
	if !isValue && (len(text) > maxNothing || !mayBeNothing(text)) || len(text) > token.MaxText {
		return v
	}
	t := r.split(text)
	if !isValue {
		if saysNothing(t) {
			v.Kind = Blank
		}
		return v
	}
	if dates, ok := readRange(t); ok {
		v.Kind, v.Dates = Dates, dates
	} else if quantity, ok := readQuantity(t); ok {
		v.Kind, v.Quantity = Figure, quantity
	}
	return v
}

// maxNothing is the length, in bytes, of the longest words for nothing.
const maxNothing = 24

// wordsForNothing stand in a cell that has no value.
var wordsForNothing = map[string]bool{
	"n a": true, "na": true, "none": true, "null": true, "nil": true, "nan": true, "undefined": true, "tba": true,
	"tbd": true, "pending": true, "unavailable": true, "not available": true, "not yet available": true,
	"no data": true, "no data available": true, "to be announced": true, "to be determined": true,
}

// mayBeNothing tells whether a text begins as the words for nothing do, or has no ordinary letters.
func mayBeNothing(text string) bool {
	i := strings.IndexFunc(text, func(r rune) bool { return 'a' <= r|0x20 && r|0x20 <= 'z' || r >= utf8.RuneSelf })
	return i < 0 || text[i] >= utf8.RuneSelf || strings.IndexByte("nptu", text[i]|0x20) >= 0
}

// saysNothing tells whether a cell says that it has no value: "-", "n/a", "TBD". Prose, which has no tokens, does
// not.
func saysNothing(t []token.Token) bool {
	var said []string
	for i := range t {
		switch t[i].Kind {
		case '-', '/', '.', '*', '(', ')', '%', '$':
		case token.Word:
			said = append(said, t[i].Text)
		default:
			return false
		}
	}
	if len(said) == 0 {
		return len(t) > 0
	}
	return wordsForNothing[strings.Join(said, " ")]
}

// Equals tells whether two cells say the same date, the same number or the same words.
func (v *Value) Equals(w *Value) bool {
	switch {
	case v.Kind != w.Kind:
		return false
	case v.Kind == Dates:
		return v.Dates.First(0) == w.Dates.First(0)
	case v.Kind == Figure:
		return v.Quantity.Value == w.Quantity.Value
	}
	return v.Text == w.Text
}
