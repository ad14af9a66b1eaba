package state_test

import (
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"assay.dev/abc-worker/state"
	"assay.dev/contracts"
	"assay.dev/platform/scrape"
)

// The tests here read rows in the shapes that the real sources are known to have, written by hand and not by the sandbox.

// table answers queries by what they ask for; a query that no key is part of gets no rows.
func table(answers map[string]string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		query, _ := url.QueryUnescape(r.URL.RawQuery)
		w.Header().Set("Content-Type", "application/json;charset=utf-8")
		for part, answer := range answers {
			if strings.Contains(r.URL.Path+"?"+query, part) {
				if strings.HasPrefix(answer, "{") {
					w.WriteHeader(http.StatusBadRequest)
				}
				_, _ = io.WriteString(w, answer)
				return
			}
		}
		_, _ = io.WriteString(w, "[]")
	}
}

const texasRow = `[{"license_id":"100001159.0","legacy_clp":"BG571927","license_type":"BG","primary_status":"Active","license_status":"Active",
"secondary_status":"None","expiration_date":"2028-01-25T00:00:00.000","status_change_date":"2026-01-10T00:00:00.000",
"original_issue_date":"2003-01-25T00:00:00.000","trade_name":"QUELTON'S  ICE HOUSE","owner":"QUELTON & DAUGHTERS LLC","address":"4512 DUVAL ST",
"city":"Austin","state":"TX","zip":"787511412","county":"Travis","tier":"Retail","master_file_id":"100001160.0"}]`

func TestTexasRows(t *testing.T) {
	deps := reach(t, map[string]http.Handler{"data.texas.gov": table(map[string]string{
		"license_id=100001159&": texasRow, "upper(legacy_clp)='BG571927'": texasRow, "like '%QUELTON''S ICE%'": texasRow,
		"license_id=100000001&": strings.Replace(strings.Replace(texasRow, "100001159.0", "100000001.0", 1), `"Active","license_status"`, `"Expired - Renewal Pending","license_status"`, 1),
		"license_id=100000002&": strings.Replace(strings.Replace(texasRow, "100001159.0", "100000002.0", 1), `"Active","license_status"`, `"Under Review","license_status"`, 1),
		"license_id=100000003&": texasRow,
		"license_id=100000004&": `[{"license_id":"100000004.0","license_type":"P","primary_status":"Cancelled","owner":"X","address":"1 A ST","city":"WACO","zip":"76701"}]`,
	})})
	recipe := state.Recipes[contracts.TX](deps)
	want := contracts.LicenseRecord{
		LicenseNumber: "100001159", LicenseTypeCode: "BG", DBAName: "QUELTON'S ICE HOUSE", OwnerName: "QUELTON & DAUGHTERS LLC",
		ExpirationDate: "2028-01-25", Status: contracts.Active, Suspensions: []contracts.Suspension{},
		Address: contracts.Address{Street: "4512 DUVAL ST", City: "Austin", State: "TX", ZipCode: "78751-1412", County: "Travis"},
	}
	for _, number := range []string{"100001159", "BG571927"} {
		got, err := recipe.Lookup[1].Read(t.Context(), number)
		if err != nil || !same(got.Value, &want) || got.Confidence() != 1 || !strings.HasPrefix(got.EvidenceURL, "https://data.texas.gov/resource/7hf9-qc9f.json?$where=") {
			t.Errorf("%s: %s, %v, confidence %v, %s", number, show(got.Value), err, got.Confidence(), got.EvidenceURL)
		}
	}
	if got, err := recipe.Lookup[1].Read(t.Context(), "100000001"); err != nil || got.Value.Status != contracts.Expired {
		t.Errorf("a renewal is pending: %s, %v", show(got.Value), err)
	}
	if got, err := recipe.Lookup[1].Read(t.Context(), "100000004"); err != nil || got.Value.Status != contracts.Revoked || got.Value.ExpirationDate != "" || got.Confidence() == 1 {
		t.Errorf("few columns: %s, %v", show(got.Value), err)
	}
	for number, why := range map[string]string{"100000002": "a word that is not known", "100000003": "a row of another license"} {
		if got, err := recipe.Lookup[1].Read(t.Context(), number); scrape.KindOf(err) != scrape.Changed {
			t.Errorf("%s: %s, %v", why, show(got.Value), err)
		}
	}
	if got, err := recipe.Lookup[1].Read(t.Context(), "100009999"); scrape.KindOf(err) != scrape.Unavailable {
		t.Errorf("not in the data: %s, %v", show(got.Value), err)
	}
	got, err := recipe.Search[1].Read(t.Context(), contracts.Query{DBAName: "quelton's ice"})
	if err != nil || got.Value.Total != 1 || !same(&got.Value.Records[0], &want) {
		t.Errorf("search: %s, %v", show(got.Value), err)
	}
}

