package california

import (
	"archive/zip"
	"bytes"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"assay.dev/abc-worker/mirror"
	"assay.dev/contracts"
	"assay.dev/platform/scrape"
)

// page is a license page in other markup than the sandbox's: labels cut off, sections shouted, blocks under paragraphs.
func page(blocks, history string) string {
	return `<html><body><h2>LICENSE DETAILS</h2><dl><dt>License Number:</dt><dd> 00632923 </dd><dt>Primary Owner:</dt><dd>LAHAINA ROOM, THE</dd></dl>
<h2>Business Name</h2><p>THE <b>7</b> - ELEVENTH HOUR</p><h2>Business Address</h2><p>10892 CEDAR AVE , BLOOMINGTON, CA, 92316</p>
<dl><dt>County:</dt><dd>SAN BERNARDINO</dd></dl><h2>Licensee Information</h2><p>Licensee: LAHAINA ROOM, THE</p><p>OFFICER: ALDA, BENNO (CEO)</p>
<h2>License Types</h2>` + blocks + `<h2>Operating Restrictions</h2><p>No Operating Restrictions found.</p>
<h2>Disciplinary Action</h2><p>No Active Disciplinary Action found.</p><h2>Disciplinary History</h2>` + history + `<h2>Holds</h2><p>No Active Holds found.</p></body></html>`
}

func block(kind, word, changed, issued, expires, master string) string {
	return `<p><strong>` + kind + ` - SOME GENERAL TYPE</strong></p><dl><dt>License Type Sta…</dt><dd>` + word + `</dd><dt>Status Date:</dt><dd>` + changed +
		`</dd><dt>Original Issue Da…</dt><dd>` + issued + `</dd><dt>Expiration Date:</dt><dd>` + expires + `</dd><dt>Master:</dt><dd>` + master + `</dd></dl>`
}

func discipline(decision, days, stayed, start, end, fine string) string {
	return `<dl><dt>Reg. Number:</dt><dd>8001</dd><dt>Section:</dt><dd>25658(A)</dd><dt>Section:</dt><dd>24200</dd><dt>Decision:</dt><dd>` + decision +
		`</dd><dt>Suspension Days:</dt><dd>` + days + `</dd><dt>Stayed Days:</dt><dd>` + stayed + `</dd><dt>Suspension Start Da…</dt><dd>` + start +
		`</dd><dt>Suspension End Date:</dt><dd>` + end + `</dd><dt>POIC/Fine:</dt><dd>` + fine + `</dd></dl>`
}

const (
	noHistory = `<p>No Disciplinary History found.</p>`
	phantom   = "ACTIVE"
)

