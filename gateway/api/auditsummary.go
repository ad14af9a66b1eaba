package api

import (
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
	ResultsLeftOut int          `json:"results_left_out" jsonschema:"How many lines are not MATCH and did not fit; audit them in smaller calls to see them."`
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
	var whole struct {
		Results []json.RawMessage `json:"results"`
		Totals  json.RawMessage   `json:"totals"`
	}
	if err := json.Unmarshal(body, &whole); err != nil {
		return nil, err
	}
	shown, leftOut, size := []json.RawMessage{}, 0, maxWords+len(whole.Totals)
	for _, r := range whole.Results {
		if isMatch, err := isMatch(r); err != nil {
			return nil, err
		} else if isMatch {
			continue
		}
		if size += len(r) + 1; size > maxSummary {
			leftOut++
			continue
		}
		shown = append(shown, r)
	}
	return answers.Marshal(map[string]any{"results": shown, "results_left_out": leftOut, "totals": whole.Totals})
}

func isMatch(result json.RawMessage) (bool, error) {
	var r struct {
		Verdict audit.Verdict `json:"verdict"`
	}
	err := json.Unmarshal(result, &r)
	return r.Verdict == audit.Match, err
}

// auditInWords says what became of the lines, such as "2 lines: 1 MATCH, 1 OVERBILLED; contestable 5.00 USD of
// recoverable 12.30 USD." The reason of a single line follows.
func auditInWords(body []byte) (string, error) {
	var whole Audit
	if err := json.Unmarshal(body, &whole); err != nil {
		return "", err
	}
	words := fmt.Sprintf("%s; contestable %s USD of recoverable %s USD.",
		lines.Counted(whole.Totals.Lines, audit.Verdicts, whole.Totals.Verdicts), whole.Totals.ContestableAmount,
		whole.Totals.RecoverableAmount)
	if len(whole.Results) == 1 && whole.Results[0].Reason != nil {
		words += " " + *whole.Results[0].Reason
	}
	return words, nil
}
