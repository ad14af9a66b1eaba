package surcharge

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxText bounds, in bytes, a text that can be a heading or a value; a longer one is prose.
const maxText = 240

// The kinds of tokens that are not a symbol.
const (
	word   = 'a'
	digits = '0'
)

// token is a word, a run of digits or a symbol of a cell.
type token struct {
	kind  rune   // word, digits, or the symbol itself
	text  string // lower case
	glued bool   // nothing stands between it and the token before
}

// symbols that are written in many ways.
func fold(r rune) rune {
	if r < utf8.RuneSelf && r != '`' {
		return r
	}
	switch r {
	case '‐', '‑', '‒', '–', '—', '―', '−', '﹣', '－':
		return '-'
	case '≤', '＜':
		return '<'
	case '≥', '＞':
		return '>'
	case '％':
		return '%'
	case '’', '‘', '`':
		return '\''
	}
	return r
}

// lex appends the tokens of s to buf. It returns none for prose.
func lex(buf []token, s string) []token {
	if len(s) > maxText {
		return buf[:0]
	}
	glued := false
	for i := 0; i < len(s); {
		r, size := rune(s[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(s[i:])
		}
		end := i + size
		switch {
		case r == ' ' || unicode.IsSpace(r):
			glued, i = false, end
			continue
		case '0' <= r && r <= '9':
			for end < len(s) && '0' <= s[end] && s[end] <= '9' {
				end++
			}
			buf = append(buf, token{digits, s[i:end], glued})
		case unicode.IsLetter(r):
			end = i + wordEnd(s[i:])
			buf = append(buf, token{word, plain(s[i:end]), glued})
		default:
			buf = append(buf, token{fold(r), "", glued})
		}
		glued, i = true, end
	}
	return buf
}

// wordEnd is the length of the word at the start of s. An abbreviation with points, such as "U.S.", is one word.
func wordEnd(s string) int {
	end := 0
	for end < len(s) {
		if isASCIILetter(s[end]) {
			end++
			continue
		}
		r, size := utf8.DecodeRuneInString(s[end:])
		if size == 1 || !unicode.IsLetter(r) {
			break
		}
		end += size
	}
	if end != 1 {
		return end
	}
	for end+1 < len(s) && s[end] == '.' && isASCIILetter(s[end+1]) && (end+2 == len(s) || !isASCIILetter(s[end+2])) {
		end += 2
	}
	if end > 1 && end < len(s) && s[end] == '.' {
		end++
	}
	return end
}

func isASCIILetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

func plain(s string) string {
	s = strings.ToLower(s)
	if strings.IndexByte(s, '.') >= 0 {
		s = strings.ReplaceAll(s, ".", "")
	}
	return s
}

// spaced sets the words of a name such as "ltlSurcharge", "DOEPrice" or "eff_date" apart.
func spaced(name string) string {
	if plainWords(name) {
		return name
	}
	runes := []rune(name)
	var b strings.Builder
	for i, r := range runes {
		if r == '_' {
			r = ' '
		}
		if i > 0 && unicode.IsUpper(r) && (unicode.IsLower(runes[i-1]) || startsWord(runes[i-1:])) {
			b.WriteByte(' ')
		}
		b.WriteRune(r)
	}
	return b.String()
}

// plainWords tells whether no word of s has a capital inside but one in capitals throughout.
func plainWords(s string) bool {
	var before, last byte
	for i := 0; i < len(s); i++ {
		c := s[i]
		upper := 'A' <= c && c <= 'Z'
		if c == '_' || c >= utf8.RuneSelf || upper && 'a' <= last && last <= 'z' ||
			'a' <= c && c <= 'z' && 'A' <= last && last <= 'Z' && isASCIILetter(before) {
			return false
		}
		before, last = last, c
	}
	return true
}

// startsWord tells whether the second rune begins a word after capitals: "EPr" in "DOEPrice", but not "TLs".
func startsWord(r []rune) bool {
	return len(r) > 3 && unicode.IsUpper(r[0]) && unicode.IsLower(r[2]) && unicode.IsLower(r[3])
}
