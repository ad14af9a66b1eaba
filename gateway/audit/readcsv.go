package audit

import (
	"bytes"
	"encoding/csv"
	"errors"
	"io"
	"slices"
	"strings"

	"assay.dev/contracts"
	"assay.dev/platform/csvrow"
)

// readCSV reads a header with the names of members, and a line a row (RFC 4180). Line ends within quoted cells count as
// lines of the file. Empty rows are skipped.
func readCSV(body []byte) (File, error) {
	rows := csvrow.NewReader(bytes.NewReader(bytes.TrimPrefix(body, []byte(csvrow.ByteOrderMark))))
	rows.FieldsPerRecord, rows.ReuseRecord = -1, true
	columns, err := readHeader(rows)
	if err != nil {
		return File{}, err
	}
	var file File
	line := 1
	for {
		row, err := rows.Read()
		switch {
		case errors.Is(err, io.EOF):
			return file, nil
		case errors.Is(err, csvrow.ErrTooLarge):
			return File{}, unreadable("below line %d: %v", line, err)
		}
		l, err := readRow(rows, columns, row, err)
		if err != nil {
			return File{}, err
		}
		line = l.Number
		if isBlank(row) && len(l.Errors) == 0 {
			continue
		}
		if err := file.add(l); err != nil {
			return File{}, err
		}
	}
}

// isBlank tells whether a row has no text: spreadsheets write such rows below a table.
func isBlank(row []string) bool {
	return !slices.ContainsFunc(row, func(cell string) bool { return strings.TrimSpace(cell) != "" })
}

// readHeader reads the columns' names, in any case. A column that is unknown, missing or there twice is an error: what
// would be left out silently is worse.
func readHeader(rows *csvrow.Reader) ([]Member, error) {
	names, err := rows.Read()
	if errors.Is(err, csvrow.ErrTooLarge) {
		return nil, unreadable("the first line: %v", err)
	}
	if err != nil {
		return nil, unreadable("the first line is not a CSV header; want columns such as id,carrier,ship_date,billed_pct")
	}
	var columns []Member
	seen := map[string]bool{}
	for _, name := range names {
		name = strings.ToLower(strings.TrimSpace(name))
		m, ok := findMember(name)
		switch {
		case !ok:
			return nil, unreadable("the column %q is not known here; known columns: %s", contracts.Printable(name), strings.Join(memberNames, ", "))
		case seen[name]:
			return nil, unreadable("the column %s is there twice", name)
		}
		seen[name] = true
		columns = append(columns, m)
	}
	for _, m := range Members {
		if m.Required && !seen[m.Name] {
			return nil, unreadable("the column %s is missing; required columns: id, carrier, ship_date", m.Name)
		}
	}
	return columns, nil
}

// readRow reads a row as a line. The error is for a quoted cell that runs over the lines below and does not end well:
// what belongs to which row cannot be told then.
func readRow(rows *csvrow.Reader, columns []Member, row []string, wrong error) (Line, error) {
	var l Line
	if problem := (*csv.ParseError)(nil); errors.As(wrong, &problem) {
		l.Number = problem.StartLine
		l.fail("", "this is not CSV: %v", problem.Err)
		if problem.Line > problem.StartLine {
			return l, unreadable("line %d: the quoted cell that begins here does not end well; close it", l.Number)
		}
		return l, nil
	}
	l.Number, _ = rows.FieldPos(0)
	if len(row) != len(columns) {
		l.fail("", "there are %d cells below %d columns", len(row), len(columns))
		return l, nil
	}
	for i, m := range columns {
		l.set(m, row[i])
	}
	return l, nil
}
