//go:build linux

package courier

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"io"
	"log"
	"net"
	"net/http"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/net/dns/dnsmessage"

	"assay.dev/contracts"
	"assay.dev/platform/webhook"
)

// public is an address of the public internet: in a network of its own it is this machine's.
const public = "93.184.0.1"

// As it is deployed, a courier reaches nothing but port 443 of public addresses, by TLS whose certificate is good for the host. Nothing of
// it is replaced here: the test runs in a network of its own, in which a public address is this machine's, with a nameserver that lies.
func TestTheCourierOnTheInternet(t *testing.T) {
	if os.Getenv(inside) == "" {
		t.Parallel()
		inNetworkOfItsOwn(t)
		return
	}
	in := startInternet(t)
	s := newStand(t)
	const ill = "certificate is not valid"
	tests := map[string]struct{ url, want string }{ // want is of what is noted; empty for a delivery
		"good":                           {url: "https://good.example.com/hook"},
		"with its port":                  {url: "https://good.example.com:443/hook"},
		"signed by itself":               {"https://self.example.com/", ill},
		"expired":                        {"https://expired.example.com/", ill},
		"another's certificate":          {"https://other.example.com/", ill},
		"another port":                   {"https://good.example.com:8443/", "only https on port 443"},
		"http":                           {"http://good.example.com/", "only https on port 443"},
		"http on 443":                    {"http://good.example.com:443/", "only https on port 443"},
		"leads into the network":         {"https://private.example.com/", errPrivate.Error()},
		"leads to this machine":          {"https://loopback.example.com/", errPrivate.Error()},
		"leads to this machine, by IPv6": {"https://loopback6.example.com/", errPrivate.Error()},
		"leads to the cloud's own":       {"https://metadata.example.com/", errPrivate.Error()},
		"is no name":                     {"https://nowhere.example.com/", "cannot be resolved"},
		"leads to both":                  {url: "https://both.example.com/"},
	}
	keys, secrets := map[string]string{}, map[string]string{}
	for name, test := range tests {
		keys[name], secrets[name] = s.keep(test.url)
	}
	rebinding, _ := s.keep("https://rebinds.example.com/")
	s.courier(func(c *Config) { c.WebhookLoopback = false })
	s.change(contracts.Test, "1")
	for name, test := range tests {
		s.await(name, func() bool { return len(s.deliveries(keys[name])) > 0 })
		d := s.deliveries(keys[name])[0]
		if test.want == "" && d.Status != http.StatusOK || test.want != "" && (d.Status != 0 || !strings.Contains(d.Error, test.want)) {
			t.Errorf("%s: %+v", name, d)
		}
	}
	s.await("it is reached", func() bool { return len(s.deliveries(rebinding)) == 1 })
	in.rebind(true) // its name leads into the network now
	s.change(contracts.Test, "2")
	s.await("it is tried", func() bool { return len(s.deliveries(rebinding)) > 1 })
	in.rebind(false)
	s.change(contracts.Test, "3")
	third := func(d webhook.Noted) bool { return d.EventID == "CA.e.3" } // another try of the second may come after it
	s.await("it is reached again", func() bool { return slices.ContainsFunc(s.deliveries(rebinding), third) })
	all := s.deliveries(rebinding)
	if d := all[1]; d.Error != errPrivate.Error() || d.Status != 0 || all[0].Status != http.StatusOK || all[slices.IndexFunc(all, third)].Status != http.StatusOK {
		t.Errorf("attempts at the host that rebinds: %+v", all)
	}
	requests, elsewhere := in.seen()
	if len(elsewhere) > 0 {
		t.Errorf("connections to %v", elsewhere)
	}
	for _, r := range requests {
		if !slices.Contains([]string{"good.example.com", "good.example.com:443", "both.example.com", "rebinds.example.com"}, r.host) {
			t.Errorf("%s got a request", r.host)
		}
		if r.host == "good.example.com" {
			verify(t, secrets["good"], r.received)
		}
	}
}

// internet is what a courier finds outside.
type internet struct {
	authority tls.Certificate
	mu        sync.Mutex
	requests  []hostRequest
	elsewhere []string // addresses that were connected to, and must not be
	rebound   bool
}

type hostRequest struct {
	host string
	received
}

func (in *internet) seen() ([]hostRequest, []string) {
	in.mu.Lock()
	defer in.mu.Unlock()
	return slices.Clone(in.requests), slices.Clone(in.elsewhere)
}

