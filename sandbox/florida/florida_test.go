package florida_test

import (
	"encoding/csv"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"assay.dev/contracts"
	"assay.dev/sandbox/florida"
	"assay.dev/sandbox/license"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

type visitor struct {
	*testing.T
	client *http.Client
	url    string
}

func visit(t *testing.T, h http.Handler) *visitor {
	t.Helper()
	s := httptest.NewTLSServer(h)
	client := s.Client()
	client.Jar, _ = cookiejar.New(nil)
	t.Cleanup(func() { client.CloseIdleConnections(); s.Close() })
	return &visitor{t, client, s.URL}
}

func (v *visitor) read(res *http.Response, err error) (int, string) {
	v.Helper()
	if err != nil {
		v.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		v.Fatal(err)
	}
	return res.StatusCode, string(body)
}

func (v *visitor) get(path string) (int, string) {
	v.Helper()
	return v.read(v.client.Get(v.url + path))
}

func (v *visitor) post(query string, form url.Values) string {
	v.Helper()
	status, body := v.read(v.client.PostForm(v.url+"/wl11.asp?"+query, form))
	if status != http.StatusOK {
		v.Fatalf("status %d", status)
	}
	return body
}

var hiddenInput = regexp.MustCompile(`<input type="hidden" name="(\w+)" value="([^"]*)">`)

func hidden(page string) url.Values {
	form := url.Values{}
	for _, m := range hiddenInput.FindAllStringSubmatch(page, -1) {
		form.Set(m[1], m[2])
	}
	return form
}

// search walks the first two steps and fills the third.
func (v *visitor) search(kind string, fill url.Values) string {
	v.Helper()
	v.get("/wl11.asp")
	form := hidden(v.post("mode=1&SID=&brd=&typ=", url.Values{"SearchType": {kind}}))
	form.Set("hDivision", "ALL")
	for name, value := range fill {
		form[name] = value
	}
	return v.post("mode=2&search="+kind+"&SID=&brd=&typ=", form)
}

//nolint:misspell // the portal spells it so
func isError(page string) bool { return strings.Contains(page, "DBPR: Error Has Occured") }

func byNumber(number string) url.Values {
	return url.Values{"LicNbr": {number}, "RecsPerPage": {"10"}, "Search1": {"Search"}}
}

func byName(organisation string) url.Values {
	return url.Values{
		"LastName": {""}, "FirstName": {""}, "MiddleName": {""}, "OrgName": {organisation}, "Board": {""}, "City": {""}, "County": {""},
		"State": {""}, "RecsPerPage": {"50"},
	}
}

func TestLookupAndDetail(t *testing.T) {
	register := license.New("2026-11-21", license.Small())
	v := visit(t, florida.New(register))
	l, _ := register.Case(contracts.FL, "ampersand")
	page := v.search("LicNbr", byNumber(l.Number))
	if !strings.Contains(page, "Search Results") || strings.Count(page, ">"+l.Number+"<") != 2 {
		t.Fatalf("want a row under each name: %s", page)
	}
	link := regexp.MustCompile(`LicenseDetail\.asp\?SID=&id=([0-9A-F]{32})`).FindString(page)
	if _, detail := v.get("/" + link); !strings.Contains(detail, "Licensure Date") || !strings.Contains(detail, l.Primary.Address.Raw) {
		t.Errorf("detail %s", detail)
	}
	transfer, _ := register.Case(contracts.FL, "transfer, the new owner")
	if page := v.search("LicNbr", byNumber(transfer.Number)); strings.Count(page, ">Primary<") != 2 {
		t.Errorf("a transfer shows both owners: %s", page)
	}
	if page := v.search("LicNbr", byNumber("BEV3999999")); !strings.Contains(page, "no records found") {
		t.Errorf("none: %s", page)
	}
}

func TestWrongFieldSetsAndDeepLinks(t *testing.T) {
	v := visit(t, florida.New(license.New("2026-11-21", license.Small())))
	for name, fill := range map[string]url.Values{
		"no division":         {"LicNbr": {"BEV3910004"}, "RecsPerPage": {"10"}, "hDivision": {""}},
		"blank page size":     {"LicNbr": {"BEV3910004"}, "RecsPerPage": {""}},
		"number not sent":     {"RecsPerPage": {"10"}},
		"fields of the other": byName("KETTLE"),
	} {
		if page := v.search("LicNbr", fill); !isError(page) {
			t.Errorf("%s: %s", name, page)
		}
	}
	if _, page := v.get("/wl11.asp?mode=2&search=LicNbr&LicNbr=BEV3910004"); !strings.Contains(page, "Please Select a Search Type") {
		t.Errorf("deep link: %s", page)
	}
	stranger := visit(t, florida.New(license.New("2026-11-21", license.Small())))
	if page := stranger.post("mode=1", url.Values{"SearchType": {"Name"}}); !isError(page) {
		t.Errorf("without a cookie: %s", page)
	}
}

func TestPagesOfAName(t *testing.T) {
	v := visit(t, florida.New(license.New("2026-11-21", license.Small())))
	page, seen := v.search("Name", byName("kettle")), map[string]bool{}
	for n := 1; ; n++ {
		if n > 20 {
			t.Fatal("no end")
		}
		for _, id := range regexp.MustCompile(`id=([0-9A-F]{32})`).FindAllString(page, -1) {
			seen[id] = true
		}
		if !strings.Contains(page, "SearchForward") {
			break
		}
		form := hidden(page)
		form.Set("hPageAction", "4")
		form.Set("SearchForward", "Search")
		page = v.post("mode=3&search=&SID=&brd=&typ=", form)
	}
	if len(seen) < 100 {
		t.Errorf("%d licenses on all pages", len(seen))
	}
}

func TestExtractsNeedTheCookieOfTheLandingPage(t *testing.T) {
	register := license.New("2026-11-21", license.Small())
	now := func() time.Time { return time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC) }
	v := visit(t, florida.NewExtracts(register, now))
	if status, _ := v.get("/sto/file_download/extracts/bd4006lic.csv"); status != http.StatusForbidden {
		t.Fatalf("without the cookie: %d", status)
	}
	v.get("/")
	_, text := v.get("/sto/file_download/extracts/bd4006lic.csv")
	if !strings.Contains(text, "CAF\xc9") || strings.Contains(strings.ReplaceAll(text, "\r\n", ""), "\n") {
		t.Error("want latin-1 with CRLF")
	}
	rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil || len(rows[0]) != 29 || rows[0][20] != "License Number" {
		t.Fatalf("%v, head %q", err, rows[0])
	}
	_, text = v.get("/sto/file_download/extracts/bd400revok.csv")
	revoked, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil || revoked[0][0] != "400" {
		t.Fatalf("%v, first %q", err, revoked[0])
	}
	numbers := map[string]bool{}
	for _, row := range append(rows, revoked...) {
		numbers[row[20]] = true
	}
	for number, record := range register.Golden(contracts.FL, license.Mirror) {
		if !numbers[number] {
			t.Errorf("%s (%s) is in neither file", number, fmt.Sprint(record.Status))
		}
	}
}
