package api

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// The words of the tool lead with what may still be contested. No money is told where no line has an amount.
func TestAuditInWords(t *testing.T) {
	t.Parallel()
	const percent, amount = `{"verdict":"OVERBILLED"}`, `{"verdict":"OVERBILLED","recoverable_amount":"12.30"}`
	for body, want := range map[string]string{
		`{"results":[{"verdict":"MATCH"},` + amount + `],"totals":{"lines":2,"verdicts":{"MATCH":1,"OVERBILLED":1},"recoverable_amount":"12.30","contestable_amount":"5.00"}}`: "2 lines: 1 MATCH, 1 OVERBILLED; " +
			"contestable 5.00 USD of recoverable 12.30 USD.",
		`{"results":[{"reason":"too late","recoverable_amount":"5.00"}],"totals":{"lines":1,"verdicts":{"OVERBILLED":1},"recoverable_amount":"5.00","contestable_amount":"0.00"}}`: "1 line: 1 OVERBILLED; contestable 0.00 USD of " +
			"recoverable 5.00 USD. too late",
		`{"results":[` + percent + `,` + percent + `],"totals":{"lines":2,"verdicts":{"OVERBILLED":2},"recoverable_amount":"0.00","contestable_amount":"0.00"}}`: "2 lines: 2 OVERBILLED.",
		`{"results":[` + percent + `,` + amount + `],"totals":{"lines":2,"verdicts":{"OVERBILLED":2},"recoverable_amount":"12.30","contestable_amount":"0.00"}}`: "2 lines: 2 OVERBILLED; contestable 0.00 USD of recoverable 12.30 USD (lines without amounts: 1).",
	} {
		if got, err := auditInWords([]byte(body)); err != nil || got != want {
			t.Errorf("%s %v, want %s", got, err, want)
		}
	}
}

// What does not fit is the tail, and the words say where it begins.
func TestAuditInWordsTellsWhatIsLeftOut(t *testing.T) {
	t.Parallel()
	line := `{"verdict":"OVERBILLED","formula":"` + strings.Repeat("x", 300) + `","numbers":{"billed_pct":1}}`
	body := []byte(`{"results":[{"verdict":"MATCH"}` + strings.Repeat(","+line, 199) + `],"totals":{"lines":200,"verdicts":{"OVERBILLED":199}}}`)
	text, err := summarizeAudit(body)
	var s AuditSummary
	if err != nil || json.Unmarshal(text, &s) != nil || len(s.Results)+s.ResultsLeftOut != 199 || s.ResultsLeftOut == 0 || strings.Contains(string(text), "numbers") {
		t.Fatalf("%v %.300s", err, text)
	}
	words, err := auditInWords(body)
	if want := fmt.Sprintf(" line %d and all behind it did not fit: %d. Another call with them and with every line of their carriers and pro_numbers shows them; each that is resolved is charged again.", len(s.Results)+2, s.ResultsLeftOut); err != nil || !strings.HasSuffix(words, want) {
		t.Errorf("%s %v, want %s", words, err, want)
	}
	if len(text)+len(words) > maxSummary {
		t.Errorf("%d bytes", len(text)+len(words))
	}
}
