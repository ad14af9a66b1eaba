// Package scrapetest plays foreign hosts for tests: a forward proxy on loopback that answers for the hosts it is given
// under their real names, over TLS with a throwaway certificate. What is tested goes through it as it would through any
// proxy.
package scrapetest

import (
	"crypto/tls"
	"crypto/x509"
	"io"
	"log"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"assay.dev/platform/certificate"
	"assay.dev/platform/scrape"
)

// Internet is a set of hosts behind a proxy.
type Internet struct {
	// ProxyURL is for HTTP_PROXY and HTTPS_PROXY.
	ProxyURL string
	// CAFile is for SSL_CERT_FILE.
	CAFile string

	hosts map[string]http.Handler
	// secure is what tunnels lead to.
	secure *httptest.Server

	mu       sync.Mutex
	requests map[string]int
	tunnels  sync.WaitGroup
}

// Start plays hosts, each name (without port) by its handler, until the test ends. A host that is not listed cannot be
// reached: the proxy answers 502.
func Start(t testing.TB, hosts map[string]http.Handler) *Internet {
	t.Helper()
	in := &Internet{hosts: hosts, requests: map[string]int{}, CAFile: filepath.Join(t.TempDir(), "ca.pem")}
	own, err := certificate.Make(x509.Certificate{
		DNSNames: slices.Collect(maps.Keys(hosts)), NotAfter: time.Now().Add(24 * time.Hour), IsCA: true,
		BasicConstraintsValid: true,
		KeyUsage:              x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
		ExtKeyUsage:           []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	public, _, err := certificate.PEM(own)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(in.CAFile, public, 0o600); err != nil {
		t.Fatal(err)
	}
	in.secure = httptest.NewUnstartedServer(http.HandlerFunc(in.play))
	in.secure.TLS = &tls.Config{Certificates: []tls.Certificate{own}}
	in.secure.Config.ErrorLog = log.New(io.Discard, "", 0) // broken connections are what tests are about
	in.secure.StartTLS()
	proxy := httptest.NewServer(in)
	in.ProxyURL = proxy.URL
	t.Cleanup(func() {
		for _, server := range []*httptest.Server{in.secure, proxy} {
			server.CloseClientConnections()
			server.Close()
		}
		in.tunnels.Wait()
	})
	return in
}

// Config reaches the Internet's hosts, without limits of politeness.
func (in *Internet) Config() scrape.Config {
	return scrape.Config{Egress: scrape.Egress{HTTPProxy: in.ProxyURL, HTTPSProxy: in.ProxyURL, CAFile: in.CAFile}}
}

// Requests is how many requests a host got.
func (in *Internet) Requests(host string) int {
	in.mu.Lock()
	defer in.mu.Unlock()
	return in.requests[host]
}

// ServeHTTP is the proxy.
func (in *Internet) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodConnect {
		in.play(w, r)
		return
	}
	host, _, err := net.SplitHostPort(r.Host)
	if err != nil || in.hosts[host] == nil {
		http.Error(w, "no such host", http.StatusBadGateway)
		return
	}
	inner, err := (&net.Dialer{}).DialContext(r.Context(), "tcp", in.secure.Listener.Addr().String())
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	// Before the server lets go of the connection: what closes it waits for tunnels next.
	in.tunnels.Add(1)
	defer in.tunnels.Done()
	outer, _, err := w.(http.Hijacker).Hijack()
	if err != nil {
		_ = inner.Close()
		return
	}
	_, _ = io.WriteString(outer, "HTTP/1.1 200 Connection established\r\n\r\n")
	for _, way := range [][2]net.Conn{{inner, outer}, {outer, inner}} {
		in.tunnels.Go(func() {
			_, _ = io.Copy(way[0], way[1]) // ends when either side does
			_, _ = way[0].Close(), way[1].Close()
		})
	}
}

func (in *Internet) play(w http.ResponseWriter, r *http.Request) {
	host := r.Host
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	handler := in.hosts[host]
	if handler == nil {
		http.Error(w, "no such host", http.StatusBadGateway)
		return
	}
	in.mu.Lock()
	in.requests[host]++
	in.mu.Unlock()
	handler.ServeHTTP(w, r)
}

// Reset breaks the connection of the answer that is being written, as a crashed server does.
func Reset(w http.ResponseWriter) {
	conn, buf, err := w.(http.Hijacker).Hijack()
	if err != nil {
		return
	}
	_ = buf.Flush()
	_ = conn.Close()
}
