package scrape_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"assay.dev/platform/clock"
	"assay.dev/platform/clock/clocktest"
	"assay.dev/platform/scrape"
	"assay.dev/platform/scrape/scrapetest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func newFetcher(t *testing.T, cfg scrape.Config) *scrape.Fetcher {
	t.Helper()
	f, err := scrape.NewFetcher(cfg, scrape.Deps{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(f.Close)
	return f
}

func serve(body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, body) }
}

func TestFetch(t *testing.T) {
	in := scrapetest.Start(t, map[string]http.Handler{
		"carrier.example.com": http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/html; charset=iso-8859-1")
			_, _ = fmt.Fprintf(w, "<p>caf\xe9 %s %s %s</p>", r.Method, r.FormValue("q"), r.Header.Get("Accept-Encoding"))
		}),
	})
	f := newFetcher(t, in.Config())
	for _, scheme := range []string{"http", "https"} {
		page, err := f.Fetch(t.Context(), scrape.Request{URL: scheme + "://carrier.example.com/page", Form: map[string][]string{"q": {"a&b"}}})
		if err != nil {
			t.Fatal(err)
		}
		if got, want := page.Text(), "<p>café POST a&b gzip</p>"; got != want || page.Status != 200 {
			t.Errorf("%s: %d %q, want %q", scheme, page.Status, got, want)
		}
	}
}

const challengePage = `<!DOCTYPE html><html><head><title>Just a moment...</title></head><body>Enable JavaScript and cookies to continue</body></html>`

func TestFaults(t *testing.T) {
	in := scrapetest.Start(t, map[string]http.Handler{"site.example.com": http.HandlerFunc(faulty)})
	for _, tc := range []struct {
		path string
		kind scrape.Kind
		says string
	}{
		{"/403", scrape.Blocked, "403"},
		{"/404", scrape.Changed, "404"},
		{"/429", scrape.Throttled, "429"},
		{"/500", scrape.Unreachable, "500"},
		{"/503", scrape.Throttled, "503"},
		{"/challenge", scrape.Blocked, "just a moment"},
		{"/empty", scrape.Changed, "nothing in it"},
		{"/hang", scrape.Unreachable, "in time"},
		{"/stall", scrape.Unreachable, "silent"},
		{"/drip", scrape.Unreachable, "in time"},
		{"/drip-header", scrape.Unreachable, "in time"},
		{"/reset", scrape.Unreachable, "EOF"},
		{"/huge", scrape.Changed, "larger than"},
		{"/huge-announced", scrape.Changed, "larger than"},
		{"/bomb", scrape.Changed, "grows more than"},
		{"/wide-bomb", scrape.Changed, "larger than"},
		{"/brotli", scrape.Changed, "not asked for"},
		{"/not-gzip", scrape.Changed, "not gzip"},
		{"/huge-header", scrape.Unreachable, ""},
	} {
		t.Run(tc.path[1:], func(t *testing.T) {
			t.Parallel()
			cfg := in.Config()
			cfg.FetchTimeout, cfg.StallTimeout = clocktest.Patience, clocktest.Patience
			switch {
			case tc.says == "in time":
				cfg.FetchTimeout = 1500 * time.Millisecond
			case tc.says == "silent":
				cfg.StallTimeout = 300 * time.Millisecond
			case strings.Contains(tc.path, "bomb"), strings.Contains(tc.path, "huge"):
				cfg.MaxBody = 2 << 20
			}
			f := newFetcher(t, cfg)
			page, err := f.Fetch(t.Context(), scrape.Request{URL: "https://site.example.com" + tc.path})
			if scrape.KindOf(err) != tc.kind || !strings.Contains(fmt.Sprint(err), tc.says) {
				t.Fatalf("got %v, %v; want kind %s saying %q", page, err, tc.kind, tc.says)
			}
		})
	}
}

