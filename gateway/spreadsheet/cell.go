package spreadsheet

import (
	"slices"
	"strings"
	"unicode/utf8"

	"assay.dev/contracts"
	"assay.dev/platform/csvrow"
)

// MediaType is the media type of what this package writes (RFC 4180 §3).
const MediaType = "text/csv; charset=utf-8; header=present"

// Marked is a CSV with a byte order mark before it, without which Excel takes one that a person opens for another
// charset.
func Marked(file []byte) []byte { return slices.Concat([]byte(csvrow.ByteOrderMark), file) }

// newline ends a row (RFC 4180 §2).
const newline = "\r\n"

// formulas are the characters that begin what a spreadsheet takes for a formula, some of them in their wide forms as
// well.
const formulas = "=+-@\t\r\n＝＋－＠"

// AppendText appends a cell of text to dst. A text that a spreadsheet would take for a formula, such as =1+1, gets a
// leading apostrophe. What would do something to a terminal becomes a question mark ([contracts.Visible]). Package
// encoding/csv is not used: with the line ends of RFC 4180 it changes line breaks within a cell.
func AppendText(dst []byte, text string) []byte {
	text = contracts.Visible(text)
	if first, _ := utf8.DecodeRuneInString(text); text != "" && strings.ContainsRune(formulas, first) {
		text = "'" + text
	}
	if !strings.ContainsAny(text, ",\"\r\n") {
		return append(dst, text...)
	}
	dst = append(dst, '"')
	dst = append(dst, strings.ReplaceAll(text, `"`, `""`)...)
	return append(dst, '"')
}

// AppendNumber appends a cell with a decimal number such as -1.20, as it is. What is no such number is appended as
// text.
func AppendNumber(dst []byte, number string) []byte {
	if isNumber(number) {
		return append(dst, number...)
	}
	return AppendText(dst, number)
}

// isNumber tells of digits with at most one sign before them and one point between them.
func isNumber(text string) bool {
	whole, fraction, hasPoint := strings.Cut(strings.TrimPrefix(text, "-"), ".")
	return isDigits(whole) && (!hasPoint || isDigits(fraction))
}

func isDigits(text string) bool { return text != "" && strings.Trim(text, "0123456789") == "" }
