package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"slices"
	"text/tabwriter"
	"time"

	"github.com/go-rod/rod"
	"github.com/go-rod/rod/lib/launcher"
	"github.com/go-rod/rod/lib/proto"

	"assay.dev/contracts"
)

// pages are those for people, and beside them the empty page, which says what the machine and the browser take by themselves.
// chartPage stands for the page of surcharges with all figures that can be asked for.
var pages = []string{
	emptyPage, "/", "/docs", "/docs/guide", "/docs/contract", "/status",
	"/console/surcharges", "/console/licenses", "/console/audit", "/console/proof", "/console/account", chartPage,
}

const (
	emptyPage = "(an empty page)"
	chartPage = "/console/surcharges with a chart"
)

// pageTime bounds what is done with one page.
const pageTime = 30 * time.Second

// painted is how a browser came by a page: when the page had arrived and when it was first painted, the bytes of all that it took
// as they were sent, and how long the chart took; times in ms.
type painted struct{ Arrival, Paint, Bytes, Chart float64 }

// readPainted waits for the first paint and tells of it.
const readPainted = `() => new Promise(done => {
	const tell = () => {
		const paint = performance.getEntriesByName("first-paint")[0];
		if (!paint) return requestAnimationFrame(tell);
		const taken = [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")];
		done(JSON.stringify({ Arrival: taken[0].responseEnd, Paint: paint.startTime, Bytes: taken.reduce((sum, one) => sum + one.encodedBodySize, 0),
			Chart: performance.getEntriesByName("chart")[0]?.duration ?? 0 }));
	};
	tell();
})`

// measurePages opens each page in a browser that keeps nothing, and prints what each weighs and when it is first painted.
func measurePages(ctx context.Context, o options) ([]figure, error) {
	s, err := startSubject(ctx, o.binary)
	if err != nil {
		return nil, err
	}
	defer func() { _ = s.stop() }()
	key, err := s.unlimitedKey(ctx)
	if err != nil {
		return nil, err
	}
	tab, closeBrowser, err := openTab(ctx)
	if err != nil {
		return nil, err
	}
	defer closeBrowser()
	empty := httptest.NewServer(http.HandlerFunc(serveEmpty))
	defer empty.Close()
	var all map[string][]painted
	if err := rod.Try(func() { all = visitPages(tab, s.base, empty.URL, key, o.rounds) }); err != nil {
		return nil, fmt.Errorf("the browser: %w", err)
	}
	return pageFigures(all), nil
}

