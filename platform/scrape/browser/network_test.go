package browser

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"assay.dev/platform/clock/clocktest"
	"assay.dev/platform/scrape"
)

// escapes are ways in which a page can try to reach ADDR, each with the network on which a Chromium does that is not
// confined; none where our answering of requests is enough.
var escapes = []struct{ name, network, html, script string }{
	{name: "image", html: `<img src="http://ADDR/">`},
	{name: "frame", html: `<iframe src="http://ADDR/"></iframe>`},
	{name: "frame of a file", html: `<iframe src="file:///etc/passwd"></iframe>`},
	{name: "object", html: `<object data="http://ADDR/"></object>`},
	{name: "preload", html: `<link rel="preload" as="script" href="http://ADDR/">`},
	{name: "prefetch", html: `<link rel="prefetch" href="http://ADDR/">`},
	{name: "preconnect", html: `<link rel="preconnect" href="http://ADDR">`},
	{name: "DNS prefetch", html: `<link rel="dns-prefetch" href="//ADDR">`},
	{name: "speculation rules", html: `<script type="speculationrules">
		{"prefetch": [{"urls": ["http://ADDR/1"], "eagerness": "immediate"}], "prerender": [{"urls": ["http://ADDR/2"], "eagerness": "immediate"}]}
	</script>`},
	{name: "fetch", script: `fetch("http://ADDR/")`},
	{name: "fetch that outlives", script: `fetch("http://ADDR/", {keepalive: true, method: "POST", body: "x"})`},
	{name: "fetch later", script: `fetchLater("http://ADDR/", {activateAfter: 0})`},
	{name: "fetch of a file", script: `fetch("file:///etc/passwd")`},
	{name: "beacon", script: `navigator.sendBeacon("http://ADDR/", "x")`},
	{name: "ping", script: `make("a", {href: "#x", ping: "http://ADDR/"}).click()`},
	{name: "module", script: `import("http://ADDR/m.js")`},
	{name: "EventSource", script: `new EventSource("http://ADDR/")`},
	{name: "popup", network: "tcp", script: `open("http://ADDR/")`},
	{name: "popup of a link", network: "tcp", script: `make("a", {href: "http://ADDR/", target: "_blank"}).click()`},
	{name: "popup of a form", network: "tcp", script: `make("form", {action: "http://ADDR/", target: "_blank"}).submit()`},
	{name: "WebRTC in a popup", network: "udp", script: `peer(open("about:blank"), "stun:ADDR")`},
	{name: "WebSocket", network: "tcp", script: `new WebSocket("ws://ADDR/")`},
	{name: "WebSocket in a sandboxed frame", network: "tcp", script: `make("iframe", {sandbox: "allow-scripts", srcdoc: code('new WebSocket("ws://ADDR/")')})`},
	{name: "WebSocketStream", network: "tcp", script: `new WebSocketStream("ws://ADDR/")`},
	{name: "WebTransport", network: "udp", script: `new WebTransport("https://ADDR/")`},
	{name: "worker", script: `new Worker("http://ADDR/w.js")`},
	{name: "fetch in a worker", script: `work('fetch("http://ADDR/")')`},
	{name: "WebSocket in a worker", network: "tcp", script: `work('new WebSocket("ws://ADDR/")')`},
	{name: "WebSocket in a worker's worker", network: "tcp", script: `work(work + ';work(\'new WebSocket("ws://ADDR/")\')')`},
	{name: "WebTransport in a worker", network: "udp", script: `work('new WebTransport("https://ADDR/")')`},
	{name: "WebTransport in a worker's worker", network: "udp", script: `work(work + ';work(\'new WebTransport("https://ADDR/")\')')`},
	{name: "WebTransport in a shared worker", network: "udp", script: `new SharedWorker(blob('new WebTransport("https://ADDR/")'))`},
	{name: "shared worker", network: "tcp", script: `new SharedWorker(blob('new WebSocket("ws://ADDR/")'))`},
	{name: "service worker", script: `navigator.serviceWorker.register("/service.js?ADDR")`},
	{name: "STUN", network: "udp", script: `peer(window, "stun:ADDR")`},
	{name: "TURN over TCP", network: "tcp", script: `peer(window, "turn:ADDR?transport=tcp")`},
	{name: "TURN over TLS", network: "tcp", script: `peer(window, "turns:ADDR?transport=tcp")`},
	{name: "peer at an address", network: "udp", script: `meet("ADDR")`},
	{name: "STUN in a frame", network: "udp", script: `peer(make("iframe", {}).contentWindow, "stun:ADDR")`},
	{name: "STUN in a frame of text", network: "udp", script: `make("iframe", {srcdoc: code('peer(window, "stun:ADDR")')})`},
	{name: "STUN in a sandboxed frame", network: "udp", script: `make("iframe", {sandbox: "allow-scripts", srcdoc: code('peer(window, "stun:ADDR")')})`},
	{name: "STUN in a frame of data", network: "udp", script: `make("iframe", {src: "data:text/html," + encodeURIComponent(code('peer(window, "stun:ADDR")'))})`},
	{name: "STUN in a frame of another site", network: "udp", script: `make("iframe", {src: "https://other.example.org/?ADDR"})`},
}

//go:embed testdata/escape.js
var escapeScript string

