package audit

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Points are percents, and differences of percents, in ten-thousandths of a percentage point: 46.32 % is 463,200.
type Points int64

// Cents are amounts in US cents.
type Cents int64

const (
	pointDecimals, centDecimals = 4, 2

	onePoint Points = 10_000
	// maxPoints is 1,000 % and maxCents 1,000,000,000 USD. Their product fits into an int64.
	maxPoints = 1_000 * onePoint
	maxCents  = 100_000_000_000
)

// ParsePoints reads a percent, or percentage points, such as 46.32: from 0 to 1,000 with up to 4 decimals.
func ParsePoints(text string) (Points, error) {
	n, err := parseDecimal(text, pointDecimals)
	if err == nil && n > int64(maxPoints) {
		err = errTooMuch
	}
	return Points(n), err
}

var errTooMuch = errors.New("at most 1000 percent are allowed")

// ParseCents reads an amount such as 1234.5: from 0 to 1,000,000,000 with up to 2 decimals.
func ParseCents(text string) (Cents, error) {
	n, err := parseDecimal(text, centDecimals)
	if err == nil && n > maxCents {
		err = errors.New("at most 1000000000 USD are allowed")
	}
	return Cents(n), err
}

// PublishedPoints is a percent as carriers' answers have it.
func PublishedPoints(percent float64) Points { return Points(math.Round(percent * float64(onePoint))) }

var errDecimal = errors.New("want a decimal number such as 1234.56, without a sign, a currency " +
	"or separators of thousands")

// parseDecimal reads digits, a point and an exponent, as JSON writes numbers that are not negative, and scales them by
// 10 to the power of decimals. It refuses more decimals than that, unless they are zeros; and three, even zeros, as
// 1.000 may be a thousand.
func parseDecimal(text string, decimals int) (int64, error) {
	mantissa, exponent, err := splitExponent(text)
	whole, fraction, hasPoint := strings.Cut(mantissa, ".")
	if err != nil || !isDigits(whole) || hasPoint && !isDigits(fraction) {
		return 0, errDecimal
	}
	digits, shift := strings.TrimLeft(whole+fraction, "0"), decimals+exponent-len(fraction)
	if decimals < thousand && shift == decimals-thousand {
		return 0, fmt.Errorf("at most %d decimals are allowed; as three digits may also be thousands, "+
			"write those without a separator", decimals)
	}
	for shift < 0 && strings.HasSuffix(digits, "0") {
		digits, shift = digits[:len(digits)-1], shift+1
	}
	switch {
	case digits == "":
		return 0, nil
	case shift < 0:
		return 0, fmt.Errorf("at most %d decimals are allowed", decimals)
	case len(digits)+shift > maxDigits:
		return math.MaxInt64, nil
	}
	return strconv.ParseInt(digits+strings.Repeat("0", shift), 10, 64)
}

const (
	// thousand is how many digits stand behind a separator of thousands.
	thousand = 3
	// maxDigits are those that every int64 has room for.
	maxDigits = 18
	// maxExponent is more than any amount needs.
	maxExponent = 99
)

// splitExponent takes a number such as 1.5e3 apart.
func splitExponent(text string) (mantissa string, exponent int, err error) {
	i := strings.IndexAny(text, "eE")
	if i < 0 {
		return text, 0, nil
	}
	exponent, err = strconv.Atoi(text[i+1:])
	if err == nil && (exponent > maxExponent || exponent < -maxExponent) {
		err = errDecimal
	}
	return text[:i], exponent, err
}

func isDigits(text string) bool { return text != "" && strings.Trim(text, "0123456789") == "" }

// String writes at least 2 decimals and as many as it needs, such as 46.30 or -0.125.
func (p Points) String() string {
	text := writeDecimal(int64(p), pointDecimals)
	for range pointDecimals - centDecimals {
		text = strings.TrimSuffix(text, "0")
	}
	return text
}

// number is nil for nil.
func (p *Points) number() *float64 {
	if p == nil {
		return nil
	}
	return new(float64(*p) / float64(onePoint))
}

// String writes 2 decimals, such as -1234.50.
func (c Cents) String() string { return writeDecimal(int64(c), centDecimals) }

func writeDecimal(n int64, decimals int) string {
	sign := ""
	if n < 0 {
		sign, n = "-", -n
	}
	digits := strconv.FormatInt(n, 10)
	if missing := decimals + 1 - len(digits); missing > 0 {
		digits = strings.Repeat("0", missing) + digits
	}
	point := len(digits) - decimals
	return sign + digits[:point] + "." + digits[point:]
}

// MarshalJSON writes decimal text.
func (p Points) MarshalJSON() ([]byte, error) { return []byte(`"` + p.String() + `"`), nil }

// MarshalJSON writes decimal text.
func (c Cents) MarshalJSON() ([]byte, error) { return []byte(`"` + c.String() + `"`), nil }

// UnmarshalJSON reads what MarshalJSON writes.
func (p *Points) UnmarshalJSON(text []byte) (err error) {
	*p, err = signed(text, ParsePoints)
	return err
}

// UnmarshalJSON reads what MarshalJSON writes.
func (c *Cents) UnmarshalJSON(text []byte) (err error) {
	*c, err = signed(text, ParseCents)
	return err
}

// signed reads a decimal text in JSON, or a number, which may be negative.
func signed[N Points | Cents](value []byte, parse func(string) (N, error)) (n N, err error) {
	text := string(value)
	if bytes.HasPrefix(value, []byte(`"`)) {
		err = json.Unmarshal(value, &text)
	}
	if err != nil {
		return 0, err
	}
	magnitude, isNegative := strings.CutPrefix(text, "-")
	n, err = parse(magnitude)
	if isNegative {
		n = -n
	}
	return n, err
}

// Count is a whole number, which JSON may also have as a decimal text.
type Count int

// UnmarshalJSON reads a number, or a decimal text. null leaves the count as it is.
func (c *Count) UnmarshalJSON(value []byte) error {
	if string(value) == "null" {
		return nil
	}
	n, err := signed(value, func(text string) (Cents, error) {
		n, err := parseDecimal(text, 0)
		return Cents(n), err
	})
	*c = Count(n)
	return err
}

// part is a percent of an amount, rounded half up to a cent. Both are at least 0.
func (c Cents) part(p Points) Cents {
	const whole = 100 * int64(onePoint)
	return Cents((int64(c)*int64(p) + whole/2) / whole)
}

// magnitude is the number without its sign.
func magnitude[N Points | Cents](n N) N {
	if n < 0 {
		return -n
	}
	return n
}
