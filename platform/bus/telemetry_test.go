package bus_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/nats-io/nats.go/micro"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.opentelemetry.io/otel/trace"

	"assay.dev/contracts"
	"assay.dev/platform/bus"
	"assay.dev/platform/bustest"
	"assay.dev/platform/clock/clocktest"
)

// recorder keeps spans.
func recorder(t *testing.T) (*tracetest.SpanRecorder, trace.TracerProvider) {
	t.Helper()
	r := tracetest.NewSpanRecorder()
	p := sdktrace.NewTracerProvider(sdktrace.WithSpanProcessor(r))
	t.Cleanup(func() { _ = p.Shutdown(context.Background()) })
	return r, p
}

func TestOneTraceFromCallerToHandler(t *testing.T) {
	t.Parallel()
	srv := bustest.Empty(t)
	spans, tracer := recorder(t)
	conn := bustest.Connect(t, srv)
	s, err := bus.Serve(bus.Deps{Conn: conn, Tracer: tracer},
		service(1, func(_ context.Context, q question) (answer, error) {
			if q.Text == "fail" {
				return answer{}, contracts.Errorf(contracts.SourceUnavailable, "a name that must not be in a trace")
			}
			return answer{}, nil
		}))
	if err != nil {
		t.Fatal(err)
	}
	client := bus.NewClient(bus.Deps{Conn: bustest.Connect(t, srv), Tracer: tracer, Patience: clocktest.Patience})
	for _, text := range []string{"x", "fail"} {
		_, _ = ask(within(t, patient), client, text)
	}
	stop(t, s)
	ended := spans.Ended()
	if len(ended) != 4 {
		t.Fatalf("%d spans", len(ended))
	}
	byName := map[string]sdktrace.ReadOnlySpan{}
	for _, span := range ended[:2] {
		byName[span.Name()] = span
	}
	call, handle := byName["request "+subject.Template], byName["process "+subject.Template]
	if call == nil || handle == nil {
		t.Fatalf("got %v", byName)
	}
	if call.SpanKind() != trace.SpanKindClient || handle.SpanKind() != trace.SpanKindServer {
		t.Errorf("kinds %s, %s", call.SpanKind(), handle.SpanKind())
	}
	if handle.Parent().SpanID() != call.SpanContext().SpanID() ||
		handle.SpanContext().TraceID() != call.SpanContext().TraceID() {
		t.Error("the handler's span is not the call's child")
	}
	for _, span := range ended[2:] {
		if got := span.Status().Description; got != string(contracts.SourceUnavailable) {
			t.Errorf("%s ends as %q", span.Name(), got)
		}
	}
}

func TestMetricsAndStats(t *testing.T) {
	srv := bustest.Empty(t)
	registry := prometheus.NewPedanticRegistry()
	conn := bustest.Connect(t, srv)
	entered, release := make(chan struct{}), make(chan struct{})
	s, err := bus.Serve(bus.Deps{Conn: conn, Metrics: registry},
		service(3, func(_ context.Context, q question) (answer, error) {
			switch q.Text {
			case "fail":
				return answer{}, errors.New("no")
			case "down", "down again":
				return answer{}, &contracts.Error{Code: contracts.SourceUnavailable, Repeated: q.Text == "down again"}
			case "wait":
				entered <- struct{}{}
				<-release
			}
			return answer{}, nil
		}))
	if err != nil {
		t.Fatal(err)
	}
	client := bus.NewClient(bus.Deps{Conn: bustest.Connect(t, srv), Metrics: registry, Patience: clocktest.Patience})
	for _, text := range []string{"x", "x", "fail", "down", "down again"} {
		_, _ = ask(within(t, patient), client, text)
	}
	waiting := make(chan struct{})
	go func() {
		defer close(waiting)
		_, _ = ask(within(t, patient), client, "wait")
	}()
	<-entered
	var stats micro.Stats
	reply, err := conn.Request("$SRV.STATS.echo", nil, patient)
	if err == nil {
		err = json.Unmarshal(reply.Data, &stats)
	}
	if err != nil || len(stats.Endpoints) != 1 {
		t.Fatalf("%v, %+v", err, stats)
	}
	var got bus.Stats
	if err := json.Unmarshal(stats.Endpoints[0].Data, &got); err != nil {
		t.Fatal(err)
	}
	got.AverageProcessingTime = 0
	if want := (bus.Stats{Inflight: 1, Capacity: 3, Requests: 5, Errors: 3}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	gauges(t, registry, map[string]float64{"worker_inflight": 1, "worker_capacity": 3})
	close(release)
	<-waiting
	stop(t, s)
	gauges(t, registry, map[string]float64{"worker_inflight": 0, "worker_capacity": 0})
	for _, name := range []string{"nats_request_duration_seconds", "nats_handle_duration_seconds"} {
		if n, err := testutil.GatherAndCount(registry, name); err != nil || n != 4 { // ok, INTERNAL, and down
			t.Errorf("%s: %d series, %v", name, n, err)
		}
	}
}

// The first request that nobody serves is an increase.
func TestNoWorkerIsCountedFromTheStart(t *testing.T) {
	registry := prometheus.NewPedanticRegistry()
	subjects := contracts.ProductSubjects()
	client := bus.NewClient(bus.Deps{Conn: bustest.Connect(t, bustest.Empty(t)), Metrics: registry}, subjects[0], subjects[1])
	_, _ = bus.Call[answer](within(t, patient), client, subjects[0], question{})
	if err := testutil.GatherAndCompare(registry, strings.NewReader(`
# HELP nats_no_worker_total Requests that found nobody who serves them.
# TYPE nats_no_worker_total counter
nats_no_worker_total{subject_template="assay.v1.live.ltl.history.{carrier}"} 0
nats_no_worker_total{subject_template="assay.v1.live.ltl.surcharge.{carrier}"} 1
`), "nats_no_worker_total"); err != nil {
		t.Error(err)
	}
}

func gauges(t *testing.T, r prometheus.Gatherer, want map[string]float64) {
	t.Helper()
	families, err := r.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range families {
		if v, ok := want[f.GetName()]; ok && f.GetMetric()[0].GetGauge().GetValue() != v {
			t.Errorf("%s is %v, want %v", f.GetName(), f.GetMetric()[0], v)
		}
	}
}
