package florida_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"assay.dev/abc-worker/florida"
	"assay.dev/abc-worker/register"
	"assay.dev/abc-worker/register/registertest"
	"assay.dev/contracts"
	"assay.dev/platform/scrape"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// The sources here are written by hand in the shapes that the real ones are known to have, not by the sandbox.

// portalSite is the portal as it was measured: a row is two, the first of which is never closed.
func portalSite(results string) http.HandlerFunc {
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
		case r.FormValue("mode") == "2" && r.PostForm.Get("hDivision") == "ALL" && r.PostForm.Get("RecsPerPage") != "" &&
			r.PostForm.Has("hLicNbr") &&
			r.PostForm.Get("hSearchType") == "k7" && r.PostForm.Get("hExtra") == "kept":
			page = results
		}
		_, _ = io.WriteString(w, page)
	}
}

func resultRows(id, name, kind, number, status string) string {
	return fmt.Sprintf(`<tr height='40'><td width='20%%'><font size='1'>Retail Beverage</font></td><td><font size='1'><a href='LicenseDetail.asp?SID=&id=%s'>%s</a></font></td>
<td><font size='1'>%s</font></td><td><font size='1'>%s</font></td><td><font size='1'>%s</font></td>
<tr height='40'><td colspan='5'><table><tr><td><font>Main Address*:</font></td><td><font>1 OTHER RD  ATLANTA, GA 30303</font></td></tr>
<tr><td><font>License Location Address*:</font></td><td><font>16727 SW 135 AVE  ARCHER, FL 32618</font></td></tr></table></td></tr>`, id, name, kind, number, status)
}

func TestResults(t *testing.T) {
	const id = "0A1B2C3D4E5F60718293A4B5C6D7E8F9"
	page := func(rows ...string) string {
		return "<html><body><b>Search Results</b> - 2 Records<table border=1><tr><td>License Type</td><td>Name</td><td>Name Type</td><td>Number</td><td>Status/Expires</td></tr>" +
			strings.Join(rows, "") + "</table></body></html>"
	}
	want := contracts.LicenseRecord{
		LicenseNumber: "BEV1100123", LicenseTypeCode: "4COP-SFS", DBAName: "THE LOST OTTER", OwnerName: "PELADERO, KIRA",
		ExpirationDate: "2027-03-31",
		Status:         contracts.Active, Suspensions: []contracts.Suspension{},
		Address: contracts.Address{
			Street: "16727 SW 135 AVE", City: "ARCHER", State: "FL", ZipCode: "32618", County: "Alachua",
			Raw: "16727 SW 135 AVE  ARCHER, FL 32618",
		},
	}
	primary := resultRows(id, "PELADERO, KIRA", "Primary", "BEV1100123<br/>4COP SFS", "Current, Active<br/>03/31/2027")
	_, location, _ := strings.Cut(primary, "<tr><td><font>License Location")
	nowhere := want // its county is told by its number, and is no text of the portal
	nowhere.DBAName, nowhere.Address = "", contracts.Address{County: "Alachua"}
	dba := resultRows(id, "THE LOST OTTER", "DBA", "BEV1100123<br/>4COP SFS", "Current, Active<br/>03/31/2027")
	for name, tt := range map[string]struct {
		page string
		want *contracts.LicenseRecord
		kind scrape.Kind
	}{
		"two lines":       {page(primary, dba), &want, ""},
		"no location":     {page(strings.Replace(primary, "<tr><td><font>License Location"+location, "</table></td></tr>", 1)), &nowhere, ""},
		"none":            {"<html><body>There were no records found for your search.</body></html>", nil, ""},
		"none, of help":   {"<html><body>There were no records found for your search. If you need help, please try again or call.</body></html>", nil, ""},
		"none, elsewhere": {"<html><body>There were no records found for your search in Board: Barbers.</body></html>", nil, scrape.Changed},
		"an error": {
			"<html><body><b>Search Results</b> <b>DBPR: Error Has Occured</b> If no records found persists, call us.</body></html>", nil, scrape.Changed, //nolint:misspell // theirs
		},
		"what if none":     {"<html><body><b>Search Results</b> Should no records found be shown, call us.</body></html>", nil, scrape.Changed},
		"status not known": {page(strings.Replace(primary, "Current, Active", "Probation, Active", 1)), nil, scrape.Unclear},
		"another license":  {page(strings.ReplaceAll(primary, "BEV1100123", "BEV1100124")), nil, scrape.Changed},
		"another board":    {page(strings.ReplaceAll(primary, "BEV1100123", "CGC1100123")), nil, scrape.Changed},
		"neither":          {"<html><body>Welcome</body></html>", nil, scrape.Changed},
		"both":             {page(primary) + "no records found", &want, ""},
		"cut off":          {page(primary)[:400], nil, scrape.Changed},
	} {
		t.Run(name, func(t *testing.T) {
			deps := registertest.Deps(t, map[string]http.Handler{"www.myfloridalicense.com": portalSite(tt.page)})
			got, err := florida.Recipe(deps).Paths(register.Lookup)[0].Read(t.Context(), registertest.Number("BEV1100123"))
			if name == "both" && err == nil {
				registertest.Found(got).DBAName = want.DBAName
			}
			if scrape.KindOf(err) != tt.kind || err == nil && !registertest.Same(registertest.Found(got), tt.want) {
				t.Errorf("%v\n got %s\nwant %s", err, registertest.Show(got.Value), registertest.Show(tt.want))
			}
		})
	}
}

