package token

import "math"

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

// ReadNumber reads a number such as 1,234.50 or .254 at i; next is the index after it. "A1" is no number because it names something.
// There is none at the end of the tokens.
func ReadNumber(t []Token, i int) (n Number, next int, ok bool) {
	if i >= len(t) || i > 0 && t[i].Glued && t[i-1].Kind == Word {
		return Number{}, i, false
	}
	var d decimal
	if i, ok = d.whole(t, i); !ok {
		return Number{}, i, false
	}
	i = d.fraction(t, i)
	if continues(t, i) {
		return Number{}, i, false
	}
	// The mantissa and the power of ten are exact, so their quotient is the float nearest to what is printed.
	return Number{float64(d.mantissa) / math.Pow10(int(d.decimals)), d.decimals}, i, d.length > 0 && d.length <= maxFigures
}

// decimal is a number while it is read.
type decimal struct {
	mantissa int64
	length   int // digits in the mantissa
	decimals int8
}

func (d *decimal) add(digits string) {
	for _, c := range []byte(digits) {
		d.mantissa = 10*d.mantissa + int64(c-'0')
	}
	d.length += len(digits)
}

// whole reads the digits before the point, which commas may divide into thousands. It fails for a decimal comma.
func (d *decimal) whole(t []Token, i int) (next int, ok bool) {
	if i >= len(t) {
		return i, false
	}
	if t[i].Kind != Digits || len(t[i].Text) > maxFigures {
		return i, true
	}
	d.add(t[i].Text)
	i++
	for i+1 < len(t) && t[i].Kind == ',' && t[i].Glued && t[i+1].Glued && t[i+1].Kind == Digits {
		if len(t[i+1].Text) != 3 || d.length > maxFigures {
			return i, false
		}
		d.add(t[i+1].Text)
		i += 2
	}
	return i, true
}

// fraction reads the point and the digits behind it.
func (d *decimal) fraction(t []Token, i int) (next int) {
	if !isFraction(t, i) || (d.length > 0 && !t[i].Glued) || len(t[i+1].Text) > maxFigures {
		return i
	}
	d.add(t[i+1].Text)
	d.decimals = int8(len(t[i+1].Text))
	return i + 2
}

// isFraction tells whether a decimal point with digits behind it stands at i.
func isFraction(t []Token, i int) bool {
	return i+1 < len(t) && t[i].Kind == '.' && t[i+1].Kind == Digits && t[i+1].Glued
}

// continues tells whether the number before i goes on in a way that no number does: "5.5.9", or a raised digit.
func continues(t []Token, i int) bool {
	return i < len(t) && t[i].Glued && (t[i].Kind == Digits || t[i].Kind == '^' || isFraction(t, i))
}
