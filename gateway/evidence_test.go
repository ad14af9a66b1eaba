package gateway_test

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/net/html"

	"assay.dev/contracts"
	"assay.dev/gateway/coding"
	"assay.dev/platform/clock/clocktest"
	"assay.dev/platform/evidence"
	"assay.dev/platform/scrape"
)

// keeps stores a document as a worker of an environment and a product does. The values are those of one row, by the first of them.
func (s *system) keeps(env contracts.Environment, p contracts.Product, mediaType, body string, values ...string) contracts.Evidence {
	s.t.Helper()
	k, err := evidence.Open(evidence.Deps{JetStream: s.js, Environment: env, Product: p, Parser: "v1", Wait: clocktest.Patience})
	if err != nil {
		s.t.Fatal(err)
	}
	defer func() { _ = k.Stop(context.Background()) }()
	rows := map[string][]scrape.Spot{}
	if root, err := scrape.ParseHTML([]byte(body)); err == nil && len(values) > 0 {
		for _, value := range values {
			last := scrape.Spot{Text: value}
			scrape.NumberNodes(root, func(n *html.Node, number int) {
				if n.Type == html.TextNode && strings.Contains(n.Data, value) {
					last.At = number
				}
			})
			rows[values[0]] = append(rows[values[0]], last)
		}
	}
	kept, all := k.Keep(s.t.Context(), evidence.Reading{Source: "ODFL", Path: "page", Rows: rows}, []scrape.Document{{Page: &scrape.Page{
		URL: "https://carrier.example/fuel", Status: http.StatusOK, Body: []byte(body), ReadAt: time.Now(),
		Header: http.Header{"Content-Type": {mediaType}},
	}}})
	if !all {
		s.t.Fatal("the document is not kept")
	}
	return kept[0]
}

func target(e contracts.Evidence, suffix string) string {
	return fmt.Sprintf("/v1/evidence/%s%s?at=%s", e.SHA256, suffix, e.At)
}

