package sheet

import (
	"cmp"
	"errors"
	"strconv"
	"strings"
)

// Numbers reads the decimal numbers of a column by the separators that the column as a whole has.
type Numbers struct {
	// hasComma: a comma stands before the decimals.
	hasComma bool
}

// NumbersOf finds the separators of a column's texts: points before the decimals, unless a text allows commas only.
func NumbersOf(texts []string) Numbers {
	for _, text := range texts {
		digits := bare(text).digits
		if _, err := (Numbers{}).plain(digits); err != nil {
			if _, err := (Numbers{true}).plain(digits); err == nil {
				return Numbers{true}
			}
		}
	}
	return Numbers{}
}

// Number is a number as it was written.
type Number struct {
	// Text is the decimal text, such as 1243.11, without a sign.
	Text string
	// IsNegative numbers have a minus, or stand in parentheses; IsPercent ones have a percent sign, IsAmount ones a
	// currency.
	IsNegative, IsPercent, IsAmount bool
	digits                          string
}

var errNumber = errors.New("this is not a number")

// Parse reads a number such as $1,243.11, (12.50), 12- or 46.32%.
func (f Numbers) Parse(text string) (n Number, err error) {
	n = bare(text)
	n.Text, err = f.plain(n.digits)
	return n, err
}

// SameNumber tells whether two cells are the same number, however they write it; an empty one is zero.
func SameNumber(a, b string) bool {
	value := func(text string) (float64, error) {
		n, err := NumbersOf([]string{text}).Parse(cmp.Or(text, "0"))
		if err != nil {
			return 0, err
		}
		v, err := strconv.ParseFloat(n.Text, 64)
		if n.IsNegative {
			v = -v
		}
		return v, err
	}
	x, err1 := value(a)
	y, err2 := value(b)
	return a == b || err1 == nil && err2 == nil && x == y
}

// bare takes signs, currency and blanks off a number.
func bare(text string) (n Number) {
	s := strings.TrimSpace(text)
	if inner, ok := strings.CutPrefix(s, "("); ok && strings.HasSuffix(inner, ")") {
		n.IsNegative, s = true, strings.TrimSuffix(inner, ")")
	}
	upper := strings.ToUpper(s)
	for _, currency := range []string{"US$", "USD", "$"} {
		if strings.Contains(upper, currency) {
			i := strings.Index(upper, currency)
			s, n.IsAmount = s[:i]+s[i+len(currency):], true
			break
		}
	}
	if strings.Contains(s, "%") {
		s, n.IsPercent = strings.Replace(s, "%", "", 1), true
	}
	s = strings.TrimSpace(s)
	for _, minus := range []string{"-", "\u2212", "\u2013"} {
		if strings.HasPrefix(s, minus) || strings.HasSuffix(s, minus) {
			s, n.IsNegative = strings.TrimSpace(strings.TrimSuffix(strings.TrimPrefix(s, minus), minus)), true
			break
		}
	}
	n.digits = strings.TrimPrefix(s, "+")
	return n
}

// spaces stand between thousands, whatever the decimals are written with.
var spaces = strings.NewReplacer(" ", "'", "\u00a0", "'", "\u202f", "'", "\u2019", "'")

// plain is digits with separators of thousands as a decimal text.
func (f Numbers) plain(digits string) (string, error) {
	thousands, point := ",", "."
	if f.hasComma {
		thousands, point = ".", ","
	}
	whole, decimals, hasPoint := strings.Cut(digits, point)
	if whole == "" && hasPoint && decimals != "" {
		whole = "0"
	}
	groups := strings.Split(strings.ReplaceAll(spaces.Replace(whole), "'", thousands), thousands)
	for i, g := range groups {
		isFirst := i == 0 && (len(groups) == 1 || len(g) < 4 && g != "" && g[0] != '0')
		if !isDigits(g) || !isFirst && (i == 0 || len(g) != 3) {
			return "", errNumber
		}
	}
	if decimals != "" && !isDigits(decimals) {
		return "", errNumber
	}
	text := strings.Join(groups, "")
	if decimals != "" {
		text += "." + decimals
	}
	return text, nil
}

func isDigits(text string) bool { return text != "" && strings.Trim(text, "0123456789") == "" }