func TestBlocks(t *testing.T) {
	active := block("48", "ACTIVE", "15-NOV-2023", "01-JAN-2010", "31-DEC-2026", "Y")
	for name, tt := range map[string]struct {
		blocks  string
		status  contracts.Status // "" for no license
		kind    string
		expires contracts.Date
	}{
		"one": {active, contracts.Active, "48", "2026-12-31"},
		"dates in other forms": {block("48", "ACTIVE", "Nov 15, 2023", "2010-01-01", "12/31/2026", "Y"),
			contracts.Active, "48", "2026-12-31"},
		"newer in another form": {active + block("20", "ACTIVE", "11/16/2023", "01-JAN-2009", "31-DEC-2027", "Y"),
			contracts.Active, "20", "2027-12-31"},
		"past its date": {block("48", "ACTIVE", "15-NOV-2023", "01-JAN-2010", "31-DEC-2020", "Y"),
			contracts.Active, "48", "2020-12-31"},
		"phantom before": {block("47", phantom, "", "", "", "Y") + block("47", "CANCEL", "01-FEB-2020",
			"01-JAN-2010", "31-DEC-2019", "Y"), contracts.Expired, "47", "2019-12-31"},
		"duplicate, newer": {active + block("58", "ACTIVE", "15-NOV-2025", "01-JAN-2020", "31-DEC-2027", "N"),
			contracts.Active, "48", "2026-12-31"},
		"better status": {block("41", "SUREND", "15-NOV-2025", "01-JAN-2012", "31-DEC-2027", "Y") + active,
			contracts.Active, "48", "2026-12-31"},
		"newer status date": {active + block("20", "ACTIVE", "16-NOV-2023", "01-JAN-2009", "31-DEC-2027", "Y"),
			contracts.Active, "20", "2027-12-31"},
		"application beside": {block("47", "PEND", "15-NOV-2025", "", "", "Y") + active, contracts.Active, "48",
			"2026-12-31"},
		"application only": {block("47", "PEND", "15-NOV-2025", "", "", "Y"), "", "", ""},
		"revocation pending, past": {block("48", "REVPEN", "15-NOV-2023", "01-JAN-2010", "20-NOV-2026", "Y"),
			contracts.Active, "48", "2026-11-20"},
		"revocation pending, today": {block("48", "REVPEN", "15-NOV-2023", "01-JAN-2010", "21-NOV-2026", "Y"),
			contracts.Active, "48", "2026-11-21"},
		"revocation pending, no date": {block("48", "REVPEN", "15-NOV-2023", "01-JAN-2010", "", "Y"), contracts.Active,
			"48", ""},
		"one digit": {block("1", "DEPREV", "15-NOV-2023", "01-JAN-2010", "20-NOV-2020", "Y"),
			contracts.Revoked, "01", "2020-11-20"},
		"surrendered beside suspension": {block("1", "R64B", "15-NOV-2023", "01-JAN-2010", "20-NOV-2020", "Y"),
			contracts.Suspended, "01", "2020-11-20"},
	} {
		t.Run(name, func(t *testing.T) {
			reading, err := readLicensePage(page(tt.blocks, noHistory), "", "632923")
			if err != nil {
				t.Fatal(err)
			}
			if tt.status == "" {
				if len(reading.Records) > 0 || reading.Unclear > 0 {
					t.Errorf("%+v", reading)
				}
				return
			}
			r := reading.Records[0]
			want := contracts.LicenseRecord{
				LicenseNumber: "632923", LicenseTypeCode: tt.kind, LicenseTypeName: "SOME GENERAL TYPE", DBAName: "THE 7 - ELEVENTH HOUR",
				OwnerName: "LAHAINA ROOM, THE", ExpirationDate: tt.expires,
				Status: tt.status, StatusDate: r.StatusDate, OperatingRestrictions: []string{}, Suspensions: []contracts.Suspension{},
				Address: contracts.Address{
					Street: "10892 CEDAR AVE", City: "BLOOMINGTON", State: "CA", ZipCode: "92316", County: "SAN BERNARDINO",
					Raw: "10892 CEDAR AVE , BLOOMINGTON, CA, 92316",
				},
			}
			if !reflect.DeepEqual(r.LicenseRecord, want) || len(r.Unreadable) > 0 {
				t.Errorf("\n got %+v\nwant %+v", r, want)
			}
			if inferred := r.Because != ""; inferred != strings.HasPrefix(name, "revocation pending") {
				t.Errorf("the status follows from %q", r.Because)
			}
		})
	}
}

// The date is that of the block that is answered. Restrictions stand as they are printed; a page without their section tells nothing of them.
func TestStatusDateAndRestrictions(t *testing.T) {
	doc := page(block("48", "CANCEL", "01-FEB-2020", "01-JAN-2010", "31-DEC-2019", "Y")+
		block("41", "ACTIVE", "15-NOV-2023", "01-JAN-2010", "31-DEC-2026", "Y"), noHistory)
	const section, none = `<h2>Operating Restrictions</h2>`, `<p>No Operating Restrictions found.</p>`
	for name, tt := range map[string]struct {
		doc  string
		want []string
	}{
		"none":        {doc, []string{}},
		"lines":       {strings.Replace(doc, none, `<p>No live  music.</p><ul><li>Sales end at 11 PM</li></ul>`, 1), []string{"No live music.", "Sales end at 11 PM"}},
		"labelled":    {strings.Replace(doc, none, `<dl><dt>Section:</dt><dd>No patio</dd></dl>`, 1), []string{"Section:", "No patio"}},
		"empty":       {strings.Replace(doc, none, "", 1), nil},
		"no section":  {strings.Replace(doc, section+none, "", 1), nil},
		"none, after": {strings.Replace(doc, none, none+"<p>Until 2027: no patio.</p>", 1), []string{"Until 2027: no patio."}},
	} {
		t.Run(name, func(t *testing.T) {
			reading, err := readLicensePage(tt.doc, "", "632923")
			if err != nil || len(reading.Records) != 1 {
				t.Fatal(reading, err)
			}
			r := reading.Records[0]
			if !reflect.DeepEqual(r.OperatingRestrictions, tt.want) || r.StatusDate != "2023-11-15" || r.LicenseTypeCode != "41" {
				t.Errorf("%q since %s, type %s", r.OperatingRestrictions, r.StatusDate, r.LicenseTypeCode)
			}
		})
	}
}

