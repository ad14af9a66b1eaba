package mcp

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"assay.dev/contracts"
	"assay.dev/gateway/api"
	"assay.dev/gateway/audit"
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
		"results has a line whose verdict is UNRESOLVED or INVALID: its reason says why the rate of that day is not proven.": isOpen,
		"totals.verdicts counts one MATCH, or the line of results is WITHIN_TOLERANCE: it differs by 0.5 points or less.":    isMatch,
		"the line of results has any other verdict: its reason says what is wrong.":                                          answer != nil && !isOpen && !isMatch,
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
			file, err := audit.Read(audit.JSON, []byte(line))
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

// checked is what the rules of the compliance check say of an answer or a failure on a day.
func checked(t *testing.T, a *contracts.License, failure contracts.Code, today contracts.Date) verdict {
	t.Helper()
	holds := map[string]bool{}
	r, v := contracts.LicenseRecord{}, contracts.Verifiability{}
	if a != nil {
		r, v = a.Record, a.Verifiability
	}
	inferred := slices.Contains(r.Inferred, "status")
	expired := r.ExpirationDate == "" || r.ExpirationDate < today
	open := false
	for _, s := range r.Suspensions {
		open = open || (s.StartDate == "" || s.StartDate <= today) && (s.EndDate == "" || s.EndDate >= today)
	}
	for _, m := range []struct {
		when string
		held bool
	}{
		{"the call failed with NOT_FOUND: the register was read, and it has no such license.", failure == contracts.NotFound},
		{"the call failed otherwise; give its code and message.", failure != ""},
		{"record.status is not ACTIVE and record.inferred does not name status: the source reports it, whatever the confidence.",
			r.Status != contracts.Active && !inferred},
		{"the state is NY, record.status is EXPIRED and record.inferred names status: the license is in the state's inactive set " +
			"(expired or revoked), whatever the confidence.", a != nil && a.State == contracts.NY &&
			r.Status == contracts.Expired && inferred},
		{"_verifiability.extraction_confidence is below 0.90 or _verifiability.complete is false; notes say why.",
			v.ExtractionConfidence < 0.90 || !v.Complete},
		{"record.inferred or record.not_reported names status: the source does not print it.", inferred ||
			slices.Contains(r.NotReported, "status")},
		{"record.expiration_date is null or in the past.", expired},
		{"a suspension is open: its start_date is null or not after today, and its end_date is null or not in the past.",
			open},
		{"record.status is ACTIVE, the license has not expired, and no suspension is open.", r.Status == contracts.Active &&
			!expired && !open},
	} {
		holds[m.when] = m.held
	}
	return decide(t, complianceRules, holds)
}

