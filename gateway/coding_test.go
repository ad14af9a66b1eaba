package gateway_test

import (
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"assay.dev/contracts"
	"assay.dev/gateway"
)

// The codings of an answer are kept with it; those of what is made of it, such as CSV, are its own.
func TestCSVIsCompressedAsItself(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	s.worker(contracts.Test).weeks.Store(26)
	g, key := s.gateway(), s.key()
	const asked = surchargePath + "?carriers=ODFL&weeks=26"
	plain := g.get(key, asked+"&format=csv", "Accept-Encoding", "identity")
	for _, path := range []string{asked, asked + "&format=csv"} {
		r, err := g.try(http.MethodGet, key, path, "Accept-Encoding", "gzip")
		if err != nil {
			t.Fatal(err)
		}
		in, err := gzip.NewReader(strings.NewReader(string(r.body)))
		if err != nil {
			t.Fatal(err, r.Header)
		}
		if body, err := io.ReadAll(in); err != nil || (string(body) == string(plain.body)) != (path != asked) {
			t.Errorf("%s: %v, %.100s", path, err, body)
		}
	}
}

// An answer of 1 KB and more is compressed for who asks for it, and the same for who does not.
func TestAnswersAreCompressed(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	s.worker(contracts.Test).weeks.Store(26)
	g, key := s.gateway(), s.key()
	large, small := surchargePath+"?carriers=ODFL&weeks=26", "/health"
	plain := g.get(key, large, "Accept-Encoding", "identity")
	if len(plain.body) < 1024 || plain.Header.Get("Content-Encoding") != "" || plain.vary() != byCaller+", Accept-Encoding" {
		t.Fatalf("%d bytes %v", len(plain.body), plain.Header)
	}
	for coding, open := range map[string]func(io.Reader) (io.Reader, error){
		"gzip": func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) },
		"zstd": func(r io.Reader) (io.Reader, error) { return zstd.NewReader(r, zstd.WithDecoderConcurrency(1)) },
	} {
		r, err := g.try(http.MethodGet, key, large, "Accept-Encoding", coding)
		if err != nil {
			t.Fatal(err)
		}
		in, err := open(strings.NewReader(string(r.body)))
		if err != nil {
			t.Fatalf("%s: %v %v", coding, err, r.Header)
		}
		if body, err := io.ReadAll(in); err != nil || string(body) != string(plain.body) || len(r.body) > len(plain.body)/2 {
			t.Errorf("%s: %v, %d bytes of %d", coding, err, len(r.body), len(plain.body))
		}
		tag := r.Header.Get("ETag")
		if r.Header.Get("Content-Encoding") != coding || r.vary() != byCaller+", Accept-Encoding" || tag == plain.Header.Get("ETag") {
			t.Errorf("%s: %v", coding, r.Header)
		}
		head, err := g.try(http.MethodHead, key, large, "Accept-Encoding", coding)
		if err != nil || head.Header.Get("Content-Length") != fmt.Sprint(len(r.body)) || head.Header.Get("ETag") != tag {
			t.Errorf("%s: HEAD %v %v", coding, err, head.Header)
		}
		for _, c := range []struct {
			coding, tag string
			status      int
		}{{coding, tag, 304}, {"identity", tag, 200}, {coding, plain.Header.Get("ETag"), 200}, {"identity", plain.Header.Get("ETag"), 304}} {
			again, err := g.try(http.MethodGet, key, large, "Accept-Encoding", c.coding, "If-None-Match", c.tag)
			if err != nil || again.StatusCode != c.status {
				t.Errorf("%s with %s: %v %d, want %d", c.coding, c.tag, err, again.StatusCode, c.status)
			}
		}
		if r, err := g.try(http.MethodGet, key, small, "Accept-Encoding", coding); err != nil || r.Header.Get("Content-Encoding") != "" || r.vary() != byCaller {
			t.Errorf("a small one in %s: %v %v", coding, err, r.Header)
		}
	}
}

