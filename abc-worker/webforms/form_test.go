package webforms

import (
	"io"
	"net/http"
	"net/url"
	"reflect"
	"testing"

	"go.uber.org/goleak"

	"assay.dev/platform/scrape"
	"assay.dev/platform/scrape/scrapetest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const page = `<html><body><form id="other"><input name="q"></form>
<form method="post" action="./?a=1&amp;b=" id="aspnetForm"><input type="hidden" name="__VIEWSTATE" value="dDw+/=="><input type="hidden" name="__EVENTTARGET">
<input type=hidden name=twice value=1><input type=hidden name=twice value=2><div><table><tr><td><input name="ctl00$name" value="before"></td></tr></table></div>
<select name="county"><option value="1">One<option value="2" selected>Two</select><select name="first"><option>Only</option><option>Other</option></select>
<select name="many" multiple><option value=1></select><textarea name="note">text</textarea><input type="checkbox" name="on" checked><input type="checkbox" name="off">
<input type="radio" name="kind" value="a"><input type="radio" name="kind" value="b" checked><input disabled name="gone" value="x">
<input type="submit" name="go" value="Search"><input type="submit" name="reset" value="Reset"><button name="b" value="v">B</button></form></body></html>`

func find(t testing.TB, body, selector string) (*Form, error) {
	t.Helper()
	p := &scrape.Page{URL: "https://site.example/inquiry/", Status: 200,
		Header: http.Header{"Content-Type": {"text/html; charset=utf-8"}}, Body: []byte(body)}
	doc, err := Document(p)
	if err != nil {
		return nil, err
	}
	return Find(p, doc, selector)
}

func TestFormIsSubmittedAsABrowserWould(t *testing.T) {
	f, err := find(t, page, "form#aspnetForm")
	if err != nil {
		t.Fatal(err)
	}
	want := url.Values{
		"__VIEWSTATE": {"dDw+/=="}, "__EVENTTARGET": {""}, "twice": {"1", "2"}, "ctl00$name": {"before"}, "county": {"2"},
		"first": {"Only"},
		"note":  {"text"}, "on": {"on"}, "kind": {"b"},
	}
	if !reflect.DeepEqual(f.Values, want) || f.Action != "https://site.example/inquiry/?a=1&b=" {
		t.Errorf("%s\n got %v\nwant %v", f.Action, f.Values, want)
	}
	for _, err := range []error{f.Fill("ctl00$name", "x"), f.Fill("off", "on"), f.Press("go")} {
		if err != nil {
			t.Error(err)
		}
	}
	if f.Values.Get("ctl00$name") != "x" || f.Values.Get("go") != "Search" || f.Values.Has("reset") {
		t.Errorf("%v", f.Values)
	}
	for _, err := range []error{f.Fill("ctl00$other", "x"), f.Fill("gone", "x"), f.Press("ctl00$name")} {
		if scrape.KindOf(err) != scrape.Changed {
			t.Errorf("what is not there was filled in: %v", err)
		}
	}
}

func TestFormsThatAreNotSent(t *testing.T) {
	for name, body := range map[string]string{
		"none":            "<p>Sign in</p>",
		"to another host": `<form id=f action="https://elsewhere.example/"></form>`,
		"in the clear":    `<form id=f action="http://site.example/"></form>`,
		"cut off":         `<html><form id=f action="/">`,
		"to a script":     `<form id=f action="javascript:go()"></form>`,
	} {
		if _, err := find(t, body, "form#f"); scrape.KindOf(err) != scrape.Changed {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestSubmit(t *testing.T) {
	in := scrapetest.Start(t, map[string]http.Handler{"site.example": http.HandlerFunc(func(w http.ResponseWriter,
		r *http.Request) {
		if r.Method == http.MethodGet {
			http.SetCookie(w, &http.Cookie{Name: "session", Value: "1", Path: "/"})
			_, _ = io.WriteString(w, page)
			return
		}
		_ = r.ParseForm()
		if c, err := r.Cookie("session"); err != nil || c.Value != "1" || r.PostForm.Get("__VIEWSTATE") != "dDw+/==" ||
			r.PostForm.Get("go") != "Search" {
			w.WriteHeader(http.StatusInternalServerError)
		}
		_, _ = io.WriteString(w, "well done")
	})})
	fetcher, err := scrape.NewFetcher(in.Config(), scrape.Deps{})
	if err != nil {
		t.Fatal(err)
	}
	defer fetcher.Close()
	session := fetcher.Session()
	p, err := session.Fetch(t.Context(), scrape.Request{URL: "https://site.example/inquiry/"})
	if err != nil {
		t.Fatal(err)
	}
	doc, _ := Document(p)
	f, err := Find(p, doc, "#aspnetForm")
	if err != nil || f.Press("go") != nil {
		t.Fatal(err)
	}
	if p, err = f.Submit(t.Context(), session); err != nil || p.Text() != "well done" {
		t.Errorf("%v, %v", p, err)
	}
}

func FuzzFind(f *testing.F) {
	f.Add(page)
	f.Fuzz(func(t *testing.T, body string) {
		form, err := find(t, body, "form")
		if err != nil {
			return
		}
		if u, err := url.Parse(form.Action); err != nil || u.Host != "site.example" || u.Scheme != "https" {
			t.Errorf("it goes to %q", form.Action)
		}
	})
}
