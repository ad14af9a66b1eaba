package sheet

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"

	"assay.dev/platform/csvrow"
)

// delimiters stand between the cells of a row. The one under which most headings are found is the file's.
var delimiters = []rune{',', ';', '\t', '|'}

// ReadText reads the rows of a delimited text in UTF-8, UTF-16 or Windows-1252. score counts the headings that a row
// has.
func ReadText(body []byte, score func(cells []string) int) ([]Row, error) {
	text, err := decode(body)
	if err != nil {
		return nil, err
	}
	if !bytes.Contains(text, []byte("\n")) { // as an old Mac ends lines
		text = bytes.ReplaceAll(text, []byte("\r"), []byte("\n"))
	}
	chosen, most := ',', -1
	for _, d := range delimiters {
		best, begun := 0, 0
		_ = eachRow(text, d, func(r Row) bool { // what is wrong with the file is told below
			if r.trim() {
				begun++
				best = max(best, score(r.Cells))
			}
			return begun < headingRows
		})
		if best > most {
			chosen, most = d, best
		}
	}
	var rows []Row
	var problem error
	err = eachRow(text, chosen, func(r Row) bool {
		rows, problem = add(rows, r)
		return problem == nil
	})
	return rows, cmp.Or(problem, err)
}

// eachRow gives a function the rows of a text until it returns false. A quoted cell that does not end well is a problem
// of its row. The error is for one that runs over the lines below: what belongs to which row cannot be told then.
func eachRow(text []byte, delimiter rune, do func(Row) bool) error {
	rows := csvrow.NewReader(bytes.NewReader(text))
	rows.Comma, rows.FieldsPerRecord = delimiter, -1
	line := 1
	for {
		begin := rows.InputOffset()
		cells, err := rows.Read()
		problem := (*csv.ParseError)(nil)
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case errors.Is(err, csvrow.ErrTooLarge):
			return Unreadable("from line %d on: %v", line, err)
		case errors.Is(err, csv.ErrQuote) && errors.As(err, &problem) && problem.Line > problem.StartLine:
			return Unreadable("line %d: the quoted cell that begins here does not end well; close it", problem.StartLine)
		case errors.As(err, &problem):
			line = problem.StartLine
		case err != nil:
			return err
		default:
			line, _ = rows.FieldPos(0)
		}
		if errors.Is(err, csv.ErrBareQuote) {
			cells, err = readBare(text[begin:rows.InputOffset()], delimiter)
		}
		r := Row{Line: line, Cells: cells, width: len(cells)}
		if err != nil {
			r.Problem = fmt.Sprintf("this is not CSV: %v", csv.ErrQuote)
		}
		if !do(r) {
			return nil
		}
	}
}

// readBare reads a row of which cells that are not quoted have quotes, as inches are written.
func readBare(row []byte, delimiter rune) ([]string, error) {
	cells := strings.Split(strings.Trim(string(row), "\r\n"), string(delimiter))
	isWithin := false // a quoted cell
	for i, cell := range cells {
		switch {
		case isWithin, strings.HasPrefix(cell, `"`):
			isWithin = isWithin != (strings.Count(cell, `"`)%2 == 1)
		case strings.Contains(cell, `"`):
			cells[i] = `"` + strings.ReplaceAll(cell, `"`, `""`) + `"`
		}
	}
	quoted := csv.NewReader(strings.NewReader(strings.Join(cells, string(delimiter))))
	quoted.Comma = delimiter
	return quoted.Read()
}

// decode gives a text in UTF-8, without a byte order mark.
func decode(body []byte) ([]byte, error) {
	switch {
	case bytes.HasPrefix(body, []byte(csvrow.ByteOrderMark)):
		body = body[len(csvrow.ByteOrderMark):]
		if !utf8.Valid(body) {
			return nil, Unreadable("this is not valid UTF-8, although it begins with the mark of UTF-8")
		}
		return body, nil
	case bytes.HasPrefix(body, []byte("\xff\xfe\x00\x00")),
		bytes.HasPrefix(body, []byte("\x00\x00\xfe\xff")), isUTF32(body):
		return nil, Unreadable("this is UTF-32, which is not read; save it in UTF-8")
	case bytes.HasPrefix(body, []byte("\xff\xfe")):
		return decodeUTF16(body[2:], 0)
	case bytes.HasPrefix(body, []byte("\xfe\xff")):
		return decodeUTF16(body[2:], 1)
	case len(body) > 3 && body[0] != 0 && body[1] == 0 && body[3] == 0:
		return decodeUTF16(body, 0)
	case len(body) > 3 && body[0] == 0 && body[1] != 0 && body[2] == 0:
		return decodeUTF16(body, 1)
	case bytes.HasPrefix(body, []byte("PK\x03\x04")):
		return nil, Unreadable("this is a packed file, such as a workbook; its media type is %s", WorkbookType)
	case utf8.Valid(body):
		return body, nil
	}
	if i := bytes.IndexAny(body, "\x00"); i >= 0 {
		return nil, Unreadable("byte %d is NUL: this is no text", i)
	}
	return charmap.Windows1252.NewDecoder().Bytes(body)
}

// isUTF32 tells of a text without a mark that its first characters have four bytes each.
func isUTF32(body []byte) bool {
	return len(body) > 7 && (bytes.Equal(body[1:4], make([]byte, 3)) && bytes.Equal(body[5:8], make([]byte, 3)) ||
		bytes.Equal(body[:3], make([]byte, 3)) && bytes.Equal(body[4:7], make([]byte, 3)))
}

// decodeUTF16 reads UTF-16 whose unit has its high byte first when high is 1.
func decodeUTF16(body []byte, high int) ([]byte, error) {
	if len(body)%2 != 0 {
		return nil, Unreadable("this is not valid UTF-16: it ends within a character")
	}
	unit := func(i int) rune {
		if high == 1 {
			return rune(body[i])<<8 | rune(body[i+1])
		}
		return rune(body[i+1])<<8 | rune(body[i])
	}
	var text strings.Builder
	text.Grow(len(body) / 2)
	for i := 0; i < len(body); i += 2 {
		c := unit(i)
		if c >= 0xd800 && c <= 0xdfff {
			if c > 0xdbff || i+3 >= len(body) || unit(i+2)&^0x3ff != 0xdc00 {
				return nil, Unreadable("this is not valid UTF-16: half a character stands at byte %d", i)
			}
			i += 2
			c = (c-0xd800)<<10 | (unit(i) - 0xdc00) + 0x10000
		}
		text.WriteRune(c)
	}
	return []byte(text.String()), nil
}
