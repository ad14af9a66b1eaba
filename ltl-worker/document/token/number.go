package token

import (
	"bytes"
	"strconv"
)

// Number is a number as it is printed.
type Number struct {
	Value float64
	// Decimals is how many digits stand behind the decimal point.
	Decimals int8
}

// maxFigures is the most digits that a number may have. A float64 holds such a number exactly.
const maxFigures = 12

// BeginsNumber tells whether a number can begin at i: with digits, or with a decimal point as in ".254".
func BeginsNumber(t []Token, i int) bool {
	afterDigits := i > 0 && t[i].Glued && t[i-1].Kind == Digits
	return t[i].Kind == Digits || isFraction(t, i) && !afterDigits
}

// ReadNumber reads a number such as 1,234.50 or .254 at i; next is the index after it. "A1" is no number because it
// names something, and a decimal comma makes none. There is none at the end of the tokens.
func ReadNumber(t []Token, i int) (n Number, next int, ok bool) {
	if i >= len(t) || i > 0 && t[i].Glued && t[i-1].Kind == Word {
		return Number{}, i, false
	}
	var buf [24]byte
	text := buf[:0]
	if t[i].Kind == Digits {
		text = append(text, t[i].Text...)
		for i++; i+1 < len(t) && t[i].Kind == ',' && t[i].Glued && t[i+1].Glued && t[i+1].Kind == Digits; i += 2 {
			if len(t[i+1].Text) != 3 {
				return Number{}, i, false
			}
			text = append(text, t[i+1].Text...)
		}
	}
	if isFraction(t, i) && (len(text) == 0 || t[i].Glued) {
		text = append(append(text, '.'), t[i+1].Text...)
		n.Decimals, i = int8(min(len(t[i+1].Text), maxFigures+1)), i+2
	}
	if continues(t, i) || len(text)-bytes.Count(text, []byte{'.'}) > maxFigures {
		return Number{}, i, false
	}
	var err error
	n.Value, err = strconv.ParseFloat(string(text), 64)
	return n, i, err == nil
}

// isFraction tells whether a decimal point with digits behind it stands at i.
func isFraction(t []Token, i int) bool {
	return i+1 < len(t) && t[i].Kind == '.' && t[i+1].Kind == Digits && t[i+1].Glued
}

// continues tells whether the number before i goes on in a way that no number does: "5.5.9", or a raised digit.
func continues(t []Token, i int) bool {
	return i < len(t) && t[i].Glued && (t[i].Kind == Digits || t[i].Kind == '^' || isFraction(t, i))
}
