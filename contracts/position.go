package contracts

import (
	"cmp"
	"strings"
)

// Position is the place of a license among the results of a search, which are in order of their positions. The zero
// Position comes before all.
type Position struct {
	Number string `json:"number,omitempty"`
	Type   string `json:"type,omitempty"`
}

// Position is that of the record.
func (r LicenseRecord) Position() Position { return Position{r.LicenseNumber, r.LicenseTypeCode} }

// Compare orders by number, and by type where the numbers are the same. Runs of digits compare as numbers, the rest by
// byte: 9000 comes before 30000, and 1A-1100000 before 2-1100000.
func (p Position) Compare(other Position) int {
	return cmp.Or(compareNatural(p.Number, other.Number), compareNatural(p.Type, other.Type))
}

// compareNatural orders texts with equal numbers, such as 7 and 007, by byte.
func compareNatural(a, b string) int {
	x, y := a, b
	for x != "" && y != "" {
		m, n := leadingDigits(x), leadingDigits(y)
		if m == 0 || n == 0 {
			if x[0] != y[0] {
				return cmp.Compare(x[0], y[0])
			}
			x, y = x[1:], y[1:]
			continue
		}
		if c := compareDigits(x[:m], y[:n]); c != 0 {
			return c
		}
		x, y = x[m:], y[n:]
	}
	return cmp.Or(cmp.Compare(len(x), len(y)), strings.Compare(a, b))
}

func leadingDigits(s string) int {
	n := 0
	for n < len(s) && '0' <= s[n] && s[n] <= '9' {
		n++
	}
	return n
}

// compareDigits compares numbers of any length.
func compareDigits(a, b string) int {
	a, b = strings.TrimLeft(a, "0"), strings.TrimLeft(b, "0")
	return cmp.Or(cmp.Compare(len(a), len(b)), strings.Compare(a, b))
}
