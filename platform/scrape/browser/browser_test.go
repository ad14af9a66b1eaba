package browser

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"assay.dev/platform/clock/clocktest"
	"assay.dev/platform/scrape"
	"assay.dev/platform/scrape/scrapetest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const (
	row       = `document.querySelector("td")`
	nothing   = `document.body && document.body.textContent.includes("no records")`
	tableSoon = `<html><head><link rel="stylesheet" href="/style.css"><script src="/app.js"></script></head><body><img src="/logo.png"></body></html>`
	appScript = `addEventListener("load", async () => {
		document.cookie = "seen=1; path=/";
		const rows = await (await fetch("data/rows.json", {method: "POST", body: "weeks=2"})).json();
		setTimeout(() => { document.body.innerHTML = "<table>" + rows.map(r => "<tr><td>" + r + "</td></tr>").join("") + "</table>"; }, 50);
	})`
)

// headlessShell is the Chromium of the image ltl-worker, in Debian's package of that name. chromium is the whole one.
const headlessShell, chromium = "/usr/lib/chromium/chromium-headless-shell", "chromium"

// installed skips the test where a browser that it names is not there.
func installed(t *testing.T, bin string) string {
	t.Helper()
	if _, err := exec.LookPath(bin); err != nil {
		t.Skip(err)
	}
	return bin
}

// site asks for a page with as much time as a busy machine needs.
var site = Request{URL: "https://site.example.com/", WaitFor: row, Timeout: clocktest.Patience}

func start(t testing.TB, hosts map[string]http.Handler) (*Browser, *scrapetest.Internet) {
	t.Helper()
	b := New(Config{}, nil, scrape.Deps{})
	if _, err := b.find(); err != nil {
		t.Skip(err)
	}
	temp, err := os.MkdirTemp("", "b") // short: the path of a socket in it is bounded
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("TMPDIR", temp)
	// What a killed process left; no process has this id.
	if err := os.Mkdir(filepath.Join(temp, "assay-chromium-99999999-1"), 0o700); err != nil {
		t.Fatal(err)
	}
	in := scrapetest.Start(t, hosts)
	f, err := scrape.NewFetcher(in.Config(), scrape.Deps{})
	if err != nil {
		t.Fatal(err)
	}
	b.fetcher = f
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), clocktest.Patience)
		defer cancel()
		if err := b.Close(ctx); err != nil {
			t.Error(err)
		}
		f.Close()
		if left, _ := filepath.Glob(filepath.Join(os.TempDir(), "assay-chromium-*")); len(left) > 0 {
			t.Errorf("profiles left behind: %q", left)
		}
		_ = os.Remove(temp)
	})
	return b, in
}

func serve(pages map[string]string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		page, ok := pages[r.URL.Path]
		if !ok {
			http.NotFound(w, r)
			return
		}
		_, _ = io.WriteString(w, page)
	}
}

func TestRenderShowsWhatScriptsMade(t *testing.T) {
	var mu sync.Mutex
	var seen []string
	b, _ := start(t, map[string]http.Handler{
		"www.carrier.example.com": http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			sent, _ := io.ReadAll(r.Body)
			mu.Lock()
			seen = append(seen, fmt.Sprintf("%s %s %s", r.Method, r.URL.Path, sent))
			mu.Unlock()
			cookie, _ := r.Cookie("id")
			switch {
			case r.URL.Path == "/old":
				http.SetCookie(w, &http.Cookie{Name: "id", Value: "7", Path: "/"})
				http.Redirect(w, r, "/fuel/page", http.StatusFound)
			case cookie == nil:
				http.Error(w, "no session", http.StatusForbidden)
			case r.URL.Path == "/fuel/page":
				_, _ = io.WriteString(w, tableSoon)
			case r.URL.Path == "/app.js":
				_, _ = io.WriteString(w, appScript)
			case r.URL.Path == "/fuel/data/rows.json":
				if c, err := r.Cookie("seen"); err != nil || c.Value != "1" {
					t.Error("the cookie that the script set is missing")
				}
				_, _ = io.WriteString(w, `["46.32%", "47.10%"]`)
			default:
				t.Errorf("%s was asked for", r.URL.Path)
			}
		}),
	})
	ctx, transcript := scrape.WithTranscript(t.Context())
	page, err := b.Render(ctx, Request{URL: "https://www.carrier.example.com/old", WaitFor: row, Timeout: clocktest.Patience})
	if err != nil {
		t.Fatalf("%v\n%s", err, transcript)
	}
	if text := page.Text(); !strings.Contains(text, "<td>46.32%</td>") || page.URL != "https://www.carrier.example.com/fuel/page" {
		t.Errorf("got %s\n%s", page.URL, text)
	}
	want := "GET /old |GET /fuel/page |GET /app.js |POST /fuel/data/rows.json weeks=2"
	if got := strings.Join(seen, "|"); got != want {
		t.Errorf("requests %s, want %s", got, want)
	}
}

