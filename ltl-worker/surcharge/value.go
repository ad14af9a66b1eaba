package surcharge

import "strings"

// kind is the shape of a cell.
type kind uint8

const (
	blank kind = iota // nothing, or a word for nothing
	text
	days
	figure
)

// value is what a cell says.
type value struct {
	kind  kind
	text  string
	dates dates
	q     quantity
}

// reader turns cells into values; it keeps a buffer between them.
type reader struct{ tokens []token }

func (r *reader) value(s string) value {
	v := value{kind: text, text: s}
	if s == "" {
		return value{}
	}
	if len(s) > maxNothing && !strings.ContainsAny(s, "0123456789") {
		return v
	}
	r.tokens = lex(r.tokens[:0], s)
	t := r.tokens
	switch {
	case !hasDigits(t):
		if nothing(t) {
			v.kind = blank
		}
	default:
		if d, ok := parseDates(t); ok {
			v.kind, v.dates = days, d
		} else if q, ok := parseQuantity(t); ok {
			v.kind, v.q = figure, q
		}
	}
	return v
}

func hasDigits(t []token) bool {
	for i := range t {
		if t[i].kind == digits {
			return true
		}
	}
	return false
}

// maxNothing bounds, in bytes, the words for nothing.
const maxNothing = 24

// equals tells whether two cells say the same date, the same figure or the same words.
func (v *value) equals(w *value) bool {
	switch {
	case v.kind != w.kind:
		return false
	case v.kind == days:
		return v.dates.start(false, 0) == w.dates.start(false, 0)
	case v.kind == figure:
		return v.q.value == w.q.value
	}
	return v.text == w.text
}

// nothing tells whether a cell says that it has no value: "-", "n/a", "TBD".
func nothing(t []token) bool {
	var said []string
	for i := range t {
		switch t[i].kind {
		case '-', '/', '.', '*', '(', ')', '%', '$':
		case word:
			said = append(said, t[i].text)
		default:
			return false
		}
	}
	switch strings.Join(said, " ") {
	case "":
		return len(t) > 0 // else it is prose
	case "n a", "na", "none", "null", "nil", "nan", "undefined", "tba", "tbd", "pending", "unavailable", "not available",
		"not yet available", "no data", "no data available", "to be announced", "to be determined":
		return true
	}
	return false
}
