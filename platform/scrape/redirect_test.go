package scrape_test

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"assay.dev/platform/scrape"
	"assay.dev/platform/scrape/scrapetest"
)

func TestRedirects(t *testing.T) {
	tripwire := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { t.Errorf("%s was contacted", r.Host) })
	in := scrapetest.Start(t, map[string]http.Handler{
		"www.carrier.co.uk": http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			hop := map[string]string{
				"/1": "/2", "/2": "/3", "/3": "/end", "/0": "/1", "/loop": "/loop", "/none": "",
				"/cousin": "https://tools.carrier.co.uk/end", "/plain": "http://www.carrier.co.uk/end",
				"/other": "https://other.co.uk/end", "/file": "file:///etc/passwd", "/script": "javascript:alert(1)",
				"/loopback": "http://127.0.0.1/end", "/metadata": "http://169.254.169.254/latest/meta-data",
				"/local": "http://localhost/", "/decimal": "http://2130706433/", "/user": "https://a:b@www.carrier.co.uk/end",
			}
			if to, ok := hop[r.URL.Path]; ok {
				w.Header()["Location"] = []string{to}
				w.WriteHeader(http.StatusFound)
				return
			}
			scheme := "http"
			if r.TLS != nil {
				scheme = "https"
			}
			_, _ = io.WriteString(w, r.Method+" "+scheme)
		}),
		"tools.carrier.co.uk": http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.WriteString(w, "cousin "+r.Header.Get("X-App-Token"))
		}),
		"other.co.uk": tripwire, "127.0.0.1": tripwire, "169.254.169.254": tripwire, "localhost": tripwire, "2130706433": tripwire,
	})
	f := newFetcher(t, in.Config())
	for _, tc := range []struct {
		path string
		want string // body, or kind of failure
	}{
		{"/end", "POST https"},
		{"/1", "GET https"},
		{"/0", "changed"},
		{"/loop", "changed"},
		{"/none", "changed"},
		{"/cousin", "cousin "},
		{"/plain", "GET https"},
		{"/other", "changed"},
		{"/file", "changed"},
		{"/script", "changed"},
		{"/loopback", "changed"},
		{"/metadata", "changed"},
		{"/local", "changed"},
		{"/decimal", "changed"},
		{"/user", "refused"},
	} {
		t.Run(strings.Trim(tc.path, "/"), func(t *testing.T) {
			page, err := f.Fetch(t.Context(), scrape.Request{
				URL: "https://www.carrier.co.uk" + tc.path, Body: []byte("x"), Header: http.Header{"X-App-Token": {"secret"}},
			})
			got := string(scrape.KindOf(err))
			if err == nil {
				got = string(page.Body)
			}
			if got != tc.want {
				t.Errorf("got %q, %v; want %q", got, err, tc.want)
			}
		})
	}
}

func TestExchangeDoesNotFollow(t *testing.T) {
	in := scrapetest.Start(t, map[string]http.Handler{"site.example.com": http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/old" {
			http.Redirect(w, r, "/new", http.StatusMovedPermanently)
			return
		}
		http.NotFound(w, r)
	})})
	session := newFetcher(t, in.Config()).Session()
	page, err := session.Exchange(t.Context(), scrape.Request{URL: "https://site.example.com/old"})
	if err != nil || page.Status != http.StatusMovedPermanently {
		t.Errorf("redirect: %v, %v", page, err)
	}
	_, err = session.Exchange(t.Context(), scrape.Request{URL: "https://site.example.com/new"})
	var f *scrape.Failure
	if !errors.As(err, &f) || f.Page == nil || f.Page.Status != http.StatusNotFound {
		t.Errorf("not found: %v", err)
	}
}
