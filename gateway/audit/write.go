package audit

import (
	"fmt"

	"assay.dev/contracts"
	"assay.dev/gateway/lines"
	"assay.dev/gateway/spreadsheet"
)

// totalVerdict marks the last line of NDJSON and CSV, which holds the totals.
const totalVerdict Verdict = "TOTAL"

// Total is the last line of NDJSON: a result with an empty id, the verdict TOTAL, and the members of the totals.
type Total struct {
	Result
	Lines    int       `json:"lines"`
	Verdicts Counts    `json:"verdicts"`
	Problems []Problem `json:"problems"`
	AuditID  string    `json:"audit_id,omitempty"`
	lines.Matched
}

func (t Totals) line() Total {
	summary := lines.Counted(t.Lines, Verdicts, t.Verdicts)
	return Total{
		Result: Result{
			Verdict: totalVerdict, VarianceAmount: &t.VarianceAmount, RecoverableAmount: &t.RecoverableAmount,
			ContestableAmount: &t.ContestableAmount, ExpiredAmount: &t.ExpiredAmount, Reason: &summary, Errors: []string{},
		},
		Lines: t.Lines, Verdicts: t.Verdicts, Problems: t.Problems,
	}
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

// all are the totals in each form; keptID names an audit that is kept.
func (t *Totals) all(found *lines.Found, keptID string) (members, line any, row Audited) {
	total := t.line()
	total.AuditID = keptID
	if found != nil {
		*total.Reason += t.causes()
		total.Matched = found.Matched()
	}
	return struct {
		Totals  Totals `json:"totals"`
		AuditID string `json:"audit_id,omitempty"`
		lines.Matched
	}{*t, keptID, total.Matched}, total, Audited{Result: total.Result}
}

// columns are those of a CSV: the members of [Result] in their order, but for its errors, which are in the reason.
var columns = []lines.Column[Audited]{
	{Name: "id", Cell: func(dst []byte, r *Audited) []byte { return spreadsheet.AppendText(dst, r.ID) }},
	{Name: "carrier", Cell: func(dst []byte, r *Audited) []byte { return spreadsheet.AppendText(dst, r.Carrier) }},
	{Name: "ship_date", Cell: func(dst []byte, r *Audited) []byte { return appendDate(dst, r.ShipDate) }},
	{Name: "verdict", Cell: func(dst []byte, r *Audited) []byte { return append(dst, r.Verdict...) }},
	{Name: "pro_number", Cell: func(dst []byte, r *Audited) []byte { return appendText(dst, r.PRO) }},
	{Name: "published_pct", Cell: func(dst []byte, r *Audited) []byte { return appendNumber(dst, r.PublishedPct) }},
	{Name: "effective_date", Cell: func(dst []byte, r *Audited) []byte { return appendDate(dst, r.EffectiveDate) }},
	{Name: "end_date", Cell: func(dst []byte, r *Audited) []byte { return appendDate(dst, r.EndDate) }},
	{Name: "billed_pct", Cell: func(dst []byte, r *Audited) []byte { return appendNumber(dst, r.BilledPct) }},
	{Name: "expected_pct", Cell: func(dst []byte, r *Audited) []byte { return appendNumber(dst, r.ExpectedPct) }},
	{Name: "variance_points", Cell: func(dst []byte, r *Audited) []byte { return appendNumber(dst, r.VariancePoints) }},
	{Name: "base_amount", Cell: func(dst []byte, r *Audited) []byte { return appendNumber(dst, r.BaseAmount) }},
	{Name: "billed_amount", Cell: func(dst []byte, r *Audited) []byte { return appendNumber(dst, r.BilledAmount) }},
	{Name: "expected_amount", Cell: func(dst []byte, r *Audited) []byte { return appendNumber(dst, r.ExpectedAmount) }},
	{Name: "variance_amount", Cell: func(dst []byte, r *Audited) []byte { return appendNumber(dst, r.VarianceAmount) }},
	{Name: "recoverable_amount",
		Cell: func(dst []byte, r *Audited) []byte { return appendNumber(dst, r.RecoverableAmount) }},
	{Name: "contestable_amount",
		Cell: func(dst []byte, r *Audited) []byte { return appendNumber(dst, r.ContestableAmount) }},
	{Name: "expired_amount", Cell: func(dst []byte, r *Audited) []byte { return appendNumber(dst, r.ExpiredAmount) }},
	{Name: "contest_by", Cell: func(dst []byte, r *Audited) []byte { return appendDate(dst, r.ContestBy) }},
	{Name: "formula", Cell: func(dst []byte, r *Audited) []byte { return appendText(dst, r.Formula) }},
	{Name: "reason", Cell: func(dst []byte, r *Audited) []byte { return appendText(dst, r.Reason) }},
	{Name: "evidence_url", Cell: func(dst []byte, r *Audited) []byte { return appendText(dst, r.EvidenceURL) }},
}

// OwnColumns is where the columns of results begin in the header of a CSV; those before it were carried through.
func OwnColumns(header []string) (begin int) {
	for i := range header {
		if len(header)-i >= 4 && header[i] == "id" && header[i+1] == "carrier" && header[i+2] == "ship_date" &&
			header[i+3] == "verdict" {
			begin = i
		}
	}
	return begin
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
