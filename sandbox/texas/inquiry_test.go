package texas_test

import (
	"bytes"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"
	"go.uber.org/goleak"

	"assay.dev/contracts"
	"assay.dev/sandbox/captcha"
	"assay.dev/sandbox/license"
	"assay.dev/sandbox/texas"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// visitor walks through the inquiry as a person would.
type visitor struct {
	*testing.T
	client *http.Client
	url    string
	book   *captcha.Book
}

func visit(t *testing.T, o texas.Options) (*visitor, *texas.Inquiry, *license.Register) {
	t.Helper()
	register, book := license.New("2026-11-21", license.Small()), captcha.NewBook(1)
	inquiry := texas.New(register, book, o)
	s := httptest.NewTLSServer(inquiry)
	client := s.Client()
	client.Jar, _ = cookiejar.New(nil)
	t.Cleanup(func() { client.CloseIdleConnections(); s.Close() })
	return &visitor{t, client, s.URL + "/publicinquiry/", book}, inquiry, register
}

func (v *visitor) read(res *http.Response, err error) (int, []byte) {
	v.Helper()
	if err != nil {
		v.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		v.Fatal(err)
	}
	return res.StatusCode, body
}

// form is the page's hidden inputs and the text in its image.
func (v *visitor) form() (url.Values, string) {
	v.Helper()
	_, body := v.read(v.client.Get(v.url))
	doc, err := goquery.NewDocumentFromReader(bytes.NewReader(body))
	if err != nil {
		v.Fatal(err)
	}
	form := url.Values{"ctl00$MainContent$btnSearch": {"Search"}}
	doc.Find("input[type=hidden]").Each(func(_ int, i *goquery.Selection) { form.Set(i.AttrOr("name", ""), i.AttrOr("value", "")) })
	_, picture := v.read(v.client.Get(v.url + doc.Find("#MainContent_imgCaptcha").AttrOr("src", "")))
	text, ok := v.book.Read(picture)
	if !ok {
		v.Fatal("the image is not the book's")
	}
	return form, text
}

func (v *visitor) post(form url.Values, field, value, code string) (int, string) {
	v.Helper()
	form.Set("ctl00$MainContent$"+field, value)
	form.Set("ctl00$MainContent$txtCaptcha", code)
	status, body := v.read(v.client.PostForm(v.url, form))
	return status, string(body)
}

func TestLookupWithTheRightCode(t *testing.T) {
	v, inquiry, register := visit(t, texas.Options{})
	l, _ := register.Case(contracts.TX, "suspension served")
	for _, number := range []string{l.Number, l.Forms[1], l.Forms[2]} {
		form, code := v.form()
		_, body := v.post(form, "txtLicense", number, code)
		doc, _ := goquery.NewDocumentFromReader(strings.NewReader(body))
		if doc.Find("table.inquiry-record").Length() != 1 || doc.Find("table.violations tr").Length() != 2 || !strings.Contains(body, l.Number) {
			t.Errorf("%s: page %s", number, body)
		}
	}
	if got := inquiry.Submissions(); got != (texas.Submissions{Answered: 3}) {
		t.Errorf("submissions %+v", got)
	}
}

func TestCodeIsCheckedAndGoodForOneSubmission(t *testing.T) {
	clock := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	v, inquiry, register := visit(t, texas.Options{Now: func() time.Time { return clock }})
	number := register.Of(contracts.TX)[0].Number

	form, code := v.form()
	if _, body := v.post(form, "txtLicense", number, v.book.Misread(code)); !strings.Contains(body, "does not match the image") {
		t.Errorf("wrong code: %s", body)
	}
	if status, _ := v.post(form, "txtLicense", number, code); status != http.StatusInternalServerError {
		t.Errorf("a page answered twice: status %d", status)
	}
	form, code = v.form()
	clock = clock.Add(3 * time.Minute)
	if _, body := v.post(form, "txtLicense", number, code); !strings.Contains(body, "has expired") {
		t.Errorf("old code: %s", body)
	}
	form, code = v.form()
	form.Del("__VIEWSTATEGENERATOR")
	if status, _ := v.post(form, "txtLicense", number, code); status != http.StatusInternalServerError {
		t.Errorf("a hidden input missing: status %d", status)
	}
	if got := inquiry.Submissions(); got != (texas.Submissions{WrongCode: 1, ExpiredCode: 1, Refused: 2}) {
		t.Errorf("submissions %+v", got)
	}
}

func TestSearchByStreetOrTownAndNone(t *testing.T) {
	v, _, _ := visit(t, texas.Options{})
	form, code := v.form()
	if _, body := v.post(form, "txtAddress", "lubbock", code); strings.Count(body, `class="inquiry-record"`) < 100 {
		t.Error("a town must match many")
	}
	form, code = v.form()
	if _, body := v.post(form, "txtTradeName", "no such house", code); !strings.Contains(body, "No records found") {
		t.Error("no match must be said")
	}
}
