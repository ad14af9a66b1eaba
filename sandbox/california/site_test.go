package california_test

import (
	"archive/zip"
	"bytes"
	"encoding/csv"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"
	"go.uber.org/goleak"

	"assay.dev/contracts"
	"assay.dev/sandbox/california"
	"assay.dev/sandbox/license"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var now = time.Date(2026, 11, 21, 18, 0, 0, 0, time.UTC) // a Saturday

func start(t *testing.T) (*license.Register, *httptest.Server) {
	t.Helper()
	r := license.New(contracts.DateOf(now), license.Small())
	s := httptest.NewServer(california.New(r, func() time.Time { return now }))
	t.Cleanup(func() { s.Close(); http.DefaultClient.CloseIdleConnections() })
	return r, s
}

func get(t *testing.T, url string, header ...string) (*http.Response, []byte) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res, body
}

func TestLicensePageShowsTheLicense(t *testing.T) {
	register, s := start(t)
	for _, name := range []string{"plain", "no dba", "angle brackets", "phantom block", "indefinite suspension", "suspension served, block repeated"} {
		t.Run(name, func(t *testing.T) {
			l, _ := register.Case(contracts.CA, name)
			_, body := get(t, s.URL+"/licensing/license-lookup/single-license/?RPTTYPE=12&LICENSE="+l.Number)
			doc, err := goquery.NewDocumentFromReader(bytes.NewReader(body))
			if err != nil {
				t.Fatal(err)
			}
			heads := doc.Find("h2").Map(func(_ int, h *goquery.Selection) string { return h.Text() })
			if has := strings.Contains(strings.Join(heads, "|"), "Business Name"); has != (l.DBA != "") {
				t.Errorf("heads %v, DBA %q", heads, l.DBA)
			}
			if name == "angle brackets" && doc.Find("h2:contains('Business Name') + p").Text() != l.DBA {
				t.Errorf("business name not on the page as %q", l.DBA)
			}
			if got := doc.Find("dt:contains('License Number:') + dd").Text(); got != l.Number {
				t.Errorf("number %q, want %q", got, l.Number)
			}
		})
	}
	if _, body := get(t, s.URL+"/licensing/license-lookup/single-license/?RPTTYPE=12&LICENSE=999999"); !strings.Contains(string(body), "No license was found") {
		t.Error("an unknown number must say so")
	}
}

func TestSearchLandsOnTheOnlyHit(t *testing.T) {
	register, s := start(t)
	l, _ := register.Case(contracts.CA, "apostrophe")
	res, _ := get(t, s.URL+"/licensing/license-lookup/?RPTTYPE=15&DBANAME="+strings.ReplaceAll(l.DBA, " ", "%20"))
	if !strings.Contains(res.Request.URL.RawQuery, "LICENSE="+l.Number) {
		t.Errorf("landed on %s", res.Request.URL)
	}
	_, body := get(t, s.URL+"/licensing/license-lookup/business-name/?BusinessName=kettle")
	if doc, _ := goquery.NewDocumentFromReader(bytes.NewReader(body)); doc.Find("table#abc_licenses tbody tr a").Length() < 10 {
		t.Error("a common word must give a table")
	}
}

func TestExportIsAsDescribedAndConditional(t *testing.T) {
	register, s := start(t)
	res, body := get(t, s.URL+"/wp-content/uploads/DailyExport-CSV.zip")
	lines, rows := unpack(t, body)
	if lines[0] != "\ufeffUpdated Friday 20th of November 2026 07:00:00 AM" {
		t.Errorf("banner %q", lines[0])
	}
	if !strings.Contains(lines[1], "Prem Addr 1, Prem Addr 2,Prem City, Prem State,") {
		t.Errorf("header %q", lines[1])
	}
	if share := float64(len(rows)) / float64(license.Small()[contracts.CA]); math.Abs(share*float64(license.RealSize()[contracts.CA])-129_000) > 4000 {
		t.Errorf("%.3f rows a license: a register of real size would not have about 129,000", share)
	}
	seen := map[string]bool{}
	for _, row := range rows {
		seen[strings.TrimLeft(row[1], "0")] = true
	}
	for number := range register.Golden(contracts.CA, license.Mirror) {
		if !seen[number] {
			t.Errorf("%s is missing", number)
		}
	}
	again, _ := get(t, s.URL+"/wp-content/uploads/DailyExport-CSV.zip", "If-None-Match", res.Header.Get("ETag"))
	since, _ := get(t, s.URL+"/wp-content/uploads/DailyExport-CSV.zip", "If-Modified-Since", res.Header.Get("Last-Modified"))
	if again.StatusCode != http.StatusNotModified || since.StatusCode != http.StatusNotModified {
		t.Errorf("conditional requests: %d, %d", again.StatusCode, since.StatusCode)
	}
}

func unpack(t *testing.T, archive []byte) (top []string, rows [][]string) {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(archive), int64(len(archive)))
	if err != nil || len(z.File) != 1 || z.File[0].Name != "ABC-DailyDataExport.csv" {
		t.Fatalf("archive: %v", err)
	}
	f, err := z.File[0].Open()
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(f)
	if err != nil {
		t.Fatal(err)
	}
	top = strings.SplitN(string(text), "\n", 3)
	rows, err = csv.NewReader(strings.NewReader(top[2])).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return top, rows
}
