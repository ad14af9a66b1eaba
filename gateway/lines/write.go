package lines

import (
	"bytes"
	"encoding/json"
	"fmt"
	"iter"
	"strings"

	"assay.dev/contracts"
	"assay.dev/gateway/sheet"
	"assay.dev/gateway/spreadsheet"
)

// A [Piece] has as many results, and ends once it has as many bytes.
const (
	pieceLines = 250
	pieceBytes = 1 << 20
)

// Piece is the next part of the results as text.
type Piece struct {
	// Text is good until the next piece is made.
	Text []byte
	// Through counts the lines up to the end of the piece, Resolved those of the piece that are charged. Both are 0 where
	// the lines are charged by another piece, or not at all.
	Through, Resolved int
}

// Output is the form of results.
type Output struct {
	// Format is that of the file. The results of a workbook are CSV.
	Format Format
	// NoTotals leaves the last row of a CSV out.
	NoTotals bool
	// KeptID names results that are kept; empty for others.
	KeptID string
}

// Column is a column of a CSV of results.
type Column[R any] struct {
	Name string
	Cell func(dst []byte, r *R) []byte
}

// Results are how the results of lines are written.
type Results[R any] struct {
	Columns []Column[R]
	// IsCharged tells whether a line with the result is resolved. It is told of each result, in order.
	IsCharged func(r *R) bool
	// Named is a result with the cells of other columns by their headings, as JSON has it.
	Named func(r R, other map[string]string) any
	// Totals are told when all lines were taken: as members of a JSON object beside its results, as a line of NDJSON, and
	// as a row of a CSV.
	Totals func() (members, line any, row R)
}

// Pieces writes results with the cells of their lines that hold no member, and the totals at the end. found is what was
// found in a file that was read as it is.
func Pieces[R any](o Output, found *Found, results iter.Seq2[R, []string], how Results[R]) iter.Seq[Piece] {
	return func(yield func(Piece) bool) {
		w := newWriter(o, found, how)
		w.begin()
		n, begun := 0, 0
		for r, others := range results {
			if n-begun == pieceLines || w.text.Len() > pieceBytes {
				if !yield(w.next(n)) {
					return
				}
				begun = n
			}
			w.result(n, r, others)
			n++
			if how.IsCharged(&r) {
				w.piece.Resolved++
			}
		}
		w.end()
		yield(w.next(n))
	}
}

// Answered are the results that answer makes of the lines of a file, in their order, each with the cells of its line
// that hold no member.
func Answered[L any, P Line[L], R any](file File[L], answer func(i int, l P) R) iter.Seq2[R, []string] {
	return func(yield func(R, []string) bool) {
		for i := range file.Lines {
			l := P(&file.Lines[i])
			if !yield(answer(i, l), l.head().Other) {
				return
			}
		}
	}
}

// Counted says how many of n lines have each outcome, of those that all lists, such as "12 lines: 10 MATCH, 2
// OVERBILLED".
func Counted[V ~string](n int, all []V, of map[V]int) string {
	var counts []string
	for _, v := range all {
		if of[v] > 0 {
			counts = append(counts, fmt.Sprintf("%d %s", of[v], v))
		}
	}
	return Plural(n, "line") + ": " + strings.Join(counts, ", ")
}

// Plural is a number with its noun.
func Plural(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return fmt.Sprintf("%d %s", n, noun)
}

// TextColumn is a column of texts.
func TextColumn[R any](name string, text func(*R) string) Column[R] {
	return Column[R]{Name: name, Cell: func(dst []byte, r *R) []byte { return spreadsheet.AppendText(dst, text(r)) }}
}

// Whole joins pieces to one.
func Whole(pieces iter.Seq[Piece]) (whole Piece) {
	for p := range pieces {
		whole.Text, whole.Through, whole.Resolved = append(whole.Text, p.Text...), p.Through, whole.Resolved+p.Resolved
	}
	return whole
}

// ChargedAtOnce gives the first piece the charge for the lines of all.
func ChargedAtOnce(pieces iter.Seq[Piece], through, resolved int) iter.Seq[Piece] {
	return func(yield func(Piece) bool) {
		charged := Piece{Through: through, Resolved: resolved}
		for p := range pieces {
			charged.Text = p.Text
			if !yield(charged) {
				return
			}
			charged = Piece{}
		}
	}
}