// A license that is found by its business name alone is read on its own page, which may say more than the results.
func TestTheLicensesOwnPage(t *testing.T) {
	const active = "<tr><td>Status:</td><td><b>Current, Active</b></td></tr>"
	results := portalSite("<html><body><b>Search Results</b><table>" + resultRows("0A1B2C3D4E5F60718293A4B5C6D7E8F9", "SUSPENDED ANIMATION", "DBA",
		"BEV1100123<br/>4COP", "Current, Active<br/>03/31/2027") + "</table></body></html>")
	for status, want := range map[string]scrape.Kind{
		active: "",
		"<tr><td>Status:</td><td><b>Current,Active</b></td></tr><tr><td>Discipline:</td><td><b>None</b></td></tr>": "",
		active + "</table><p>Licenses may be suspended for cause.</p><table>":                                      "",
		"": "",
		"<tr><td>Status:</td><td><b>Suspended</b></td></tr>":                                                                scrape.Unclear,
		"<tr><td>Status:</td><td><b>Null and Void</b></td></tr>":                                                            scrape.Unclear,
		"<tr><td>Status:</td><td><b>Current, Active / Emergency Order</b></td></tr>":                                        scrape.Unclear,
		"<tr><td>License Status:</td><td><b>Suspended</b></td></tr>":                                                        scrape.Unclear,
		active + "<tr><td>Status:</td><td><b>Suspended</b></td></tr>":                                                       scrape.Unclear,
		active + "</table><p>This license was suspended by emergency order on 11/20/2026.</p><table>":                       scrape.Unclear,
		`<tr style="display:none"><td>Status:</td><td>Current, Active</td></tr><tr><td>Status:</td><td>Suspended</td></tr>`: scrape.Unclear,
	} {
		detail := `<html><body><table><tr><td>Search</td><td><b>Licensee Details</b><table><tr><td>Name:</td><td><b>A LLC (Primary Name)<br>SUSPENDED ANIMATION (DBA Name)</b></td></tr>` +
			`<tr><td>License Number:</td><td>BEV1100123</td></tr>` + status + `<tr><td>Licensure Date:</td><td>01/02/2003</td></tr></table></td></tr></table></body></html>`
		deps := registertest.Deps(t, map[string]http.Handler{"www.myfloridalicense.com": http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/LicenseDetail.asp" {
				_, _ = io.WriteString(w, detail)
				return
			}
			results(w, r)
		})})
		got, err := florida.Recipe(deps).Paths(register.Lookup)[0].Read(t.Context(), registertest.Number("BEV1100123"))
		if scrape.KindOf(err) != want || err == nil && registertest.Found(got).OwnerName != "A LLC" {
			t.Errorf("%s: %s, %v", status, registertest.Show(got.Value), err)
		}
	}
}

