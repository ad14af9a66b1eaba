package sheet

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"assay.dev/contracts"
)

// What a file may hold.
const (
	// MaxColumns bounds the columns that have anything in them.
	MaxColumns = 256
	// MaxRows bounds the rows that have anything in them.
	MaxRows = 10_000 + headingRows
	// MaxWorkbook and MaxUnpacked bound a workbook, packed and unpacked, in bytes.
	MaxWorkbook = 10 << 20
	MaxUnpacked = 20 << 20
	// headingRows is how far down the headings may stand.
	headingRows = 50
)

// Row is a row that is not blank: the line of the text, or the row of the sheet, that it begins in, and its cells.
type Row struct {
	Line  int
	Cells []string
	// Problem is why it cannot be told which cell stands in which column; empty for a row where it can.
	Problem string
	// width is how many cells the row of a text has, empty ones at its end too.
	width int
}

// Cell is the text of the i-th cell, empty where the row is shorter.
func (r Row) Cell(i int) string {
	if i >= len(r.Cells) {
		return ""
	}
	return r.Cells[i]
}

// trim takes blanks off all cells, and empty cells off the end. It tells whether anything is left.
func (r *Row) trim() bool {
	for i, cell := range r.Cells {
		r.Cells[i] = strings.TrimSpace(cell)
	}
	for len(r.Cells) > 0 && r.Cells[len(r.Cells)-1] == "" {
		r.Cells = r.Cells[:len(r.Cells)-1]
	}
	return len(r.Cells) > 0
}

// add appends a row, unless it is blank. A row that is too wide, or one too many, is an error.
func add(rows []Row, r Row) ([]Row, error) {
	switch {
	case !r.trim() && r.Problem == "":
		return rows, nil
	case len(r.Cells) > MaxColumns:
		return nil, Unreadable("line %d has more than %d columns", r.Line, MaxColumns)
	case len(rows) == MaxRows:
		return nil, contracts.Errorf(contracts.RequestTooLarge, "at most %d lines are allowed; send "+
			"the rest in another request", MaxRows-headingRows)
	}
	return append(rows, r), nil
}

// Unreadable is the error of a file that cannot be read.
func Unreadable(format string, args ...any) error {
	msg := fmt.Sprintf(format, args...)
	return &contracts.Error{
		Code: contracts.InvalidRequest, Message: msg,
		Violations: []contracts.Violation{{Loc: []string{"body"}, Msg: msg, Type: "unreadable_body"}},
	}
}

// undecided is the error of a file that allows two readings, which the named parameter tells apart.
func undecided(parameter, format string, args ...any) error {
	return contracts.Invalid("query", parameter, "undecided", format, args...)
}

// ReadObjects makes a table of JSON objects: their members' names, in the order of their first use, are the headings in
// row 0. line is the number of each object.
func ReadObjects(objects []json.RawMessage, line func(i int) int) ([]Row, error) {
	var names []string
	rows := []Row{{}}
	for i, text := range objects {
		members, err := membersOf(text)
		if err != nil {
			return nil, Unreadable("line %d: %v", line(i), err)
		}
		r := Row{Line: line(i)}
		for _, m := range members {
			at := slices.Index(names, m.name)
			if at < 0 {
				at = len(names)
				names = append(names, m.name)
			}
			if at >= MaxColumns {
				return nil, Unreadable("the objects have more than %d members", MaxColumns)
			}
			for len(r.Cells) <= at {
				r.Cells = append(r.Cells, "")
			}
			r.Cells[at] = m.value
		}
		if rows, err = add(rows, r); err != nil {
			return nil, err
		}
	}
	rows[0].Cells = names
	return rows, nil
}

type member struct{ name, value string }

// membersOf are the members of an object in their order, as texts.
func membersOf(object json.RawMessage) (all []member, err error) {
	d := json.NewDecoder(strings.NewReader(string(object)))
	d.UseNumber()
	if open, err := d.Token(); err != nil || open != json.Delim('{') {
		return nil, fmt.Errorf("want a JSON object")
	}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return nil, fmt.Errorf("this is not JSON")
		}
		value, err := d.Token()
		if err != nil {
			return nil, fmt.Errorf("this is not JSON")
		}
		if open, isNested := value.(json.Delim); isNested {
			hint := ""
			if open == '[' {
				hint = "; where this list has the lines, send it alone"
			}
			return nil, fmt.Errorf("%s: want a text or a number%s", contracts.Printable(name.(string)), hint)
		}
		text := ""
		if value != nil {
			text = fmt.Sprint(value)
		}
		all = append(all, member{name.(string), text})
	}
	return all, nil
}
