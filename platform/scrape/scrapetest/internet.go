// Package scrapetest plays foreign hosts for tests: a forward proxy on loopback that answers for the hosts it is given
// under their real names, over TLS with a throwaway CA. What is tested goes through it as it would through any proxy.
package scrapetest

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"assay.dev/platform/scrape"
)

// Internet is a set of hosts behind a proxy.
type Internet struct {
	// ProxyURL is for HTTP_PROXY and HTTPS_PROXY.
	ProxyURL string
	// CAFile is for SSL_CERT_FILE.
	CAFile string

	hosts map[string]http.Handler
	ca    tls.Certificate
	http  *http.Server

	mu       sync.Mutex
	requests map[string]int
	tunnels  map[net.Conn]struct{}
	serving  sync.WaitGroup
}

// Start plays hosts, each name (without port) by its handler, until the test ends. A host that is not listed cannot be
// reached: the proxy answers 502.
func Start(t testing.TB, hosts map[string]http.Handler) *Internet {
	t.Helper()
	in := &Internet{hosts: hosts, requests: map[string]int{}, tunnels: map[net.Conn]struct{}{}}
	in.ca = newCA(t)
	in.CAFile = filepath.Join(t.TempDir(), "ca.pem")
	block := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: in.ca.Certificate[0]})
	if err := os.WriteFile(in.CAFile, block, 0o600); err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	in.ProxyURL = "http://" + listener.Addr().String()
	in.http = &http.Server{Handler: in, ReadHeaderTimeout: 10 * time.Second}
	in.serving.Go(func() { _ = in.http.Serve(listener) })
	t.Cleanup(in.close)
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

func (in *Internet) close() {
	_ = in.http.Close()
	in.mu.Lock()
	for conn := range in.tunnels {
		_ = conn.Close()
	}
	in.mu.Unlock()
	in.serving.Wait()
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
	conn, _, err := w.(http.Hijacker).Hijack()
	if err != nil {
		return
	}
	in.mu.Lock()
	in.tunnels[conn] = struct{}{}
	in.mu.Unlock()
	in.serving.Go(func() { in.tunnel(conn, host) })
}

// tunnel speaks TLS and HTTP/1.1 as host until the connection ends.
func (in *Internet) tunnel(conn net.Conn, host string) {
	defer func() {
		_ = conn.Close()
		in.mu.Lock()
		delete(in.tunnels, conn)
		in.mu.Unlock()
	}()
	if _, err := conn.Write([]byte("HTTP/1.1 200 Connection established\r\n\r\n")); err != nil {
		return
	}
	leaf, err := in.leaf(host)
	if err != nil {
		return
	}
	one := &oneConn{Conn: conn, closed: make(chan struct{})}
	one.secure = tls.Server(one, &tls.Config{Certificates: []tls.Certificate{leaf}})
	server := &http.Server{Handler: http.HandlerFunc(in.play), ReadHeaderTimeout: 10 * time.Second}
	server.ErrorLog = log.New(io.Discard, "", 0) // broken connections are what tests are about
	_ = server.Serve(listener{one})
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

// oneConn is the connection of a tunnel, and the listener that gives it to an http.Server and lasts as long as it.
type oneConn struct {
	net.Conn
	secure *tls.Conn
	given  bool
	once   sync.Once
	closed chan struct{}
}

func (c *oneConn) Close() error {
	c.once.Do(func() { close(c.closed) })
	return c.Conn.Close()
}

type listener struct{ *oneConn }

func (l listener) Accept() (net.Conn, error) {
	if !l.given {
		l.given = true
		return l.secure, nil
	}
	<-l.closed
	return nil, net.ErrClosed
}

func (l listener) Close() error   { return nil }
func (l listener) Addr() net.Addr { return l.LocalAddr() }

func newCA(t testing.TB) tls.Certificate {
	t.Helper()
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "throwaway test CA"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(24 * time.Hour),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
	}
	ca, err := sign(template, nil)
	if err != nil {
		t.Fatal(err)
	}
	return ca
}

func (in *Internet) leaf(host string) (tls.Certificate, error) {
	return sign(&x509.Certificate{
		SerialNumber: big.NewInt(time.Now().UnixNano()), Subject: pkix.Name{CommonName: host}, DNSNames: []string{host},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(24 * time.Hour),
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}, &in.ca)
}

// sign makes a certificate, self-signed without a parent.
func sign(template *x509.Certificate, parent *tls.Certificate) (tls.Certificate, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return tls.Certificate{}, err
	}
	issuer, issuerKey := template, any(key)
	if parent != nil {
		issuer, issuerKey = parent.Leaf, parent.PrivateKey
	}
	der, err := x509.CreateCertificate(rand.Reader, template, issuer, key.Public(), issuerKey)
	if err != nil {
		return tls.Certificate{}, err
	}
	leaf, err := x509.ParseCertificate(der)
	if err != nil {
		return tls.Certificate{}, err
	}
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key, Leaf: leaf}, nil
}
