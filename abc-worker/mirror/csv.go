package mirror

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"

	"assay.dev/platform/scrape"
)

const (
	// headerWithin is how many rows may stand before the header: banners and blank lines.
	headerWithin = 5
	// maxBadRows is how many rows of a hundred may be unusable before the file counts as changed.
	maxBadRows = 1
	maxColumns = 200
)

// Table is how a CSV file is read: columns are found by name, in any order, without regard to case, blanks and underscores;
// columns that nobody asked for are passed over.
type Table struct {
	// Required are the columns without which the file is not what it should be.
	Required []string
	// Headless files have no header; their columns are those, in this order.
	Headless []string
}

// Row is one row of a file. It is valid until the next one.
type Row struct {
	columns map[string]int
	fields  []string
}

// Text is the row's value in the named column, on one line without blanks at the ends; empty when there is no such column.
// Bytes that are not UTF-8 are taken for Windows-1252.
func (r Row) Text(column string) string {
	i, ok := r.columns[column]
	if !ok || i >= len(r.fields) {
		return ""
	}
	return oneLine(r.fields[i])
}

// Raw is [Row.Text] with the blanks inside as they are.
func (r Row) Raw(column string) string {
	i, ok := r.columns[column]
	if !ok || i >= len(r.fields) {
		return ""
	}
	return strings.TrimSpace(inUTF8(r.fields[i]))
}

func inUTF8(s string) string {
	if !utf8.ValidString(s) {
		s, _ = charmap.Windows1252.NewDecoder().String(s) // every byte is a letter
	}
	return s
}

func oneLine(s string) string {
	s = inUTF8(s)
	clean := true
	for i := range len(s) {
		if s[i] < ' ' || s[i] >= utf8.RuneSelf || s[i] == ' ' && (i == 0 || i == len(s)-1 || s[i+1] == ' ') {
			clean = false
			break
		}
	}
	if clean {
		return s
	}
	s = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, s)
	return strings.Join(strings.Fields(s), " ")
}

// Read gives each row to use, and returns how many there were. A row that has not the header's number of fields, or that
// use refuses, is bad; the file fails with kind changed when more than 1 % are, or when the last one is cut off. Blank
// lines do not count.
func (t Table) Read(r io.Reader, use func(Row) error) (rows int, err error) {
	reader := csv.NewReader(r)
	reader.LazyQuotes, reader.FieldsPerRecord, reader.ReuseRecord = true, -1, true
	columns, width, err := t.header(reader)
	if err != nil {
		return 0, err
	}
	bad, lastBad := 0, error(nil)
	for {
		fields, err := reader.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return rows, scrape.Failf(scrape.Changed, "row %d: %w", rows+1, err)
		}
		if blank(fields) {
			continue
		}
		rows++
		if lastBad = t.use(Row{columns, fields}, width, use); lastBad != nil {
			bad++
		}
	}
	switch {
	case rows == 0:
		return 0, scrape.Failf(scrape.Changed, "the file has a header and no rows")
	case bad*100 > rows*maxBadRows:
		return rows, scrape.Failf(scrape.Changed, "%d of %d rows cannot be used, the last for: %v", bad, rows, lastBad)
	case errors.Is(lastBad, errCut):
		return rows, scrape.Failf(scrape.Changed, "the file is cut off: %w", lastBad)
	}
	return rows, nil
}

var errCut = errors.New("the row has too few fields")

func (t Table) use(row Row, width int, use func(Row) error) error {
	if len(row.fields) < width {
		return errCut
	}
	for _, extra := range row.fields[width:] {
		if strings.TrimSpace(extra) != "" { // a comma at the end of each line is harmless
			return fmt.Errorf("the row has %d fields instead of %d", len(row.fields), width)
		}
	}
	return use(row)
}

func blank(fields []string) bool {
	for _, f := range fields {
		if strings.TrimSpace(f) != "" {
			return false
		}
	}
	return true
}

// header finds the columns and their number.
func (t Table) header(r *csv.Reader) (map[string]int, int, error) {
	if t.Headless != nil {
		return positions(t.Headless, t.Headless), len(t.Headless), nil
	}
	var missing []string
	for range headerWithin {
		fields, err := r.Read()
		if err != nil {
			break
		}
		if len(fields) > maxColumns {
			return nil, 0, scrape.Failf(scrape.Changed, "%d columns", len(fields))
		}
		columns := positions(fields, t.Required)
		if missing = t.missing(columns); len(missing) == 0 {
			return columns, len(fields), nil
		}
		if len(missing) < len(t.Required)/2 {
			break // it is the header, and has changed
		}
	}
	return nil, 0, scrape.Failf(scrape.Changed, "the columns %q are missing", missing)
}

func (t Table) missing(columns map[string]int) []string {
	var names []string
	for _, name := range t.Required {
		if _, ok := columns[name]; !ok {
			names = append(names, name)
		}
	}
	return names
}

// positions is where each column stands, by the name that the recipe calls it; a column that it does not name, by its own.
func positions(header, names []string) map[string]int {
	called := make(map[string]string, len(names))
	for _, name := range names {
		called[plainName(name)] = name
	}
	at := make(map[string]int, len(header))
	for i, head := range header {
		name, ok := called[plainName(head)]
		if !ok {
			name = strings.TrimSpace(head)
		}
		if _, twice := at[name]; !twice {
			at[name] = i
		}
	}
	return at
}

var notInNames = strings.NewReplacer("\ufeff", "", " ", "", "_", "", "\u00a0", "", "\t", "")

func plainName(s string) string { return strings.ToLower(notInNames.Replace(s)) }

// LooksLikeMarkup tells whether a file that should be data begins like a page.
func LooksLikeMarkup(body []byte) bool {
	start := bytes.TrimLeft(bytes.TrimPrefix(body, []byte("\xef\xbb\xbf")), " \t\r\n")
	return bytes.HasPrefix(start, []byte("<"))
}
