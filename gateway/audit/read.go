package audit

import (
	"fmt"

	"assay.dev/contracts"
)

// What one file may hold.
const (
	MaxLines = 10_000
	MaxBytes = 5 << 20
)

// Format is the form of a file of lines, and of its results.
type Format string

// The formats.
const (
	JSON   Format = "json"
	NDJSON Format = "ndjson"
	CSV    Format = "csv"
	// Workbook files are answered in CSV, and read as they are only.
	Workbook Format = "xlsx"
)

// File is a file of lines.
type File struct {
	Lines []Line
	// Options are members of a JSON object that are not its line's but the file's, by their names; see [OptionNames].
	Options map[string]string
	// Found is what was found in a file that was read as it is; nil for others.
	Found *Found
}

// OptionNames are the query parameters that a JSON object may also have as members.
var OptionNames = []string{"tolerance_points", "tolerance_amount", "dry_run"}

// Read reads the lines of a file. A line that cannot be read is a [Line] with errors. The error is for a file that
// cannot be read at all: REQUEST_TOO_LARGE above [MaxLines], else INVALID_REQUEST.
func Read(format Format, body []byte, how Reading) (File, error) {
	var file File
	var err error
	switch {
	case how.AsIs:
		file, err = readAsIs(format, body, how)
	case format == Workbook:
		err = contracts.Invalid("query", "columns", "missing", "a workbook is read as it is: say columns=auto, or which column holds what")
	default:
		file, err = reader(format)(body)
	}
	if err == nil && len(file.Lines) == 0 {
		err = unreadable("there are no lines")
	}
	if err != nil {
		return File{}, err
	}
	for i := range file.Lines {
		l := &file.Lines[i]
		if !how.AsIs && how.Percents == AsFraction && l.BilledPct != nil {
			if *l.BilledPct *= 100; *l.BilledPct > maxPoints {
				l.fail("billed_pct", "%v", errTooMuch)
			}
		}
		l.finish()
	}
	return file, nil
}

func reader(format Format) func([]byte) (File, error) {
	switch format {
	case NDJSON:
		return readNDJSON
	case CSV:
		return readCSV
	case JSON:
		return readJSON
	}
	return func([]byte) (File, error) { return File{}, fmt.Errorf("format %q is none of ours", format) }
}

// add adds a line, unless there are too many.
func (f *File) add(l Line) error {
	if len(f.Lines) == MaxLines {
		return contracts.Errorf(contracts.RequestTooLarge, "at most %d lines are allowed; send the rest in another request", MaxLines)
	}
	f.Lines = append(f.Lines, l)
	return nil
}

// unreadable is the error of a file that cannot be read.
func unreadable(format string, args ...any) error {
	msg := fmt.Sprintf(format, args...)
	return &contracts.Error{
		Code: contracts.InvalidRequest, Message: msg,
		Violations: []contracts.Violation{{Loc: []string{"body"}, Msg: msg, Type: "unreadable_body"}},
	}
}