// The inactive set has few columns, and its spellings.
func TestNewYorkRows(t *testing.T) {
	const inactive = `[{"license_permit_id":"0240-21-113355","premises_county":"Kings","type":"RW","class":"240","description":"Restaurant Wine",
"legalname":"BRANDOVAR LLC & MAVISKET LLC","dba":"ONE MORE CHA <RM>, CHA CHA","actual_address_of_premises":"88 N 3RD ST","city":"BROOKLYN",
"zip_code":"112491234","original_issue_date":"2012-03-01T00:00:00.000","expiration_date":"2023-02-28T00:00:00.000"}]`
	const active = `{"licensepermitid":"0340-22-%s","premisescounty":"New York","type":"OP","class":"0340","description":"Restaurant","legalname":"TORALTON INC",
"actualaddressofpremises":"1 CANAL ST","city":"NEW YORK","statename":"NY","zipcode":"10013","effectivedate":"%s","expirationdate":"2024-05-31T00:00:00.000",
"legacyserialnumber":"1234567","georeference":{"type":"Point","coordinates":[-73.99,40.71]}}`
	deps := reach(t, map[string]http.Handler{"data.ny.gov": table(map[string]string{
		"6dg3-2z7i.json?$where=license_permit_id='0240-21-113355'": inactive,
		"9s3h-dpkz.json?$where=licensepermitid='0340-22-106125'":   "[" + fmt.Sprintf(active, "106125", "2022-06-01T00:00:00.000") + "]",
		"9s3h-dpkz.json?$where=legacyserialnumber='1234567'": "[" + fmt.Sprintf(active, "106125", "2022-06-01T00:00:00.000") + "," +
			fmt.Sprintf(active, "206125", "2024-06-01T00:00:00.000") + "]",
		"6dg3-2z7i.json?$where=legacy_serial_number": `{"message":"No such column: legacy_serial_number","errorCode":"query.soql.no-such-column","data":{}}`,
		"9s3h-dpkz.json?$order=":                     "[" + fmt.Sprintf(active, "106125", "2022-06-01T00:00:00.000") + "]",
	})})
	read := state.Recipes[contracts.NY](deps).Lookup[0].Read
	got, err := read(t.Context(), "0240-21-113355")
	want := contracts.LicenseRecord{
		LicenseNumber: "0240-21-113355", LicenseTypeCode: "0240", DBAName: "ONE MORE CHA <RM>, CHA CHA", OwnerName: "BRANDOVAR LLC & MAVISKET LLC",
		ExpirationDate: "2023-02-28", Status: contracts.Expired, Suspensions: []contracts.Suspension{},
		Address: contracts.Address{Street: "88 N 3RD ST", City: "BROOKLYN", ZipCode: "11249-1234", County: "Kings"},
	}
	if err != nil || !same(got.Value, &want) || got.Confidence() != 1 || !strings.Contains(got.EvidenceURL, "6dg3-2z7i") {
		t.Errorf("inactive: %s, %v, %v", show(got.Value), err, got.EvidenceURL)
	}
	if got, err = read(t.Context(), "0340-22-106125"); err != nil || got.Value.Status != contracts.Active || got.Value.DBAName != "" {
		t.Errorf("active past its date: %s, %v", show(got.Value), err)
	}
	if got, err = read(t.Context(), "1234567"); err != nil || got.Value.LicenseNumber != "0340-22-206125" {
		t.Errorf("the newer of two with one serial: %s, %v", show(got.Value), err)
	}
	if got, err = read(t.Context(), "0340-22-999999"); err != nil || got.Value != nil || !strings.Contains(got.EvidenceURL, "0340-22-999999") {
		t.Errorf("in neither set: %s, %v, %s", show(got.Value), err, got.EvidenceURL)
	}
	if got, err = read(t.Context(), "7654321"); scrape.KindOf(err) != scrape.Changed {
		t.Errorf("a column is missing: %s, %v", show(got.Value), err)
	}
}

func TestNewYorkProvesNothingByAnEmptySet(t *testing.T) {
	deps := reach(t, map[string]http.Handler{"data.ny.gov": table(nil)})
	if got, err := state.Recipes[contracts.NY](deps).Lookup[0].Read(t.Context(), "0340-22-999999"); scrape.KindOf(err) != scrape.Changed {
		t.Errorf("%s, %v", show(got.Value), err)
	}
}

// A service that takes no longer condition still answers; the confidence tells.
func TestSearchWithoutAccents(t *testing.T) {
	deps := reach(t, map[string]http.Handler{"data.texas.gov": table(map[string]string{
		" and ":            `{"message":"cannot parse","errorCode":"query.compiler.malformed","data":{}}`,
		"like '%QUELTON%'": texasRow,
	})})
	got, err := state.Recipes[contracts.TX](deps).Search[1].Read(t.Context(), contracts.Query{DBAName: "quelton"})
	if err != nil || got.Value.Total != 1 || got.Confidence() == 1 || got.Confidence() < 0.8 {
		t.Errorf("%s, %v, confidence %v", show(got.Value), err, got.Confidence())
	}
}