func TestOutcomes(t *testing.T) {
	if testing.Short() {
		t.Skip("waits for seconds")
	}
	b, _ := start(t, map[string]http.Handler{
		"site.example.com": serve(map[string]string{
			"/empty":    `<body><script>setTimeout(() => { document.body.append("no records found") }, 50)</script></body>`,
			"/template": `<body><table><tr><th>{{vm.currentCharge}}</th></tr></table></body>`,
			"/worker": `<body><script>
				const inner = 'postMessage("46.32%")', run = (code) => new Worker(URL.createObjectURL(new Blob([code])));
				run("const run = " + run + "; run(" + JSON.stringify(inner) + ").onmessage = (e) => postMessage(e.data)").onmessage =
					(e) => document.write("<table><td>" + e.data + "</td></table>");
			</script></body>`,
			"/dialog":   `<body><script>alert("hello"); document.write("<table><td>46.32%</td></table>")</script></body>`,
			"/moves":    `<body><script>setTimeout(() => { location = "/there" }, 50)</script></body>`,
			"/there":    `<body><script>setTimeout(() => { document.body.innerHTML = "<table><td>46.32%</td></table>" }, 50)</script></body>`,
			"/leaves":   `<body><script>location = "https://elsewhere.example.org/"</script></body>`,
			"/file":     `<body><script>location = "file:///etc/passwd"</script></body>`,
			"/circles":  `<body><script>location = "/circles?" + Math.random()</script></body>`,
			"/spins":    `<body><script>for (;;) {}</script></body>`,
			"/robot":    `<html><head><title>Just a moment...</title></head><body>Enable JavaScript and cookies to continue</body></html>`,
			"/robot-js": `<html><body><div id="root"></div><script>document.title = "Access Denied"</script></body></html>`,
			"/greedy":   `<body><script>for (let i = 0; i < 1000; i++) fetch("/there?" + i); setTimeout(() => { document.body.innerHTML = "<table><td>46.32%</td></table>" }, 500)</script></body>`,
			"/hungry":   `<body><script>const a = []; for (;;) a.push(new Array(1e6).fill({}))</script></body>`,
		}),
		"elsewhere.example.org": http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("another site was contacted") }),
	})
	for _, tc := range []struct {
		path string
		kind scrape.Kind
		says string
	}{
		{"/empty", "", "no records"},
		{"/dialog", "", "46.32%"},
		{"/worker", "", "46.32%"},
		{"/moves", "", "46.32%"},
		{"/template", scrape.Changed, "never showed"},
		{"/leaves", scrape.Changed, "leaves its site"},
		{"/file", scrape.Changed, "the page"}, // never showed anything, or leaves its site, as Chromium is whole or not
		{"/circles", scrape.Changed, "moves on"},
		{"/spins", scrape.Unreachable, "in time"},
		{"/robot", scrape.Blocked, "robot check"},
		{"/robot-js", scrape.Blocked, "robot check"},
		{"/missing", scrape.Changed, "404"},
		{"/greedy", "", "46.32%"},
		{"/hungry", scrape.Changed, "crashed"},
	} {
		t.Run(tc.path[1:], func(t *testing.T) {
			timeout := time.Minute // ends early but on a machine with much else to do
			if strings.Contains(tc.says, "never") || strings.Contains(tc.says, "in time") || tc.path == "/robot-js" || tc.path == "/file" {
				timeout = 3 * time.Second
			}
			ctx, transcript := scrape.WithTranscript(t.Context())
			request := Request{URL: "https://site.example.com" + tc.path, WaitFor: row, Empty: nothing, Timeout: timeout}
			page, err := b.Render(ctx, request)
			for ; scrape.KindOf(err) == scrape.Unreachable && tc.kind != scrape.Unreachable && request.Timeout < clocktest.Patience; page, err = b.Render(ctx, request) {
				request.Timeout *= 4 // the page was not even loaded
			}
			got := fmt.Sprint(err)
			if err == nil {
				got = page.Text()
			}
			if scrape.KindOf(err) != tc.kind || !strings.Contains(got, tc.says) {
				t.Errorf("got %s, want %s %q\n%s", got, tc.kind, tc.says, transcript)
			}
		})
	}
}

