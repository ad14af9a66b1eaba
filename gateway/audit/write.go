package audit

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"assay.dev/contracts"
	"assay.dev/gateway/sheet"
	"assay.dev/gateway/spreadsheet"
	"assay.dev/platform/csvrow"
)

// totalVerdict marks the last line of NDJSON and CSV, which holds the totals.
const totalVerdict Verdict = "TOTAL"

// writer writes results one after the other.
type writer struct {
	Output
	found *Found // nil for a file that was not read as it is
	text  bytes.Buffer
	json  *json.Encoder
	piece Piece
}

func newWriter(o Output, found *Found) *writer {
	if o.Format == Workbook {
		o.Format = CSV
	}
	w := &writer{Output: o, found: found}
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
	switch w.Format {
	case JSON:
		w.text.WriteString(`{"results":[`)
	case CSV:
		if w.Mark {
			w.text.WriteString(csvrow.ByteOrderMark)
		}
		row := w.others(func(i int) string { return w.found.Other[i] })
		for i, c := range columns {
			if i > 0 {
				row = append(row, ',')
			}
			row = append(row, c.name...)
		}
		w.text.Write(append(row, "\r\n"...))
	}
}

// others are the cells of the columns that hold no member, each with a comma after it. They come before ours, so that ours are last
// whatever theirs are called.
func (w *writer) others(cell func(i int) string) (row []byte) {
	if w.found == nil {
		return nil
	}
	for i := range w.found.Other {
		row = append(spreadsheet.AppendText(row, cell(i)), ',')
	}
	return row
}

// named is a result with the cells of other columns by their headings. Of two columns of one heading the first counts.
func (w *writer) named(r Result, others []string) LineResult {
	row := LineResult{Result: r}
	if len(others) > 0 {
		row.Other = map[string]string{}
	}
	for i, cell := range others {
		if _, isThere := row.Other[w.found.Other[i]]; !isThere {
			row.Other[w.found.Other[i]] = cell
		}
	}
	return row
}

func (w *writer) separate(i int) {
	if i > 0 {
		w.text.WriteByte(',')
	}
}

// result writes the i-th result, and what else stood in its line.
func (w *writer) result(i int, r Result, others []string) {
	switch w.Format {
	case JSON:
		w.separate(i)
		w.encode(w.named(r, others))
	case NDJSON:
		w.encode(w.named(r, others))
	case CSV:
		w.row(r, others)
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
	Lines    int       `json:"lines"`
	Verdicts Counts    `json:"verdicts"`
	Problems []Problem `json:"problems"`
	AuditID  string    `json:"audit_id,omitempty"`
	Matched
}

// Matched says in JSON how the columns of a file were read: the heading of each member's column, and the forms of its values.
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

func (t Totals) line() Total {
	summary := t.summary()
	return Total{
		Result: Result{
			Verdict: totalVerdict, VarianceAmount: &t.VarianceAmount, RecoverableAmount: &t.RecoverableAmount,
			ContestableAmount: &t.ContestableAmount, ExpiredAmount: &t.ExpiredAmount, Reason: &summary, Errors: []string{},
		},
		Lines: t.Lines, Verdicts: t.Verdicts, Problems: t.Problems,
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

// CauseMark stands before each cause in the reason of the row TOTAL.
const CauseMark = " | "

// causes are such as " | lines 2-61: ship_date: this is required".
func (t Totals) causes() (text string) {
	for _, p := range t.Problems {
		text += CauseMark + p.Text()
	}
	return text
}

func (w *writer) end(t Totals) {
	if w.NoTotals && w.Format == CSV {
		return
	}
	total := t.line()
	total.AuditID = w.AuditID
	if w.found != nil {
		*total.Reason += t.causes()
		total.Matched = w.found.Matched()
	}
	switch w.Format {
	case JSON:
		tail, _ := json.Marshal(struct { // as above
			Totals  Totals `json:"totals"`
			AuditID string `json:"audit_id,omitempty"`
			Matched
		}{t, w.AuditID, total.Matched})
		w.text.WriteString("],")
		w.text.Write(contracts.EscapeJSON(tail)[1:])
	case NDJSON:
		w.encode(total)
	case CSV:
		w.row(total.Result, nil)
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
	{"pro_number", func(dst []byte, r *Result) []byte { return appendText(dst, r.PRO) }},
	{"published_pct", func(dst []byte, r *Result) []byte { return appendNumber(dst, r.PublishedPct) }},
	{"effective_date", func(dst []byte, r *Result) []byte { return appendDate(dst, r.EffectiveDate) }},
	{"end_date", func(dst []byte, r *Result) []byte { return appendDate(dst, r.EndDate) }},
	{"billed_pct", func(dst []byte, r *Result) []byte { return appendNumber(dst, r.BilledPct) }},
	{"expected_pct", func(dst []byte, r *Result) []byte { return appendNumber(dst, r.ExpectedPct) }},
	{"variance_points", func(dst []byte, r *Result) []byte { return appendNumber(dst, r.VariancePoints) }},
	{"base_amount", func(dst []byte, r *Result) []byte { return appendNumber(dst, r.BaseAmount) }},
	{"billed_amount", func(dst []byte, r *Result) []byte { return appendNumber(dst, r.BilledAmount) }},
	{"expected_amount", func(dst []byte, r *Result) []byte { return appendNumber(dst, r.ExpectedAmount) }},
	{"variance_amount", func(dst []byte, r *Result) []byte { return appendNumber(dst, r.VarianceAmount) }},
	{"recoverable_amount", func(dst []byte, r *Result) []byte { return appendNumber(dst, r.RecoverableAmount) }},
	{"contestable_amount", func(dst []byte, r *Result) []byte { return appendNumber(dst, r.ContestableAmount) }},
	{"expired_amount", func(dst []byte, r *Result) []byte { return appendNumber(dst, r.ExpiredAmount) }},
	{"contest_by", func(dst []byte, r *Result) []byte { return appendDate(dst, r.ContestBy) }},
	{"formula", func(dst []byte, r *Result) []byte { return appendText(dst, r.Formula) }},
	{"reason", func(dst []byte, r *Result) []byte { return appendText(dst, r.Reason) }},
	{"evidence_url", func(dst []byte, r *Result) []byte { return appendText(dst, r.EvidenceURL) }},
}

// OwnColumns is where the columns of results begin in the header of a CSV; those before it were carried through.
func OwnColumns(header []string) (begin int) {
	for i := range header {
		if len(header)-i >= 4 && header[i] == "id" && header[i+1] == "carrier" && header[i+2] == "ship_date" && header[i+3] == "verdict" {
			begin = i
		}
	}
	return begin
}

func (w *writer) row(r Result, others []string) {
	dst := append(w.text.AvailableBuffer(), w.others(func(i int) string {
		if i < len(others) {
			return others[i]
		}
		return ""
	})...)
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
