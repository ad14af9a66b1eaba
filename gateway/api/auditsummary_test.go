package api

import "testing"

// The words of the tool lead with what may still be contested.
func TestAuditInWords(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		`{"totals":{"lines":2,"verdicts":{"MATCH":1,"OVERBILLED":1},"recoverable_amount":"12.30","contestable_amount":"5.00"}}`: "2 lines: 1 MATCH, 1 OVERBILLED; contestable 5.00 USD of recoverable 12.30 USD.",
		`{"results":[{"reason":"too late"}],"totals":{"lines":1,"verdicts":{"OVERBILLED":1},"recoverable_amount":"5.00","contestable_amount":"0.00"}}`: "1 line: 1 OVERBILLED; contestable 0.00 USD of " +
			"recoverable 5.00 USD. too late",
	} {
		if got, err := auditInWords([]byte(body)); err != nil || got != want {
			t.Errorf("%s %v, want %s", got, err, want)
		}
	}
}
