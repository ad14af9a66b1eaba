package texas

import (
	"slices"
	"strings"
	"testing"

	"assay.dev/abc-worker/outline"
	"assay.dev/abc-worker/register/registertest"
	"assay.dev/abc-worker/webforms"
	"assay.dev/contracts"
)

func FuzzAnswer(f *testing.F) {
	f.Add(`<span id="MainContent_lblCount">0 record(s) found.</span>`)
	f.Add(`<span id="MainContent_lblMessage">No records found matching your search criteria.</span>`)
	f.Add(`<span id="MainContent_lblCount">1 record(s) found.</span><table class="inquiry-record"><tr><th>License #:</th><td>100001159</td></tr><tr><th>Status:</th><td>Active</td></tr>
<tr><th>Location Address:</th><td>1 A ST, WACO, TX 76701-1234</td></tr><tr><th>Expiration Date:</th><td>01/25/2028</td></tr></table>
<table class="violations"><tr><th>Description</th><th>Disposition</th><th>Discipline Begin Date</th><th>Discipline End Date</th></tr><tr><td>SALE</td><td>Suspension</td><td>01/02/2026</td><td>01/09/2026</td></tr></table>`)
	empty, err := webforms.Document(registertest.Page(inquiryURL, ""))
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, body string) {
		q := &inquiry{inquiryForm: tabcForm}
		a, err := q.parse(registertest.Page(inquiryURL, body), empty)
		if err != nil {
			return
		}
		for _, r := range a.records {
			if !r.unclear {
				registertest.Sane(t, contracts.TX, r.Record)
			}
		}
		saysNone := a.message != "" || slices.ContainsFunc(a.lines, func(p outline.Piece) bool { return strings.Contains(p.Text, "0") })
		if len(a.records) == 0 && !saysNone || a.total < len(a.records) {
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
