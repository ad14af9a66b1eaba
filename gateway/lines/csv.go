package lines

import (
	"bytes"
	"encoding/csv"
	"errors"
	"io"
	"slices"
	"strings"

	"assay.dev/contracts"
	"assay.dev/gateway/sheet"
	"assay.dev/platform/csvrow"
)

// readCSV reads a header with the names of members, and a line a row (RFC 4180). Line ends within quoted cells count as
// lines of the file. Empty rows are skipped.
func (s *Schema[L, P]) readCSV(file *File[L], body []byte) error {
	rows := csvrow.NewReader(bytes.NewReader(bytes.TrimPrefix(body, []byte(csvrow.ByteOrderMark))))
	rows.FieldsPerRecord, rows.ReuseRecord = -1, true
	columns, err := s.readHeader(rows)
	if err != nil {
		return err
	}
	line := 1
	for {
		row, err := rows.Read()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case errors.Is(err, csvrow.ErrTooLarge):
			return sheet.Unreadable("below line %d: %v", line, err)
		}
		var l P = new(L)
		err = s.readRow(l, rows, columns, row, err)
		if err != nil {
			return err
		}
		line = l.head().Number
		if isBlank(row) && len(l.head().Errors) == 0 {
			continue
		}
		if err := file.addLine(l); err != nil {
			return err
		}
	}
}

// isBlank tells whether a row has no text: spreadsheets write such rows below a table.
func isBlank(row []string) bool {
	return !slices.ContainsFunc(row, func(cell string) bool { return strings.TrimSpace(cell) != "" })
}

// readHeader reads the columns' names, in any case. A column that is unknown, missing or there twice is an error: what
// would be left out silently is worse.
func (s *Schema[L, P]) readHeader(rows *csvrow.Reader) ([]int, error) {
	names, err := rows.Read()
	if errors.Is(err, csvrow.ErrTooLarge) {
		return nil, sheet.Unreadable("the first line: %v", err)
	}
	if err != nil {
		return nil, sheet.Unreadable("the first line is not a CSV header; want columns such as %s",
			strings.Join(s.names[:min(len(s.names), 4)], ","))
	}
	var columns []int
	seen := map[string]bool{}
	for _, name := range names {
		name = strings.ToLower(strings.TrimSpace(name))
		i := s.memberIndex(name)
		switch {
		case i < 0:
			return nil, sheet.Unreadable("the column %q is not known here; known columns: %s",
				contracts.Printable(name), s.known())
		case seen[name]:
			return nil, sheet.Unreadable("the column %s is there twice", name)
		}
		seen[name] = true
		columns = append(columns, i)
	}
	for _, name := range s.required {
		if !seen[name] {
			return nil, sheet.Unreadable("the column %s is missing; required columns: %s", name, strings.Join(s.required, ", "))
		}
	}
	return columns, nil
}

// readRow reads a row as a line. The error is for a quoted cell that runs over the lines below and does not end well:
// what belongs to which row cannot be told then.
func (s *Schema[L, P]) readRow(l P, rows *csvrow.Reader, columns []int, row []string, wrong error) error {
	h := l.head()
	if problem := (*csv.ParseError)(nil); errors.As(wrong, &problem) {
		h.Number = problem.StartLine
		h.Fail("", "this is not CSV: %v", problem.Err)
		if problem.Line > problem.StartLine {
			return sheet.Unreadable("line %d: the quoted cell that begins here does not end well; close it", h.Number)
		}
		return nil
	}
	h.Number, _ = rows.FieldPos(0)
	if len(row) != len(columns) {
		h.Fail("", "there are %d cells below %d columns", len(row), len(columns))
		return nil
	}
	for at, i := range columns {
		s.set(l, i, row[at])
	}
	return nil
}