func faulty(w http.ResponseWriter, r *http.Request) {
	switch r.URL.Path {
	case "/403", "/404", "/429", "/500", "/503":
		var status int
		_, _ = fmt.Sscanf(r.URL.Path, "/%d", &status)
		w.Header().Set("Retry-After", "7")
		http.Error(w, "no", status)
	case "/challenge":
		_, _ = io.WriteString(w, challengePage)
	case "/hang":
		<-r.Context().Done()
	case "/stall":
		flush(w, "<p>half")
		<-r.Context().Done()
	case "/drip":
		drip(r.Context(), w, "x")
	case "/drip-header":
		conn, _, err := w.(http.Hijacker).Hijack()
		if err != nil {
			return
		}
		defer conn.Close()
		for _, err := io.WriteString(conn, "HTTP/1.1 200 OK\r\nX-A: "); err == nil; _, err = io.WriteString(conn, "x") {
			pause(r.Context())
		}
	case "/reset":
		w.Header().Set("Content-Length", "1000")
		flush(w, "<p>half")
		scrapetest.Reset(w)
	case "/huge":
		for err := error(nil); err == nil; {
			_, err = w.Write(bytes.Repeat([]byte("abcdefgh"), 8<<10))
		}
	case "/huge-announced":
		w.Header().Set("Content-Length", "1073741824")
		flush(w, "x")
	case "/bomb":
		inflate(w, bytes.Repeat([]byte{0}, 1<<20))
	case "/wide-bomb":
		// Hexadecimal noise only halves: stopped by its size.
		noise := make([]byte, 1<<19)
		_, _ = rand.NewChaCha8([32]byte{}).Read(noise)
		inflate(w, []byte(hex.EncodeToString(noise)))
	case "/brotli":
		w.Header().Set("Content-Encoding", "br")
		_, _ = io.WriteString(w, "whatever")
	case "/not-gzip":
		w.Header().Set("Content-Encoding", "gzip")
		_, _ = io.WriteString(w, "this is not compressed at all")
	case "/huge-header":
		w.Header().Set("X-Large", strings.Repeat("x", 2<<20))
	}
}

func flush(w http.ResponseWriter, text string) {
	_, _ = io.WriteString(w, text)
	_ = http.NewResponseController(w).Flush()
}

func drip(ctx context.Context, w http.ResponseWriter, text string) {
	for ctx.Err() == nil {
		flush(w, text)
		pause(ctx)
	}
}

// pause makes a site slow that sends byte by byte.
func pause(ctx context.Context) { _ = clock.Sleep(ctx, 20*time.Millisecond) }

// inflate sends a gigabyte of block, compressed.
func inflate(w http.ResponseWriter, block []byte) {
	w.Header().Set("Content-Encoding", "gzip")
	gz, _ := gzip.NewWriterLevel(w, gzip.BestSpeed)
	for i := 0; i < 1024; i++ {
		if _, err := gz.Write(block); err != nil {
			return
		}
	}
	_ = gz.Close()
}

func TestRetryAfterIsKept(t *testing.T) {
	in := scrapetest.Start(t, map[string]http.Handler{"site.example.com": http.HandlerFunc(faulty)})
	_, err := newFetcher(t, in.Config()).Fetch(t.Context(), scrape.Request{URL: "https://site.example.com/429"})
	var f *scrape.Failure
	if !errors.As(err, &f) || f.RetryAfter != 7*time.Second || f.Page == nil || f.Page.Status != 429 {
		t.Fatalf("got %#v", err)
	}
}

func TestUnreachable(t *testing.T) {
	in := scrapetest.Start(t, nil)
	cfg := in.Config()
	_, err := newFetcher(t, cfg).Fetch(t.Context(), scrape.Request{URL: "https://gone.example.com/"})
	if scrape.KindOf(err) != scrape.Unreachable {
		t.Errorf("host the proxy cannot reach: %v", err)
	}
	cfg.CAFile = scrapetest.Start(t, nil).CAFile
	stranger := scrapetest.Start(t, map[string]http.Handler{"site.example.com": serve("hello")})
	cfg.HTTPSProxy = stranger.ProxyURL
	_, err = newFetcher(t, cfg).Fetch(t.Context(), scrape.Request{URL: "https://site.example.com/"})
	if scrape.KindOf(err) != scrape.Unreachable || !strings.Contains(err.Error(), "certificate") {
		t.Errorf("certificate of an unknown authority: %v", err)
	}
}

func TestCallerHangsUp(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	in := scrapetest.Start(t, map[string]http.Handler{"site.example.com": http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		cancel()
		faulty(w, r)
	})})
	_, err := newFetcher(t, in.Config()).Fetch(ctx, scrape.Request{URL: "https://site.example.com/hang"})
	if !errors.Is(err, context.Canceled) || scrape.KindOf(err) != "" {
		t.Fatalf("got %v, want context.Canceled", err)
	}
}