// Whatever a page tries, nothing reaches a socket but through the Fetcher, and that guards.
func TestPageHasNoNetwork(t *testing.T) {
	if testing.Short() {
		t.Skip("waits for seconds")
	}
	for _, tc := range []struct {
		name string
		confinement
		switches bool
		refused  []string // networks on which nothing may arrive
		bin      string
	}{
		{"as it is", confined, true, []string{"tcp", "udp"}, chromium},
		{"by switches alone", confinement{}, true, []string{"tcp", "udp"}, chromium},
		{"datagrams by script alone", confined, false, []string{"udp"}, chromium},
		{"not confined", confinement{}, false, nil, chromium},
		{"the headless shell as it is", confined, true, []string{"tcp", "udp"}, headlessShell},
		{"the headless shell by switches alone", confinement{}, true, []string{"tcp", "udp"}, headlessShell},
	} {
		t.Run(tc.name, func(t *testing.T) {
			arrived := tryEscapes(t, tc.confinement, tc.switches, tc.refused == nil, installed(t, tc.bin))
			t.Logf("%d datagrams, %d connections", arrived.total("udp"), arrived.total("tcp"))
			if tc.refused == nil {
				for _, name := range arrived.missing() {
					t.Errorf("%s did not even try: this test proves nothing about it", name)
				}
			}
			for _, e := range escapes {
				for _, network := range []string{"tcp", "udp"} {
					n := arrived[e.name].count(network).Load()
					if n > 0 && slices.Contains(tc.refused, network) {
						t.Errorf("%s reached loopback over %s %d times", e.name, network, n)
					}
				}
			}
		})
	}
}

// tryEscapes renders a page that tries them all, and tells what arrived. Where all are awaited, the page is shown until they came.
func tryEscapes(t *testing.T, c confinement, withSwitches, allAwaited bool, bin string) arrivals {
	t.Helper()
	arrived := arrivals{}
	page := fmt.Sprintf("<html><head></head><body><script>window.stays = %t; %s</script>", allAwaited, escapeScript)
	for _, e := range escapes {
		arrived[e.name] = listen(t)
		try := e.html + "<script>attempt(async () => {" + e.script + "})</script>\n"
		page += strings.ReplaceAll(try, "ADDR", arrived[e.name].tcp.Addr().String())
	}
	b, _ := start(t, map[string]http.Handler{
		"site.example.com": serve(map[string]string{"/": page}),
		"other.example.org": http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			_, _ = fmt.Fprintf(w, `<script>%s; peer(window, "stun:%s")</script>`, escapeScript, r.URL.RawQuery)
		}),
	})
	b.confinement, b.cfg.Bin = c, bin
	if !withSwitches {
		b.cfg.Bin = unconfined(t, b)
	}
	ctx, transcript := scrape.WithTranscript(t.Context())
	ctx, leave := context.WithCancel(ctx)
	defer leave()
	if allAwaited {
		go func() {
			clocktest.Holds(func() bool { return ctx.Err() != nil || len(arrived.missing()) == 0 })
			leave()
		}()
	}
	shown, err := b.Render(ctx, Request{URL: "https://site.example.com/", WaitFor: `window.finished`, Timeout: 2 * clocktest.Patience})
	if allAwaited && errors.Is(err, context.Canceled) {
		return arrived
	}
	if err != nil {
		t.Fatalf("%v\n%s", err, transcript)
	}
	if strings.Contains(shown.Text(), "root:") {
		t.Error("the page read a file")
	}
	return arrived
}

// unconfined is a Chromium that is started without the switches noNetwork, and opens popups.
func unconfined(t *testing.T, b *Browser) string {
	t.Helper()
	var patterns []string
	for _, s := range noNetwork {
		name, _, _ := strings.Cut(s, "=")
		patterns = append(patterns, name+"=*")
	}
	script := "#!/bin/sh\nfor arg; do shift; case $arg in " + strings.Join(patterns, "|") + ") ;; *) set -- \"$@\" \"$arg\" ;; esac; done\n" +
		"exec '" + b.cfg.Bin + "' \"$@\" --disable-popup-blocking\n"
	path := filepath.Join(t.TempDir(), "chromium")
	if err := os.WriteFile(path, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	return path
}

// arrivals are what came to the address of each escape.
type arrivals map[string]*ear

// missing are the escapes that a Chromium makes which is not confined, and that did not arrive.
func (a arrivals) missing() (names []string) {
	for _, e := range escapes {
		if e.network != "" && a[e.name].count(e.network).Load() == 0 {
			names = append(names, e.name)
		}
	}
	return names
}

func (a arrivals) total(network string) (n int64) {
	for _, e := range a {
		n += e.count(network).Load()
	}
	return n
}

// ear listens on one port of loopback, over TCP and UDP.
type ear struct {
	tcp                    net.Listener
	udp                    net.PacketConn
	connections, datagrams atomic.Int64
}

func (e *ear) count(network string) *atomic.Int64 {
	if network == "tcp" {
		return &e.connections
	}
	return &e.datagrams
}

func listen(t *testing.T) *ear {
	t.Helper()
	for range 100 { // until a port is free on both
		tcp, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		udp, err := net.ListenPacket("udp", tcp.Addr().String())
		if err != nil {
			_ = tcp.Close()
			continue
		}
		e := &ear{tcp: tcp, udp: udp}
		t.Cleanup(func() { _, _ = tcp.Close(), udp.Close() })
		go e.accept()
		go e.receive()
		return e
	}
	t.Fatal("no port is free on both TCP and UDP")
	return nil
}

func (e *ear) accept() {
	for {
		conn, err := e.tcp.Accept()
		if err != nil {
			return
		}
		e.connections.Add(1)
		_ = conn.Close()
	}
}

func (e *ear) receive() {
	for {
		if _, _, err := e.udp.ReadFrom(make([]byte, 2048)); err != nil {
			return
		}
		e.datagrams.Add(1)
	}
}