func TestSuspensions(t *testing.T) {
	reason := "25658(A), 24200"
	digitOf := func(start, end contracts.Date) []contracts.Suspension {
		return []contracts.Suspension{{StartDate: start, EndDate: end, Reason: reason}}
	}
	served := discipline("SUSPENDED", "15", "0", "01-MAR-2026", "15-MAR-2026", "")
	for name, tt := range map[string]struct {
		history string
		want    []contracts.Suspension
		unclean bool
	}{
		"none":             {noHistory, []contracts.Suspension{}, false},
		"served":           {served, digitOf("2026-03-01", "2026-03-15"), false},
		"printed twice":    {served + served, digitOf("2026-03-01", "2026-03-15"), false},
		"fine":             {discipline("POIC", "15", "0", "", "", "$3,000.00"), []contracts.Suspension{}, false},
		"fine named alone": {discipline("SUSPENDED", "15", "0", "", "", "$3,000.00"), []contracts.Suspension{}, false},
		"fine of nothing":  {discipline("SUSPENDED", "15", "0", "", "", "$0.00"), digitOf("", ""), false},
		"no fine in words": {discipline("SUSPENDED", "15", "0", "", "", "NONE"), digitOf("", ""), false},
		"all stayed":       {discipline("ALL STAYED", "30", "30", "", "", ""), []contracts.Suspension{}, false},
		"revocation stayed": {discipline("REVOCATION STAYED", "30", "30", "01-MAR-2026", "31-MAR-2026", ""),
			digitOf("2026-03-01", "2026-03-31"), false},
		"all stayed, with dates": {discipline("ALL STAYED", "30", "30", "01-MAR-2026", "31-MAR-2026", ""),
			[]contracts.Suspension{}, true},
		"as many stayed": {discipline("SUSPENDED", "30", "30", "", "", ""), []contracts.Suspension{}, false},
		"days, no dates": {discipline("SUSPENDED", "20", "5", "", "", ""), digitOf("", ""), false},
		"start, no end": {discipline("SUSPENDED", "20", "5", "01-MAR-2026", "", ""), digitOf("2026-03-01", "2026-03-16"),
			false},
		"indefinite": {discipline("SUSPENDED", "", "", "01-MAR-2026", "INDEFINITE SUSPENSION", ""),
			digitOf("2026-03-01", ""), false},
		"dates unreadable": {discipline("SUSPENDED", "20", "0", "soon", "later", ""), digitOf("", ""), true},
		"not told":         {"", []contracts.Suspension{}, true},
		"no proceeding":    {discipline("DISMISSED", "", "", "", "", ""), []contracts.Suspension{}, false},
	} {
		t.Run(name, func(t *testing.T) {
			doc := page(block("48", "ACTIVE", "15-NOV-2023", "01-JAN-2010", "31-DEC-2026", "Y"), tt.history)
			for _, doc := range []string{doc, strings.ReplaceAll(doc, "</h2>", ":</h2>")} {
				reading, err := readLicensePage(doc, "", "632923")
				if err != nil || !reflect.DeepEqual(reading.Records[0].Suspensions, tt.want) {
					t.Fatalf("%v\n got %+v\nwant %+v", err, reading, tt.want)
				}
				if unreadable := len(reading.Records[0].Unreadable) > 0; unreadable != tt.unclean {
					t.Errorf("unreadable are %v", reading.Records[0].Unreadable)
				}
			}
		})
	}
}

