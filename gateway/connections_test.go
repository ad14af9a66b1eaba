package gateway

import (
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httptrace"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"assay.dev/platform/clock/clocktest"
)

// crowdedServer serves so many connections. A request for /slow is answered when release is closed.
func crowdedServer(t *testing.T, most, mostSilent int) (s *httptest.Server, c *connections, release chan struct{}) {
	t.Helper()
	c, err := newConnections(1000, prometheus.NewRegistry())
	if err != nil {
		t.Fatal(err)
	}
	c.most, c.mostSilent, release = most, mostSilent, make(chan struct{})
	s = httptest.NewUnstartedServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/slow" {
			<-release
		}
	}))
	s.Config.ConnState = c.noteState
	s.Start()
	t.Cleanup(s.Close)
	return s, c, release
}

func dial(t *testing.T, s *httptest.Server) net.Conn {
	t.Helper()
	conn, err := net.Dial("tcp", s.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	return conn
}

// askPath uses a connection of its own.
func askPath(s *httptest.Server, path string) error {
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}, Timeout: clocktest.Patience}
	resp, err := client.Get(s.URL + path)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

func TestIdleConnectionsGiveWay(t *testing.T) {
	t.Parallel()
	s, c, _ := crowdedServer(t, 4, 4)
	var first net.Conn
	for i := range 12 {
		if conn := dial(t, s); i == 0 {
			first = conn
		}
	}
	for range 8 {
		if err := askPath(s, "/"); err != nil {
			t.Error(err)
		}
	}
	if _, err := first.Read(make([]byte, 1)); err == nil {
		t.Error("the connection that has waited longest is open")
	}
	if n := c.count(); n > 4 {
		t.Errorf("%d connections are open", n)
	}
	if c.check() == nil {
		t.Error("/readyz does not tell")
	}
}

func TestConnectionsInUseStay(t *testing.T) {
	t.Parallel()
	s, c, release := crowdedServer(t, 4, 4)
	answers := make(chan error, 4)
	for range 4 {
		go func() { answers <- askPath(s, "/slow") }()
	}
	clocktest.Await(t, "all connections are in use", func() bool {
		c.mu.Lock()
		defer c.mu.Unlock()
		return len(c.open) == 4 && c.silent.Len()+c.idle.Len() == 0
	})
	conn := dial(t, s)
	_ = conn.SetReadDeadline(time.Now().Add(clocktest.Patience))
	if _, err := io.ReadAll(conn); err != nil && !errors.Is(err, syscall.ECONNRESET) {
		t.Errorf("a fifth connection: %v, want it closed", err)
	}
	close(release)
	for range 4 {
		if err := <-answers; err != nil {
			t.Errorf("a request under way: %v", err)
		}
	}
	if err := askPath(s, "/"); err != nil {
		t.Errorf("afterwards: %v", err)
	}
}

// However many connections drip, those who had an answer keep theirs, and a new one is answered.
func TestSilentConnectionsGiveWay(t *testing.T) {
	t.Parallel()
	s, c, _ := crowdedServer(t, 100, 4)
	kept := &http.Client{Transport: &http.Transport{MaxConnsPerHost: 1}}
	defer kept.CloseIdleConnections()
	var reused []bool
	ctx := httptrace.WithClientTrace(t.Context(), &httptrace.ClientTrace{GotConn: func(i httptrace.GotConnInfo) { reused = append(reused, i.Reused) }})
	for range 10 {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, s.URL, nil)
		if err != nil {
			t.Fatal(err)
		}
		resp, err := kept.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		_ = resp.Body.Close()
		for range 3 {
			if _, err := io.WriteString(dial(t, s), "GET / HTTP/1.1\r\nX-Slow: "); err != nil {
				t.Fatal(err)
			}
		}
		if err := askPath(s, "/"); err != nil {
			t.Error(err)
		}
	}
	if slices.Index(reused, true) != 1 || slices.Contains(reused[1:], false) {
		t.Errorf("the connection was reused: %v", reused)
	}
	if n := c.count(); n > 4+2 {
		t.Errorf("%d connections are open", n)
	}
	if c.check() == nil {
		t.Error("/readyz does not tell")
	}
}

// A stop does not wait for a connection on which no request came: browsers open some that they may need.
func TestAStopEndsSilentConnections(t *testing.T) {
	t.Parallel()
	s, c, release := crowdedServer(t, 4, 4)
	silent := dial(t, s)
	answered := make(chan error, 1)
	go func() { answered <- askPath(s, "/slow") }()
	clocktest.Await(t, "one is silent, one is in use", func() bool {
		c.mu.Lock()
		defer c.mu.Unlock()
		return len(c.open) == 2 && c.silent.Len() == 1
	})
	c.closeSilent()
	if _, err := silent.Read(make([]byte, 1)); !errors.Is(err, io.EOF) {
		t.Errorf("the silent one: %v", err)
	}
	close(release)
	if err := <-answered; err != nil {
		t.Errorf("the one in use: %v", err)
	}
}
