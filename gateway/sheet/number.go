package sheet

import (
	"cmp"
	"errors"
	"strconv"
	"strings"
)

// Numbers reads the decimal numbers of a column by the separators that the column as a whole has.
type Numbers struct {
	// arePercents: no separator stands between thousands.
	arePercents bool
	// points and commas count the texts that can be read only with that sign before the decimals.
	points, commas int
}

// NumbersOf finds the separators of a column's texts: points before the decimals, unless more texts allow commas only.
// Percents have no thousands.
func NumbersOf(texts []string, arePercents bool) Numbers {
	f := Numbers{arePercents: arePercents}
	for _, text := range texts {
		switch withPoint, withComma := f.readings(bare(text).digits); {
		case withComma == "" && withPoint != "":
			f.points++
		case withPoint == "" && withComma != "":
			f.commas++
		}
	}
	return f
}

// Number is a number as it was written.
type Number struct {
	// Text is the decimal text, such as 1243.11, without a sign.
	Text string
	// IsNegative numbers have a minus or CR, or stand in parentheses or angle brackets; IsPercent ones have a percent sign,
	// IsAmount ones a currency.
	IsNegative, IsPercent, IsAmount bool
	digits                          string
}

var (
	errNumber = errors.New("this is not a number that is understood, such as $1243")
	errComma  = errors.New("this has a decimal comma, and most of the column has decimal points; write it as the others")
	errPoint  = errors.New("this has a decimal point, and most of the column has decimal commas; write it as the others")
	errEither = errors.New("as many numbers of the column have a decimal comma as have a decimal point; " +
		"write all with the same")
)

// Parse reads a number such as $1,243.11, $(12.50), 12- or 46.32%. One that does not fit the rest of the column is an
// error.
func (f Numbers) Parse(text string) (n Number, err error) {
	n = bare(text)
	withPoint, withComma := f.readings(n.digits)
	switch {
	case withPoint == "" && withComma == "":
		return n, errNumber
	case withPoint == withComma:
		n.Text = withPoint
	case f.points == f.commas && f.points > 0:
		return n, errEither
	case f.commas > f.points && withComma == "":
		return n, errPoint
	case f.commas > f.points:
		n.Text = withComma
	case withPoint == "":
		return n, errComma
	default:
		n.Text = withPoint
	}
	return n, nil
}

// SameNumber tells whether two cells are the same number, however they write it; an empty one is zero.
func SameNumber(a, b string) bool {
	value := func(text string) (float64, error) {
		n, err := parseNumber(cmp.Or(text, "0"))
		if n.IsNegative {
			return -n.magnitude(), err
		}
		return n.magnitude(), err
	}
	x, err1 := value(a)
	y, err2 := value(b)
	return a == b || err1 == nil && err2 == nil && x == y
}

// parseNumber reads a number by itself.
func parseNumber(text string) (Number, error) { return NumbersOf([]string{text}, false).Parse(text) }

func isNumber(text string) bool {
	_, err := parseNumber(text)
	return err == nil
}

// magnitude is the number without its sign.
func (n Number) magnitude() float64 {
	v, _ := strconv.ParseFloat(n.Text, 64) // what was read is digits
	return v
}

// negatives are what stands around numbers below zero.
var negatives = [][2]string{{"(", ")"}, {"<", ">"}, {"", "CR"}, {"CR", ""}, {"", "-"}, {"-", ""}}

// bare takes signs, currency and blanks off a number.
func bare(text string) (n Number) {
	s := dashes.Replace(strings.ToUpper(text))
	for _, currency := range []string{"US$", "USD", "$"} {
		if i := strings.Index(s, currency); i >= 0 {
			s, n.IsAmount = s[:i]+s[i+len(currency):], true
			break
		}
	}
	if strings.Contains(s, "%") {
		s, n.IsPercent = strings.Replace(s, "%", "", 1), true
	}
	s = strings.TrimSpace(s)
	if n.IsAmount && s == "-" { // as formats of accounts show zero; without a currency the amount may not be given
		s = "0"
	}
	for _, around := range negatives {
		inner, isAfter := strings.CutPrefix(s, around[0])
		inner, isBefore := strings.CutSuffix(inner, around[1])
		if isAfter && isBefore {
			s, n.IsNegative = strings.TrimSpace(inner), true
		}
	}
	n.digits = strings.TrimPrefix(s, "+")
	return n
}

// dashes are written for minus.
var dashes = strings.NewReplacer("\u2212", "-", "\u2013", "-")

// spaces stand between thousands, whatever the decimals are written with.
var spaces = strings.NewReplacer(" ", "'", "\u00a0", "'", "\u202f", "'", "\u2019", "'")

// readings are digits as decimal texts, with a point and with a comma before the decimals; empty for none.
func (f Numbers) readings(digits string) (withPoint, withComma string) {
	return f.plain(digits, ".", ","), f.plain(digits, ",", ".")
}

// plain is digits with separators as a decimal text; empty for what is no number.
func (f Numbers) plain(digits, point, thousands string) string {
	whole, decimals, hasPoint := strings.Cut(digits, point)
	if whole == "" && hasPoint && decimals != "" {
		whole = "0"
	}
	groups := strings.Split(strings.ReplaceAll(spaces.Replace(whole), "'", thousands), thousands)
	if f.arePercents && len(groups) > 1 {
		return ""
	}
	for i, g := range groups {
		isFirst := i == 0 && (len(groups) == 1 || len(g) < 4 && g != "" && g[0] != '0')
		if !isDigits(g) || !isFirst && (i == 0 || len(g) != 3) {
			return ""
		}
	}
	text := strings.Join(groups, "")
	switch {
	case decimals == "":
		return text
	case !isDigits(decimals):
		return ""
	}
	return text + "." + decimals
}

func isDigits(text string) bool { return text != "" && strings.Trim(text, "0123456789") == "" }