// A page whose first row is there is not taken before the others are. It is shown for a while before they arrive.
func TestPageIsTakenWhole(t *testing.T) {
	const first = `<body><table><tr><td>46.32%</td></tr><script>setTimeout(() => fetch("/shown"), 600)</script>`
	pages := map[string]string{
		"/parsed":  first + `<script src="/late"></script><tr><td>47.10%</td></tr></table>`,
		"/fetched": first + `</table><script>fetch("/late").then(() => document.querySelector("table").insertRow().insertCell().append("47.10%"))</script>`,
	}
	for path := range pages {
		t.Run(path[1:], func(t *testing.T) {
			shown := make(chan struct{})
			b, _ := start(t, map[string]http.Handler{"site.example.com": http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				switch r.URL.Path {
				case "/shown":
					close(shown)
				case "/late":
					select {
					case <-shown:
					case <-r.Context().Done():
					}
				default:
					_, _ = io.WriteString(w, pages[r.URL.Path])
				}
			})})
			ctx, transcript := scrape.WithTranscript(t.Context())
			page, err := b.Render(ctx, Request{URL: "https://site.example.com" + path, WaitFor: row, Timeout: clocktest.Patience})
			if err != nil || !strings.Contains(page.Text(), "<td>47.10%</td>") {
				t.Errorf("%v\n%s", err, transcript)
			}
		})
	}
}

// A request that is never answered does not keep the page from being taken.
func TestPageIsTakenWithoutWhatHangs(t *testing.T) {
	b, _ := start(t, map[string]http.Handler{"site.example.com": http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/never" {
			<-r.Context().Done()
			return
		}
		_, _ = io.WriteString(w, `<body><table><tr><td>46.32%</td></tr></table><script>fetch("/never")</script>`)
	})})
	request := Request{URL: "https://site.example.com/", WaitFor: row, Timeout: 3 * time.Second}
	_, err := b.Render(t.Context(), request)
	for ; err != nil && request.Timeout < clocktest.Patience; _, err = b.Render(t.Context(), request) {
		request.Timeout *= 4 // Chromium was not even started
	}
	if err != nil {
		t.Error(err)
	}
}

func TestChromiumIsReplacedWhenItDies(t *testing.T) {
	asked, dead := make(chan struct{}), make(chan struct{})
	var once sync.Once
	b, in := start(t, map[string]http.Handler{
		"site.example.com": http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			once.Do(func() { close(asked); <-dead })
			_, _ = io.WriteString(w, "<table><td>46.32%</td></table>")
		}),
	})
	go func() {
		<-asked
		b.mu.Lock()
		defer b.mu.Unlock()
		for p := range b.processes {
			p.kill()
		}
		close(dead)
	}()
	var pages sync.WaitGroup
	for range 3 {
		pages.Go(func() {
			if _, err := b.Render(t.Context(), site); err != nil {
				t.Error(err)
			}
		})
	}
	pages.Wait()
	if n := in.Requests("site.example.com"); n < 4 {
		t.Errorf("%d requests", n)
	}
}

func TestIdleChromiumIsClosed(t *testing.T) {
	b, _ := start(t, map[string]http.Handler{"site.example.com": serve(map[string]string{"/": "<table><td>x</td></table>"})})
	b.cfg.Idle = 50 * time.Millisecond
	if _, err := b.Render(t.Context(), site); err != nil {
		t.Fatal(err)
	}
	b.mu.Lock()
	p := b.idle[0]
	b.mu.Unlock()
	select {
	case <-p.life.Done():
	case <-time.After(clocktest.Patience):
		t.Error("Chromium still runs")
	}
}

