package mcp

import (
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"assay.dev/contracts"
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

// audited is what the audit's rules say of an answer; a nil answer is a call that failed.
func audited(t *testing.T, a *contracts.Surcharge, invoiceDate contracts.Date, invoiced float64) verdict {
	t.Helper()
	holds := map[string]bool{}
	for _, r := range auditRules {
		holds[r.when] = false
	}
	means := func(when string, held bool) {
		if _, known := holds[when]; !known {
			t.Fatalf("no rule says %q", when)
		}
		holds[when] = held
	}
	means("the call failed; give its code and message.", a == nil)
	if a == nil {
		return decide(t, auditRules, holds)
	}
	applies := -1
	for i, w := range a.Weeks {
		if applies < 0 && w.EffectiveDate <= invoiceDate && w.EffectiveDate >= invoiceDate.AddDays(-lastDayOfWeek) {
			applies = i
		}
	}
	v := a.Verifiability
	means("_verifiability.extraction_confidence is below 0.90.", v.ExtractionConfidence < 0.90)
	means("no week of the answer applies: the answer does not reach back to the invoice, or the carrier does not show that week.", applies < 0)
	means("_verifiability.current is false and the week that applies is the first of weeks: a newer week may be in force.",
		applies == 0 && v.Current != nil && !*v.Current)
	if applies >= 0 {
		apart := math.Abs(a.Weeks[applies].Percent-invoiced) > 0.5+1e-9
		means("the invoiced percentage and the fuel_surcharge_pct of the week that applies differ by more than 0.5 percentage points, up or down.", apart)
		means("they differ by 0.5 points or less.", !apart)
	}
	return decide(t, auditRules, holds)
}

// surcharge is an answer with weeks of 46.3 %, newest first, of a carrier that should show the week that begins on due.
func surcharge(
	due contracts.Date, edit func(*contracts.SurchargeAnswer), begins ...contracts.Date,
) contracts.SurchargeAnswer {
	a := contracts.SurchargeAnswer{
		Provenance: contracts.Provenance{Schema: contracts.AnswerSchema, ReadAt: time.Now(),
			Method: contracts.StructuredParse, Complete: true},
		Carrier: contracts.SAIA, Due: due, DueClean: true,
	}
	for _, d := range begins {
		a.Weeks = append(a.Weeks, contracts.ObservedWeek{
			SurchargeWeek: contracts.SurchargeWeek{EffectiveDate: d, Percent: 46.3}, Tally: contracts.TallyOf(true, true),
		})
	}
	if edit != nil {
		edit(&a)
	}
	return a
}

func TestAuditVerdicts(t *testing.T) {
	all := []contracts.Date{"2026-11-18", "2026-11-11", "2026-11-04", "2026-10-28"}
	unreadable := func(a *contracts.SurchargeAnswer) { a.Unreadable = "2026-11-18" }
	overdue := func(a *contracts.SurchargeAnswer) { a.DueClean = false }
	for name, c := range map[string]struct {
		answer   *contracts.SurchargeAnswer
		date     contracts.Date
		invoiced float64
		want     verdict
	}{
		"the same":               {new(surcharge("2026-11-18", nil, all...)), "2026-11-20", 46.3, match},
		"half a point more":      {new(surcharge("2026-11-18", nil, all...)), "2026-11-20", 46.8, match},
		"more than half a point": {new(surcharge("2026-11-18", nil, all...)), "2026-11-20", 46.81, discrepancy},
		"less than published":    {new(surcharge("2026-11-18", nil, all...)), "2026-11-20", 45.7, discrepancy},
		"an earlier week":        {new(surcharge("2026-11-18", nil, all...)), "2026-11-05", 46.3, match},
		"T5: unreadable, of that week": {new(surcharge("2026-11-18", unreadable, all[1:]...)), "2026-11-20", 46.3,
			unverified},
		"T5: unreadable, of the week before": {new(surcharge("2026-11-18", unreadable, all[1:]...)), "2026-11-17", 46.3,
			unverified},
		"T6: frozen": {new(surcharge("2026-11-18", overdue, "2026-09-02")), "2026-11-20", 46.3,
			unverified},
		"T6: overdue for less than a day": {new(surcharge("2026-11-18", nil, all[1:]...)), "2026-11-18", 46.3,
			unverified},
		"T6: overdue, of the newest week": {new(surcharge("2026-11-18", nil, all[1:]...)), "2026-11-17", 46.3,
			unverified},
		"T6: overdue, of a week before": {new(surcharge("2026-11-18", nil, all[1:]...)), "2026-11-09", 46.3, match},
		"T7: the week is missing from history": {new(surcharge("2026-11-18", nil, all[0], all[2])), "2026-11-12", 46.3,
			unverified},
		"T7: older than the history": {new(surcharge("2026-11-18", nil, all...)), "2026-09-01", 46.3, unverified},
		"of a worker of the version before": {new(surcharge("", func(a *contracts.SurchargeAnswer) { a.Schema = 0 },
			all...)), "2026-11-20", 46.3, unverified},
		"the source is down": {nil, "2026-11-20", 46.3, unverified},
	} {
		t.Run(name, func(t *testing.T) {
			var body *contracts.Surcharge
			if c.answer != nil {
				body = new(c.answer.Body(4))
			}
			if got := audited(t, body, c.date, c.invoiced); got != c.want {
				text, _ := json.Marshal(body)
				t.Errorf("%s, want %s: %s", got, c.want, text)
			}
		})
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
	today := contracts.DateOf(time.Now().UTC())
	audit, err := auditText(map[string]string{"carrier": "SAIA", "invoice_date": string(today),
		"invoiced_fuel_surcharge_pct": "46.3"})
	if err != nil {
		t.Fatal(err)
	}
	check, err := complianceText(map[string]string{"state": "CA", "license_number": "58-400051"})
	if err != nil {
		t.Fatal(err)
	}
	for text, rules := range map[string][]rule{audit: auditRules, check: complianceRules} {
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
		audit: "effective_date is from " + string(today.AddDays(-6)) + " to " + string(today),
		check: `license_number "58-400051" and state "CA"`,
	} {
		if !strings.Contains(text, words) {
			t.Errorf("no %q in %s", words, text)
		}
	}
}
