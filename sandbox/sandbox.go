package sandbox

import (
	"cmp"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"log/slog"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"time"

	"assay.dev/contracts"
	"assay.dev/platform/daemon"
	"assay.dev/sandbox/license"
)

// Options are what a sandbox in this process is started with. The zero value is good for tests.
type Options struct {
	// Listen is the proxy's address; a free port of the loopback when empty.
	Listen string
	// AdminListen is where Admin is served; nowhere when empty.
	AdminListen string
	// Dir keeps the certificate authority over restarts; when empty it lives in a temporary one until Close.
	Dir string
	// Clock is what the sites take for the present; time.Now when nil. There is no diesel before January 2022.
	Clock func() time.Time
	// Licenses is how many licenses each state has; license.Small when nil.
	Licenses license.Sizes
	// Log gets one debug line for each fault served; nothing is logged when nil.
	Log *slog.Logger
}

// Sandbox is a running stand-in internet.
type Sandbox struct {
	world     *world
	authority *x509.Certificate
	proxy     *proxy
	address   string
	admin     *http.Server
	dir       string
	temporary bool
	// rendering is how the rendering service reads the sites.
	rendering *http.Client
}

// Start listens and serves until Close.
func Start(o Options) (*Sandbox, error) {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	o.Listen = cmp.Or(o.Listen, "127.0.0.1:0")
	if o.Licenses == nil {
		o.Licenses = license.Small()
	}
	w, err := newWorld(o.Clock, o.Licenses)
	if err != nil {
		return nil, err
	}
	s := &Sandbox{world: w, dir: o.Dir}
	w.licensing.publish = s.publish
	if s.dir == "" {
		if s.dir, err = os.MkdirTemp("", "assay-sandbox-"); err != nil {
			return nil, err
		}
		s.temporary = true
	}
	if err := s.serve(o); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

func (s *Sandbox) serve(o Options) error {
	a, err := openAuthority(s.dir)
	if err != nil {
		return err
	}
	played := sites(s.world)
	own, err := certify(&a, played)
	if err != nil {
		return err
	}
	s.authority, s.proxy = a.Leaf, newProxy(played, own, o.Log)
	l, err := daemon.Listen("ASSAY_SANDBOX_LISTEN", o.Listen)
	if err != nil {
		return err
	}
	s.address = l.Addr().String()
	s.proxy.serve(l)
	s.rendering = s.Client()
	s.world.licensing.Renderer.Connect(s.rendering.Transport)
	if o.AdminListen == "" {
		return nil
	}
	if l, err = daemon.Listen("the sandbox's admin address", o.AdminListen); err != nil {
		return err
	}
	s.admin = &http.Server{Addr: l.Addr().String(), Handler: s.Admin(), ReadHeaderTimeout: 10 * time.Second}
	s.proxy.running.Go(func() { _ = s.admin.Serve(l) })
	return nil
}

// ProxyURL is what HTTPS_PROXY is set to: http://host:port.
func (s *Sandbox) ProxyURL() string { return "http://" + s.address }

// AdminURL is where Admin is served; empty when it is not.
func (s *Sandbox) AdminURL() string {
	if s.admin == nil {
		return ""
	}
	return "http://" + s.admin.Addr
}

// CAFile is what SSL_CERT_FILE is set to: the authority's certificate in PEM.
func (s *Sandbox) CAFile() string { return filepath.Join(s.dir, caFile) }

// Today is the Eastern date by the sandbox's clock.
func (s *Sandbox) Today() contracts.Date { return s.world.prices.Today(s.world.now()) }

// Fault makes all paths of a host that begin with path fail in one way until ClearFaults. It replaces the fault that
// the same host and path had. The error is for a host that is not played here or a kind that is none.
func (s *Sandbox) Fault(host, path string, kind Kind) error {
	return s.Inject(Fault{Host: host, Path: path, Kind: kind})
}

// Inject is Fault with all its particulars.
func (s *Sandbox) Inject(f Fault) error {
	if _, ok := s.proxy.sites[f.Host]; !ok {
		return notPlayed(f.Host)
	}
	return s.proxy.faults.addFault(f)
}

// ClearFaults ends all faults.
func (s *Sandbox) ClearFaults() { s.proxy.faults.clear("") }

// Requests counts what a host was asked for since the start, by path.
func (s *Sandbox) Requests(host string) Counts { return s.proxy.journal.of(host) }

// Client is an HTTP client that goes through the sandbox and believes its certificates. It follows redirects and keeps
// no cookies; its user closes its idle connections.
func (s *Sandbox) Client() *http.Client {
	roots := x509.NewCertPool()
	roots.AddCert(s.authority)
	return &http.Client{Transport: &http.Transport{
		Proxy:           http.ProxyURL(&url.URL{Scheme: "http", Host: s.address}),
		TLSClientConfig: &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12},
	}}
}

// Close breaks all connections, waits for what runs, and removes a temporary directory.
func (s *Sandbox) Close() error {
	if s.admin != nil {
		_ = s.admin.Close()
	}
	s.world.licensing.Renderer.Close()
	if s.rendering != nil {
		s.rendering.CloseIdleConnections()
	}
	if s.proxy != nil {
		s.proxy.close()
	}
	if s.temporary {
		return os.RemoveAll(s.dir)
	}
	return nil
}
