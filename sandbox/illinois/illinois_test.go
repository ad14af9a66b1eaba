package illinois_test

import (
	"bytes"
	"encoding/csv"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"

	"assay.dev/contracts"
	"assay.dev/sandbox/illinois"
	"assay.dev/sandbox/license"
)

const lookupPath = "/resources/liquor-license-lookup.html"

func get(t *testing.T, h http.Handler, path string) (int, string) {
	t.Helper()
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, http.NoBody))
	return w.Code, w.Body.String()
}

func sites(welcome bool) (*license.Register, http.Handler, http.Handler) {
	register, yes := license.New("2026-11-21", license.Small()), func(*http.Request) bool { return welcome }
	now := func() time.Time { return time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC) }
	return register, illinois.New(register, yes, now), illinois.NewPortal(register, yes)
}

func TestLookupTurnsAwayWhoIsNoBrowser(t *testing.T) {
	_, site, portal := sites(false)
	if code, body := get(t, site, lookupPath); code != http.StatusForbidden || !strings.Contains(body, "Access Denied") {
		t.Errorf("%d %s", code, body)
	}
	if code, body := get(t, portal, "/"); code != http.StatusOK || strings.Contains(body, "License No") {
		t.Errorf("%d %s", code, body)
	}
}

func TestLookupShowsTheDefaultTwentyWhateverIsSearched(t *testing.T) {
	_, site, portal := sites(true)
	_, plain := get(t, site, lookupPath)
	_, filtered := get(t, site, lookupPath+"?businessName=KETTLE")
	_, onPortal := get(t, portal, "/")
	doc, err := goquery.NewDocumentFromReader(strings.NewReader(plain))
	if err != nil || doc.Find("div.ms-srch-item-body span.soi-license-number").Length() != 20 || plain != filtered || plain != onPortal {
		t.Errorf("%v: %s", err, plain)
	}
}

func TestDetailsOfOneLicense(t *testing.T) {
	register, site, _ := sites(true)
	l, _ := register.Case(contracts.IL, "suspended")
	_, body := get(t, site, lookupPath+"?licenseNumber="+url.QueryEscape(l.Number))
	doc, err := goquery.NewDocumentFromReader(strings.NewReader(body))
	if err != nil || doc.Find("dt:contains('License Status') + dd").Text() != "Suspended" || doc.Find("dt:contains('Address') + dd").Text() != l.Primary.Address.Raw {
		t.Errorf("%v: %s", err, body)
	}
	if _, body := get(t, site, lookupPath+"?licenseNumber=1A-9999999"); !strings.Contains(body, "No license was found") {
		t.Errorf("unknown: %s", body)
	}
}

func TestExport(t *testing.T) {
	register, site, _ := sites(false)
	_, body := get(t, site, "/content/dam/soi/en/web/ilcc/datasources/ilcc-licenses-daily-export.csv")
	text, marked := bytes.CutPrefix([]byte(body), []byte("\ufeff"))
	rows, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	if err != nil || !marked || len(rows) != 1+len(register.Of(contracts.IL)) || rows[0][2] != "acct_name" {
		t.Fatalf("%v, byte order mark %v, %d rows", err, marked, len(rows))
	}
	past := 0
	for _, record := range register.Golden(contracts.IL, license.Mirror) {
		if record.Status == contracts.Expired {
			past++
		}
	}
	if share := float64(past) / float64(len(rows)); share < 0.38 || share > 0.55 {
		t.Errorf("%.2f are past their expiration, want about 0.48", share)
	}
}