// What a page must not be taken for.
func TestPagesThatProveNothing(t *testing.T) {
	active := block("48", "ACTIVE", "15-NOV-2023", "01-JAN-2010", "31-DEC-2026", "Y")
	for name, doc := range map[string]string{
		"empty":              "",
		"home page":          "<h1>Welcome</h1><p>License lookup is at the top.</p>",
		"error page":         "<h1>Page not found</h1><p>The license lookup page you asked for was not found.</p>",
		"maintenance":        "<p>License lookup is not available. No information can be shown.</p>",
		"no discipline only": "<h2>Disciplinary History</h2><p>No Disciplinary History found.</p>",
		"another license":    strings.Replace(page(active, noHistory), "00632923", "632924", 1),
		"no types":           page("", noHistory),
	} {
		t.Run(name, func(t *testing.T) {
			if r, err := readLicensePage(doc, "", "632923"); scrape.KindOf(err) != scrape.Changed {
				t.Errorf("%+v, %v", r, err)
			}
		})
	}
	for name, doc := range map[string]string{
		"unknown status":       page(block("48", "ACTV", "", "01-JAN-2010", "31-DEC-2026", "Y"), noHistory),
		"no status":            page(block("48", "", "", "01-JAN-2010", "31-DEC-2026", "Y"), noHistory),
		"templates unrendered": page(block("48", "{{status}}", "{{d}}", "{{d}}", "{{d}}", "{{m}}"), noHistory),
	} {
		if r, err := readLicensePage(doc, "", "632923"); err != nil || len(r.Records) > 0 || r.Unclear != 1 {
			t.Errorf("%s: %+v, %v", name, r, err)
		}
	}
	r, err := readLicensePage("<p>No license was found with License Number 632923.</p>", "", "632923")
	if len(r.Records) > 0 || r.Unclear > 0 || err != nil {
		t.Errorf("%+v, %v", r, err)
	}
}

// A type that was given up says nothing of the one that is in force; one under discipline, or in doubt, does.
func TestOtherTypeThatIsNotGood(t *testing.T) {
	for word, want := range map[string]bool{"ACTIVE": false, "CANCEL": false, "SUSPEN": true, "SUREND": true, "DEPREV": true, "REVPEN": true, "ODD": true} {
		r, err := readLicensePage(page(block("58", "ACTIVE", "15-NOV-2023", "01-JAN-2010", "31-DEC-2026", "Y")+
			block("48", word, "15-NOV-2023", "01-JAN-2010", "31-DEC-2026", "N"), noHistory), "", "632923")
		says := slices.ContainsFunc(r.Notes, func(n contracts.Note) bool {
			return n.Code == contracts.NoteOtherTypeNotGood && strings.Contains(n.Message, "type 48 ("+word+")")
		})
		if err != nil || says != want {
			t.Errorf("%s: %+v, %v", word, r.Notes, err)
		}
		hits, err := readHits(hitsHead+hit("632923", "48 ("+word+")")+hit("632923", "58 (ACTIVE)")+hit("6329", "58 (ACTIVE)")+"</table>",
			contracts.Query{DBAName: "room"})
		if err != nil || len(hits.Records)+hits.Unclear != 2 {
			t.Fatalf("%s: %+v, %v", word, hits, err)
		}
		a := contracts.SearchAnswer{
			Provenance: contracts.Provenance{Schema: contracts.AnswerSchema, Complete: true, Notes: hits.Notes},
			Tally:      contracts.TallyOf(true), State: contracts.CA, Whole: true,
		}
		for _, r := range hits.Records {
			a.Results = append(a.Results, r.LicenseRecord)
		}
		found, _ := a.Body(10, contracts.Position{}, time.Date(2026, 11, 22, 18, 0, 0, 0, time.UTC))
		for _, r := range found.Results {
			if got := r.OtherType() != ""; r.LicenseTypeCode == "58" && got != (want && r.LicenseNumber == "632923") {
				t.Errorf("%s, found: %s %s %+v", word, r.LicenseNumber, r.Verdict, r.Reasons)
			}
		}
	}
}