func TestErrorsHoldNoQuery(t *testing.T) {
	in := scrapetest.Start(t, map[string]http.Handler{"site.example.com": http.HandlerFunc(faulty)})
	f := newFetcher(t, in.Config())
	for _, path := range []string{"/403", "/reset", "/bomb"} {
		ctx, transcript := scrape.WithTranscript(t.Context())
		_, err := f.Fetch(ctx, scrape.Request{URL: "https://site.example.com" + path + "?api_key=canary&page=2"})
		if strings.Contains(err.Error()+transcript.String(), "canary") || !strings.Contains(transcript.String(), "page=2") {
			t.Errorf("%v\n%s", err, transcript)
		}
	}
}

func TestConditional(t *testing.T) {
	in := scrapetest.Start(t, map[string]http.Handler{"site.example.com": http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("If-None-Match") == `"1"` {
			w.WriteHeader(http.StatusNotModified)
		}
	})})
	page, err := newFetcher(t, in.Config()).Fetch(t.Context(), scrape.Request{
		URL: "https://site.example.com/file.zip", Header: http.Header{"If-None-Match": {`"1"`}},
	})
	if err != nil || page.Status != http.StatusNotModified {
		t.Fatalf("got %v, %v", page, err)
	}
}

func TestSessionKeepsCookies(t *testing.T) {
	in := scrapetest.Start(t, map[string]http.Handler{"site.example.com": http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/home" {
			http.SetCookie(w, &http.Cookie{Name: "id", Value: "7"})
			_, _ = io.WriteString(w, "welcome")
			return
		}
		if c, err := r.Cookie("id"); err != nil || c.Value != "7" {
			http.Error(w, "no session", http.StatusInternalServerError)
			return
		}
		_, _ = io.WriteString(w, "the table")
	})})
	f := newFetcher(t, in.Config())
	session := f.Session()
	for _, path := range []string{"/home", "/table"} {
		if _, err := session.Fetch(t.Context(), scrape.Request{URL: "https://site.example.com" + path}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := f.Session().Fetch(t.Context(), scrape.Request{URL: "https://site.example.com/table"}); scrape.KindOf(err) != scrape.Unreachable {
		t.Errorf("another session: %v", err)
	}
}

// BenchmarkFetch is the price of guards, bounds and robot checks over a bare client through the same proxy.
func BenchmarkFetch(b *testing.B) {
	row := "<tr><td>2026-09-09</td><td>5.599</td><td>46.32%</td><td>92.64%</td></tr>\n"
	in := scrapetest.Start(b, map[string]http.Handler{"site.example.com": serve("<html><body><table>" + strings.Repeat(row, 500) + "</table></body></html>")})
	const url = "https://site.example.com/fuel"
	b.Run("fetcher", func(b *testing.B) {
		f, err := scrape.NewFetcher(in.Config(), scrape.Deps{})
		if err != nil {
			b.Fatal(err)
		}
		defer f.Close()
		for b.Loop() {
			if _, err := f.Fetch(b.Context(), scrape.Request{URL: url}); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("bare", func(b *testing.B) {
		transport, err := in.Config().Transport()
		if err != nil {
			b.Fatal(err)
		}
		defer transport.CloseIdleConnections()
		client := &http.Client{Transport: transport}
		for b.Loop() {
			resp, err := client.Get(url)
			if err != nil {
				b.Fatal(err)
			}
			_, _ = io.Copy(io.Discard, resp.Body)
			_ = resp.Body.Close()
		}
	})
}

func TestRequestsShareABudget(t *testing.T) {
	in := scrapetest.Start(t, map[string]http.Handler{"site.example.com": http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, strings.Repeat("46.32% ", 1000))
	})})
	f := newFetcher(t, in.Config())
	var budget atomic.Int64
	budget.Store(10_000)
	r := scrape.Request{URL: "https://site.example.com/", Budget: &budget}
	if _, err := f.Fetch(t.Context(), r); err != nil || budget.Load() != 3000 {
		t.Errorf("%v, %d bytes left", err, budget.Load())
	}
	if _, err := f.Fetch(t.Context(), r); scrape.KindOf(err) != scrape.Changed || !strings.Contains(err.Error(), "larger than they may be") {
		t.Errorf("got %v", err)
	}
}
