// Package fold reduces names and addresses to the form in which they are compared: what differs only in case, accents,
// commas or the width of blanks is the same.
package fold

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// whole are letters that Unicode does not take apart into a letter and an accent, and signs with a common plain form.
var whole = map[rune]string{
	'Ø': "O", 'Ł': "L", 'Đ': "D", 'Ð': "D", 'Þ': "TH", 'Æ': "AE", 'Œ': "OE", 'ẞ': "SS", 'ß': "SS",
	'‘': "'", '’': "'", '`': "'", '´': "'", '“': `"`, '”': `"`, '–': "-", '—': "-",
}

// String is s in upper case without accents. Commas, control characters and runs of blanks are one blank; there is none at
// either end.
func String(s string) string {
	if plain(s) {
		return ascii(s)
	}
	var out strings.Builder
	for _, r := range norm.NFKD.String(strings.ToValidUTF8(s, " ")) {
		r = unicode.ToUpper(r)
		switch text, ok := whole[r]; {
		case ok:
			out.WriteString(text)
		case unicode.Is(unicode.Mn, r):
		case unicode.IsSpace(r) || unicode.IsControl(r):
			out.WriteByte(' ')
		default:
			out.WriteRune(r)
		}
	}
	return ascii(out.String())
}

func plain(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf || s[i] == '`' {
			return false
		}
	}
	return true
}

// ascii folds what needs no tables; other bytes stay.
func ascii(s string) string {
	out := make([]byte, 0, len(s))
	blank := true // so that none comes first
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

// Contains tells whether text holds part, both folded. An empty part is in every text.
func Contains(text, part string) bool {
	return strings.Contains(String(text), String(part))
}
