package surcharge

import (
	"math"
	"strings"
)

// unit is what a number is marked with.
type unit uint8

const (
	bare unit = iota
	percent
	dollars
	cents
	perMile
)

// quantity is a number as a cell prints it.
type quantity struct {
	value    float64
	about    mark // what the words beside the number say: "27.0% LTL"
	decimals int8
	unit     unit
}

// parseQuantity reads a cell that holds one number, its unit and words of the vocabulary.
func parseQuantity(t []token) (quantity, bool) {
	var q quantity
	seen := false
	for i := 0; i < len(t); {
		switch k := t[i].kind; {
		case k == digits || k == '.' && i+1 < len(t) && t[i+1].kind == digits && t[i+1].glued && !after(t, i, digits):
			if footnote(t, i) {
				i++
				continue
			}
			if next := q.band(t, i); seen && next > 0 {
				i = next
				continue
			}
			next, ok := q.read(t, i)
			if seen || !ok {
				return q, false
			}
			seen, i = true, next
			continue
		case k == word:
			if !q.word(t[i].text) {
				return q, false
			}
		case k == '$':
			q.unit = dollars
		case k == '%':
			q.unit = percent
		case k == '¢':
			q.unit = cents
		case strings.ContainsRune("*†‡§():[].,¹²³", k), k == '/' && seen:
		default:
			return q, false
		}
		i++
	}
	return q, seen
}

// after tells whether the token at i is glued to one of kind k before it.
func after(t []token, i int, k rune) bool { return i > 0 && t[i].glued && t[i-1].kind == k }

// read takes 1,234.50 or .254 at i.
func (q *quantity) read(t []token, i int) (int, bool) {
	if i > 0 && t[i].glued && (t[i-1].kind == word || t[i-1].kind == '(') {
		return i, false // "A1" names something, "(1.2)" is negative
	}
	return q.plain(t, i)
}

func (q *quantity) plain(t []token, i int) (int, bool) {
	if i >= len(t) {
		return i, false
	}
	mantissa, length := int64(0), 0
	add := func(digits string) {
		for _, d := range []byte(digits) {
			mantissa = 10*mantissa + int64(d-'0')
		}
		length += len(digits)
	}
	if t[i].kind == digits && len(t[i].text) <= maxFigures {
		add(t[i].text)
		i++
		for i+1 < len(t) && t[i].kind == ',' && t[i].glued && t[i+1].glued && t[i+1].kind == digits {
			if len(t[i+1].text) != 3 || length > maxFigures {
				return i, false // a decimal comma, or no number at all
			}
			add(t[i+1].text)
			i += 2
		}
	}
	scale := 1.0
	if i+1 < len(t) && t[i].kind == '.' && t[i+1].kind == digits && t[i+1].glued && (length == 0 || t[i].glued) && len(t[i+1].text) <= maxFigures {
		add(t[i+1].text)
		q.decimals = int8(len(t[i+1].text))
		scale = math.Pow10(len(t[i+1].text))
		i += 2
	}
	if i < len(t) && t[i].glued && (t[i].kind == digits || t[i].kind == '^' || t[i].kind == '.' && i+1 < len(t) && t[i+1].glued && t[i+1].kind == digits) {
		return i, false // "5.5.9", and a figure raised right behind it
	}
	q.value = float64(mantissa) / scale // both are exact, so this is the float nearest to what is printed
	return i, length > 0 && length <= maxFigures
}

// maxFigures bounds the digits of a number: it is exact as a float then.
const maxFigures = 12

// band is the index after the bracket that the number lies in, as "5.599 (5.57 - 5.60)" prints it behind; 0 if there is
// none at i.
func (q *quantity) band(t []token, i int) int {
	var low, high quantity
	if i == 0 || t[i-1].kind != '(' {
		return 0
	}
	next, ok := low.plain(t, i)
	if !ok || next >= len(t) || t[next].kind != '-' {
		return 0
	}
	next = skip(t, next+1, "$")
	next, ok = high.plain(t, next)
	if !ok || next >= len(t) || t[next].kind != ')' || q.value < low.value || q.value > high.value {
		return 0
	}
	return next
}

// word takes a word beside the number; false for one that makes the cell something else.
func (q *quantity) word(w string) bool {
	switch w {
	case "percent", "pct":
		q.unit = percent
	case "cents", "cent":
		q.unit = cents
	case "mile", "mi", "cpm":
		q.unit = perMile
	case "lbs", "lb", "pounds", "no", "than", "less", "over", "under", "to", "through", "week", "weeks":
		return false
	}
	m := words[w]
	q.about |= m
	return m != 0 || w == "mi"
}
