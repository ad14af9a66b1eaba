package daemon

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/prometheus/client_golang/prometheus"
	"go.uber.org/goleak"

	"assay.dev/contracts"
	"assay.dev/platform/clock/clocktest"
	"assay.dev/platform/telemetry"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func startNATS(t *testing.T) *server.Server {
	t.Helper()
	s, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: -1, NoLog: true, NoSigs: true, JetStream: true,
		StoreDir: t.TempDir(), JetStreamMaxStore: 64 << 30})
	if err != nil {
		t.Fatal(err)
	}
	s.Start()
	if !s.ReadyForConnections(clocktest.Patience) {
		t.Fatal("NATS did not start")
	}
	t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
	return s
}

func body(t *testing.T, url string) (int, string) {
	t.Helper()
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}, Timeout: clocktest.Patience}
	resp, err := client.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(text)
}

func TestRunStopsInReverseOrderWithItsContextAlive(t *testing.T) {
	nats := startNATS(t)
	ctx, cancel := context.WithCancel(context.Background())
	var order []string
	err := Run(ctx, "probe", Config{NATSURL: nats.ClientURL()}, nil, func(work context.Context, d *Daemon) error {
		hook := func(name string) {
			d.OnStop(name, func(context.Context) error {
				if work.Err() != nil || !d.NATS.IsConnected() {
					t.Errorf("at %s the context or the connection is gone", name)
				}
				order = append(order, name)
				return nil
			})
		}
		hook("first")
		d.Go("loop", func(ctx context.Context) error {
			<-ctx.Done()
			order = append(order, "loop")
			return ctx.Err()
		})
		hook("last")
		cancel()
		return nil
	})
	if err != nil || strings.Join(order, " ") != "last loop first" {
		t.Errorf("stopped as %q, %v", order, err)
	}
}

func TestRunEndsWithTheFailureOfItsGoroutine(t *testing.T) {
	nats := startNATS(t)
	for name, tt := range map[string]struct {
		f    func(context.Context) error
		want string
	}{
		"an error": {func(context.Context) error { return errors.New("it broke") }, "probe: loop: it broke"},
		"a panic":  {func(context.Context) error { panic("it broke") }, "probe: loop: panic: it broke"},
	} {
		t.Run(name, func(t *testing.T) {
			var log bytes.Buffer
			err := Run(context.Background(), "probe", Config{NATSURL: nats.ClientURL()}, nil,
				func(_ context.Context, d *Daemon) error {
					d.Log = newLog(&log, Config{LogFormat: LogJSON})
					d.Go("loop", tt.f)
					d.OnStop("usage", func(context.Context) error { return errors.New("all is lost") })
					return nil
				})
			want := tt.want + "\nstop usage: all is lost"
			line, _ := json.Marshal(want)
			if err == nil || err.Error() != want || !strings.Contains(log.String(), `"error":`+string(line)) {
				t.Errorf("got %v, want %s; the log says %s", err, want, log.String())
			}
		})
	}
}

func TestAStopIsBounded(t *testing.T) {
	nats := startNATS(t)
	ctx, cancel := context.WithCancel(context.Background())
	release := make(chan struct{})
	defer close(release)
	start := time.Now()
	err := Run(ctx, "probe", Config{NATSURL: nats.ClientURL(), StopTimeout: 50 * time.Millisecond}, nil,
		func(_ context.Context, d *Daemon) error {
			d.Go("deaf", func(context.Context) error { <-release; return nil })
			cancel()
			return nil
		})
	if !errors.Is(err, context.DeadlineExceeded) || time.Since(start) > 5*time.Second {
		t.Errorf("got %v after %s, want a bounded stop", err, time.Since(start))
	}
}

func TestASetupThatFailsIsUndone(t *testing.T) {
	nats := startNATS(t)
	undone := false
	err := Run(context.Background(), "probe", Config{NATSURL: nats.ClientURL()}, nil,
		func(_ context.Context, d *Daemon) error {
			d.OnStop("half", func(context.Context) error { undone = true; return nil })
			return errors.New("no")
		})
	if err == nil || !undone {
		t.Errorf("undone %t, error %v", undone, err)
	}
}

