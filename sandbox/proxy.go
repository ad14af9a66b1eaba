package sandbox

import (
	"compress/gzip"
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/klauspost/compress/gzhttp"

	"assay.dev/contracts"
)

// proxy is a forward proxy that opens no connections. It answers for the hosts that it plays and refuses all others.
type proxy struct {
	sites   map[string]http.Handler
	faults  *faults
	journal *journal
	tls     *tls.Config
	log     *slog.Logger
	// zip sends text as gzip to clients that accept it, as the real sites do.
	zip func(http.Handler) http.HandlerFunc

	outer, inner *http.Server
	tunnels      *tunnels
	stop         context.CancelFunc

	closing sync.RWMutex // held for reading while a request is let in
	closed  bool
	running sync.WaitGroup
}

func newProxy(sites map[string]http.Handler, own []tls.Certificate, log *slog.Logger) *proxy {
	p := &proxy{
		sites: sites, faults: &faults{}, journal: newJournal(), log: log,
		tls:     &tls.Config{MinVersion: tls.VersionTLS12, NextProtos: []string{"http/1.1"}, Certificates: own},
		tunnels: &tunnels{conns: make(chan net.Conn), closed: make(chan struct{})},
	}
	p.zip, _ = gzhttp.NewWrapper( // the level is valid
		gzhttp.CompressionLevel(gzip.BestSpeed), gzhttp.EnableZstd(false), gzhttp.ContentTypeFilter(textual))
	ctx, stop := context.WithCancel(context.Background())
	p.stop = stop
	server := func(h http.HandlerFunc) *http.Server {
		return &http.Server{
			Handler: h, ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 64 << 10,
			BaseContext: func(net.Listener) context.Context { return ctx },
			ErrorLog:    slog.NewLogLogger(log.Handler(), slog.LevelDebug),
		}
	}
	p.outer, p.inner = server(p.accept), server(p.play)
	return p
}

// textual tells of a media type that is text. Bulk files go as they are.
func textual(contentType string) bool {
	return strings.HasPrefix(contentType, "text/") || strings.Contains(contentType, "json") ||
		strings.Contains(contentType, "xml") || strings.Contains(contentType, "javascript")
}

// serve answers until close is called.
func (p *proxy) serve(l net.Listener) {
	for server, listener := range map[*http.Server]net.Listener{p.outer: l, p.inner: p.tunnels} {
		p.running.Go(func() { _ = server.Serve(listener) })
	}
}

// close breaks every connection and waits until no handler runs.
func (p *proxy) close() {
	p.closing.Lock()
	p.closed = true
	p.closing.Unlock()
	p.stop()
	_ = p.tunnels.Close()
	_ = p.outer.Close()
	_ = p.inner.Close()
	p.running.Wait()
}

func (p *proxy) accept(w http.ResponseWriter, r *http.Request) {
	switch {
	case r.Method == http.MethodConnect:
		p.connect(w, r)
	case r.URL.IsAbs():
		p.play(w, r)
	default:
		http.Error(w, "this is a forward proxy; faults and counters are on its admin address", http.StatusBadRequest)
	}
}

// connect opens a tunnel whose other end is the inner server.
func (p *proxy) connect(w http.ResponseWriter, r *http.Request) {
	host := hostOf(r.Host)
	if _, ok := p.sites[host]; !ok {
		p.journal.note(host, "")
		http.Error(w, notPlayed(host).Error(), http.StatusBadGateway)
		return
	}
	if f, ok := p.faults.match(host, "/"); ok && f.Kind == Down && f.Path == "" {
		p.journal.note(host, "")
		http.Error(w, "sandbox: connection to "+host+" refused", http.StatusBadGateway)
		return
	}
	conn, buffered, err := http.NewResponseController(w).Hijack()
	if err != nil {
		p.log.DebugContext(r.Context(), "tunnel not opened", "host", host, "error", err)
		return
	}
	if _, err := io.WriteString(conn, "HTTP/1.1 200 Connection established\r\n\r\n"); err != nil {
		_ = conn.Close()
		return
	}
	p.tunnels.put(tls.Server(&tunnel{conn, buffered.Reader}, p.tls))
}

// play answers for a site: with a fault, if one is set, else with the site's handler.
func (p *proxy) play(w http.ResponseWriter, r *http.Request) {
	if !p.enter() {
		panic(http.ErrAbortHandler)
	}
	defer p.running.Done()
	host := hostOf(r.Host)
	site, ok := p.sites[host]
	p.journal.note(host, r.URL.Path)
	if !ok {
		http.Error(w, notPlayed(host).Error(), http.StatusBadGateway)
		return
	}
	if f, ok := p.faults.match(host, r.URL.Path); ok {
		p.log.DebugContext(r.Context(), "fault", "host", host, "path", r.URL.Path, "fault", f.Kind)
		f.serve(w, r, site)
		return
	}
	p.zip(site)(w, r)
}

// enter lets a request in. It returns false after close has begun, because close waits for the requests that are in.
func (p *proxy) enter() bool {
	p.closing.RLock()
	defer p.closing.RUnlock()
	if !p.closed {
		p.running.Add(1)
	}
	return !p.closed
}

func notPlayed(host string) error {
	return fmt.Errorf("sandbox: the host %q is not played here, and nothing is fetched from outside",
		contracts.Printable(host))
}

func hostOf(hostport string) string {
	host, _, err := net.SplitHostPort(hostport)
	if err != nil {
		host = hostport
	}
	return strings.ToLower(host)
}

// tunnels is a listener whose connections are the tunnels that the proxy has opened.
type tunnels struct {
	conns  chan net.Conn
	closed chan struct{}
	once   sync.Once
}

func (t *tunnels) put(c net.Conn) {
	select {
	case t.conns <- c:
	case <-t.closed:
		_ = c.Close()
	}
}

// Accept waits for the next tunnel.
func (t *tunnels) Accept() (net.Conn, error) {
	select {
	case c := <-t.conns:
		return c, nil
	case <-t.closed:
		return nil, net.ErrClosed
	}
}

// Close makes Accept fail.
func (t *tunnels) Close() error {
	t.once.Do(func() { close(t.closed) })
	return nil
}

// Addr names the listener; it has no address.
func (t *tunnels) Addr() net.Addr { return &net.UnixAddr{Name: "tunnel", Net: "unix"} }

// tunnel is a hijacked connection together with what its server had read ahead.
type tunnel struct {
	net.Conn
	ahead io.Reader
}

// Read yields the bytes read ahead first.
func (t *tunnel) Read(b []byte) (int, error) { return t.ahead.Read(b) }