// floridaSite is the portal as it was measured: a row is two, the first of which is never closed.
func floridaSite(results string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_ = r.ParseForm()
		page := "<html><head><title>DBPR: Error Has Occured</title></head><body></body></html>" //nolint:misspell // theirs
		switch {
		case r.Method == http.MethodGet && r.URL.Path == "/wl11.asp":
			http.SetCookie(w, &http.Cookie{Name: "ASPSESSIONIDAB", Value: "X", Path: "/"})
			page = "<form><input type=radio name=SearchType value=LicNbr></form>"
		case r.FormValue("mode") == "1" && r.PostForm.Get("SearchType") != "":
			page = "<form name=reportForm method=post action='wl11.asp?mode=2&search=LicNbr&SID=&brd=&typ='><input type=hidden name=hSID value=''>" +
				"<input type=hidden name=hDivision value=''><input type=hidden name=hSearchType value='k7'><input type=hidden name=hExtra value='kept'></form>"
		case r.FormValue("mode") == "2" && r.PostForm.Get("hDivision") == "ALL" && r.PostForm.Get("RecsPerPage") != "" && r.PostForm.Has("hLicNbr") &&
			r.PostForm.Get("hSearchType") == "k7" && r.PostForm.Get("hExtra") == "kept":
			page = results
		}
		_, _ = io.WriteString(w, page)
	}
}

func floridaRow(id, name, kind, number, status string) string {
	return fmt.Sprintf(`<tr height='40'><td width='20%%'><font size='1'>Retail Beverage</font></td><td><font size='1'><a href='LicenseDetail.asp?SID=&id=%s'>%s</a></font></td>
<td><font size='1'>%s</font></td><td><font size='1'>%s</font></td><td><font size='1'>%s</font></td>
<tr height='40'><td colspan='5'><table><tr><td><font>Main Address*:</font></td><td><font>1 OTHER RD  ATLANTA, GA 30303</font></td></tr>
<tr><td><font>License Location Address*:</font></td><td><font>16727 SW 135 AVE  ARCHER, FL 32618</font></td></tr></table></td></tr>`, id, name, kind, number, status)
}

func TestFloridaPages(t *testing.T) {
	const id = "0A1B2C3D4E5F60718293A4B5C6D7E8F9"
	page := func(rows ...string) string {
		return "<html><body><b>Search Results</b> - 2 Records<table border=1><tr><td>License Type</td><td>Name</td><td>Name Type</td><td>Number</td><td>Status</td></tr>" +
			strings.Join(rows, "") + "</table></body></html>"
	}
	want := contracts.LicenseRecord{
		LicenseNumber: "BEV1100123", LicenseTypeCode: "4COP-SFS", DBAName: "THE LOST OTTER", OwnerName: "PELADERO, KIRA", ExpirationDate: "2027-03-31",
		Status: contracts.Active, Suspensions: []contracts.Suspension{},
		Address: contracts.Address{
			Street: "16727 SW 135 AVE", City: "ARCHER", State: "FL", ZipCode: "32618", County: "Alachua", Raw: "16727 SW 135 AVE  ARCHER, FL 32618",
		},
	}
	primary := floridaRow(id, "PELADERO, KIRA", "Primary", "BEV1100123<br/>4COP SFS", "Current, Active<br/>03/31/2027")
	dba := floridaRow(id, "THE LOST OTTER", "DBA", "BEV1100123<br/>4COP SFS", "Current, Active<br/>03/31/2027")
	for name, tt := range map[string]struct {
		page string
		want *contracts.LicenseRecord
		kind scrape.Kind
	}{
		"two lines":        {page(primary, dba), &want, ""},
		"none":             {"<html><body>There were no records found for your search.</body></html>", nil, ""},
		"status not known": {page(strings.Replace(primary, "Current, Active", "Probation, Active", 1)), nil, scrape.Changed},
		"another license":  {page(strings.ReplaceAll(primary, "BEV1100123", "BEV1100124")), nil, scrape.Changed},
		"another board":    {page(strings.ReplaceAll(primary, "BEV1100123", "CGC1100123")), nil, scrape.Changed},
		"neither":          {"<html><body>Welcome</body></html>", nil, scrape.Changed},
		"both":             {page(primary) + "no records found", &want, ""},
		"cut off":          {page(primary)[:400], nil, scrape.Changed},
	} {
		t.Run(name, func(t *testing.T) {
			deps := reach(t, map[string]http.Handler{"www.myfloridalicense.com": floridaSite(tt.page)})
			got, err := state.Recipes[contracts.FL](deps).Lookup[0].Read(t.Context(), "BEV1100123")
			if name == "both" && err == nil {
				got.Value.DBAName = want.DBAName
			}
			if scrape.KindOf(err) != tt.kind || err == nil && !same(got.Value, tt.want) {
				t.Errorf("%v\n got %s\nwant %s", err, show(got.Value), show(tt.want))
			}
		})
	}
}

