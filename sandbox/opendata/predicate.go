package opendata

import (
	"cmp"
	"regexp"
	"strconv"
	"strings"
)

// Row is a record: its texts in the order of the columns. An empty one is null.
type Row []string

// Predicate tells whether a row matches.
type Predicate func(Row) bool

// value is one operand of a comparison for a row; false is null.
type value func(Row) (string, bool)

// order compares as numbers when both are numbers, so that 100001159 equals 100001159.0.
func order(a, b string) int {
	x, ok := number(a)
	y, also := number(b)
	if !ok || !also {
		return strings.Compare(a, b)
	}
	return cmp.Compare(x, y)
}

// number looks at the characters before it parses: most texts are no numbers, and strconv's error costs more than the
// comparison.
func number(s string) (float64, bool) {
	if strings.ContainsFunc(strings.TrimPrefix(s, "-"), func(c rune) bool { return c != '.' && (c < '0' || c > '9') }) {
		return 0, false
	}
	f, err := strconv.ParseFloat(s, 64)
	return f, err == nil
}

// likePattern tells whether a text is like a pattern of SQL: % is any text, _ any character, and \ takes the meaning
// from what follows it.
func likePattern(pattern string) func(text string) bool {
	var b strings.Builder
	escaped := false
	for _, c := range pattern {
		switch {
		case escaped || c != '%' && c != '_' && c != '\\':
			b.WriteString(regexp.QuoteMeta(string(c)))
			escaped = false
		case c == '%':
			b.WriteString(`.*`)
		case c == '_':
			b.WriteString(`.`)
		case c == '\\':
			escaped = true
		}
	}
	// What may begin or end with any text is looked for anywhere, which is much faster.
	return regexp.MustCompile(`(?s)` +
		strings.TrimSuffix(strings.TrimPrefix(`^`+b.String()+`$`, `^.*`), `.*$`)).MatchString
}

func constant(text string) value { return func(Row) (string, bool) { return text, true } }
