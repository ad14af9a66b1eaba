package mcp

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"assay.dev/contracts"
	"assay.dev/gateway/api"
	"assay.dev/gateway/audit"
	"assay.dev/gateway/lines"
)

// decide follows the rules of a prompt in their order. Holds has what each rule's words mean, by the words themselves:
// a rule whose words change must be thought about here again.
func decide(t *testing.T, rules []rule, holds map[string]bool) verdict {
	t.Helper()
	if len(holds) != len(rules) {
		t.Fatalf("%d rules, %d meanings", len(rules), len(holds))
	}
	for _, r := range rules {
		held, known := holds[r.when]
		if !known {
			t.Fatalf("the test does not know what %q means", r.when)
		}
		if held {
			return r.verdict
		}
	}
	t.Fatal("no rule holds")
	return ""
}

// audited is what the audit's rules say of the tool's answer; nil is a call that failed.
func audited(t *testing.T, answer *api.AuditSummary) verdict {
	t.Helper()
	first, matched := audit.Verdict(""), 0
	if answer != nil {
		matched = answer.Totals.Verdicts[audit.Match]
		for _, r := range answer.Results {
			first = r.Verdict
		}
	}
	isOpen := first == audit.Unresolved || first == audit.Invalid
	isMatch := matched == 1 || first == audit.WithinTolerance
	return decide(t, auditRules, map[string]bool{
		"the call failed; give its code and message.": answer == nil,
		"results has a line whose verdict is UNRESOLVED or INVALID: its reason says why the rate of that day is not proven, such as " +
			"WORDING_UNKNOWN, WORDING_CHANGED, WEEKS_CONTRADICTED or PERCENT_IN_DOUBT: nobody vouches for what the carrier's page says now.": isOpen,
		"totals.verdicts counts one MATCH, or the line of results is WITHIN_TOLERANCE: it differs by 0.5 points or less.": isMatch,
		"the line of results has any other verdict: its reason says what is wrong.":                                       answer != nil && !isOpen && !isMatch,
	})
}

// What the prompt's rules make of the engine's verdicts, for weeks of 46.3 %, 45.5 % before it and, in doubt, 44 %.
func TestAuditVerdicts(t *testing.T) {
	week := func(start contracts.Date, percent, confidence float64) audit.Week {
		return audit.Week{Start: start, End: start.AddDays(6), LTL: audit.PublishedPoints(percent), Confidence: confidence}
	}
	archives := map[contracts.Carrier]audit.Archive{
		contracts.SAIA: audit.NewArchive([]audit.Week{week("2026-11-18", 46.3, 1), week("2026-11-11", 45.5, 1), week("2026-11-04", 44, 0.66)}),
	}
	for name, c := range map[string]struct {
		date     contracts.Date
		invoiced string
		want     verdict
	}{
		"the same":               {"2026-11-20", "46.3", match},
		"half a point more":      {"2026-11-20", "46.8", match},
		"more than half a point": {"2026-11-20", "46.81", discrepancy},
		"less than published":    {"2026-11-20", "45.7", discrepancy},
		"the week before's":      {"2026-11-20", "45.5", discrepancy},
		"an earlier week":        {"2026-11-12", "45.5", match},
		"a week read in doubt":   {"2026-11-05", "44", unverified},
		"a week not archived":    {"2026-09-01", "46.3", unverified},
	} {
		t.Run(name, func(t *testing.T) {
			text, err := auditText(map[string]string{"carrier": "SAIA", "invoice_date": string(c.date), "invoiced_fuel_surcharge_pct": c.invoiced})
			if err != nil {
				t.Fatal(err)
			}
			line := regexp.MustCompile(`\{"id".*?\}`).FindString(text) // as the prompt tells an agent to send it
			file, err := audit.Read(t.Context(), lines.JSON, []byte(line), lines.Reading{})
			if err != nil {
				t.Fatal(err)
			}
			r := audit.NewAuditor(archives, "2026-11-21", audit.Tolerance{Points: 5000}).Audit(file.Lines[0])
			answer := api.AuditSummary{Totals: audit.NewTotals()}
			if answer.Totals.Add(r); r.Verdict != audit.Match {
				answer.Results = append(answer.Results, r)
			}
			if got := audited(t, &answer); got != c.want {
				t.Errorf("%s, want %s: %+v", got, c.want, r)
			}
		})
	}
	if got := audited(t, nil); got != unverified {
		t.Errorf("a call that failed is %s", got)
	}
}

// The texts tell a model all that the rules speak of.
func TestPromptsHoldTheirRules(t *testing.T) {
	today := contracts.Today(time.Now())
	invoice, err := auditText(map[string]string{"carrier": "SAIA", "invoice_date": string(today), "invoiced_fuel_surcharge_pct": "46.3"})
	if err != nil {
		t.Fatal(err)
	}
	check, err := complianceText(map[string]string{"state": "CA", "license_number": "58-400051"})
	if err != nil {
		t.Fatal(err)
	}
	for text, rules := range map[string][]rule{invoice: auditRules, check: failureRules} {
		at := 0
		for _, r := range rules {
			i := strings.Index(text[at:], string(r.verdict)+": "+r.when)
			if i < 0 {
				t.Errorf("not there, or not in its place: %s", r.when)
			}
			at += max(i, 0)
		}
		if strings.Contains(text, "%!") || strings.Contains(text, "0.85") {
			t.Error(text)
		}
	}
	for text, words := range map[string]string{
		invoice: `"carrier": "SAIA", "ship_date": "` + string(today) + `", "billed_pct": "46.30"`, check: `license_number "58-400051" and state "CA"`,
	} {
		if !strings.Contains(text, words) {
			t.Errorf("no %q in %s", words, text)
		}
	}
}
