package gateway_test

import (
	"compress/gzip"
	"encoding/json"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/go-rod/rod"
	"github.com/klauspost/compress/zstd"

	"assay.dev/contracts"
	"assay.dev/gateway/site"
)

const htmlAccept = "text/html,application/xhtml+xml;q=0.9,*/*;q=0.8"

// documentPages are the pages that show the same to all.
var documentPages = []string{"/", "/docs", "/docs/guide", "/docs/contract"}

// pageOf is a page as a browser asks for it. A client that sets Accept-Encoding itself gets the bytes as they are sent.
func (g *runningGateway) pageOf(path string, headers ...string) *response {
	g.t.Helper()
	r, err := g.try(http.MethodGet, "", path, append([]string{"Accept", htmlAccept}, headers...)...)
	if err != nil {
		g.t.Fatal(err)
	}
	return r
}

var (
	assetURL  = regexp.MustCompile(`(?:src|href)="(/assets/[^"]+)"`)
	importURL = regexp.MustCompile(`from "(/assets/[^"]+)"`)
)

func TestPagesInABrowser(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	g := s.gateway()
	b := openBrowser(t)
	for _, path := range documentPages {
		t.Run(path, func(t *testing.T) {
			v := g.visit(t, b, path, looks[0])
			if path == "/docs" {
				v.until(`document.querySelectorAll("#swagger-ui .opblock").length > 5`)
			}
			for _, l := range shown(journey) { // of the page as it was loaded: no script of these pages asks how they are looked at
				t.Run(l.String(), func(t *testing.T) {
					v.t = t
					v.setLook(l)
					v.check()
				})
			}
		})
	}
}

// A reader opens an operation, gives a key and tries it.
func TestTheReferenceCanBeTried(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	s.worker(contracts.Test)
	g := s.gateway()
	b := openBrowser(t)
	for _, l := range shown([]look{{width: 360, dark: true}, {width: 1440}}) {
		t.Run(l.String(), func(t *testing.T) {
			v := g.visit(t, b, "/docs", l)
			v.until(`document.querySelector("#operations-abc-getLicense button.opblock-summary-control")`)
			v.eval(`document.querySelector("#operations-abc-getLicense button.opblock-summary-control").click()`)
			v.until(`document.querySelector("#operations-abc-getLicense .try-out__btn")`)
			v.check()
			v.eval(`document.querySelector("button.authorize").click()`)
			v.until(`document.querySelector(".auth-container input")`)
			v.check()
			v.must(v.tab.MustElement(".auth-container input").Input(s.key()))
			if !l.dark { // the other one closes the dialog at once
				v.eval(`document.querySelector(".auth-container button[type=submit]").click()`)
				v.until(`document.querySelector(".auth-container h6")`)
			}
			v.eval(`document.querySelector(".modal-ux .btn-done").click()`)
			v.until(`!document.querySelector(".modal-ux")`)
			v.eval(`document.querySelector("#operations-abc-getLicense .try-out__btn").click()`)
			v.until(`document.querySelector("#operations-abc-getLicense .execute")`)
			v.must(v.tab.MustElement(`tr[data-param-name="license_number"] input`).Input("632923"))
			v.must(v.tab.MustElement(`tr[data-param-name="state"] select`).Select([]string{"CA"}, true, rod.SelectorTypeText))
			v.eval(`document.querySelector("#operations-abc-getLicense .execute").click()`)
			v.until(`document.querySelector("#operations-abc-getLicense .live-responses-table")?.innerText.includes("EXAMPLE OWNER LLC")`)
			v.check()
		})
	}
}

