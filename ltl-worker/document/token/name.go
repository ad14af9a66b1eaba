package token

import (
	"strings"
	"unicode"
)

// Spaced puts blanks between the words of a name of a JSON member: "ltl Surcharge" for "ltlSurcharge", "DOE Price"
// for "DOEPrice", "eff date" for "eff_date". Ordinary text stays as it is.
func Spaced(name string) string {
	if strings.Contains(name, " ") || name == strings.ToLower(name) && !strings.Contains(name, "_") {
		return name
	}
	runes := []rune(name)
	var b strings.Builder
	for i, r := range runes {
		if r == '_' {
			r = ' '
		}
		if i > 0 && unicode.IsUpper(r) && (unicode.IsLower(runes[i-1]) || endsCapitals(runes[i-1:])) {
			b.WriteByte(' ')
		}
		b.WriteRune(r)
	}
	return b.String()
}

// endsCapitals tells whether the second rune begins a word after a word in capitals: "EPri" in "DOEPrice" does, "TLs"
// does not.
func endsCapitals(r []rune) bool {
	return len(r) > 3 && unicode.IsUpper(r[0]) && unicode.IsLower(r[2]) && unicode.IsLower(r[3])
}