// Marked are the pieces of a CSV with a byte order mark before them.
func Marked(pieces iter.Seq[Piece]) iter.Seq[Piece] {
	return func(yield func(Piece) bool) {
		isFirst := true
		for p := range pieces {
			if isFirst {
				p.Text, isFirst = spreadsheet.Marked(p.Text), false
			}
			if !yield(p) {
				return
			}
		}
	}
}

// writer writes results one after the other.
type writer[R any] struct {
	Output
	Results[R]
	found *Found // nil for a file that was not read as it is
	text  bytes.Buffer
	json  *json.Encoder
	piece Piece
}

func newWriter[R any](o Output, found *Found, results Results[R]) *writer[R] {
	if o.Format == Workbook {
		o.Format = CSV
	}
	w := &writer[R]{Output: o, Results: results, found: found}
	w.json = json.NewEncoder(&w.text)
	w.json.SetEscapeHTML(false)
	return w
}

// next is the piece that ends here; the next one begins.
func (w *writer[R]) next(through int) Piece {
	p := w.piece
	p.Text, p.Through = w.text.Bytes(), through
	w.text.Reset()
	w.piece = Piece{}
	return p
}

func (w *writer[R]) begin() {
	switch w.Format {
	case JSON:
		w.text.WriteString(`{"results":[`)
	case CSV:
		row := w.others(func(i int) string { return w.found.Other[i] })
		for i, c := range w.Columns {
			if i > 0 {
				row = append(row, ',')
			}
			row = append(row, c.Name...)
		}
		w.text.Write(append(row, "\r\n"...))
	}
}

// others are the cells of the columns that hold no member, each with a comma after it. They come before ours, so that
// ours are last whatever theirs are called.
func (w *writer[R]) others(cell func(i int) string) (row []byte) {
	if w.found == nil {
		return nil
	}
	for i := range w.found.Other {
		row = append(spreadsheet.AppendNumber(row, cell(i)), ',')
	}
	return row
}

// named is a result with the cells of other columns by their headings. Of two columns of one heading the first counts.
func (w *writer[R]) named(r R, others []string) any {
	var other map[string]string
	if len(others) > 0 {
		other = map[string]string{}
	}
	for i, cell := range others {
		if _, isThere := other[w.found.Other[i]]; !isThere {
			other[w.found.Other[i]] = cell
		}
	}
	return w.Named(r, other)
}

// result writes the i-th result, and what else stood in its line.
func (w *writer[R]) result(i int, r R, others []string) {
	switch w.Format {
	case JSON:
		if i > 0 {
			w.text.WriteByte(',')
		}
		w.encode(w.named(r, others))
	case NDJSON:
		w.encode(w.named(r, others))
	case CSV:
		w.row(r, others)
	}
}

// encode writes a value and a line end.
func (w *writer[R]) encode(v any) {
	begin := w.text.Len()
	_ = w.json.Encode(v) // results and totals always marshal, and a buffer takes all
	escaped := contracts.EscapeJSON(w.text.Bytes()[begin:])
	w.text.Truncate(begin)
	w.text.Write(escaped)
}

func (w *writer[R]) end() {
	if w.NoTotals && w.Format == CSV {
		return
	}
	members, line, row := w.Totals()
	switch w.Format {
	case JSON:
		tail, _ := json.Marshal(members) // as above
		w.text.WriteString("],")
		w.text.Write(contracts.EscapeJSON(tail)[1:])
	case NDJSON:
		w.encode(line)
	case CSV:
		w.row(row, nil)
	}
}

func (w *writer[R]) row(r R, others []string) {
	dst := append(w.text.AvailableBuffer(), w.others(func(i int) string {
		if i < len(others) {
			return others[i]
		}
		return ""
	})...)
	for i, c := range w.Columns {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = c.Cell(dst, &r)
	}
	w.text.Write(append(dst, "\r\n"...))
}

// Matched says in JSON how the columns of a file were read: the heading of each member's column, and the forms of its
// values.
type Matched struct {
	Columns     map[string]string `json:"columns,omitempty" jsonschema:"The heading of the column that each member was read from; with the parameter columns only."`
	DateForm    sheet.DateForm    `json:"date_form,omitempty" jsonschema:"mdy or dmy, where dates are written so."`
	PercentForm PercentForm       `json:"percent_form,omitempty" jsonschema:"percent or fraction, where it was said."`
}

// Matched is empty for a file that was not read as it is.
func (f *Found) Matched() Matched {
	if f == nil {
		return Matched{}
	}
	return Matched{f.Columns, f.DateForm, f.Percents}
}