const hitsHead = `<table id="abc_licenses"><tr><th>License Number</th><th>License Type</th><th>Orig. Iss. Date</th><th>Expir. Date</th>` +
	`<th>Primary Owner</th><th>Business Name</th><th>Premises Addr.</th></tr>`

// hit is a row of a search.
func hit(number, typed string) string {
	return "<tr><td>" + number + "</td><td>" + typed + "</td><td>01-JAN-2010</td><td>31-DEC-2026</td><td>A</td><td>ROOM</td>" +
		"<td>1 X ST , Y, CA, 90000</td></tr>"
}

// A type before the number asks for that block. Without one the best block is taken, and a note names the others.
func TestTypesOfANumber(t *testing.T) {
	doc := page(block("41", "ACTIVE", "15-NOV-2023", "01-JAN-2010", "31-DEC-2026", "Y")+
		block("58", "CANCEL", "15-NOV-2023", "01-JAN-2010", "31-DEC-2020", "N")+block("99", "ACTIVE", "", "", "", "N"), noHistory)
	for kind, want := range map[string]contracts.Status{"": contracts.Active, "41": contracts.Active, "58": contracts.Expired, "47": ""} {
		r, err := readLicensePage(doc, kind, "632923")
		if err != nil || (want == "") != (len(r.Records) == 0) || want != "" && r.Records[0].Status != want {
			t.Errorf("type %q: %+v, %v", kind, r, err)
		}
		if named := len(r.Notes) == 1 && strings.Contains(r.Notes[0].Message, "type 58 (CANCEL)") &&
			!strings.Contains(r.Notes[0].Message, "99"); named != (kind == "") {
			t.Errorf("type %q: notes %+v", kind, r.Notes)
		}
	}
}

const exportHeader = "License Type,File Number,Lic or App,Type Status,Type Orig Iss Date,Expir Date,Fee Codes,Dup Counts,Master Ind,Term in # of Months,Geo Code,District," +
	"Primary Name,Prem Addr 1, Prem Addr 2,Prem City, Prem State,Prem Zip,DBA Name,Mail Addr 1,Mail Addr 2,Mail City,Mail State,Mail Zip,Prem County,Prem Census Tract #\n"

