package illinois

import (
	"context"
	"strings"
	"testing"
	"time"

	"assay.dev/abc-worker/mirror"
	"assay.dev/abc-worker/outline"
	"assay.dev/abc-worker/register"
	"assay.dev/contracts"
	"assay.dev/platform/scrape"
)

func TestAddress(t *testing.T) {
	for name, tt := range map[string]struct {
		raw, city string
		want      contracts.Address
	}{
		"by the city": {"4008 RIDGE LN  EAST ST LOUIS IL, 622015555", "EAST ST LOUIS",
			contracts.Address{Street: "4008 RIDGE LN", City: "EAST ST LOUIS", State: "IL", ZipCode: "62201-5555"}},
		"one blank": {"4008 RIDGE LN CHICAGO IL, 60601", "Chicago",
			contracts.Address{Street: "4008 RIDGE LN", City: "Chicago", State: "IL", ZipCode: "60601"}},
		"by the blanks": {"4008 RIDGE LN STE 4  ST CHARLES IL, 60174", "",
			contracts.Address{Street: "4008 RIDGE LN STE 4", City: "ST CHARLES", State: "IL", ZipCode: "60174"}},
		"city in the street": {"1 CHICAGO AVE  CHICAGO IL, 60601", "CHICAGO",
			contracts.Address{Street: "1 CHICAGO AVE", City: "CHICAGO", State: "IL", ZipCode: "60601"}},
		"out of state": {"4400 MILL RD  MILWAUKEE WI, 53202-1701", "MILWAUKEE",
			contracts.Address{Street: "4400 MILL RD", City: "MILWAUKEE", State: "WI", ZipCode: "53202-1701"}},
		"no comma": {"1 MAIN ST  PEORIA IL 61602", "PEORIA",
			contracts.Address{Street: "1 MAIN ST", City: "PEORIA", State: "IL", ZipCode: "61602"}},
		"no ZIP code": {"1 MAIN ST PEORIA", "PEORIA", contracts.Address{Street: "1 MAIN ST PEORIA", City: "PEORIA"}},
		"another city's name": {"1 MAIN ST  PEORIA HTS IL, 61602", "PEORIA",
			contracts.Address{Street: "1 MAIN ST", City: "PEORIA", State: "IL", ZipCode: "61602"}},
	} {
		t.Run(name, func(t *testing.T) {
			tt.want.Raw = tt.raw
			if got := splitAddress(tt.raw, tt.city, ""); got != tt.want {
				t.Errorf("\n got %+v\nwant %+v", got, tt.want)
			}
		})
	}
}

// A license is denied by the lookup's own page alone, which names the number that it does not know. Without the number that
// page proves nothing, and works.
func TestWhatDeniesALicense(t *testing.T) {
	const none = "<h1>Liquor License Lookup</h1><p>No licenses found for license number 1A-9999999.</p>"
	for name, tt := range map[string]struct {
		url, html string
		want      scrape.Kind
	}{
		"the lookup":          {lookupURL + "?licenseNumber=1A-9999999", none, ""},
		"a login":             {"https://login.example.com/", none, scrape.Changed},
		"another page":        {"https://www2.illinois.gov/search", none, scrape.Changed},
		"no number":           {lookupURL, "<h1>Liquor License Lookup</h1><p>No results found.</p>", scrape.Unavailable},
		"another number":      {lookupURL, strings.ReplaceAll(none, "1A-9999999", "1A-9999998"), scrape.Unavailable},
		"an empty table":      {lookupURL, "<p>1A-9999999</p><table><tr><td>No matching records found</td></tr></table>", scrape.Unavailable},
		"a failure beside it": {lookupURL, none + "<p>The service is unavailable.</p>", scrape.Changed},
	} {
		l := &lookupPage{register.Deps{Clock: time.Now,
			Render: func(context.Context, string, contracts.RenderJob) (contracts.RenderResult, error) {
				return contracts.RenderResult{HTML: []byte(tt.html), FinalURL: tt.url}, nil
			}}}
		r, err := l.lookup(t.Context(), register.Question{Number: "1A-9999999"})
		if scrape.KindOf(err) != tt.want || len(r.Records) > 0 {
			t.Errorf("%s: %+v, %v", name, r.Records, err)
		}
	}
}

func TestCardsThatProveNothing(t *testing.T) {
	for _, doc := range []string{"", "<p>Checking your browser.</p>", "<h1>Liquor License Lookup</h1><form></form>",
		"<p>License Number:</p>"} {
		if shown, err := readCards(doc); scrape.KindOf(err) != scrape.Changed {
			t.Errorf("%q: %v, %v", doc, shown.cards, err)
		}
	}
}

// Of two cards of one license the one of the newer term counts. Where they differ and one has no date, neither does.
func TestCardsOfOneNumber(t *testing.T) {
	of := func(status, expires string) card {
		return card{texts: map[string]string{"License Number": "1A-1143621", "License Status": status, "Expiration Date": expires}}
	}
	for name, tt := range map[string]struct {
		one, other card
		want       contracts.Status // "" where it is not clear
	}{
		"a newer term":     {of("EXPIRED", "06/30/2026"), of("ACTIVE", "06/30/2027"), contracts.Active},
		"one term":         {of("REVOKED", "06/30/2027"), of("ACTIVE", "06/30/2027"), ""},
		"no date":          {of("REVOKED", ""), of("ACTIVE", "06/30/2027"), ""},
		"a date in words":  {of("REVOKED", "June 30, 2026"), of("ACTIVE", "06/30/2027"), ""},
		"one of no date":   {of("ACTIVE", ""), of("ACTIVE", "06/30/2027"), contracts.Active},
		"both of no dates": {of("ACTIVE", ""), of("SUSPENDED", ""), ""},
	} {
		for _, cards := range [][]card{{tt.one, tt.other}, {tt.other, tt.one}} {
			licenses, unclear := licensesOf(cards)
			if len(licenses) != 1 || (unclear > 0) != (tt.want == "") || unclear == 0 && licenses[0].Status != tt.want {
				t.Errorf("%s: %+v, %d unclear", name, licenses, unclear)
			}
		}
	}
}

func FuzzExport(f *testing.F) {
	f.Add([]byte("\ufefflicense_class,license_number,acct_name,county,cust_name,business_type,current_effective_date,current_issue_date,current_expiration_date,ibt,renewal,acct_city,acct_state,dba_address,owners\r\n" +
		"1A - Retailer,1A-1143621,\"A\nB\",COOK,C,Corporation,1/1/2026,1/1/2026,1/1/2027,,Y,CHICAGO,IL,\"1 X ST  CHICAGO IL, 606015555\",D\r\n"))
	f.Fuzz(func(t *testing.T, body []byte) {
		_, _ = readExport(body, func(e mirror.Entry) error {
			if e.Record.ExpirationDate == "" && !e.Unclear {
				t.Errorf("%+v", e)
			}
			return nil
		})
	})
}

func FuzzCards(f *testing.F) {
	f.Add(`<div class="ms-srch-item-body"><span class="soi-license-number">License No: 1A-1143621</span><dl><dt>License Status</dt><dd>Active</dd><dt>Address</dt><dd>1 X ST  Y IL, 60601</dd></dl></div>`)
	f.Fuzz(func(t *testing.T, doc string) {
		shown, err := readCards(doc)
		if err == nil && len(shown.cards) == 0 && !outline.SaysNone(shown.pieces) {
			t.Error("neither cards nor none")
		}
		for _, c := range shown.cards {
			_, _ = c.record()
		}
	})
}
