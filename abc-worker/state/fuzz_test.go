package state

import (
	"net/http"
	"strings"
	"testing"

	"assay.dev/abc-worker/mirror"
	"assay.dev/abc-worker/webforms"
	"assay.dev/contracts"
	"assay.dev/platform/scrape"
)

func pageOf(body string) *scrape.Page {
	return &scrape.Page{URL: texasInquiryURL, Status: http.StatusOK, Header: http.Header{"Content-Type": {"text/html"}}, Body: []byte(body)}
}

// sane is what holds of every record, whatever it was read from.
func sane(t *testing.T, state contracts.State, r counted) {
	t.Helper()
	switch r.Status {
	case contracts.Active, contracts.Suspended, contracts.Expired, contracts.Revoked:
	default:
		t.Errorf("status %q", r.Status)
	}
	if _, err := contracts.NormalLicenseNumber(state, r.LicenseNumber); err != nil || r.Suspensions == nil || r.Required == 0 || r.Clean > r.Required {
		t.Errorf("%+v", r)
	}
	if r.ExpirationDate != "" {
		if _, err := contracts.ParseDate(string(r.ExpirationDate)); err != nil {
			t.Error(err)
		}
	}
}

func FuzzTexasPage(f *testing.F) {
	f.Add(`<span id="MainContent_lblMessage">No records found matching your search criteria.</span>`)
	f.Add(`<span id="MainContent_lblCount">1 record(s) found.</span><table class="inquiry-record"><tr><th>License #:</th><td>100001159</td></tr><tr><th>Status:</th><td>Active</td></tr>
<tr><th>Location Address:</th><td>1 A ST, WACO, TX 76701-1234</td></tr><tr><th>Expiration Date:</th><td>01/25/2028</td></tr></table>
<table class="violations"><tr><th>Description</th><th>Disposition</th><th>Discipline Begin Date</th><th>Discipline End Date</th></tr><tr><td>SALE</td><td>Suspension</td><td>01/02/2026</td><td>01/09/2026</td></tr></table>`)
	f.Fuzz(func(t *testing.T, body string) {
		q := &texasInquiry{inquiryForm: texasForm}
		a, err := q.parse(pageOf(body))
		if err != nil {
			return
		}
		for _, r := range a.records {
			sane(t, contracts.TX, r.counted)
		}
		if len(a.records) == 0 && a.message == "" || a.total < len(a.records) {
			t.Errorf("%+v", a)
		}
	})
}

func FuzzInlineImage(f *testing.F) {
	f.Add("data:image/png;base64,iVBORw0KGgo=")
	f.Add("CaptchaImage.aspx?guid=1")
	f.Fuzz(func(t *testing.T, source string) {
		image, inline, err := inlineImage(source)
		if inline != strings.HasPrefix(strings.TrimSpace(source), "data:") || err == nil && !inline && image != nil {
			t.Errorf("%d bytes, %v, %v", len(image), inline, err)
		}
	})
}

func FuzzFloridaPages(f *testing.F) {
	f.Add(`<b>Search Results</b><table><tr height='40'><td>Retail Beverage</td><td><a href='LicenseDetail.asp?SID=&id=0A1B2C3D4E5F60718293A4B5C6D7E8F9'>A</a></td><td>Primary</td>
<td>BEV1100123<br/>4COP</td><td>Current, Active<br/>03/31/2027</td><tr height='40'><td colspan=5><table><tr><td>License Location Address*:</td><td>1 X ST  ARCHER, FL 32618</td></tr></table></td></tr></table>`)
	f.Add(`There were no records found for your search.`)
	f.Add(`<table><tr><td><font>Name:</font></td><td><b>A (Primary Name)<br>B (DBA Name)</b></td></tr><tr><td>License Number:</td><td>BEV1100123</td></tr><tr><td>Licensure Date:</td><td>01/02/2003</td></tr></table>`)
	f.Fuzz(func(t *testing.T, body string) {
		doc, err := webforms.Document(pageOf(body))
		if err != nil {
			return
		}
		lines, err := floridaLines(doc)
		if err == nil {
			for _, of := range byLicense(lines) {
				sane(t, contracts.FL, licenseOf(of).counted)
			}
		}
		l := floridaLicense{}
		l.LicenseNumber = "BEV1100123"
		if d, err := floridaDetail(doc, l); err == nil && (d.licensed == "" || d.OwnerName == "") {
			t.Errorf("%+v", d)
		}
	})
}

func FuzzFloridaExtracts(f *testing.F) {
	row := `"400","4006","A","4COP","SFS","","","","","","","","B","1 X ST","","","TAMPA","FL","33602","39","BEV3900123","20","","01/02/2010","01/01/2026","03/31/2027","","N","N"`
	f.Add([]byte(`"`+strings.Join(floridaColumns, `","`)+"\"\r\n"+row+"\r\n"), false)
	f.Add([]byte(row+"\r\n"), true)
	f.Fuzz(func(t *testing.T, body []byte, revoked bool) {
		read := readFloridaLicenses
		if revoked {
			read = readFloridaRevoked
		}
		_, _ = read(body, func(e mirror.Entry) error {
			if _, err := contracts.NormalLicenseNumber(contracts.FL, e.Record.LicenseNumber); err != nil || e.Required == 0 || e.Word == "" {
				t.Errorf("%+v", e)
			}
			return nil
		})
	})
}

func FuzzFloridaAddress(f *testing.F) {
	f.Add("16727 SW 135 AVE  ARCHER, FL 32618", "BEV1100123")
	f.Fuzz(func(t *testing.T, place, number string) {
		if normal, err := contracts.NormalLicenseNumber(contracts.FL, number); err == nil {
			if a := floridaAddress(place, normal); a.City != "" && (a.State == "" || !strings.Contains(place, a.ZipCode[:5])) {
				t.Errorf("%+v", a)
			}
		}
	})
}

func FuzzNewYorkMap(f *testing.F) {
	f.Add([]byte(`{"features":[{"attributes":{"LicensePermitID":"0340-22-106125","LicenseCla":340,"PremiseDBA":null}}],"exceededTransferLimit":true}`))
	f.Add([]byte(`{"error":{"code":400,"message":"Cannot perform query.","details":[]}}`))
	f.Add([]byte(`{"count":12}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		rows, _, err := decodeLayer(body)
		if err != nil {
			return
		}
		for _, row := range rows {
			if r, err := newYorkMapRecord(row); err == nil && (r.LicenseNumber == "" || r.Status != contracts.Active) {
				t.Errorf("%+v", r)
			}
		}
	})
}