func TestEvidenceIsTheVeryBytes(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	g := s.gateway()
	body := "<table>\x00\xff46.32</table><script>x</script>" + strings.Repeat("\n", coding.MinSize) // large enough to be compressed
	e := s.keeps(contracts.Test, contracts.LTL, "text/html; charset=utf-8", body, "46.32")
	key := s.key(limit(60))
	r := g.get(key, target(e, ""), "Accept-Encoding", "gzip") // the digest is of what is sent
	sum := sha256.Sum256([]byte(body))
	if r.StatusCode != 200 || string(r.body) != body || e.SHA256 != hex.EncodeToString(sum[:]) {
		t.Fatalf("%d %q", r.StatusCode, r.body)
	}
	for name, want := range map[string]string{
		"Content-Digest": "sha-256=:" + base64.StdEncoding.EncodeToString(sum[:]) + ":", "Content-Security-Policy": "sandbox",
		"Content-Disposition": `attachment; filename="ODFL-` + e.SHA256[:12] + `.html"`, "Content-Type": "application/octet-stream",
		"Etag": `"` + e.SHA256 + `"`, "Cache-Control": "private, max-age=86400", "X-Content-Type-Options": "nosniff",
	} {
		if got := r.Header.Get(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	if r.left() != "59" {
		t.Errorf("%s left", r.left())
	}
	if again := g.get(key, target(e, ""), "If-None-Match", `"`+e.SHA256+`"`); again.StatusCode != http.StatusNotModified {
		t.Errorf("unchanged: %d", again.StatusCode)
	}
	if head := g.do(http.MethodHead, key, target(e, "")); head.StatusCode != 200 || head.ContentLength != int64(len(body)) {
		t.Errorf("HEAD: %d, %d bytes", head.StatusCode, head.ContentLength)
	}
	view := g.get(key, target(e, "/view"))
	if view.StatusCode != 200 || !strings.Contains(string(view.body), "<mark>46.32</mark>") || strings.Contains(string(view.body), "<script") {
		t.Errorf("%d %s", view.StatusCode, view.body)
	}
}

func TestEvidenceIsOfOneProductAndEnvironment(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	g := s.gateway()
	surcharge := s.keeps(contracts.Test, contracts.LTL, "text/html", "a page of a carrier")
	license := s.keeps(contracts.Test, contracts.ABC, "text/html", "a page of a state")
	real := s.keeps(contracts.Live, contracts.LTL, "text/html", "a page of a carrier, in truth")
	other := surcharge
	other.At = license.At
	both, ltl, inLive := s.key(), s.key(products(contracts.LTL)), s.key(live)
	for name, tt := range map[string]struct {
		key, target string
		status      int
		code        contracts.Code
	}{
		"its product":                {ltl, target(surcharge, ""), 200, ""},
		"both products":              {both, target(license, ""), 200, ""},
		"without the product":        {ltl, target(license, ""), 403, contracts.ProductNotEnabled},
		"a view without the product": {ltl, target(license, "/view"), 403, contracts.ProductNotEnabled},
		"live to test":               {both, target(real, ""), 404, contracts.NotFound},
		"test to live":               {inLive, target(license, ""), 404, contracts.NotFound},
		"live to live":               {inLive, target(real, ""), 200, ""},
		"another place":              {both, target(other, ""), 404, contracts.NotFound},
		"beyond the last":            {both, "/v1/evidence/" + surcharge.SHA256 + "?at=99", 404, contracts.NotFound},
		"a bulk file's place":        {both, "/v1/evidence/" + surcharge.SHA256 + "?at=b1", 404, contracts.NotFound},
		"without a key":              {"", target(surcharge, ""), 401, contracts.Unauthorized},
		"no hash":                    {both, "/v1/evidence/ABC?at=1", 422, ""},
		"no place":                   {both, "/v1/evidence/" + surcharge.SHA256, 422, ""},
		"a wrong place":              {both, "/v1/evidence/" + surcharge.SHA256 + "?at=x1", 422, ""},
		"nothing at all":             {both, "/v1/evidence/", 404, contracts.NotFound},
		"further down":               {both, target(surcharge, "/view/x"), 404, contracts.NotFound},
	} {
		if r := g.get(tt.key, tt.target); r.StatusCode != tt.status || r.code() != tt.code {
			t.Errorf("%s: %d %s", name, r.StatusCode, r.body)
		}
	}
	stream, err := s.js.Stream(t.Context(), contracts.EvidenceStream(contracts.Test).Name)
	if err != nil {
		t.Fatal(err)
	}
	if err := stream.Purge(t.Context()); err != nil {
		t.Fatal(err)
	}
	if r := g.get(both, target(surcharge, "")); r.StatusCode != http.StatusGone || r.code() != contracts.Gone {
		t.Errorf("dropped: %d %s", r.StatusCode, r.body)
	}
	if err := s.js.DeleteStream(t.Context(), contracts.EvidenceStream(contracts.Test).Name); err != nil {
		t.Fatal(err)
	}
	if r := g.get(both, target(surcharge, "")); r.StatusCode != 503 || r.Header.Get("Retry-After") == "" {
		t.Errorf("without a store: %d %s", r.StatusCode, r.body)
	}
}

// hostilePage tries to run scripts and to load things in every way that a page can.
const hostilePage = `<!doctype html><title>fuel</title><p>LTL 46.32 %</p>
<script>document.title='ran'; new Image().src='/ran/script'</script><img src=/ran/img onerror="new Image().src='/ran/onerror'">
<svg onload="new Image().src='/ran/svg'"></svg><iframe src=/ran/frame></iframe><link rel=stylesheet href=/ran/style>
<meta http-equiv=refresh content="0;url=/ran/refresh"><body onload="new Image().src='/ran/onload'">
</pre><script>new Image().src='/ran/closed'</script><object data=/ran/object></object><base href=/ran/>`

// browse has a Chromium open a page through a proxy that adds the key, and gives what the browser shows and what it asked
// for beside the page. Raw serves the document itself as an ordinary page: what a browser does without the view.
func browse(t *testing.T, g *runningGateway, key, target, raw string) (dom string, asked []string) {
	t.Helper()
	var mu sync.Mutex
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/page" {
			mu.Lock()
			defer mu.Unlock()
			asked = append(asked, r.URL.Path)
			return
		}
		if raw != "" {
			w.Header().Set("Content-Type", "text/html")
			_, _ = w.Write([]byte(raw))
			return
		}
		reply, err := g.try(http.MethodGet, key, target)
		if err != nil {
			t.Error(err)
			return
		}
		for name, values := range reply.Header {
			w.Header()[name] = values
		}
		_, _ = w.Write(reply.body)
	}))
	defer server.Close()
	ctx, cancel := context.WithTimeout(t.Context(), clocktest.Patience)
	defer cancel()
	out, err := exec.CommandContext(ctx, chromium(t), "--headless", "--no-sandbox", "--disable-gpu", "--user-data-dir="+t.TempDir(),
		"--virtual-time-budget=3000", "--dump-dom", server.URL+"/page").Output()
	if err != nil {
		t.Fatalf("chromium: %v", err)
	}
	mu.Lock()
	defer mu.Unlock()
	return string(out), asked
}

// A page with scripts is inert in the view: nothing of it runs, and nothing is loaded.
func TestTheViewIsInertInABrowser(t *testing.T) {
	chromium(t)
	t.Parallel()
	s := newSystem(t)
	g := s.gateway()
	e := s.keeps(contracts.Test, contracts.LTL, "text/html", hostilePage, "46.32")
	if _, asked := browse(t, g, "", "", hostilePage); len(asked) < 3 {
		t.Fatalf("by itself the page only asks for %v: this test cannot fail", asked)
	}
	dom, asked := browse(t, g, s.key(), target(e, "/view"), "")
	for _, path := range asked {
		if path != "/favicon.ico" {
			t.Errorf("the view makes the browser ask for %s", path)
		}
	}
	if !strings.Contains(dom, "<mark>46.32</mark>") || strings.Contains(dom, "<script") || strings.Contains(dom, "<title>ran") {
		t.Errorf("the browser shows %s", dom)
	}
}