func TestComplianceVerdicts(t *testing.T) {
	const today = contracts.Date("2026-11-22")
	type record = contracts.LicenseRecord
	nine := func(clean int) contracts.Tally { return contracts.Tally{Clean: clean, Required: 9} }
	for name, c := range map[string]struct {
		state   contracts.State
		tally   contracts.Tally
		edit    func(*record)
		before  bool // a worker of the version before answered
		failure contracts.Code
		want    verdict
	}{
		"active": {state: contracts.CA, tally: nine(9), want: pass},
		"active, FL shows no suspension": {state: contracts.FL, tally: nine(9),
			edit: func(r *record) { r.NotReported = r.NotReported.With("suspensions") }, want: pass},
		"expires today": {state: contracts.CA, tally: nine(9),
			edit: func(r *record) { r.ExpirationDate = today }, want: pass},
		"past its date": {state: contracts.FL, tally: nine(9),
			edit: func(r *record) { r.ExpirationDate = "2026-11-21" }, want: fail},
		"suspension open": {state: contracts.CA, tally: nine(9),
			edit: func(r *record) { r.Suspensions = []contracts.Suspension{{StartDate: "2026-11-01"}} }, want: conditional},
		"suspension without dates": {state: contracts.CA, tally: nine(9),
			edit: func(r *record) { r.Suspensions = []contracts.Suspension{{Reason: "20 days"}} }, want: conditional},
		"suspension served": {state: contracts.CA, tally: nine(9),
			edit: func(r *record) { r.Suspensions = []contracts.Suspension{{EndDate: "2026-01-31"}} }, want: pass},
		"suspension ahead": {state: contracts.CA, tally: nine(9),
			edit: func(r *record) { r.Suspensions = []contracts.Suspension{{StartDate: "2027-01-31"}} }, want: pass},
		"T1: IL's export, active": {state: contracts.IL, tally: contracts.Tally{Clean: 7, Required: 8},
			edit: func(r *record) { r.Inferred = r.Inferred.With("status") }, want: unverified},
		"T1: IL's export, expired": {state: contracts.IL, tally: contracts.Tally{Clean: 7, Required: 8},
			edit: func(r *record) { r.Inferred, r.Status = r.Inferred.With("status"), contracts.Expired }, want: unverified},
		"T1: IL, revoked": {state: contracts.IL, tally: nine(9),
			edit: func(r *record) { r.Status = contracts.Revoked }, want: fail},
		"T2: CA's export": {state: contracts.CA, tally: nine(8),
			edit: func(r *record) { r.NotReported = r.NotReported.With("suspensions") }, want: unverified},
		"T2: TX's open data, revoked": {state: contracts.TX, tally: nine(8),
			edit: func(r *record) { r.Status = contracts.Revoked }, want: fail},
		"T3: not proven":  {failure: contracts.SourceUnavailable, want: unverified},
		"T4: an old file": {state: contracts.NY, tally: nine(8), want: unverified},
		"NY's inactive set": {state: contracts.NY, tally: nine(8),
			edit: func(r *record) { r.Inferred, r.Status = r.Inferred.With("status"), contracts.Expired }, want: fail},
		"CA, revocation pending": {state: contracts.CA, tally: nine(8),
			edit: func(r *record) { r.Inferred = r.Inferred.With("status") }, want: unverified},
		"T8: the type is canceled": {state: contracts.CA, tally: nine(9),
			edit: func(r *record) { r.Status = contracts.Expired }, want: fail},
		"T8: the type does not exist": {failure: contracts.NotFound, want: fail},
		"T12: the register is down":   {failure: contracts.SourceUnavailable, want: unverified},
		"no solver":                   {failure: contracts.CaptchaSolverNotConfigured, want: unverified},
		"version before, active":      {state: contracts.IL, tally: nine(9), before: true, want: unverified},
		"version before, expired": {state: contracts.IL, tally: nine(9), before: true,
			edit: func(r *record) { r.Status = contracts.Expired }, want: unverified},
	} {
		t.Run(name, func(t *testing.T) {
			var body *contracts.License
			if c.failure == "" {
				body = new(license(t, c.state, c.tally, c.edit, c.before))
			}
			if got := checked(t, body, c.failure, today); got != c.want {
				text, _ := json.Marshal(body)
				t.Errorf("%s, want %s: %s", got, c.want, text)
			}
		})
	}
}

func license(
	t *testing.T, s contracts.State, tally contracts.Tally, edit func(*contracts.LicenseRecord), before bool,
) contracts.License {
	t.Helper()
	a := contracts.LicenseAnswer{
		Provenance: contracts.Provenance{Schema: contracts.AnswerSchema, ReadAt: time.Now(), Complete: true}, Tally: tally,
		State:  s,
		Record: &contracts.LicenseRecord{LicenseNumber: "1", Status: contracts.Active, ExpirationDate: "2027-06-30"},
	}
	if edit != nil {
		edit(a.Record)
	}
	if before {
		a.Schema, a.Complete = 0, false
	}
	body, err := a.Body()
	if err != nil {
		t.Fatal(err)
	}
	return body
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
	for text, rules := range map[string][]rule{invoice: auditRules, check: complianceRules} {
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
