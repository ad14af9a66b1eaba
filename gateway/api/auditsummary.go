package api

import (
	"cmp"
	"encoding/json"
	"fmt"

	"assay.dev/gateway/answers"
	"assay.dev/gateway/audit"
	"assay.dev/gateway/lines"
)

// AuditSummary is what the tool answers: the totals, and the results that are not MATCH, as many as fit.
type AuditSummary struct {
	Results []audit.Result `json:"results" jsonschema:"The lines that are not MATCH, in their order, as many as fit."`
	// ResultsLeftOut counts the results that are not MATCH and are not shown.
	ResultsLeftOut int          `json:"results_left_out" jsonschema:"How many lines are not MATCH and did not fit: those behind the last of results. A further call with them and with every line of their carriers and pro_numbers shows them; each that is resolved is charged again."`
	Totals         audit.Totals `json:"totals"`
}

// maxSummary bounds a summary with its words, in bytes: agents cut longer results of a tool off (contract §4.8).
// maxWords are those of its bytes that are neither results nor totals: the words and the members' names.
const (
	maxSummary = 24_000
	maxWords   = 1_000
)

// summarizeAudit makes the summary of an audit's body.
func summarizeAudit(body []byte) ([]byte, error) {
	summary, _, _, err := summaryOf(body)
	if err != nil {
		return nil, err
	}
	return answers.Marshal(summary)
}

// summaryOf is the summary of an audit's body. firstLeftOut is the place of the first line that is left out, from 1; 0
// for none. All that are not MATCH behind it are left out too.
func summaryOf(body []byte) (s AuditSummary, whole Audit, firstLeftOut int, err error) {
	if err := json.Unmarshal(body, &whole); err != nil {
		return s, whole, 0, err
	}
	totals, err := answers.Marshal(whole.Totals)
	s, size := AuditSummary{Results: []audit.Result{}, Totals: whole.Totals}, maxWords+len(totals)
	for i, r := range whole.Results {
		if r.Verdict == audit.Match {
			continue
		}
		text, failed := answers.Marshal(r.Result)
		err = cmp.Or(err, failed)
		if size += len(text) + 1; size <= maxSummary {
			s.Results = append(s.Results, r.Result)
			continue
		}
		firstLeftOut = cmp.Or(firstLeftOut, i+1)
		s.ResultsLeftOut++
	}
	return s, whole, firstLeftOut, err
}

// auditInWords says what became of the lines, such as "2 lines: 1 MATCH, 1 OVERBILLED; contestable 5.00 USD of
// recoverable 12.30 USD." The reason of a single line follows, or what is left out.
func auditInWords(body []byte) (string, error) {
	summary, whole, firstLeftOut, err := summaryOf(body)
	if err != nil {
		return "", err
	}
	words := lines.Counted(whole.Totals.Lines, audit.Verdicts, whole.Totals.Verdicts)
	hasAmount, without := false, 0
	for _, r := range whole.Results {
		if r.RecoverableAmount != nil {
			hasAmount = true
		} else if r.Verdict.IsResolved() && r.Verdict != audit.Match {
			without++
		}
	}
	if hasAmount {
		words += fmt.Sprintf("; contestable %s USD of recoverable %s USD", whole.Totals.ContestableAmount,
			whole.Totals.RecoverableAmount)
		if without > 0 {
			words += fmt.Sprintf(" (lines without amounts: %d)", without)
		}
	}
	words += "."
	if len(whole.Results) == 1 && whole.Results[0].Reason != nil {
		words += " " + *whole.Results[0].Reason
	}
	if firstLeftOut > 0 {
		words += fmt.Sprintf(" Of those that are not MATCH, line %d and all behind it did not fit: %d. Another call with "+
			"them and with every line of their carriers and pro_numbers shows them; each that is resolved is charged again.",
			firstLeftOut, summary.ResultsLeftOut)
	}
	return words, nil
}
