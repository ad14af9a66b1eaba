package gateway

import (
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"syscall"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"assay.dev/platform/clock/clocktest"
)

// crowdedServer serves four connections. A request for /slow is answered when release is closed.
func crowdedServer(t *testing.T) (s *httptest.Server, c *connections, release chan struct{}) {
	t.Helper()
	c, err := newConnections(1000, prometheus.NewRegistry())
	if err != nil {
		t.Fatal(err)
	}
	c.most, release = 4, make(chan struct{})
	s = httptest.NewUnstartedServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/slow" {
			<-release
		}
	}))
	s.Config.ConnState = c.note
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
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}, Timeout: 10 * time.Second}
	resp, err := client.Get(s.URL + path)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

func TestIdleConnectionsGiveWay(t *testing.T) {
	t.Parallel()
	s, c, _ := crowdedServer(t)
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
	s, c, release := crowdedServer(t)
	answers := make(chan error, 4)
	for range 4 {
		go func() { answers <- askPath(s, "/slow") }()
	}
	clocktest.Await(t, "all connections are in use", func() bool {
		c.mu.Lock()
		defer c.mu.Unlock()
		for at := c.order.Front(); at != nil; at = at.Next() {
			if at.Value.(*client).waits {
				return false
			}
		}
		return len(c.open) == 4
	})
	conn := dial(t, s)
	_ = conn.SetReadDeadline(time.Now().Add(10 * time.Second))
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
