package monitor

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/prometheus/client_golang/prometheus"

	"assay.dev/platform/telemetry"
)

// askTime bounds the question to one server. Prometheus gives up after 10 s.
const askTime = 5 * time.Second

func described(name, help string, labels ...string) *prometheus.Desc {
	return prometheus.NewDesc("jetstream_"+name, help, labels, nil)
}

var (
	serverUp      = described("server_up", "1 when the server answers and its JetStream is on, else 0.", "server")
	storeUsed     = described("store_used_bytes", "Bytes of streams on the server's disk.", "server")
	storeReserved = described("store_reserved_bytes", "Bytes that the limits of the server's streams add up to.",
		"server")
	storeLimit  = described("store_limit_bytes", "Bytes that the server gives to streams: max_file_store.", "server")
	apiRequests = described("api_requests_total", "Requests to the JetStream API since the server's start.", "server")
	apiErrors   = described("api_errors_total", "Requests to the JetStream API that ended with an error.", "server")

	streamMissing  = described("stream_missing", "1 when no server that answers has the stream, else 0.", "stream")
	streamMessages = described("stream_messages", "Messages in the stream.", "stream")
	streamBytes    = described("stream_bytes", "Bytes of the stream on one server.", "stream")
	streamLimit    = described("stream_limit_bytes", "Bytes that the stream may have.", "stream")
	streamSequence = described("stream_last_sequence", "Sequence of the stream's last message.", "stream")
	streamLeader   = described("stream_leader",
		"1 for the server that leads the stream, else 0; _meta_ is the group that places streams.",
		"stream", "server")
	replicaLag = described("replica_lag", "Operations that the server's copy of the stream is behind its leader.",
		"stream", "server")
	replicaCurrent = described("replica_current",
		"1 when the leader heard of the server's copy lately, and it is complete; else 0.",
		"stream", "server")

	descriptions = []*prometheus.Desc{
		serverUp, storeUsed, storeReserved, storeLimit, apiRequests, apiErrors, streamMissing, streamMessages, streamBytes,
		streamLimit, streamSequence, streamLeader, replicaLag, replicaCurrent,
	}
)

// Collector asks the servers whenever metrics are asked for, so that it needs no goroutine, and no figure is old.
// Labels are the names of its servers and of the streams that provision.Streams lists; other streams and servers are
// left out.
type Collector struct {
	log     *slog.Logger
	servers []Server
	told    telemetry.Seldom // by server that cannot be asked
}

// New returns a collector for the servers of one deployment.
func New(log *slog.Logger, servers ...Server) *Collector {
	return &Collector{log: log, servers: servers}
}

// Describe is for [prometheus.Registry].
func (*Collector) Describe(ch chan<- *prometheus.Desc) {
	for _, d := range descriptions {
		ch <- d
	}
}

// Collect is for [prometheus.Registry].
func (c *Collector) Collect(ch chan<- prometheus.Metric) {
	answers := c.ask()
	c.collectServers(ch, answers)
	if len(answers) == 0 {
		return // nothing is known of any stream
	}
	all := streams(answers)
	for name, s := range all {
		c.collectLeader(ch, name, s)
		if name != metaGroup {
			collectStream(ch, name, s)
		}
	}
}

// ask asks all servers at once and returns the answers of those whose JetStream is on, by server.
func (c *Collector) ask() map[string]*server.JSInfo {
	ctx, cancel := context.WithTimeout(context.Background(), askTime)
	defer cancel()
	var mu sync.Mutex
	var asked sync.WaitGroup
	answers := map[string]*server.JSInfo{}
	for _, s := range c.servers {
		asked.Go(func() {
			info, err := s.ask(ctx)
			if err != nil {
				if c.told.Due(s.Name) {
					c.log.Warn("a NATS server cannot be asked", "server", s.Name, "error", err)
				}
				return
			}
			if !info.Disabled {
				mu.Lock()
				defer mu.Unlock()
				answers[s.Name] = info
			}
		})
	}
	asked.Wait()
	return answers
}

func (c *Collector) collectServers(ch chan<- prometheus.Metric, answers map[string]*server.JSInfo) {
	for _, s := range c.servers {
		info := answers[s.Name]
		gauge(ch, serverUp, number(info != nil), s.Name)
		if info == nil {
			continue
		}
		gauge(ch, storeUsed, float64(info.Store), s.Name)
		gauge(ch, storeReserved, float64(info.ReservedStore), s.Name)
		gauge(ch, storeLimit, float64(info.Config.MaxStore), s.Name)
		counter(ch, apiRequests, float64(info.API.Total), s.Name)
		counter(ch, apiErrors, float64(info.API.Errors), s.Name)
	}
}

// collectLeader tells who leads the stream, and of each server how far its copy is behind the leader's. What a server
// that does not answer leads is known from the others, but not its lags.
func (c *Collector) collectLeader(ch chan<- prometheus.Metric, name string, s copies) {
	leader := s.leader()
	for _, server := range c.servers {
		gauge(ch, streamLeader, number(server.Name == leader), name, server.Name)
		if lag, current, known := s.behind(leader, server.Name); known {
			gauge(ch, replicaLag, float64(lag), name, server.Name)
			gauge(ch, replicaCurrent, number(current), name, server.Name)
		}
	}
}

func collectStream(ch chan<- prometheus.Metric, name string, s copies) {
	gauge(ch, streamMissing, number(len(s) == 0), name)
	if d := s.best(); d != nil {
		gauge(ch, streamMessages, float64(d.State.Msgs), name)
		gauge(ch, streamBytes, float64(d.State.Bytes), name)
		gauge(ch, streamSequence, float64(d.State.LastSeq), name)
		if d.Config != nil {
			gauge(ch, streamLimit, float64(d.Config.MaxBytes), name)
		}
	}
}

func gauge(ch chan<- prometheus.Metric, d *prometheus.Desc, value float64, labels ...string) {
	ch <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, value, labels...)
}

func counter(ch chan<- prometheus.Metric, d *prometheus.Desc, value float64, labels ...string) {
	ch <- prometheus.MustNewConstMetric(d, prometheus.CounterValue, value, labels...)
}

func number(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}
