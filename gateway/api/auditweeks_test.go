package api

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"assay.dev/contracts"
	"assay.dev/gateway/audit"
	"assay.dev/gateway/lines"
)

// No page that we saw has an imported week: a line of it names none, and says from where the week is.
func TestAnImportedWeekNamesNoPage(t *testing.T) {
	newest := contracts.HistoryAnswer{}
	newest.Schema, newest.EvidenceURL = contracts.AnswerSchema, "https://carrier.test/fuel"
	week := contracts.ObservedWeek{Tally: contracts.TallyOf(true, true), Until: "2024-11-11", Archived: &contracts.Sighting{Imported: "tariff sheet, page 3"}}
	week.EffectiveDate, week.EndDate, week.Percent = "2024-11-05", "2024-11-11", 40
	file, err := audit.Read(t.Context(), lines.CSV, []byte("id,carrier,ship_date,billed_pct\n1,ODFL,2024-11-06,41\n"), lines.Reading{})
	if err != nil {
		t.Fatal(err)
	}
	known := map[contracts.Carrier]audit.Archive{contracts.ODFL: audit.NewArchive([]audit.Week{auditWeek(newest, week)})}
	r := audit.NewAuditor(known, "2026-09-18", audit.DefaultTolerance).Audit(file.Lines[0])
	if r.Verdict != audit.Overbilled || r.EvidenceURL != nil || !strings.Contains(*r.Reason, "imported it from tariff sheet, page 3") {
		t.Error(r.Verdict, r.EvidenceURL, *r.Reason)
	}
	newest.EvidenceURL, newest.Weeks = "", []contracts.ObservedWeek{week}
	if body, err := json.Marshal(newest.Alone(week)); err != nil || !strings.Contains(string(body), `"raw_data_evidence_url":null`) {
		t.Errorf("%s %v", body, err)
	}
}

// A revision of an evening is of that day in New York, as known_at has it.
func TestTheDayOfARevision(t *testing.T) {
	var seen contracts.ObservedWeek
	seen.Revised = new(time.Date(2026, time.December, 2, 2, 30, 0, 0, time.UTC))
	if week := auditWeek(contracts.HistoryAnswer{}, seen); week.Revised != "2026-12-01" {
		t.Errorf("revised on %s", week.Revised)
	}
}
