package archive_test

import (
	"strings"
	"testing"
	"time"

	"assay.dev/contracts"
	"assay.dev/ltl-worker/archive"
)

const header = "carrier,effective_date,fuel_surcharge_pct,doe_diesel_price_usd,truckload_pct,end_date\n"

func readCSV(t *testing.T, text string) []archive.Row {
	t.Helper()
	rows, err := archive.ReadCSV(strings.NewReader(text), "2026-11-22")
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

func TestImport(t *testing.T) {
	kv, r := bucket(t), &reports{}
	keep(t, kv, contracts.Live, r, observation(monday, week("2026-09-02", 51.1)))
	load := func(text string) (archive.Imported, error) {
		return archive.Import(t.Context(), contracts.Live, kv.js, kv, readCSV(t, header+text), "tariff sheet of 2024, page 3")
	}
	done, err := load("TFORCE,2024-03-06,33.3,4.027,,2024-03-12\ntforce,2024-03-13,33.5,,66.60,\nTFORCE,2026-09-02,51.10,,,\n")
	if err != nil || done != (archive.Imported{Added: 2, Known: 1}) {
		t.Fatalf("%+v, %v", done, err)
	}
	if done, err = load("TFORCE,2024-03-06,33.3,,,\n"); err != nil || done != (archive.Imported{Known: 1}) {
		t.Errorf("again: %+v, %v", done, err)
	}
	if done, err = load("TFORCE,2024-02-28,33.9,,,\nTFORCE,2026-09-02,50,,,\n"); err == nil || done.Added != 0 {
		t.Errorf("a week that was seen with another value: %+v, %v", done, err)
	}
	if _, err = load("TFORCE,2024-03-13,34,,,\n"); err != nil {
		t.Errorf("a correction: %v", err)
	}
	weeks := keep(t, kv, contracts.Live, r)
	if len(weeks) != 3 || weeks[1].Newest().Percent != 34 || len(weeks[1].Values) != 2 || weeks[2].Newest().EndDate != "2024-03-12" {
		t.Fatalf("%+v", weeks)
	}
	v := weeks[2].Newest()
	if v.Imported != "tariff sheet of 2024, page 3" || v.Last.Method != contracts.APIMirror || time.Since(v.Last.At) > time.Minute || weeks[2].FirstSeen() != nil {
		t.Errorf("%+v", v)
	}
	if _, ok := weeks[2].At(monday); ok {
		t.Error("an imported week was known before it was imported")
	}
}

// What was seen beats what was imported, whenever that was, and an import takes nothing away.
func TestSeenBeatsImported(t *testing.T) {
	kv, r := bucket(t), &reports{}
	if _, err := archive.Import(t.Context(), contracts.Live, kv.js, kv, readCSV(t, header+"TFORCE,2026-09-02,50,,,\n"), "a mail"); err != nil {
		t.Fatal(err)
	}
	weeks := keep(t, kv, contracts.Live, r, observation(monday, week("2026-09-02", 51.1)))
	if len(weeks) != 1 || len(weeks[0].Values) != 2 || weeks[0].Newest().Percent != 51.1 || weeks[0].RevisedAt(weeks[0].Newest()) != nil || len(r.all) != 0 {
		t.Errorf("%+v, reported %+v", weeks, r.all)
	}
	rows := readCSV(t, header+"TFORCE,2026-09-09,52,,,\nTFORCE,2026-09-16,53,,,\n")
	if _, err := archive.Import(t.Context(), contracts.Live, kv.js, kv, rows, "a mail"); err != nil {
		t.Fatal(err)
	}
	whole := observation(monday.AddDate(1, 0, 0), week("2026-09-02", 51.1), week("2026-09-16", 53))
	whole.Whole = true
	weeks = keep(t, kv, contracts.Live, r, whole)
	if weeks[1].Newest().Withdrawn || weeks[1].Newest().Percent != 52 {
		t.Errorf("an imported week is withdrawn where nobody shows it: %+v", weeks[1])
	}
	if seen := weeks[0].Newest(); seen.Imported != "" || !seen.IsClean() || len(weeks[0].Values) != 2 {
		t.Errorf("a week that was seen as it was imported: %+v", weeks[0])
	}
}

func TestBadFiles(t *testing.T) {
	for text, want := range map[string]string{
		"":                                 "first line",
		"carrier,effective_date\n":         "fuel_surcharge_pct is missing",
		header + "ACME,2024-03-06,33,,,\n": `line 2: carrier "ACME" is not supported`,
		header + "ODFL,2024-13-06,33,,,\n": "line 2: date",
		header + "ODFL,2024-03-06,33,,,\nODFL,2024-03-06,34,,,\n": "line 3: the week stands in line 2 too",
		header + "ODFL,2027-03-06,33,,,\n":                        "which is to come",
		header + "ODFL,2024-03-06,,,,\n":                          "fuel_surcharge_pct is missing",
		header + "ODFL,2024-03-06,1e2,,,\n":                       "is not a number",
		header + "ODFL,2024-03-06,133,,,\n":                       "is not a number",
		header + "ODFL,2024-03-06,0,,,\n":                         "is not a number",
		header + "ODFL,2024-03-06,33,,,2024-04-01\n":              "does not end the week",
		"carrier,effective_date,fuel_surcharge_pct,note\n":        `the column "note" is not known`,
		"carrier,carrier,effective_date,fuel_surcharge_pct\n":     "twice",
	} {
		if rows, err := archive.ReadCSV(strings.NewReader(text), "2026-11-22"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %+v, %v; want %q", text, rows, err, want)
		}
	}
}

func FuzzReadCSV(f *testing.F) {
	f.Add(header + "ODFL,2024-03-06,33.3,4.027,66.6,2024-03-12\n")
	f.Fuzz(func(t *testing.T, text string) {
		rows, err := archive.ReadCSV(strings.NewReader(text), "2026-11-22")
		for _, r := range rows {
			if err == nil && (r.Percent <= 0 || r.Percent > 100 || r.EffectiveDate > "2026-11-22") {
				t.Errorf("%+v", r)
			}
		}
	})
}
