package scrape

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"golang.org/x/net/dns/dnsmessage"
)

func TestCheckURL(t *testing.T) {
	for _, ok := range []string{"https://www.odfl.com/x", "http://data.ny.gov:8080/", "https://8.8.8.8/", "https://[2606:4700::1111]/"} {
		if err := check(ok); err != nil {
			t.Errorf("%s: %v", ok, err)
		}
	}
	for _, bad := range []string{
		"file:///etc/passwd", "ftp://example.com/", "gopher://example.com/", "javascript:alert(1)", "data:text/html,x", "/relative", "",
		"https://user:secret@example.com/", "http://localhost/", "http://LOCALHOST./", "http://a.localhost/", "http://metadata/",
		"http://metadata.google.internal/", "http://printer.local/", "http://127.0.0.1/", "http://127.1/", "http://2130706433/",
		"http://0x7f000001/", "http://0177.0.0.1/", "http://0/", "http://10.1.2.3/", "http://172.31.0.1/", "http://192.168.1.1/",
		"http://100.64.0.1/", "http://169.254.169.254/", "http://0.0.0.0/", "http://224.0.0.1/", "http://255.255.255.255/",
		"http://[::1]/", "http://[::]/", "http://[::ffff:127.0.0.1]/", "http://[::ffff:7f00:1]/", "http://[fe80::1%25eth0]/",
		"http://[fd00::1]/", "http://[ff02::1]/", "http://[64:ff9b::7f00:1]/", "http://[2002:7f00:1::]/", "http://[2001:db8::1]/",
		"http://198.18.0.1/", "http://192.0.2.1/", "http://example.com../",
	} {
		if KindOf(check(bad)) != Refused {
			t.Errorf("%s was let through", bad)
		}
	}
}

func check(text string) error {
	u, err := url.Parse(text)
	if err != nil {
		return err
	}
	return checkURL(u)
}

// A name that resolves to a private address is stopped at the dial, whatever it resolved to before.
func TestNameThatResolvesToLoopback(t *testing.T) {
	victim := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("the loopback server was contacted") }))
	defer victim.Close()
	f, err := NewFetcher(Config{Egress: Egress{NoProxy: "*"}}, Deps{})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	f.direct = newTransport(nil, &net.Dialer{ControlContext: guardDial, Resolver: resolverOf(t, [4]byte{127, 0, 0, 1})})
	defer f.direct.CloseIdleConnections()
	_, port, _ := net.SplitHostPort(victim.Listener.Addr().String())
	_, err = f.Fetch(t.Context(), Request{URL: "http://rebind.example.com:" + port + "/"})
	if KindOf(err) != Refused || !strings.Contains(err.Error(), "127.0.0.1") {
		t.Fatalf("got %v", err)
	}
}

// The proxy is exempt from the guard, but only as a proxy: as a target it is as private as any.
func TestProxyIsNoTarget(t *testing.T) {
	proxy := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("the proxy was contacted") }))
	defer proxy.Close()
	f, err := NewFetcher(Config{Egress: Egress{HTTPProxy: proxy.URL, NoProxy: "127.0.0.1"}}, Deps{})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.Fetch(t.Context(), Request{URL: proxy.URL}); KindOf(err) != Refused {
		t.Fatalf("got %v", err)
	}
}

// resolverOf answers every question with one address.
func resolverOf(t *testing.T, ip [4]byte) *net.Resolver {
	t.Helper()
	server, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	t.Cleanup(func() { _ = server.Close(); <-done })
	go func() {
		defer close(done)
		query := make([]byte, 1500)
		for {
			n, from, err := server.ReadFrom(query)
			if err != nil {
				return
			}
			var m dnsmessage.Message
			if m.Unpack(query[:n]) != nil {
				continue
			}
			m.Response, m.Additionals = true, nil
			if q := m.Questions[0]; q.Type == dnsmessage.TypeA {
				m.Answers = []dnsmessage.Resource{{
					Header: dnsmessage.ResourceHeader{Name: q.Name, Class: q.Class}, Body: &dnsmessage.AResource{A: ip},
				}}
			}
			answer, _ := m.Pack()
			_, _ = server.WriteTo(answer, from)
		}
	}()
	return &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "udp", server.LocalAddr().String())
	}}
}

func TestSameSite(t *testing.T) {
	for _, tc := range []struct {
		a, b string
		want bool
	}{
		{"www.saia.com", "saia.com", true},
		{"www.saia.com", "SAIA.com.", true},
		{"saia.com", "saia.com.evil.net", false},
		{"a.co.uk", "b.co.uk", false},
		{"a.github.io", "b.github.io", false},
		{"8.8.8.8", "9.8.8.8", false},
		{"com", "odfl.com", false},
	} {
		if got := SameSite(tc.a, tc.b); got != tc.want {
			t.Errorf("%s and %s: %v", tc.a, tc.b, got)
		}
	}
}
