package bustest

import (
	"fmt"
	"net/url"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"assay.dev/contracts"
	"assay.dev/platform/clock/clocktest"
)

// Cluster starts three servers that replicate these buckets. They end with the test. To replicate all streams takes the
// processor three seconds.
func Cluster(t testing.TB, buckets ...contracts.Bucket) []*server.Server {
	t.Helper()
	ports := []int{freePort(t), freePort(t), freePort(t)} // of the routes: each server must know all when it starts
	var routes []*url.URL
	for _, port := range ports {
		routes = append(routes, &url.URL{Scheme: "nats", Host: fmt.Sprintf("127.0.0.1:%d", port)})
	}
	var servers []*server.Server
	for i, port := range ports {
		opts := options(t.TempDir(), freePort(t))
		opts.ServerName = fmt.Sprintf("n%d", i)
		opts.Cluster = server.ClusterOpts{Name: "test", Host: "127.0.0.1", Port: port}
		opts.Routes = routes
		servers = append(servers, launch(t, opts))
	}
	clocktest.Await(t, "the NATS cluster elects a leader", func() bool { return ready(servers) })
	provisionBuckets(t, servers[0], len(servers), buckets)
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