// Whoever does not ask for HTML by name is a machine.
func TestTheHomePageForMachines(t *testing.T) {
	t.Parallel()
	g := newSystem(t).gateway()
	for accept, want := range map[string]string{
		"": "application/json", "*/*": "application/json", "application/json": "application/json", "text/html;q=0": "application/json",
		htmlAccept: "text/html; charset=utf-8", "text/html": "text/html; charset=utf-8", "application/json, text/html;q=0.1": "text/html; charset=utf-8",
	} {
		r, err := g.try(http.MethodGet, "", "/", "Accept", accept)
		if err != nil || r.StatusCode != 200 || r.Header.Get("Content-Type") != want {
			t.Fatalf("%q: %v %v", accept, err, r.Header)
		}
		if !strings.Contains(strings.Join(r.Header.Values("Vary"), ","), "Accept") {
			t.Errorf("%q: Vary %q", accept, r.Header.Values("Vary"))
		}
		if want != "application/json" {
			continue
		}
		var index struct {
			OpenAPI   string
			Docs      string
			Endpoints []struct{ Method, Path string }
		}
		if err := json.Unmarshal(r.body, &index); err != nil || len(index.Endpoints) < 8 {
			t.Fatalf("%v %s", err, r.body)
		}
		for _, e := range index.Endpoints {
			want := []string{http.MethodGet}
			switch e.Path {
			case auditPath, matchPath, auditsPath + "/{id}/packet":
				want = []string{http.MethodPost}
			case deliveryPath, sharesPath:
				want = []string{http.MethodGet, http.MethodPost}
			case sharesPath + "/{share}":
				want = []string{http.MethodDelete}
			case portfoliosPath + "/{name}":
				want = []string{http.MethodGet, http.MethodPut, http.MethodPatch, http.MethodDelete}
			case "/v1/webhooks":
				want = []string{http.MethodGet, http.MethodPost}
			case "/v1/webhooks/{id}":
				want = []string{http.MethodGet, http.MethodPost, http.MethodDelete}
			case auditsPath + "/{id}":
				want = []string{http.MethodGet, http.MethodDelete}
			case "/v1/ltl/contracts/{name}", "/v1/abc/holds/{list}":
				want = []string{http.MethodGet, http.MethodPut, http.MethodDelete}
			}
			if !slices.Contains(want, e.Method) {
				t.Errorf("%s of %s", e.Method, e.Path)
			}
		}
		for _, path := range []string{index.OpenAPI, index.Docs} {
			if r := g.pageOf(path); r.StatusCode != 200 {
				t.Errorf("%s: %d", path, r.StatusCode)
			}
		}
	}
}

// All that pages and assets are served with.
func TestHeadersOfPagesAndAssets(t *testing.T) {
	t.Parallel()
	g := newSystem(t).gateway()
	assets := map[string]bool{}
	for _, path := range documentPages {
		r := g.pageOf(path)
		if r.StatusCode != 200 || r.Header.Get("Content-Security-Policy") != site.Policy || r.Header.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s: %d %v", path, r.StatusCode, r.Header)
		}
		for _, inline := range []string{"<style", " style=", "<script>", " onclick", "javascript:"} {
			if strings.Contains(string(r.body), inline) {
				t.Errorf("%s has %q", path, inline)
			}
		}
		for _, m := range assetURL.FindAllStringSubmatch(string(r.body), -1) {
			assets[m[1]] = true
		}
		g.checkCodings(t, path)
	}
	if len(assets) < 8 {
		t.Errorf("only %d assets were found", len(assets))
	}
	for path := range assets {
		r := g.pageOf(path)
		if r.StatusCode != 200 || r.Header.Get("Cache-Control") != "public, max-age=31536000, immutable" || r.Header.Get("X-Request-ID") == "" {
			t.Errorf("%s: %d %v", path, r.StatusCode, r.Header)
		}
		g.checkCodings(t, path)
	}
	for _, path := range []string{"/assets/", "/assets/site.css", "/assets/own/site.css", "/assets/..%2fdoc.go", "/docs/x"} {
		if r := g.get("", path); r.StatusCode != 404 || r.code() != contracts.NotFound {
			t.Errorf("%s: %d %s", path, r.StatusCode, r.body)
		}
		if r := g.pageOf(path); r.StatusCode != 404 || r.Header.Get("Content-Security-Policy") != site.Policy || r.Header.Get("Vary") != "Accept" {
			t.Errorf("%s in a browser: %d %v", path, r.StatusCode, r.Header)
		}
	}
	for path, want := range map[string]string{"/favicon.ico": "<svg", "/robots.txt": "Disallow: /v1/\n"} {
		if r := g.pageOf(path); r.StatusCode != 200 || !strings.Contains(string(r.body), want) || r.Header.Get("Cache-Control") != "public, max-age=300" {
			t.Errorf("%s: %d %v %s", path, r.StatusCode, r.Header, r.body)
		}
	}
	if r, err := g.try(http.MethodPost, "", "/docs"); err != nil || r.StatusCode != 405 {
		t.Errorf("POST: %v %d", err, r.StatusCode)
	}
}