func archive(t testing.TB, name, text string) []byte {
	t.Helper()
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	w, err := z.Create(name)
	if err == nil {
		_, err = w.Write([]byte(text))
	}
	if err != nil || z.Close() != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestExportRows(t *testing.T) {
	rows := "48,00632923,LIC,ACTIVE,15-NOV-2010,30-SEP-2027,P40, ,Y,12,3600,23,\"ALDA , BENNO\",10892 CEDAR AVE, ,BLOOMINGTON,CA,92316-1234,ROOM \"THE\", , , , , ,SAN BERNARDINO,0040.03\n" +
		"47,00632923,APP,PEND, , ,P40, ,Y,12,3600,23,NEW OWNER,10892 CEDAR AVE, ,BLOOMINGTON,CA,92316, , , , , , ,SAN BERNARDINO,0040.03\n" +
		"58,00632923,LIC,ACTIVE,15-NOV-2020,30-SEP-2028,P40, ,N,12,3600,23,\"ALDA , BENNO\",10892 CEDAR AVE, ,BLOOMINGTON,CA,92316, , , , , , ,SAN BERNARDINO,0040.03\n" +
		"20,00000007,LIC,SUREND, , , , ,Y,12,3600,23,SOLE,1 MAIN ST,STE 4,FRESNO,CA,937211234, , , , , , ,FRESNO, \n"
	var got []mirror.Entry
	body := archive(t, "ABC-DailyDataExport.csv", "\ufeffUpdated Tuesday 29th of September 2026 03:50:28 AM\n"+exportHeader+rows)
	n, err := readExport(body, func(e mirror.Entry) error { got = append(got, e); return nil })
	if err != nil || n != 4 || len(got) != 3 {
		t.Fatalf("%d rows, %d licenses, %v", n, len(got), err)
	}
	first := got[0].Record
	if first.LicenseNumber != "632923" || first.OwnerName != "ALDA , BENNO" || first.DBAName != `ROOM "THE"` ||
		first.ExpirationDate != "2027-09-30" ||
		first.Address.ZipCode != "92316-1234" || got[0].Rank <= got[1].Rank || got[0].Unclear || got[0].Unissued {
		t.Errorf("%+v", got[0])
	}
	if last := got[2]; !last.Unissued || last.Record.LicenseNumber != "7" || last.Record.Address.Street != "1 MAIN ST STE 4" ||
		last.Record.Address.ZipCode != "93721-1234" || last.Record.Address.Raw != "1 MAIN ST, STE 4, FRESNO, CA, 937211234" {
		t.Errorf("%+v", last)
	}
	for name, body := range map[string][]byte{
		"not a ZIP":      []byte("PK but not"),
		"no CSV":         archive(t, "readme.txt", "x"),
		"column renamed": archive(t, "x.csv", strings.Replace(exportHeader, "Type Status", "Status", 1)+rows),
		"cut off":        body[:len(body)/2],
	} {
		if _, err := readExport(body, func(mirror.Entry) error { return nil }); scrape.KindOf(err) != scrape.Changed {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A date that cannot be read makes a row unclear; it does not put it behind the other types of its number.
func TestGarbledIssueDate(t *testing.T) {
	row := func(kind, word, issued, master string) string {
		return kind + ",00400183,LIC," + word + "," + issued + ",30-SEP-2027,P40, ," + master + ",12,3600,23,X,1 A ST, ,FRESNO,CA,92316, , , , , , ,FRESNO,0040.03\n"
	}
	var got []mirror.Entry
	body := archive(t, "x.csv", exportHeader+row("48", "SUSPEN", "15/NOV/2010", "Y")+row("58", "ACTIVE", "01-JAN-2020", "N"))
	_, err := readExport(body, func(e mirror.Entry) error { got = append(got, e); return nil })
	if err != nil || len(got) != 2 || got[0].Rank <= got[1].Rank || !got[0].Unclear || got[0].Unissued {
		t.Errorf("%+v, %v", got, err)
	}
	garbled := strings.Replace(hit("400183", "48 (SUSPEN)"), "01-JAN-2010", "15/NOV/2010", 1)
	hits, err := readHits(hitsHead+garbled+hit("400183", "58 (ACTIVE)")+hit("400184", "58 (ACTIVE)")+"</table>", contracts.Query{DBAName: "room"})
	if err != nil || len(hits.Records) != 1 || hits.Unclear != 1 {
		t.Errorf("%+v, %v", hits, err)
	}
}

// What is shown of a license is what its own row says, not that of an application beside it.
func TestHitBesideAnApplication(t *testing.T) {
	licensed := strings.NewReplacer(">A<", ">OLD OWNER INC<", "1 X ST", "1 MAIN ST").Replace(hit("400051", "48 (ACTIVE)"))
	applied := strings.NewReplacer(">A<", ">NEW OWNER LLC<", "1 X ST", "9 OAK ST").Replace(hit("400051", "48 (PEND)"))
	for _, rows := range []string{licensed + applied, applied + licensed} {
		for owner, want := range map[string]int{"": 1, "old owner": 1, "new owner": 0} {
			hits, err := readHits(hitsHead+rows+"</table>", contracts.Query{DBAName: "room", OwnerName: owner})
			if err != nil || len(hits.Records) != want || hits.Unclear > 0 ||
				want == 1 && (hits.Records[0].OwnerName != "OLD OWNER INC" || hits.Records[0].Address.Street != "1 MAIN ST") {
				t.Errorf("%q: %+v, %v", owner, hits, err)
			}
		}
	}
}

// A table may print the status in a column of its own, and its headings again below the rows.
func TestColumnsOfHits(t *testing.T) {
	twice := strings.Replace(hitsHead, "<th>License Type</th>", "<th>License Type</th><th>License Type Status</th>", 1)
	for name, table := range map[string]string{
		"status alone":         strings.Replace(hitsHead, "License Type", "License Type Status", 1) + hit("400051", "48 (ACTIVE)"),
		"type and status":      twice + hit("400051", "48</td><td>ACTIVE"),
		"status first":         strings.Replace(hitsHead, "<th>License Type</th>", "<th>License Type Status</th><th>License Type</th>", 1) + hit("400051", "ACTIVE</td><td>48 - BAR"),
		"headings below":       hitsHead + hit("400051", "48 (ACTIVE)") + "<tfoot>" + strings.TrimPrefix(hitsHead, `<table id="abc_licenses">`) + "</tfoot>",
		"headings in the rows": hitsHead + hit("400051", "48 (ACTIVE)") + strings.TrimPrefix(hitsHead, `<table id="abc_licenses">`),
	} {
		hits, err := readHits(table+"</table>", contracts.Query{DBAName: "room"})
		if err != nil || len(hits.Records) != 1 || hits.Unclear > 0 || hits.Records[0].LicenseTypeCode != "48" || hits.Records[0].Status != contracts.Active {
			t.Errorf("%s: %+v, %v", name, hits, err)
		}
	}
}

func TestExportDate(t *testing.T) {
	for banner, want := range map[string]string{
		"\ufeffUpdated Tuesday 29th of September 2026 03:50:28 AM": "2026-09-29T10:50:28Z",
		"Updated Monday 5th of January 2026":                       "2026-01-05T08:00:00Z",
		"Updated Sunday 1st of February 2026 7:05 PM":              "2026-02-02T03:05:00Z",
		"Daily export": "0001-01-01T00:00:00Z",
	} {
		got := exportDate(archive(t, "x.csv", banner+"\n"+exportHeader)).UTC().Format(time.RFC3339)
		if got != want {
			t.Errorf("%s: %s, want %s", banner, got, want)
		}
	}
}

func FuzzPage(f *testing.F) {
	f.Add(page(block("48", "ACTIVE", "15-NOV-2023", "01-JAN-2010", "31-DEC-2026", "Y"),
		discipline("SUSPENDED", "15", "0", "01-MAR-2026", "15-MAR-2026", "")))
	f.Add("<p>No license was found with License Number 632923.</p>")
	f.Fuzz(func(t *testing.T, doc string) {
		reading, err := readLicensePage(doc, "", "632923")
		for _, r := range reading.Records {
			if err == nil && (r.LicenseNumber != "632923" || r.Status == "" || r.Suspensions == nil) {
				t.Errorf("%+v", r)
			}
		}
	})
}

func FuzzSearch(f *testing.F) {
	f.Add(`<table id="abc_licenses"><tr><th>License Number</th><th>License Type</th><th>Orig. Iss. Date</th><th>Expir. Date</th><th>Primary Owner</th><th>Business Name</th><th>Premises Addr.</th></tr>` +
		`<tr><td><a href="?LICENSE=1">1</a></td><td>47 (ACTIVE)</td><td>01-JAN-2010</td><td>31-DEC-2026</td><td>A</td><td>B</td><td>1 X ST , Y, CA, 90000</td></tr></table>`)
	f.Fuzz(func(t *testing.T, doc string) {
		found, err := readHits(doc, contracts.Query{DBAName: "b"})
		for _, r := range found.Records {
			if err == nil && r.Status == "" {
				t.Errorf("%+v", r)
			}
		}
	})
}

func FuzzExport(f *testing.F) {
	f.Add([]byte(exportHeader+"48,00632923,LIC,ACTIVE,15-NOV-2010,30-SEP-2027,P40, ,Y,12,3600,23,X,1 A ST, ,FRESNO,CA,92316,Y, , , , , ,FRESNO,0040.03\n"), false)
	f.Add([]byte("PK\x03\x04"), true)
	f.Fuzz(func(t *testing.T, body []byte, raw bool) {
		if !raw {
			body = archive(t, "x.csv", string(body))
		}
		_, _ = readExport(body, func(e mirror.Entry) error {
			n, err := contracts.NormalLicenseNumber(contracts.CA, e.Record.LicenseNumber)
			if !e.Unnumbered && (err != nil || n != e.Record.LicenseNumber) {
				t.Errorf("%q is not a normal number", e.Record.LicenseNumber)
			}
			return nil
		})
	})
}
