// Package fold reduces names and addresses to the form in which they are compared. Texts that differ only in case,
// accents, commas or blanks are the same: "Café Cigüeña" and "CAFE  CIGUENA" both become "CAFE CIGUENA".
package fold

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// plainForms are letters that Unicode does not decompose into a letter and an accent, such as Ø, and typographic
// signs that have a plain form, such as ’.
var plainForms = map[rune]string{
	'Ø': "O", 'Ł': "L", 'Đ': "D", 'Ð': "D", 'Þ': "TH", 'Æ': "AE", 'Œ': "OE", 'ẞ': "SS", 'ß': "SS",
	'‘': "'", '’': "'", '`': "'", '´': "'", '“': `"`, '”': `"`, '–': "-", '—': "-",
}

// String is s in upper case and without accents. Each run of commas, control characters and blanks becomes one
// blank, and none is left at either end: "RAMOS , José" becomes "RAMOS JOSE".
func String(s string) string {
	if foldsAsBytes(s) {
		return foldBytes(s)
	}
	var out strings.Builder
	for _, r := range norm.NFKD.String(strings.ToValidUTF8(s, " ")) {
		r = unicode.ToUpper(r)
		switch text, ok := plainForms[r]; {
		case ok:
			out.WriteString(text)
		case unicode.Is(unicode.Mn, r):
		case unicode.IsSpace(r) || unicode.IsControl(r):
			out.WriteByte(' ')
		default:
			out.WriteRune(r)
		}
	}
	return foldBytes(out.String())
}

// Blanks is s on one line: each run of blanks and line breaks becomes one blank, and none is left at either end. A
// non-breaking blank counts as a blank. Letters and commas stay as they are.
func Blanks(s string) string {
	if hasSingleBlanks(s) {
		return s
	}
	return strings.Join(strings.Fields(s), " ")
}

// hasSingleBlanks tells whether Blanks would leave s as it is. It says so only of ASCII, as most texts are.
func hasSingleBlanks(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] >= utf8.RuneSelf || s[i] == ' ' && (i == 0 || i == len(s)-1 || s[i+1] == ' ') {
			return false
		}
	}
	return true
}

// foldsAsBytes tells whether s needs none of Unicode's tables.
func foldsAsBytes(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf || s[i] == '`' {
			return false
		}
	}
	return true
}

// foldBytes does what ASCII needs: upper case, and one blank for commas, control characters and blanks. Bytes
// beyond ASCII stay as they are.
func foldBytes(s string) string {
	out := make([]byte, 0, len(s))
	blank := true // as if a blank came before: the text must not begin with one
	for i := range len(s) {
		c := s[i]
		switch {
		case c <= ' ' || c == ',' || c == 0x7f:
			if !blank {
				out = append(out, ' ')
			}
			blank = true
			continue
		case 'a' <= c && c <= 'z':
			c -= 'a' - 'A'
		}
		out, blank = append(out, c), false
	}
	if blank && len(out) > 0 {
		out = out[:len(out)-1]
	}
	return string(out)
}

// Parts are the words of a filter: the runs of letters and digits of s after [String]. "O'Brien, 7-Eleven" has the
// parts O, BRIEN, 7 and ELEVEN.
func Parts(s string) []string {
	return strings.FieldsFunc(String(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// LongestPart is the longest of the parts of s, and the first of those; empty when there is none.
func LongestPart(s string) string {
	longest := ""
	for _, part := range Parts(s) {
		if len(part) > len(longest) {
			longest = part
		}
	}
	return longest
}

// HasParts tells whether a folded text holds all parts, in any order.
func HasParts(folded string, parts []string) bool {
	return !slices.ContainsFunc(parts, func(part string) bool { return !strings.Contains(folded, part) })
}
