package audit_test

import (
	"encoding/json"
	"strings"
	"testing"

	"assay.dev/gateway/audit"
)

// keptOf is a result as it is read again from where it is kept.
func keptOf(t *testing.T, r audit.Result) (kept audit.Audited) {
	t.Helper()
	text, err := json.Marshal(audit.Audited{Result: r})
	if err == nil {
		err = json.Unmarshal(text, &kept)
	}
	if err != nil {
		t.Fatal(err)
	}
	return kept
}

// claimed is what an audit says of a line's money: what is recoverable, contestable and expired, and its standing as it is kept.
func claimed(t *testing.T, r audit.Result) string {
	t.Helper()
	kept := keptOf(t, r)
	text := []string{string(kept.Verdict)}
	for _, amount := range []*audit.Cents{kept.RecoverableAmount, kept.ContestableAmount, kept.ExpiredAmount} {
		if amount == nil {
			text = append(text, "-")
		} else {
			text = append(text, amount.String())
		}
	}
	return strings.Join(append(text, string(kept.Standing(today))), " ")
}

// The truckload column is the right one for a heavy shipment: only who says that a line is of LTL contests it.
func TestTheTruckloadColumnIsContestedOnlyForLTL(t *testing.T) {
	t.Parallel()
	const why = "; service=ltl on the line contests it"
	const amounts = `,"base_amount":"2000.00","billed_amount":"1126.40"`
	for name, c := range map[string]struct {
		more, want string
		isTold     bool
	}{
		"no service":                {`,"billed_pct":"56.32"` + amounts, "WRONG_TABLE 200.00 0.00 0.00 ", true},
		"no service, no amounts":    {`,"billed_pct":"56.32"`, "WRONG_TABLE - 0.00 0.00 ", true},
		"an empty service":          {`,"service":""` + amounts, "WRONG_TABLE 200.00 0.00 0.00 ", true},
		"no service, received":      {`,"bill_received":"2026-09-12"` + amounts, "WRONG_TABLE 200.00 0.00 0.00 ", true},
		"ltl":                       {`,"service":"ltl"` + amounts, "WRONG_TABLE 200.00 200.00 0.00 contestable", false},
		"ltl, no amounts":           {`,"service":"LTL","billed_pct":"56.32"`, "WRONG_TABLE - - - contestable", false},
		"truckload, billed as LTL":  {`,"service":"truckload","billed_pct":"46.32"`, "WRONG_TABLE - - - ", false},
		"truckload":                 {`,"service":"truckload"` + amounts, "MATCH 0.00 0.00 0.00 ", false},
		"no service, another price": {`,"billed_pct":"57"`, "OVERBILLED - - - contestable", false},
		"no service, another week":  {`,"billed_pct":"46.50"`, "WRONG_WEEK - - - contestable", false},
	} {
		r := audit.NewAuditor(archives(), today, audit.DefaultTolerance).Audit(line(t, c.more))
		if got := claimed(t, r); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
		if isTold := r.Reason != nil && strings.HasSuffix(*r.Reason, why); isTold != c.isTold {
			t.Errorf("%s: reason %s", name, *r.Reason)
		}
	}
}
