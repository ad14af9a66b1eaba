package contracts

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Invisible tells whether a character shows nothing where it stands, such as U+200B (zero width space) and U+202E (a
// change of direction). A text that holds one is not what it looks like.
func Invisible(r rune) bool {
	switch r {
	case '\u034f', '\u115f', '\u1160', '\u17b4', '\u17b5', '\u2800', '\u3164', '\uffa0':
		return true
	}
	return unicode.In(r, unicode.Cf, unicode.Variation_Selector)
}

// isInert tells of a character that only shows: neither a control character, such as ESC, DEL and U+009B, nor
// [Invisible].
func isInert(r rune) bool { return !unicode.IsControl(r) && !Invisible(r) }

// Visible replaces by ? each character that would do something to a terminal or hide in a text: invisible ones, control
// characters but TAB, LF and CR, and bytes that are not UTF-8. "\x1b[2JCAFÉ" becomes "?[2JCAFÉ".
func Visible(text string) string {
	if isPlain(text) {
		return text
	}
	return strings.Map(func(r rune) rune {
		if r == '\t' || r == '\n' || r == '\r' || isInert(r) {
			return r
		}
		return '?'
	}, strings.ToValidUTF8(text, "?"))
}

// EscapeJSON writes the characters of a JSON document that would do something to a terminal, or hide in it, as escapes,
// such as \u202e, and bytes that are not UTF-8 as \ufffd. To who reads the JSON the document is the same. In HTML they
// are seen. encoding/json escapes only what is below U+0020.
func EscapeJSON(doc []byte) []byte {
	if isPlain(doc) {
		return doc
	}
	var out []byte
	for rest := doc; len(rest) > 0; {
		r, size := utf8.DecodeRune(rest)
		if isUTF8 := r != utf8.RuneError || size > 1; isUTF8 && (r < ' ' || isInert(r)) { // below U+0020: between the texts
			out = append(out, rest[:size]...)
		} else {
			out = appendEscape(out, r)
		}
		rest = rest[size:]
	}
	return out
}

// appendEscape appends a character as JSON's escape: two of them above U+FFFF (RFC 8259 §7).
func appendEscape(dst []byte, r rune) []byte {
	if high, low := utf16.EncodeRune(r); high != unicode.ReplacementChar {
		return fmt.Appendf(dst, `\u%04x\u%04x`, high, low)
	}
	return fmt.Appendf(dst, `\u%04x`, r)
}

// isPlain tells of a text of ASCII that shows, and white space.
func isPlain[T string | []byte](text T) bool {
	for i := range len(text) {
		if c := text[i]; c >= 0x7f || c < ' ' && c != '\t' && c != '\n' && c != '\r' {
			return false
		}
	}
	return true
}