// The extracts: latin-1, CRLF, all quoted; the revoked without a header, and with licenses of other kinds.
func TestFloridaExtracts(t *testing.T) {
	const header = `"Board","Profession","Owner Name","Series","Modifier","Mail Address 1","Mail Address 2","Mail Address 3","Mail City","Mail State","Mail ZIP","Mail County","DBA",` +
		`"Location Address 1","Location Address 2","Location Address 3","Location City","Location State","Location ZIP","Location County","License Number","Primary Status",` +
		`"Secondary Status","Original Licensure Date","Effective Date","Expiration Date","Tax Stamp Designation","Smoking Designation","Retail Tobacco Indicator"` + "\r\n"
	row := func(number, status, owner, licensed, expires string) string {
		return `"400","4006","` + owner + `","4COP","SFS","PO BOX 1","","","TAMPA","FL","33602","39","CAF` + "\xc9" + ` ""NORTE""","1 BAY ST","UNIT 2","","TAMPA","FL","336021234","39","` +
			number + `","` + status + `","","` + licensed + `","01/01/2026","` + expires + `","","N","N"` + "\r\n"
	}
	licenses := header + row("BEV3900123", "20", "OLD OWNER LLC", "01/02/2010", "03/31/2099") + row("BEV3900123", "20", "NEW OWNER LLC", "10/02/2026", "03/31/2099") +
		row("BEV3900124", "20", "LATE LLC", "01/02/2010", "03/31/2020") + row("BEV3900125", "42", "X", "01/02/2010", "03/31/2099") +
		row("BEV3900126", "15", "APPLICANT", "", "") + row("BEV3900127", "77", "X", "01/02/2010", "03/31/2099")
	revoked := row("BEV3900200", "61", "GONE INC", "01/02/2000", "03/31/2010") + strings.ReplaceAll(row("WSL0001", "61", "X", "", ""), "4006", "4007")
	served := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if cookie, err := r.Cookie("__cf_bm"); err != nil || cookie.Value != "pass" {
			http.SetCookie(w, &http.Cookie{Name: "__cf_bm", Value: "pass", Path: "/"})
			w.WriteHeader(http.StatusForbidden)
			return
		}
		switch {
		case strings.HasSuffix(r.URL.Path, "bd4006lic.csv"):
			_, _ = io.WriteString(w, licenses)
		case strings.HasSuffix(r.URL.Path, "bd400revok.csv"):
			_, _ = io.WriteString(w, revoked)
		default:
			http.NotFound(w, r)
		}
	})
	recipe := state.Recipes[contracts.FL](reach(t, map[string]http.Handler{"www2.myfloridalicense.com": served}))
	read := recipe.Lookup[1].Read
	got, err := read(t.Context(), "BEV3900123")
	want := contracts.LicenseRecord{
		LicenseNumber: "BEV3900123", LicenseTypeCode: "4COP-SFS", DBAName: `CAFÉ "NORTE"`, OwnerName: "NEW OWNER LLC", ExpirationDate: "2099-03-31",
		Status: contracts.Active, Suspensions: []contracts.Suspension{},
		Address: contracts.Address{Street: "1 BAY ST UNIT 2", City: "TAMPA", State: "FL", ZipCode: "33602-1234", County: "Hillsborough"},
	}
	if err != nil || !same(got.Value, &want) {
		t.Fatalf("%v\n got %s\nwant %s", err, show(got.Value), show(want))
	}
	for number, status := range map[string]contracts.Status{"BEV3900124": contracts.Expired, "BEV3900125": contracts.Suspended, "BEV3900200": contracts.Revoked} {
		if got, err := read(t.Context(), number); err != nil || got.Value.Status != status {
			t.Errorf("%s: %s, %v, want %s", number, show(got.Value), err, status)
		}
	}
	for number, kind := range map[string]scrape.Kind{"BEV3900126": scrape.Unavailable, "BEV3900127": scrape.Changed, "BEV3900999": scrape.Unavailable} {
		if got, err := read(t.Context(), number); scrape.KindOf(err) != kind {
			t.Errorf("%s: %s, %v, want %s", number, show(got.Value), err, kind)
		}
	}
	found, err := recipe.Search[1].Read(t.Context(), contracts.Query{DBAName: `cafe "norte`, OwnerName: "new"})
	if err != nil || found.Value.Total != 1 || !same(&found.Value.Records[0], &want) {
		t.Errorf("search: %s, %v", show(found.Value), err)
	}
}