// startInternet gives this process' network a few addresses, a nameserver, and a host behind every name.
func startInternet(t *testing.T) *internet {
	t.Helper()
	in := &internet{}
	in.authority = certified(t, nil, x509.Certificate{IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign})
	file := filepath.Join(t.TempDir(), "ca.pem")
	block := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: in.authority.Certificate[0]})
	if err := os.WriteFile(file, block, 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("SSL_CERT_FILE", file)
	addresses(t, map[string]string{"lo:1": public, "lo:2": "10.0.0.1", "lo:3": "169.254.169.254"})
	names, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var serving sync.WaitGroup
	serving.Go(func() { in.answer(names) })
	net.DefaultResolver = &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "udp", names.LocalAddr().String())
	}}
	t.Cleanup(func() { _ = names.Close(); serving.Wait() })
	for _, port := range []string{":443", ":8443", ":80"} {
		in.serve(t, port, in.config(t))
	}
	return in
}

// config has a certificate for each host.
func (in *internet) config(t *testing.T) *tls.Config {
	host := func(name string) x509.Certificate {
		return x509.Certificate{DNSNames: []string{name}, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}}
	}
	expired := host("expired.example.com")
	expired.NotAfter = time.Now().Add(-time.Minute)
	special := map[string]tls.Certificate{
		"self.example.com": certified(t, nil, host("self.example.com")), "expired.example.com": certified(t, &in.authority, expired),
		"other.example.com": certified(t, &in.authority, host("good.example.com")),
	}
	all := certified(t, &in.authority, host("*.example.com"))
	return &tls.Config{MinVersion: tls.VersionTLS12, GetCertificate: func(hello *tls.ClientHelloInfo) (*tls.Certificate, error) {
		if c, is := special[hello.ServerName]; is {
			return &c, nil
		}
		return &all, nil
	}}
}

// serve takes requests at all addresses of this process' network, and notes the connections that no courier may make.
func (in *internet) serve(t *testing.T, port string, config *tls.Config) {
	t.Helper()
	l, err := net.Listen("tcp", port)
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{
		ReadHeaderTimeout: time.Minute, ErrorLog: log.New(io.Discard, "", 0), // handshakes that fail are what the test is about
		ConnContext: func(ctx context.Context, c net.Conn) context.Context {
			if at := c.LocalAddr().String(); at != public+":443" {
				in.mu.Lock()
				defer in.mu.Unlock()
				in.elsewhere = append(in.elsewhere, at)
			}
			return ctx
		},
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			body, _ := io.ReadAll(r.Body)
			in.mu.Lock()
			defer in.mu.Unlock()
			in.requests = append(in.requests, hostRequest{r.Host, received{r.Header, body, time.Now()}})
			w.Header().Set("Connection", "close") // the name is asked for each time
		}),
	}
	var serving sync.WaitGroup
	serving.Go(func() { _ = server.Serve(tls.NewListener(l, config)) })
	t.Cleanup(func() { _ = server.Close(); serving.Wait() })
}

// rebind has the name of one host lead into the network, or outside again.
func (in *internet) rebind(is bool) {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.rebound = is
}

// leads says where a name leads; nowhere for one that is not known.
func (in *internet) leads(name string) []string {
	in.mu.Lock()
	defer in.mu.Unlock()
	switch strings.TrimSuffix(name, ".example.com.") {
	case "nowhere":
		return nil
	case "private":
		return []string{"10.0.0.1"}
	case "loopback":
		return []string{"127.0.0.1"}
	case "loopback6":
		return []string{"::1"}
	case "metadata":
		return []string{"169.254.169.254"}
	case "both":
		return []string{"10.0.0.1", "127.0.0.1", public, "::1"}
	case "rebinds":
		if in.rebound {
			return []string{"10.0.0.1"}
		}
	}
	return []string{public}
}

// answer is the nameserver.
func (in *internet) answer(conn net.PacketConn) {
	packet := make([]byte, 1<<10)
	for {
		n, from, err := conn.ReadFrom(packet)
		if err != nil {
			return
		}
		var m dnsmessage.Message
		if m.Unpack(packet[:n]) != nil || len(m.Questions) != 1 {
			continue
		}
		q := m.Questions[0]
		found := in.leads(q.Name.String())
		m = dnsmessage.Message{Header: dnsmessage.Header{ID: m.ID, Response: true, Authoritative: true}, Questions: m.Questions}
		if found == nil {
			m.RCode = dnsmessage.RCodeNameError
		}
		for _, text := range found {
			at, header := netip.MustParseAddr(text), dnsmessage.ResourceHeader{Name: q.Name, Type: q.Type, Class: q.Class}
			switch {
			case q.Type == dnsmessage.TypeA && at.Is4():
				m.Answers = append(m.Answers, dnsmessage.Resource{Header: header, Body: &dnsmessage.AResource{A: at.As4()}})
			case q.Type == dnsmessage.TypeAAAA && at.Is6():
				m.Answers = append(m.Answers, dnsmessage.Resource{Header: header, Body: &dnsmessage.AAAAResource{AAAA: at.As16()}})
			}
		}
		if reply, err := m.Pack(); err == nil {
			_, _ = conn.WriteTo(reply, from) // who asked asks again
		}
	}
}
