package browser

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"assay.dev/platform/clock/clocktest"
	"assay.dev/platform/scrape"
)

// What a page loads is bounded while it arrives: here it asks for 149 × 7 MB.
func TestPageLoadsNoMoreThanItMay(t *testing.T) {
	var sent atomic.Int64
	body := bytes.Repeat([]byte("46.32% "), 1<<20)
	page := `<body><script>
		const loads = [...Array(149).keys()].map((i) => fetch("/big?" + i).then((r) => r.arrayBuffer()).then((b) => b.byteLength, () => 0));
		Promise.all(loads).then((sizes) => document.write("<table><td>" + sizes.reduce((a, b) => a + b) + "</td></table>"));
	</script></body>`
	b, _ := start(t, map[string]http.Handler{"site.example.com": http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/" {
			_, _ = io.WriteString(w, page)
			return
		}
		n, _ := io.Copy(w, bytes.NewReader(body))
		sent.Add(n)
	})})
	arrived := renderNumber(t, b, "https://site.example.com/")
	t.Logf("%d MB sent, %d MB arrived", sent.Load()>>20, arrived>>20)
	// What is sent and not read waits in the buffers of six connections and of the proxy between.
	if arrived == 0 || arrived > maxBytes || sent.Load() > 3*maxBytes {
		t.Errorf("%d bytes sent, %d arrived", sent.Load(), arrived)
	}
}

// A page fills buffers, which JavaScript's own bound leaves out, until it may have no more. More is allowed to a control.
func TestPageHasNoMoreMemoryThanItMay(t *testing.T) {
	page := `<body><script>
		const kept = [];
		try { while (kept.length < 1024) kept.push(new Uint8Array(1 << 20).fill(1)); } catch {}
		const megabytes = kept.length;
		kept.length = 0;
		document.write("<table><td>" + megabytes + "</td></table>");
	</script></body>`
	held := map[int64]int64{}
	for _, limit := range []int64{512, 768} {
		t.Run(fmt.Sprint(limit), func(t *testing.T) {
			b, _ := start(t, map[string]http.Handler{"site.example.com": serve(map[string]string{"/": page})})
			b.cfg.Memory = limit << 20
			held[limit] = renderNumber(t, b, "https://site.example.com/")
		})
	}
	t.Logf("megabytes held, by limit: %v", held)
	if held[512] == 0 || held[512] >= 512 || held[768] <= held[512] || held[768] >= 768 {
		t.Errorf("megabytes held, by limit: %v", held)
	}
}

// A page that floods Chromium with changes of its address takes nothing from another page.
func TestFloodOfHistoryHarmsNobody(t *testing.T) {
	if testing.Short() {
		t.Skip("waits for seconds")
	}
	b, _ := start(t, map[string]http.Handler{
		"flood.example.com": serve(map[string]string{"/": `<script>for (let i = 0; ; i++) history.pushState({}, "", "?" + i)</script>`}),
		"site.example.com":  serve(map[string]string{"/": tableSoon, "/app.js": appScript, "/data/rows.json": `["46.32%"]`}),
	})
	flooded := make(chan error, 1)
	go func() {
		_, err := b.Render(t.Context(), Request{URL: "https://flood.example.com/", WaitFor: row, Timeout: 6 * time.Second})
		flooded <- err
	}()
	for range 10 {
		if _, err := b.Render(t.Context(), site); err != nil {
			t.Error(err)
		}
	}
	if err := <-flooded; err == nil {
		t.Error("the flood was rendered")
	}
}

// A page that ends its Chromium, again and again, ends no other page's: that one is not even loaded anew.
func TestPageEndsNoOtherPagesChromium(t *testing.T) {
	var b *Browser
	asked, dead := make(chan struct{}), make(chan struct{})
	deadly := func(w http.ResponseWriter, _ *http.Request) {
		b.mu.Lock()
		defer b.mu.Unlock()
		for p := range b.processes {
			if p.served == 0 {
				p.kill()
			}
		}
		_, _ = io.WriteString(w, "<p>")
	}
	b, in := start(t, map[string]http.Handler{
		"deadly.example.com": http.HandlerFunc(deadly),
		"site.example.com": http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/held" {
				close(asked)
				<-dead
			}
			_, _ = io.WriteString(w, "<table><td>46.32%</td></table>")
		}),
	})
	if _, err := b.Render(t.Context(), site); err != nil {
		t.Fatal(err)
	}
	rendered := make(chan error, 1)
	go func() {
		_, err := b.Render(t.Context(), Request{URL: "https://site.example.com/held", WaitFor: row, Timeout: clocktest.Patience})
		rendered <- err
	}()
	<-asked
	_, err := b.Render(t.Context(), Request{URL: "https://deadly.example.com/", WaitFor: row, Timeout: clocktest.Patience})
	close(dead)
	if scrape.KindOf(err) != scrape.Unavailable || in.Requests("deadly.example.com") != 2 {
		t.Errorf("%v after %d requests", err, in.Requests("deadly.example.com"))
	}
	if err := <-rendered; err != nil || in.Requests("site.example.com") != 2 {
		t.Errorf("the other page: %v after %d requests", err, in.Requests("site.example.com"))
	}
}

// renderNumber renders a page that shows a number in a cell.
func renderNumber(t *testing.T, b *Browser, url string) (n int64) {
	t.Helper()
	page, err := b.Render(t.Context(), Request{URL: url, WaitFor: row, Timeout: clocktest.Patience})
	if err != nil {
		t.Fatal(err)
	}
	cell := page.Text()[strings.LastIndex(page.Text(), "<td>")+len("<td>"):]
	if _, err := fmt.Sscan(cell, &n); err != nil {
		t.Fatalf("%v in %s", err, page.Text())
	}
	return n
}
