package monitor

import (
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/prometheus/client_golang/prometheus"
	dto "github.com/prometheus/client_model/go"
	"go.uber.org/goleak"

	"assay.dev/contracts"
	"assay.dev/platform/bustest"
	"assay.dev/platform/provision"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// gathered holds the metrics of one scrape by name and labels, such as jetstream_replica_lag{n1,KV_assay_keys}.
type gathered map[string]float64

func gather(t *testing.T, servers ...Server) gathered {
	t.Helper()
	registry := prometheus.NewPedanticRegistry()
	registry.MustRegister(New(slog.New(slog.DiscardHandler), servers...))
	families, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	all := gathered{}
	for _, family := range families {
		for _, m := range family.GetMetric() {
			var labels []string
			slices.SortFunc(m.GetLabel(), func(a, b *dto.LabelPair) int { return strings.Compare(a.GetName(), b.GetName()) })
			for _, l := range m.GetLabel() {
				labels = append(labels, l.GetValue())
			}
			all[fmt.Sprintf("%s{%s}", family.GetName(), strings.Join(labels, ","))] = m.GetGauge().GetValue() + m.GetCounter().GetValue()
		}
	}
	return all
}

func (g gathered) want(t *testing.T, want map[string]float64) {
	t.Helper()
	for name, value := range want {
		if got, ok := g[name]; !ok || got != value {
			t.Errorf("%s is %v (there: %v), want %v", name, got, ok, value)
		}
	}
}

func (g gathered) sum(prefix string) (sum float64) {
	for name, value := range g {
		if strings.HasPrefix(name, prefix) {
			sum += value
		}
	}
	return sum
}

// TestOneServer asks a server that stands alone, then with a stream less, then with JetStream off.
func TestOneServer(t *testing.T) {
	t.Parallel()
	srv := bustest.Server(t)
	conn := bustest.Connect(t, srv)
	js := bustest.JetStream(t, conn)
	if _, err := js.Publish(t.Context(), contracts.UsageSubject(contracts.LTL).Name, []byte("{}")); err != nil {
		t.Fatal(err)
	}
	name := srv.Name()
	g := gather(t, Local(srv))
	g.want(t, map[string]float64{
		"jetstream_server_up{" + name + "}": 1, "jetstream_store_limit_bytes{" + name + "}": 64 << 30,
		"jetstream_stream_messages{ASSAY_USAGE}": 1, "jetstream_stream_last_sequence{ASSAY_USAGE}": 1,
		"jetstream_stream_limit_bytes{ASSAY_USAGE}":           float64(contracts.UsageStream.MaxBytes),
		"jetstream_stream_leader{" + name + ",KV_assay_keys}": 1, "jetstream_stream_leader{" + name + ",_meta_}": 1,
		"jetstream_replica_lag{" + name + ",KV_assay_keys}": 0, "jetstream_replica_current{" + name + ",KV_assay_keys}": 1,
	})
	if led := g.sum("jetstream_stream_leader{"); led != float64(len(provision.Streams())+1) || g.sum("jetstream_stream_missing{") != 0 {
		t.Errorf("%v streams are led, and %v are missing", led, g.sum("jetstream_stream_missing{"))
	}
	if err := js.DeleteStream(t.Context(), contracts.UsageStream.Name); err != nil {
		t.Fatal(err)
	}
	g = gather(t, Local(srv))
	g.want(t, map[string]float64{"jetstream_stream_missing{ASSAY_USAGE}": 1, "jetstream_stream_missing{ASSAY_EVENTS}": 0})
	if err := srv.DisableJetStream(); err != nil {
		t.Fatal(err)
	}
	if g = gather(t, Local(srv)); len(g) != 1 || g["jetstream_server_up{"+name+"}"] != 0 {
		t.Errorf("JetStream is off: %v", g)
	}
}

func TestALaggingCopy(t *testing.T) {
	c := copies{"n0": {Cluster: &server.ClusterInfo{Leader: "n0", Replicas: []*server.PeerInfo{
		{Name: "n1", Current: true}, {Name: "n2", Lag: 1700},
	}}}, "n1": {Cluster: &server.ClusterInfo{Leader: "n0"}}}
	if lag, current, known := c.behind(c.leader(), "n2"); lag != 1700 || current || !known {
		t.Errorf("%d operations behind, current %v, known %v", lag, current, known)
	}
	delete(c, "n0")
	if leader := c.leader(); leader != "n0" {
		t.Errorf("n1 follows n0, which does not answer us, and the leader is %q", leader)
	}
}

func TestServersAreNamed(t *testing.T) {
	for _, text := range []string{"", "nats-0", "=http://nats-0:8222", "nats-0=nats-0:8222", "a=http://x:1,a=http://y:1", "a=http://x:1,"} {
		if err := new(Servers).UnmarshalText([]byte(text)); err == nil {
			t.Errorf("%q passes", text)
		}
	}
}
