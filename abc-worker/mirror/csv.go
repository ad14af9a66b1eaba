package mirror

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"

	"assay.dev/contracts"
	"assay.dev/platform/scrape"
)

const (
	// headerWithin is how many rows may stand before the header: banners and blank lines.
	headerWithin = 5
	// maxBadRows is how many rows of a hundred may be unusable before the file counts as changed.
	maxBadRows = 1
)

// Table is how a CSV file is read: columns are found by name, in any order, without regard to case, blanks and
// underscores; columns that nobody asked for are passed over.
type Table struct {
	// Required are the columns without which the file is not what it should be.
	Required []string
	// Optional are further columns that are read where they are.
	Optional []string
	// Headless files have no header; their columns are those, in this order.
	Headless []string
}

// Row is one row of a file. It is valid until the next one.
type Row struct {
	columns map[string]int
	fields  []string
}

// Text is the row's value in the named column, on one line without blanks at the ends; empty when there is no such
// column. Bytes that are not UTF-8 are taken for Windows-1252.
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
	if isOneLine(s) {
		return s
	}
	var out strings.Builder
	out.Grow(len(s))
	valid, blank := utf8.ValidString(s), false
	for i := 0; i < len(s); {
		r, size := charmap.Windows1252.DecodeByte(s[i]), 1
		if valid {
			r, size = utf8.DecodeRuneInString(s[i:])
		}
		i += size
		if r < ' ' || r == 0x7f || unicode.IsSpace(r) {
			blank = out.Len() > 0
			continue
		}
		if blank {
			out.WriteByte(' ')
		}
		blank = false
		out.WriteRune(r)
	}
	return out.String()
}

// isOneLine tells whether s is in ASCII, without control characters, and without blanks at the ends or beside each
// other.
func isOneLine(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] >= 0x7f || s[i] == ' ' && (i == 0 || i == len(s)-1 || s[i+1] == ' ') {
			return false
		}
	}
	return true
}

// Read has each row read, and returns how many there were. A row that has not the header's number of fields, or that
// read refuses, is bad: its entry has what licenses are found by. The file fails with kind changed when more than 1 %
// are bad, when the last one is cut off, or when it goes beyond the bounds of this package. A *[scrape.Failure] of read
// ends it. Blank lines do not count.
func (t Table) Read(r io.Reader, read func(Row, func(Entry) error) error, add func(Entry) error) (rows int, err error) {
	reader := newRowReader(r)
	columns, width, err := t.header(reader)
	if err != nil {
		return 0, err
	}
	bad := badRows{}
	for {
		fields, err := reader.next()
		if errors.Is(err, io.EOF) {
			return rows, bad.verdict(rows)
		}
		if err != nil {
			return rows, scrape.Failf(scrape.Changed, "row %d: %w", rows+1, err)
		}
		if blank(fields) {
			continue
		}
		rows++
		if err = split(fields, width); err == nil {
			err = read(Row{columns, fields}, add)
		}
		if err != nil && scrape.KindOf(err) == "" {
			err = cmp.Or(addBad(fields, add), err)
		}
		if scrape.KindOf(err) != "" {
			return rows, err
		}
		if bad.count(err); bad.tooMany(maxRows) {
			return rows, bad.verdict(rows)
		}
	}
}

// badRows counts the rows of a file that cannot be used.
type badRows struct {
	number int
	why    error // of the last bad row
	atEnd  bool  // the last row that was counted is bad
}

func (b *badRows) count(err error) {
	if b.atEnd = err != nil; b.atEnd {
		b.number, b.why = b.number+1, err
	}
}

// tooMany tells whether more than maxBadRows of a hundred are bad in a file with so many rows.
func (b *badRows) tooMany(rows int) bool { return b.number*100 > rows*maxBadRows }

// verdict is the failure of a file that ends after so many rows; nil when it can be used.
func (b *badRows) verdict(rows int) error {
	switch {
	case rows == 0:
		return scrape.Failf(scrape.Changed, "the file has a header and no rows")
	case b.tooMany(rows):
		return scrape.Failf(scrape.Changed, "%d of %d rows cannot be used, the last for: %v", b.number, rows, b.why)
	case b.atEnd && errors.Is(b.why, errCut):
		return scrape.Failf(scrape.Changed, "the file is cut off: %w", b.why)
	}
	return nil
}

var errCut = errors.New("the row has too few fields")

// split fails when the fields are not those of one row. Behind a quote that is not closed a field goes on to the same
// column of a later row.
func split(fields []string, width int) error {
	if len(fields) < width {
		return errCut
	}
	for _, extra := range fields[width:] {
		if strings.TrimSpace(extra) != "" { // a comma at the end of each line is harmless
			return fmt.Errorf("the row has %d fields instead of %d", len(fields), width)
		}
	}
	for _, field := range fields {
		if strings.Contains(field, "\n") && strings.Count(field, ",") >= width-1 {
			return errors.New("a field holds other rows")
		}
	}
	return nil
}

// addBad adds an entry for a row that cannot be used. What licenses are found by may stand anywhere in the row. A row
// without a digit is of no license.
func addBad(fields []string, add func(Entry) error) error {
	row := strings.Join(fields, "\n")
	if onlyDigits(row) == "" {
		return nil
	}
	text := oneLine(row)
	return add(Entry{Unclear: true, Unnumbered: true, Record: contracts.LicenseRecord{
		LicenseNumber: row + "\n", DBAName: text, OwnerName: text, Address: contracts.Address{Street: text},
	}})
}

func blank(fields []string) bool {
	return !slices.ContainsFunc(fields, func(f string) bool { return strings.TrimSpace(f) != "" })
}

// header finds the columns and their number.
func (t Table) header(r *rowReader) (map[string]int, int, error) {
	if t.Headless != nil {
		return positions(t.Headless, t.Headless), len(t.Headless), nil
	}
	missing := t.Required
	for range headerWithin {
		fields, err := r.next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, 0, scrape.Failf(scrape.Changed, "the header: %w", err)
		}
		columns := positions(fields, slices.Concat(t.Required, t.Optional))
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

// positions is where each column stands, by the name that the recipe calls it; a column that it does not name, by its
// own.
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