func TestCallerHangsUp(t *testing.T) {
	b, in := start(t, map[string]http.Handler{"site.example.com": serve(map[string]string{"/": "<p>never"})})
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	go func() {
		clocktest.Holds(func() bool { return in.Requests("site.example.com") > 0 })
		cancel()
	}()
	if _, err := b.Render(ctx, site); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestCloseEndsRunningPages(t *testing.T) {
	b, in := start(t, map[string]http.Handler{"site.example.com": serve(map[string]string{"/": "<p>never"})})
	rendered := make(chan error, 1)
	go func() {
		_, err := b.Render(t.Context(), site)
		rendered <- err
	}()
	clocktest.Await(t, "the page is asked for", func() bool { return in.Requests("site.example.com") > 0 })
	if err := b.Close(t.Context()); err != nil {
		t.Error(err)
	}
	if err := <-rendered; scrape.KindOf(err) != scrape.Unavailable {
		t.Errorf("got %v", err)
	}
}

func fetcher(t testing.TB) *scrape.Fetcher {
	t.Helper()
	f, err := scrape.NewFetcher(scrapetest.Start(t, nil).Config(), scrape.Deps{})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestWithoutChromium(t *testing.T) {
	b := New(Config{Bin: filepath.Join(t.TempDir(), "chromium")}, fetcher(t), scrape.Deps{})
	_, err := b.Render(t.Context(), Request{URL: "https://site.example.com/"})
	if scrape.KindOf(err) != scrape.Unavailable || !strings.Contains(err.Error(), "ASSAY_CHROMIUM") {
		t.Errorf("got %v", err)
	}
}

func TestChromiumThatDoesNotStart(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	b := New(Config{Bin: "false"}, fetcher(t), scrape.Deps{})
	if _, err := b.Render(t.Context(), Request{URL: "https://site.example.com/"}); scrape.KindOf(err) != scrape.Unavailable {
		t.Errorf("got %v", err)
	}
}

func BenchmarkRender(b *testing.B) {
	browser, _ := start(b, map[string]http.Handler{"site.example.com": serve(map[string]string{
		"/":               tableSoon,
		"/app.js":         appScript,
		"/data/rows.json": `["46.32%"]`,
	})})
	for b.Loop() {
		if _, err := browser.Render(b.Context(), site); err != nil {
			b.Fatal(err)
		}
	}
}

// A Chromium that is kept warm is there before the first page, and stays after the last.
func TestWarmBrowser(t *testing.T) {
	b, _ := start(t, map[string]http.Handler{"site.example.com": http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, `<table><tr><td>46.32%</td></tr></table>`)
	})})
	if err := b.KeepWarm(t.Context()); err != nil || len(b.idle) != 0 {
		t.Fatalf("Chromium runs although it need not be warm: %v", err)
	}
	b.cfg.Warm = true
	if err := b.KeepWarm(t.Context()); err != nil || len(b.idle) != b.cfg.Pages {
		t.Fatalf("%d of %d Chromiums run: %v", len(b.idle), b.cfg.Pages, err)
	}
	warm := slices.Clone(b.idle)
	if _, err := b.Render(t.Context(), site); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(b.idle, warm) || b.idle[len(warm)-1].rest != nil {
		t.Error("the page was not rendered by a Chromium that was warm, or that one ends")
	}
}

// No Chromium is started for a page whose host has no address.
func TestNoBrowserWithoutAWay(t *testing.T) {
	f, err := scrape.NewFetcher(scrape.Config{Egress: scrape.Egress{NoProxy: "*"}}, scrape.Deps{})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	b := New(Config{Bin: "/no/such/chromium"}, f, scrape.Deps{})
	_, err = b.Render(t.Context(), Request{URL: "https://carrier.invalid/", WaitFor: row})
	if scrape.KindOf(err) != scrape.Unreachable {
		t.Errorf("got %v", err)
	}
}