// checkCodings compares what is sent compressed with what is sent as it is, and asks again with its tag.
func (g *runningGateway) checkCodings(t *testing.T, path string) {
	t.Helper()
	plain := g.pageOf(path, "Accept-Encoding", "identity")
	for coding, open := range map[string]func(io.Reader) (io.Reader, error){
		"gzip": func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) },
		"zstd": func(r io.Reader) (io.Reader, error) { return zstd.NewReader(r, zstd.WithDecoderConcurrency(1)) },
	} {
		r := g.pageOf(path, "Accept-Encoding", coding)
		if len(plain.body) < 1024 {
			if r.Header.Get("Content-Encoding") != "" {
				t.Errorf("%s: %d bytes are compressed", path, len(plain.body))
			}
			continue
		}
		if r.Header.Get("Content-Encoding") != coding || !strings.Contains(strings.Join(r.Header.Values("Vary"), ","), "Accept-Encoding") {
			t.Fatalf("%s in %s: %v", path, coding, r.Header)
		}
		in, err := open(strings.NewReader(string(r.body)))
		if err != nil {
			t.Fatal(err)
		}
		if body, err := io.ReadAll(in); err != nil || string(body) != string(plain.body) {
			t.Errorf("%s in %s: %v, %d bytes", path, coding, err, len(body))
		}
		if tag := r.Header.Get("Etag"); tag != "" {
			if again := g.pageOf(path, "Accept-Encoding", coding, "If-None-Match", tag); again.StatusCode != 304 || tag == plain.Header.Get("Etag") {
				t.Errorf("%s in %s: %d with its tag %s", path, coding, again.StatusCode, tag)
			}
		}
	}
}

// What a page weighs with all that it needs, compressed. The reference is larger by itself.
func TestWeightsOfPages(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	s.describeLiveSources()
	g := s.gateway(withConsole)
	cookie := g.logIn(s.key())
	for _, path := range slices.Concat(documentPages, []string{"/status", accountPage}) {
		g.checkWeight(t, path, "")
	}
	for _, path := range []string{surchargesPage, "/console/licenses", "/console/audit", contractsPage, customersPage, changesPage, webhooksPage, "/console/proof", accountPage} {
		g.checkWeight(t, path, cookie)
	}
}

// checkWeight weighs a page with its assets, and with what these import. Its licenses are links.
func (g *runningGateway) checkWeight(t *testing.T, path, cookie string) {
	t.Helper()
	page := g.pageOf(path, "Accept-Encoding", "identity", "Cookie", cookie)
	weight := len(g.pageOf(path, "Accept-Encoding", "gzip", "Cookie", cookie).body)
	var assets []string
	want := func(url string) {
		if !slices.Contains(assets, url) && !strings.Contains(url, "LICENSE") && !strings.Contains(url, "NOTICE") {
			assets = append(assets, url)
		}
	}
	for _, m := range assetURL.FindAllStringSubmatch(string(page.body), -1) {
		want(m[1])
	}
	for i := 0; i < len(assets); i++ {
		weight += len(g.pageOf(assets[i], "Accept-Encoding", "gzip").body)
		for _, m := range importURL.FindAllStringSubmatch(string(g.pageOf(assets[i], "Accept-Encoding", "identity").body), -1) {
			want(m[1])
		}
	}
	t.Logf("%s, logged in %t: %d assets, %d bytes", path, cookie != "", len(assets), weight)
	if most := 150 << 10; path != "/docs" && weight > most || weight > 700<<10 {
		t.Errorf("%s weighs %d bytes", path, weight)
	}
}

// Without a key, pages are limited as everything else is.
func TestPagesAreLimitedByAddress(t *testing.T) {
	t.Parallel()
	g := newSystem(t).gateway(few)
	for i, path := range []string{"/", "/docs", "/docs/guide", "/docs/contract"} {
		if r := g.pageOf(path); (r.StatusCode == http.StatusTooManyRequests) != (i == 3) {
			t.Errorf("request %d: %d", i+1, r.StatusCode)
		}
	}
}
