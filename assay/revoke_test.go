package main

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"assay.dev/contracts"
	"assay.dev/platform/clock/clocktest"
	"assay.dev/platform/daemon"
)

// leaderOf is the server that leads a stream.
func (c natsCluster) leaderOf(t *testing.T, name string) *natsProcess {
	t.Helper()
	conn, js, err := connect(t.Context(), &console{environ: daemon.Environ{"ASSAY_NATS_URL": c.urls()}})
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	stream, err := js.Stream(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	leader := stream.CachedInfo().Cluster.Leader
	for _, s := range c {
		if leader == s.name {
			return s
		}
	}
	t.Fatalf("the leader of %s is %q", name, leader)
	return nil
}

// TestARevocationOutlastsALostLeader kills the server that leads the keys' stream, and revokes a key at once.
func TestARevocationOutlastsALostLeader(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("builds and runs the services as processes")
	}
	servers := startNATSCluster(t)
	f := startFleetOn(t, daemon.Environ{"ASSAY_NATS_URL": servers.urls()}, len(servers))
	f.start(t, contracts.LTL.Worker(), daemon.Environ{"ASSAY_REFRESH": "false"})
	api := f.gateway(t).api + "/v1/ltl/carriers"
	clocktest.Await(t, "the key is good", func() bool { return status(api, f.key) == http.StatusOK })
	servers.leaderOf(t, contracts.KeysBucket.Stream()).kill()
	began := time.Now()
	out := must(t, f.environ, "keys", "revoke", f.key)
	revoked := time.Now()
	clocktest.Await(t, "the key is refused", func() bool { return status(api, f.key) == http.StatusUnauthorized })
	t.Logf("revoked after %s, refused %s later\n%s", revoked.Sub(began), time.Since(revoked), out)
}

func TestARevocationThatCannotBeSaysSo(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("runs NATS servers as processes")
	}
	servers := startNATSCluster(t)
	e := daemon.Environ{"ASSAY_NATS_URL": servers.urls()}
	must(t, e, "provision", "--first", "--replicas=3", "--wait", "3m") // a new cluster calls its peers offline for a moment
	key := must(t, e, "keys", "create", "--tenant", "acme")
	monitored := startMonitor(t, servers)
	monitored.await(t, "each stream has a leader and three copies", 3, allStreams, 3*allStreams)
	servers[0].kill()
	servers[1].kill()
	began := time.Now()
	code, out, errs := run(t, e, "keys", "revoke", key, "--wait", "5s")
	if code != 1 || !strings.Contains(errs, "NOT revoked") || !strings.Contains(errs, "still good at every gateway of "+servers.urls()) {
		t.Errorf("exit %d\n%s\n%s", code, out, errs)
	}
	if strings.Contains(out+errs, key) {
		t.Error("the key itself is shown")
	}
	t.Logf("after %s: %s", time.Since(began), errs)
	monitored.await(t, "one server is up and nothing has a leader", 1, 0, 0)
}

func TestARevocationOfAnUnknownKeyIsNotRepeated(t *testing.T) {
	e := deployment(t)
	must(t, e, "provision", "--first")
	code, out, errs := run(t, e, "keys", "revoke", "0123456789ab")
	if code != 1 || out != "" || !strings.Contains(errs, "no such key") {
		t.Errorf("exit %d\n%s\n%s", code, out, errs)
	}
}

func TestATargetIsNamedWithoutItsPassword(t *testing.T) {
	for want, named := range map[string]target{
		"the assay up on .assay":        {Data: ".assay"},
		"nats://a:4222":                 {NATSURL: "nats://a:4222"},
		"a:4222,b:4222":                 {NATSURL: "nats://u:hunter2@a:4222,nats://hunter2@b:4222"},
		"nats://a:4222,nats://b.c:4222": {NATSURL: "nats://a:4222,nats://b.c:4222"},
	} {
		if got := named.String(); got != want {
			t.Errorf("named %s, want %s", got, want)
		}
	}
}
