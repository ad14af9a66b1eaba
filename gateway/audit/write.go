package audit

import (
	"bytes"
	"encoding/json"
	"fmt"
	"iter"
	"strings"

	"assay.dev/contracts"
	"assay.dev/gateway/spreadsheet"
)

// totalVerdict marks the last line of NDJSON and CSV, which holds the totals.
const totalVerdict Verdict = "TOTAL"

// pieceLines is how many results a [Piece] has.
const pieceLines = 250

// Piece is the next part of the results as text.
type Piece struct {
	// Text is good until the next piece is made.
	Text []byte
	// Through counts the lines up to the end of the piece, Resolved those of the piece that were judged.
	Through, Resolved int
}

// Pieces gives the lines their verdicts and writes the results in the format, with the totals at the end. Seen is told
// of each verdict.
func Pieces(format Format, lines []Line, a *Auditor, seen func(Verdict)) iter.Seq[Piece] {
	return func(yield func(Piece) bool) {
		w, totals := newWriter(format), NewTotals()
		w.begin()
		for i, l := range lines {
			r := a.Audit(l)
			seen(r.Verdict)
			totals.Add(r)
			w.result(i, r)
			if r.Verdict.IsResolved() {
				w.piece.Resolved++
			}
			if n := i + 1; n%pieceLines == 0 && n < len(lines) && !yield(w.next(n)) {
				return
			}
		}
		w.end(totals)
		yield(w.next(len(lines)))
	}
}

// writer writes results one after the other.
type writer struct {
	format Format
	text   bytes.Buffer
	json   *json.Encoder
	piece  Piece
}

func newWriter(format Format) *writer {
	w := &writer{format: format}
	w.json = json.NewEncoder(&w.text)
	w.json.SetEscapeHTML(false)
	return w
}

// next is the piece that ends here; the next one begins.
func (w *writer) next(through int) Piece {
	p := w.piece
	p.Text, p.Through = w.text.Bytes(), through
	w.text.Reset()
	w.piece = Piece{}
	return p
}

func (w *writer) begin() {
	switch w.format {
	case JSON:
		w.text.WriteString(`{"results":[`)
	case CSV:
		for i, c := range columns {
			w.separate(i)
			w.text.WriteString(c.name)
		}
		w.text.WriteString("\r\n")
	}
}

func (w *writer) separate(i int) {
	if i > 0 {
		w.text.WriteByte(',')
	}
}

// result writes the i-th result.
func (w *writer) result(i int, r Result) {
	switch w.format {
	case JSON:
		w.separate(i)
		w.encode(r)
	case NDJSON:
		w.encode(r)
	case CSV:
		w.row(r)
	}
}

// encode writes a value and a line end.
func (w *writer) encode(v any) {
	begin := w.text.Len()
	_ = w.json.Encode(v) // results and totals always marshal, and a buffer takes all
	escaped := contracts.EscapeJSON(w.text.Bytes()[begin:])
	w.text.Truncate(begin)
	w.text.Write(escaped)
}

// Total is the last line of NDJSON: a result with an empty id, the verdict TOTAL, and the members of the totals.
type Total struct {
	Result
	Lines    int    `json:"lines"`
	Verdicts Counts `json:"verdicts"`
}

func (t Totals) line() Total {
	summary := t.summary()
	return Total{
		Result: Result{
			Verdict: totalVerdict, VarianceAmount: &t.VarianceAmount, RecoverableAmount: &t.RecoverableAmount, Reason: &summary, Errors: []string{},
		},
		Lines: t.Lines, Verdicts: t.Verdicts,
	}
}

// summary is such as "12 lines: 10 MATCH, 2 OVERBILLED".
func (t Totals) summary() string {
	var counts []string
	for _, v := range Verdicts {
		if n := t.Verdicts[v]; n > 0 {
			counts = append(counts, fmt.Sprintf("%d %s", n, v))
		}
	}
	return fmt.Sprintf("%d lines: %s", t.Lines, strings.Join(counts, ", "))
}

func (w *writer) end(t Totals) {
	switch w.format {
	case JSON:
		w.text.WriteString(`],"totals":`)
		w.encode(t)
		w.text.Truncate(w.text.Len() - 1) // the line end
		w.text.WriteByte('}')
	case NDJSON:
		w.encode(t.line())
	case CSV:
		w.row(t.line().Result)
	}
}

// columns are those of a CSV: the members of [Result] in their order, but for its errors, which are in the reason.
var columns = []struct {
	name string
	cell func(dst []byte, r *Result) []byte
}{
	{"id", func(dst []byte, r *Result) []byte { return spreadsheet.AppendText(dst, r.ID) }},
	{"carrier", func(dst []byte, r *Result) []byte { return spreadsheet.AppendText(dst, r.Carrier) }},
	{"ship_date", func(dst []byte, r *Result) []byte { return appendDate(dst, r.ShipDate) }},
	{"verdict", func(dst []byte, r *Result) []byte { return append(dst, r.Verdict...) }},
	{"published_pct", func(dst []byte, r *Result) []byte { return appendNumber(dst, r.PublishedPct) }},
	{"effective_date", func(dst []byte, r *Result) []byte { return appendDate(dst, r.EffectiveDate) }},
	{"end_date", func(dst []byte, r *Result) []byte { return appendDate(dst, r.EndDate) }},
	{"expected_pct", func(dst []byte, r *Result) []byte { return appendNumber(dst, r.ExpectedPct) }},
	{"variance_points", func(dst []byte, r *Result) []byte { return appendNumber(dst, r.VariancePoints) }},
	{"expected_amount", func(dst []byte, r *Result) []byte { return appendNumber(dst, r.ExpectedAmount) }},
	{"variance_amount", func(dst []byte, r *Result) []byte { return appendNumber(dst, r.VarianceAmount) }},
	{"recoverable_amount", func(dst []byte, r *Result) []byte { return appendNumber(dst, r.RecoverableAmount) }},
	{"contest_by", func(dst []byte, r *Result) []byte { return appendDate(dst, r.ContestBy) }},
	{"formula", func(dst []byte, r *Result) []byte { return appendText(dst, r.Formula) }},
	{"reason", func(dst []byte, r *Result) []byte { return appendText(dst, r.Reason) }},
	{"evidence_url", func(dst []byte, r *Result) []byte { return appendText(dst, r.EvidenceURL) }},
}

func (w *writer) row(r Result) {
	dst := w.text.AvailableBuffer()
	for i, c := range columns {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = c.cell(dst, &r)
	}
	w.text.Write(append(dst, "\r\n"...))
}

func appendDate(dst []byte, d contracts.Date) []byte { return append(dst, d...) }

func appendText(dst []byte, text *string) []byte {
	if text == nil {
		return dst
	}
	return spreadsheet.AppendText(dst, *text)
}

func appendNumber[N Points | Cents](dst []byte, n *N) []byte {
	if n == nil {
		return dst
	}
	return fmt.Append(dst, *n)
}
