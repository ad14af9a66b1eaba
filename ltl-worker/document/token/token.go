// Package token cuts the text of a cell or a heading into words, runs of digits and symbols.
package token

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// MaxText is the longest text, in bytes, that can be a heading or a value. A longer one is prose.
const MaxText = 240

// The kinds of tokens that are not a symbol.
const (
	Word   = 'a'
	Digits = '0'
)

// Token is a word, a run of digits or a symbol.
type Token struct {
	// Kind is Word, Digits, or the symbol itself. A symbol that is written in many ways, such as the dashes, has one
	// form.
	Kind rune
	// Text is the word in lower case or the digits; "" for a symbol.
	Text string
	// From and To are where it stands in the text, in bytes.
	From, To int32
	// Glued is set when nothing stands between this token and the one before it.
	Glued bool
}

// Split appends the tokens of s to buf: "LTL < 20,000" gives a word, '<', digits, ',' and digits. It returns no token
// at all for prose.
func Split(buf []Token, s string) []Token {
	if len(s) > MaxText {
		return buf[:0]
	}
	return SplitLine(buf, s)
}

// SplitLine appends the tokens of a line of any length.
func SplitLine(buf []Token, s string) []Token {
	glued := false
	buf = slices.Grow(buf, 1+len(s)/4)
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
			for end < len(s) && isDigit(s[end]) {
				end++
			}
			buf = append(buf, Token{Kind: Digits, Text: s[i:end], Glued: glued})
		case unicode.IsLetter(r):
			end = i + wordLength(s[i:])
			buf = append(buf, Token{Kind: Word, Text: plainWord(s[i:end]), Glued: glued})
		case foldSymbol(r) == '\'' && end+2 <= len(s) && isDigit(s[end]) && isDigit(s[end+1]) &&
			(end+2 == len(s) || !isDigit(s[end+2])):
			buf = append(buf, Token{Kind: Digits, Text: "20" + s[end:end+2], Glued: glued}) // "Mar 18 '26"
			end += 2
		default:
			buf = append(buf, Token{Kind: foldSymbol(r), Glued: glued})
		}
		last := &buf[len(buf)-1]
		last.From, last.To = int32(i), int32(end)
		glued, i = true, end
	}
	return buf
}

// foldSymbol gives a symbol that is written in many ways its one form.
func foldSymbol(r rune) rune {
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

// wordLength is the length of the word at the start of s. An abbreviation with points, such as "U.S.", is one word.
func wordLength(s string) int {
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

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isASCIILetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// plainWord is a word in lower case and without points: "us" for "U.S.".
func plainWord(s string) string {
	s = strings.ToLower(s)
	if strings.IndexByte(s, '.') >= 0 {
		s = strings.ReplaceAll(s, ".", "")
	}
	return s
}

// Skip is the index of the first token from i on that is none of the symbols.
func Skip(t []Token, i int, symbols string) int {
	for ; i < len(t); i++ {
		if t[i].Kind == Word || t[i].Kind == Digits || !strings.ContainsRune(symbols, t[i].Kind) {
			return i
		}
	}
	return i
}

// Follow is the index after the words that stand at i, with nothing but hyphens between them; 0 where they do not stand
// there.
func Follow(t []Token, i int, words ...string) (next int) {
	for _, w := range words {
		for i < len(t) && t[i].Kind == '-' {
			i++
		}
		if i >= len(t) || t[i].Text != w {
			return 0
		}
		i++
	}
	return i
}