func TestOtherWebSites(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	s.worker(contracts.Test).weeks.Store(26)
	key := s.key()
	const app, other = "https://app.example.com", "https://other.example.com"
	target := surchargePath + "?carriers=ODFL&weeks=26"
	for name, c := range map[string]struct {
		setting []string
		origin  string
		allowed string
		options int
	}{
		"none":             {nil, app, "", 405},
		"its origin":       {[]string{other, app}, app, app, 204},
		"another's origin": {[]string{app}, other, "", 204},
		"no origin":        {[]string{app}, "", "", 204},
		"null":             {[]string{app}, "null", "", 204},
		"all":              {[]string{"*"}, other, "*", 204},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := s.gateway(func(c2 *gateway.Config) { c2.CORSOrigins = c.setting })
			answer := g.get(key, target, "Origin", c.origin)
			refusal := g.get("", target, "Origin", c.origin)
			preflight, err := g.try(http.MethodOptions, "", target, "Origin", c.origin, "Access-Control-Request-Method", "GET",
				"Access-Control-Request-Headers", "x-api-key")
			if err != nil || preflight.StatusCode != c.options || answer.StatusCode != 200 || refusal.StatusCode != 401 {
				t.Fatalf("%v, %d, %d, %d", err, preflight.StatusCode, answer.StatusCode, refusal.StatusCode)
			}
			for kind, r := range map[string]*response{"the answer": answer, "the refusal": refusal, "the preflight": preflight} {
				if got := r.Header.Get("Access-Control-Allow-Origin"); got != c.allowed {
					t.Errorf("%s is for %q, want %q", kind, got, c.allowed)
				}
				if r.Header.Get("Access-Control-Allow-Credentials") != "" {
					t.Errorf("%s allows cookies", kind)
				}
			}
			if c.allowed == "" {
				return
			}
			if !strings.Contains(preflight.Header.Get("Access-Control-Allow-Headers"), "X-API-Key") || len(preflight.body) > 0 {
				t.Errorf("%v %s", preflight.Header, preflight.body)
			}
			if vary := answer.vary(); strings.Contains(vary, "Origin") != (c.allowed == app) || !strings.Contains(vary, "Accept-Encoding") {
				t.Errorf("Vary %q", vary)
			}
		})
	}
}

// readableAnyway are headers that pages of other origins may read without being told so, or that only browsers need.
var readableAnyway = []string{
	"Cache-Control", "Content-Length", "Content-Type", "Content-Encoding", "Date", "Access-Control-Allow-Origin",
	"Access-Control-Expose-Headers", "Content-Security-Policy", "X-Content-Type-Options",
}

// A page of another origin may send what an audit needs, and read every header of the replies that clients need.
func TestOtherWebSitesMayAuditAndReadAllHeaders(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	s.archiveWorker(contracts.Live)
	s.worker(contracts.Live).weeks.Store(26)
	g, key := s.gateway(func(c *gateway.Config) { c.CORSOrigins = []string{"*"} }), s.key(live)
	preflight, err := g.try(http.MethodOptions, "", auditPath, "Origin", "https://app.example.com", "Access-Control-Request-Method", "POST")
	if err != nil {
		t.Fatal(err)
	}
	allowed := strings.Split(preflight.Header.Get("Access-Control-Allow-Headers"), ", ")
	for _, name := range []string{"X-API-Key", "Authorization", "Content-Type", "Idempotency-Key"} {
		if !slices.Contains(allowed, name) {
			t.Errorf("%s may not be sent: %v", name, allowed)
		}
	}
	for name, r := range map[string]*response{ // without a worker of diesel
		"an audit":   g.post(key, auditPath, "text/csv", auditFile(12), "Idempotency-Key", "march"),
		"an answer":  g.get(key, surchargePath+"?carriers=ODFL"),
		"a refusal":  g.get("", surchargePath),
		"no reading": g.get(key, "/v1/ltl/diesel"),
	} {
		exposed := strings.Split(strings.ToLower(r.Header.Get("Access-Control-Expose-Headers")), ", ")
		for header := range r.Header {
			if !slices.Contains(readableAnyway, header) && !slices.Contains(exposed, strings.ToLower(header)) {
				t.Errorf("%s, %d: %s cannot be read", name, r.StatusCode, header)
			}
		}
	}
}

func TestOriginsAreChecked(t *testing.T) {
	t.Parallel()
	for _, origin := range []string{"app.example.com", "https://app.example.com/", "https://app.example.com/x", "**"} {
		if err := (gateway.Config{CORSOrigins: []string{origin}}).Validate(); err == nil || !strings.Contains(err.Error(), "ASSAY_CORS_ORIGINS") {
			t.Errorf("%s: %v", origin, err)
		}
	}
}
