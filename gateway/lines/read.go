package lines

import (
	"context"

	"assay.dev/contracts"
	"assay.dev/gateway/sheet"
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
type File[L any] struct {
	Lines []L
	// Options are members of a JSON object that are not its line's but the file's, by their names.
	Options map[string]string
	// Found is what was found in a file that was read as it is; nil for others.
	Found *Found
}

// Read reads the lines of a file. A line that cannot be read is a line with errors. The error is for a file that
// cannot be read at all: REQUEST_TOO_LARGE above [MaxLines], else INVALID_REQUEST.
func (s *Schema[L, P]) Read(ctx context.Context, format Format, body []byte, how Reading) (File[L], error) {
	file := File[L]{Options: map[string]string{}}
	var err error
	switch {
	case how.AsIs:
		err = s.readAsIs(ctx, &file, format, body, how)
	case format == Workbook:
		err = contracts.Invalid("query", "columns", "missing", "a workbook is read as it is: say columns=auto, "+
			"or which column holds what")
	case format == NDJSON:
		err = s.readNDJSON(&file, body)
	case format == CSV:
		err = s.readCSV(&file, body)
	default:
		err = s.readJSON(&file, body)
	}
	if err == nil && len(file.Lines) == 0 && !s.MayBeEmpty {
		err = sheet.Unreadable("there are no lines")
	}
	if err != nil {
		return File[L]{}, err
	}
	for i := range file.Lines {
		s.finish(&file.Lines[i], how)
	}
	return file, nil
}

// addLine adds a line, unless there are too many.
func (f *File[L]) addLine(l *L) error {
	if len(f.Lines) == MaxLines {
		return contracts.Errorf(contracts.RequestTooLarge,
			"at most %d lines are allowed; send the rest in another request, lines that belong together in one", MaxLines)
	}
	f.Lines = append(f.Lines, *l)
	return nil
}
