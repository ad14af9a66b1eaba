package bustest

import (
	"fmt"
	"net"
	"net/url"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// Cluster starts three servers that replicate every stream and bucket. They end with the test.
func Cluster(t testing.TB) []*server.Server {
	t.Helper()
	ports := freePorts(t, 3)
	var routes []*url.URL
	for _, port := range ports {
		routes = append(routes, &url.URL{Scheme: "nats", Host: fmt.Sprintf("127.0.0.1:%d", port)})
	}
	var servers []*server.Server
	for i, port := range ports {
		opts := options(t.TempDir())
		opts.ServerName = fmt.Sprintf("n%d", i)
		opts.Cluster = server.ClusterOpts{Name: "test", Host: "127.0.0.1", Port: port}
		opts.Routes = routes
		servers = append(servers, launch(t, opts))
	}
	for deadline := time.Now().Add(readyIn); !ready(servers); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("the NATS cluster does not elect a leader")
		}
	}
	provisionAll(t, servers[0], len(servers))
	return servers
}

func ready(servers []*server.Server) bool {
	leader := false
	for _, s := range servers {
		leader = leader || s.JetStreamIsLeader()
		if s.NumRoutes() == 0 || !s.JetStreamIsCurrent() || !s.ReadyForConnections(time.Millisecond) {
			return false
		}
	}
	return leader
}

// freePorts are free now; cluster routes must be known before the servers start.
func freePorts(t testing.TB, n int) []int {
	t.Helper()
	var ports []int
	for range n {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = l.Close() }()
		ports = append(ports, l.Addr().(*net.TCPAddr).Port)
	}
	return ports
}