// serveEmpty serves a page that has a word to paint and needs nothing else.
func serveEmpty(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path != "/" { // the browser asks for an icon
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = io.WriteString(w, `<!doctype html><html lang="en"><title>Empty</title><p>Empty`)
}

// openTab starts a Chromium with a tab that keeps no copies.
func openTab(ctx context.Context) (tab *rod.Page, closeBrowser func(), err error) {
	bin, err := exec.LookPath("chromium")
	if err != nil {
		return nil, nil, errors.New("no Chromium: `make chromium` installs it")
	}
	l := launcher.New().Context(ctx).Bin(bin).Leakless(false).NoSandbox(true).Set("disable-dev-shm-usage").Set("no-proxy-server").
		Set("disable-background-networking").Set("disable-component-update")
	at, err := l.Launch()
	if err != nil {
		return nil, nil, err
	}
	b := rod.New().Context(ctx).ControlURL(at).NoDefaultDevice()
	closeBrowser = func() {
		_ = b.Close()
		l.Kill()
		l.Cleanup()
	}
	if err := b.Connect(); err != nil {
		closeBrowser()
		return nil, nil, err
	}
	tab, err = b.Page(proto.TargetCreateTarget{})
	if err == nil {
		err = errors.Join(proto.NetworkEnable{}.Call(tab), proto.NetworkSetCacheDisabled{CacheDisabled: true}.Call(tab))
	}
	if err != nil {
		closeBrowser()
	}
	return tab, closeBrowser, err
}

// visitPages logs in and opens each page so often, after one time that is not counted. It panics as rod's Must functions do.
func visitPages(tab *rod.Page, base, empty, key string, rounds int) map[string][]painted {
	logIn := tab.Timeout(pageTime).MustNavigate(base + "/console/account")
	logIn.MustElement("#key").MustInput(key)
	leave(logIn, `document.querySelector("form button").click()`)
	all := map[string][]painted{}
	for round := range rounds + 1 {
		for _, path := range pages {
			p := visitPage(tab.Timeout(pageTime), base, empty, path)
			if round > 0 {
				all[path] = append(all[path], p)
			}
		}
	}
	return all
}

func visitPage(tab *rod.Page, base, empty, path string) (p painted) {
	switch path {
	case emptyPage:
		open(tab, empty)
	case chartPage:
		open(tab, base+"/console/surcharges")
		from := contracts.Today(time.Now()).AddDays(1 - 7*contracts.MaxHistoryWeeks)
		leave(tab, fmt.Sprintf(`document.querySelector("[name=from]").value = %q; document.querySelector(".choose button").click()`, from))
		tab.MustWait(`() => performance.getEntriesByName("chart").length > 0`)
	default:
		open(tab, base+path)
	}
	if err := json.Unmarshal([]byte(tab.MustEval(readPainted).Str()), &p); err != nil {
		panic(err)
	}
	return p
}

// open goes to an address and waits until the page has loaded.
func open(tab *rod.Page, address string) {
	wait := tab.WaitNavigation(proto.PageLifecycleEventNameLoad)
	tab.MustNavigate(address)
	wait()
}

// leave runs what leads to another page and waits for that.
func leave(tab *rod.Page, script string) {
	wait := tab.WaitNavigation(proto.PageLifecycleEventNameLoad)
	tab.MustEval("() => { " + script + " }")
	wait()
}

// pageFigures prints a table of the pages. The figures are the slowest and the heaviest page. The reference is left out of both: it
// is larger by itself and is painted by its own script.
func pageFigures(all map[string][]painted) []figure {
	values := func(of func(painted) float64, path string) (values []float64) {
		for _, p := range all[path] {
			values = append(values, of(p))
		}
		return values
	}
	arrivals := func(path string) []float64 { return values(func(p painted) float64 { return p.Arrival }, path) }
	paints := func(path string) []float64 { return values(func(p painted) float64 { return p.Paint }, path) }
	weight := func(path string) float64 {
		return median(values(func(p painted) float64 { return p.Bytes / 1024 }, path))
	}
	paint := func(path string) float64 { return median(paints(path)) }
	t := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "pages\tKB SENT\tARRIVED\tFIRST PAINT\tBEST")
	for _, path := range pages {
		fmt.Fprintf(t, "  %s\t%.1f\t%.0f ms\t%.0f ms\t%.0f ms\n", path, weight(path), median(arrivals(path)), paint(path), slices.Min(paints(path)))
	}
	_ = t.Flush()
	bounded := slices.DeleteFunc(slices.Clone(pages), func(path string) bool { return path == "/docs" })
	by := func(of func(string) float64) func(a, b string) int {
		return func(a, b string) int { return cmp.Compare(of(a), of(b)) }
	}
	quick := slices.DeleteFunc(slices.Clone(bounded), func(path string) bool { return path == chartPage })
	slowest, heaviest := slices.MaxFunc(quick, by(paint)), slices.MaxFunc(bounded, by(weight))
	return []figure{
		{name: "first paint, slowest page", value: paint(slowest), unit: "ms", target: 100, detail: slowest + ", warm gateway, nothing kept by the browser"},
		{name: "the same ÷ an empty page", value: paint(slowest) / paint(emptyPage), unit: "×",
			detail: fmt.Sprintf("the empty page, in the same rounds: %.0f ms", paint(emptyPage))},
		{name: "weight, heaviest page", value: weight(heaviest), unit: "KB", target: 150, detail: heaviest + ", as sent, without /docs"},
		{name: "chart of ten carriers", value: median(values(func(p painted) float64 { return p.Chart }, chartPage)), unit: "ms", target: 100,
			detail: fmt.Sprintf("%d weeks and diesel, from figures to the last line", contracts.MaxHistoryWeeks)},
	}
}