func TestServicesOfOneHostShareItsPages(t *testing.T) {
	nats := startNATS(t)
	spans := filepath.Join(t.TempDir(), "spans")
	host, err := NewHost(context.Background(), Config{AdminListen: "127.0.0.1:0", TraceFile: spans}, nats)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	started, ended := make(chan *Daemon, 2), make(chan error, 2)
	for _, env := range []string{"live", "test"} {
		go func() {
			ended <- Run(ctx, "worker", Config{Host: host}, prometheus.Labels{"environment": env},
				func(ctx context.Context, d *Daemon) error {
					jobs := prometheus.NewCounter(prometheus.CounterOpts{Name: "jobs_total", Help: "jobs"})
					d.Metrics.MustRegister(jobs)
					jobs.Inc()
					_, span := d.Tracer.Tracer("test").Start(ctx, "job")
					d.Log.InfoContext(ctx, "job")
					span.End()
					started <- d
					return nil
				})
		}()
	}
	first, second := <-started, <-started
	_, metrics := body(t, host.AdminURL()+"/metrics")
	for _, want := range []string{`jobs_total{environment="live",service="worker"} 1`,
		`jobs_total{environment="test",service="worker"} 1`, "go_goroutines"} {
		if !strings.Contains(metrics, want) {
			t.Errorf("no %s in /metrics", want)
		}
	}
	waitReady(t, host, http.StatusOK)
	first.Ready("keys", func() error { return errors.New("not loaded") })
	if status, text := body(t, host.AdminURL()+"/readyz"); status != http.StatusServiceUnavailable ||
		!strings.Contains(text, "keys: not loaded") {
		t.Errorf("readyz %d %s", status, text)
	}
	if status, _ := body(t, host.AdminURL()+"/livez"); status != http.StatusOK {
		t.Errorf("livez %d", status)
	}
	_ = second
	cancel()
	if err := errors.Join(<-ended, <-ended, host.Close(context.Background())); err != nil {
		t.Error(err)
	}
	checkSpans(t, spans)
}

func waitReady(t *testing.T, host *Host, want int) {
	t.Helper()
	clocktest.Await(t, fmt.Sprint("/readyz is ", want), func() bool {
		status, _ := body(t, host.AdminURL()+"/readyz")
		return status == want
	})
}

func checkSpans(t *testing.T, file string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for line := range bytes.Lines(text) {
		var span struct {
			Name     string
			Resource []struct {
				Key   string
				Value struct{ Value any }
			}
		}
		if err := json.Unmarshal(line, &span); err != nil || span.Name != "job" {
			t.Errorf("line %s: %v", line, err)
		}
		for _, a := range span.Resource {
			seen[a.Key+"="+a.Value.Value.(string)] = true
		}
	}
	for _, want := range []string{"service.name=worker", "deployment.environment=live", "deployment.environment=test"} {
		if !seen[want] {
			t.Errorf("no span says %s: %v", want, seen)
		}
	}
}

func TestTracingIsOffByDefault(t *testing.T) {
	tracer, _ := newTracer(Config{}, "probe", "", nil)
	if _, span := tracer.Tracer("test").Start(context.Background(), "x"); span.IsRecording() {
		t.Error("a span is recorded without an exporter")
	}
}

func TestATakenPortNamesTheSetting(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	_, err = NewHost(context.Background(), Config{AdminListen: l.Addr().String()}, nil)
	if err == nil || !strings.HasPrefix(err.Error(), "ASSAY_ADMIN_LISTEN="+l.Addr().String()+": the port is taken") {
		t.Errorf("got %v", err)
	}
}

func TestLogLinesCarryTheRequestAndItsTraceAndNoSecret(t *testing.T) {
	var out bytes.Buffer
	log := newLog(&out, Config{LogFormat: LogJSON})
	tracer, stop := newTracer(Config{}, "probe", "", []*sharedExporter{{SpanExporter: discard{}}})
	defer func() { _ = stop(context.Background()) }()
	ctx, span := tracer.Tracer("test").Start(telemetry.WithRequestID(context.Background(), "order-17"), "x")
	log.With("key", Secret("hunter2")).InfoContext(ctx, "hello", "again", Secret("hunter2"), "name", "\u202e\u009b2J")
	span.End()
	var line map[string]any
	if err := json.Unmarshal(out.Bytes(), &line); err != nil {
		t.Fatal(err)
	}
	if line["trace_id"] != span.SpanContext().TraceID().String() ||
		line["span_id"] != span.SpanContext().SpanID().String() || line["request_id"] != "order-17" || line["name"] != "\u202e\u009b2J" {
		t.Errorf("line %s", out.String())
	}
	if contracts.Visible(out.String()) != out.String() {
		t.Errorf("%q does something to a terminal", out.String())
	}
	if strings.Contains(out.String(), "hunter2") {
		t.Errorf("the secret is in %s", out.String())
	}
}

// A web page whose own name leads to this machine cannot read the admin port, and no body holds a connection for long.
func TestTheAdminPortGuardsItself(t *testing.T) {
	host, err := NewHost(t.Context(), Config{AdminListen: "127.0.0.1:0"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = host.Close(t.Context()) }()
	for name, want := range map[string]int{"": 200, "localhost:9090": 200, "[::1]": 200, "127.0.0.1": 200, "evil.example": 403, "10.0.0.1:9090": 403} {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, host.AdminURL()+"/livez", nil)
		if err != nil {
			t.Fatal(err)
		}
		req.Host = cmp.Or(name, req.Host)
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		_ = resp.Body.Close()
		if resp.StatusCode != want {
			t.Errorf("Host %q: %d, want %d", name, resp.StatusCode, want)
		}
	}
	http.DefaultClient.CloseIdleConnections()
}