// The extracts: latin-1, CRLF, all quoted; the revoked without a header, and with licenses of other kinds.
func TestExtracts(t *testing.T) {
	const header = `"Board","Profession","Owner Name","Series","Modifier","Mail Address 1","Mail Address 2","Mail Address 3","Mail City","Mail State","Mail ZIP","Mail County","DBA",` +
		`"Location Address 1","Location Address 2","Location Address 3","Location City","Location State","Location ZIP","Location County","License Number","Primary Status",` +
		`"Secondary Status","Original Licensure Date","Effective Date","Expiration Date","Tax Stamp Designation","Smoking Designation","Retail Tobacco Indicator"` + "\r\n"
	row := func(number, status, owner, licensed, expires string) string {
		return `"400","4006","` + owner + `","4COP","SFS","PO BOX 1","","","TAMPA","FL","33602","39","CAF` + "\xc9" + ` ""NORTE""","1 BAY ST","UNIT 2","","TAMPA","FL","336021234","39","` +
			number + `","` + status + `","","` + licensed + `","01/01/2026","` + expires + `","","N","N"` + "\r\n"
	}
	licenses := header + row("BEV3900123", "20", "OLD OWNER LLC", "01/02/2010", "03/31/2035") + row("BEV3900123", "20",
		"NEW OWNER LLC", "10/02/2026", "03/31/2035") +
		row("BEV3900124", "20", "LATE LLC", "01/02/2010", "03/31/2020") + row("BEV3900125", "42", "X", "01/02/2010",
		"03/31/2035") +
		row("BEV3900126", "15", "APPLICANT", "", "") + row("BEV3900127", "77", "X", "01/02/2010", "03/31/2035")
	licenses += strings.Replace(row("BEV3900128", "20", "X", "01/02/2010", "03/31/2035"), `"20",""`, `"20","SUSP"`, 1) +
		strings.Replace(row("BEV3900129", "20", "X", "01/02/2010", "03/31/2035"), `"20",""`, `"20","99"`, 1)
	for i := range 80 { // those that are not understood are few
		licenses += row(fmt.Sprintf("BEV39010%02d", i), "20", "X", "01/02/2010", "03/31/2035")
	}
	revoked := row("BEV3900200", "61", "GONE INC", "01/02/2000",
		"03/31/2010") + strings.ReplaceAll(row("WSL0001", "61", "X", "", ""), "4006", "4007")
	for i, dates := range []string{`"01/02/2010",""`, `"01/02/2010","NULL"`, `"01/02/2010","10-OCT-26"`, `"","01/01/2026"`} {
		number := fmt.Sprintf("BEV390014%d", i)
		licenses += row(number, "20", "X", "01/02/2010", "03/31/2035")
		revoked += strings.Replace(row(number, "61", "X", "01/02/2010", ""), `"01/02/2010","01/01/2026"`, dates, 1)
	}
	licenses += row("BEV3900150", "20", "X", "01/02/2010", "03/31/2035") + row("BEV3900150", "42", "X", "10-OCT-26", "03/31/2035")
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
	recipe := florida.Recipe(registertest.Deps(t, map[string]http.Handler{"www2.myfloridalicense.com": served}))
	read := recipe.Paths(register.Lookup)[1].Read
	got, err := read(t.Context(), registertest.Number("BEV3900123"))
	want := contracts.LicenseRecord{
		LicenseNumber: "BEV3900123", LicenseTypeCode: "4COP-SFS", DBAName: `CAFÉ "NORTE"`, OwnerName: "NEW OWNER LLC",
		ExpirationDate: "2035-03-31",
		Status:         contracts.Active, Suspensions: []contracts.Suspension{},
		Address: contracts.Address{Street: "1 BAY ST UNIT 2", City: "TAMPA", State: "FL", ZipCode: "33602-1234",
			County: "Hillsborough", Raw: "1 BAY ST, UNIT 2, TAMPA, FL, 336021234"},
	}
	if err != nil || !registertest.Same(registertest.Found(got), &want) {
		t.Fatalf("%v\n got %s\nwant %s", err, registertest.Show(got.Value), registertest.Show(want))
	}
	for number, status := range map[string]contracts.Status{"BEV3900124": contracts.Active,
		"BEV3900125": contracts.Suspended, "BEV3900129": contracts.Active, "BEV3900200": contracts.Revoked,
		"BEV3900140": contracts.Revoked, "BEV3900141": contracts.Revoked, "BEV3900142": contracts.Revoked, "BEV3900143": contracts.Revoked} {
		if got, err := read(t.Context(), registertest.Number(number)); err != nil || registertest.Found(got).Status != status {
			t.Errorf("%s: %s, %v, want %s", number, registertest.Show(got.Value), err, status)
		}
	}
	for number, kind := range map[string]scrape.Kind{"BEV3900126": scrape.Unavailable, "BEV3900127": scrape.Unclear, "BEV3900128": scrape.Unclear,
		"BEV3900150": scrape.Unclear, "BEV3900999": scrape.Unavailable} {
		if got, err := read(t.Context(), registertest.Number(number)); scrape.KindOf(err) != kind {
			t.Errorf("%s: %s, %v, want %s", number, registertest.Show(got.Value), err, kind)
		}
	}
	found, err := recipe.Paths(register.Search)[1].Read(t.Context(), registertest.Query(contracts.Query{DBAName: `cafe "norte`, OwnerName: "new"}))
	if err != nil || found.Value.Total != 1 || !registertest.Same(&found.Value.Records[0], &want) {
		t.Errorf("search: %s, %v", registertest.Show(found.Value), err)
	}
}
