package florida

import (
	"strings"
	"testing"

	"assay.dev/abc-worker/mirror"
	"assay.dev/abc-worker/register/registertest"
	"assay.dev/abc-worker/webforms"
	"assay.dev/contracts"
)

func FuzzResults(f *testing.F) {
	f.Add(`<b>Search Results</b><table><tr height='40'><td>Retail Beverage</td><td><a href='LicenseDetail.asp?SID=&id=0A1B2C3D4E5F60718293A4B5C6D7E8F9'>A</a></td><td>Primary</td>
<td>BEV1100123<br/>4COP</td><td>Current, Active<br/>03/31/2027</td><tr height='40'><td colspan=5><table><tr><td>License Location Address*:</td><td>1 X ST  ARCHER, FL 32618</td></tr></table></td></tr></table>`)
	f.Add(`There were no records found for your search.`)
	f.Add(`<table><tr><td><font>Name:</font></td><td><b>A (Primary Name)<br>B (DBA Name)</b></td></tr><tr><td>License Number:</td><td>BEV1100123</td></tr><tr><td>Licensure Date:</td><td>01/02/2003</td></tr></table>`)
	f.Fuzz(func(t *testing.T, body string) {
		doc, err := webforms.Document(registertest.Page(portalURL, body))
		if err != nil {
			return
		}
		lines, _, err := readResults(doc)
		if err == nil {
			for _, of := range linesByLicense(lines) {
				if l := mergeLines(of); !l.unclear {
					registertest.Sane(t, contracts.FL, l.Record)
				}
			}
		}
		l := foundLicense{}
		l.LicenseNumber = "BEV1100123"
		if d, err := readDetail(doc, l); err == nil && (d.licensed == "" || d.OwnerName == "") {
			t.Errorf("%+v", d)
		}
	})
}

func FuzzExtracts(f *testing.F) {
	row := `"400","4006","A","4COP","SFS","","","","","","","","B","1 X ST","","","TAMPA","FL","33602","39","BEV3900123","20","","01/02/2010","01/01/2026","03/31/2027","","N","N"`
	f.Add([]byte(`"`+strings.Join(extractColumns, `","`)+"\"\r\n"+row+"\r\n"), false)
	f.Add([]byte(row+"\r\n"), true)
	f.Fuzz(func(t *testing.T, body []byte, revoked bool) {
		read := readLicenses
		if revoked {
			read = readRevoked
		}
		_, _ = read(body, func(e mirror.Entry) error {
			_, err := contracts.NormalLicenseNumber(contracts.FL, e.Record.LicenseNumber)
			isBad := strings.Contains(e.Record.LicenseNumber, "\n")
			if !e.Unnumbered && err != nil || !isBad && e.Word == "" {
				t.Errorf("%+v", e)
			}
			return nil
		})
	})
}

func FuzzAddress(f *testing.F) {
	f.Add("16727 SW 135 AVE  ARCHER, FL 32618", "BEV1100123")
	f.Fuzz(func(t *testing.T, place, number string) {
		if normal, err := contracts.NormalLicenseNumber(contracts.FL, number); err == nil {
			if a := splitAddress(place, normal); a.City != "" && (a.State == "" || !strings.Contains(place, a.ZipCode[:5])) {
				t.Errorf("%+v", a)
			}
		}
	})
}
