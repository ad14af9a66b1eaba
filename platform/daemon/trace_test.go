package daemon

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	sdktrace "go.opentelemetry.io/otel/sdk/trace"
)

type discard struct{}

func (discard) ExportSpans(context.Context, []sdktrace.ReadOnlySpan) error { return nil }
func (discard) Shutdown(context.Context) error                             { return nil }

func TestSpansReachTheCollector(t *testing.T) {
	var got atomic.Int64
	collector := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		n, _ := io.Copy(io.Discard, r.Body)
		if r.URL.Path == "/v1/traces" {
			got.Add(n)
		}
	}))
	defer collector.Close()
	cfg := Config{OTLPEndpoint: collector.URL}
	host, err := NewHost(context.Background(), cfg, nil)
	if err != nil {
		t.Fatal(err)
	}
	tracer, stop := newTracer(cfg, "probe", "live", host.exporters)
	_, span := tracer.Tracer("test").Start(context.Background(), "x")
	span.End()
	if err := errors.Join(stop(context.Background()), host.Close(context.Background())); err != nil {
		t.Error(err)
	}
	if got.Load() == 0 {
		t.Error("the collector got nothing")
	}
}

func TestADeadCollectorDelaysNobody(t *testing.T) {
	hang := make(chan struct{})
	collector := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-hang }))
	defer collector.Close()
	defer close(hang)
	cfg := Config{OTLPEndpoint: collector.URL}
	host, err := NewHost(context.Background(), cfg, nil)
	if err != nil {
		t.Fatal(err)
	}
	tracer, stop := newTracer(cfg, "probe", "live", host.exporters)
	start := time.Now()
	for range 3 * spanQueue {
		_, span := tracer.Tracer("test").Start(context.Background(), "x")
		span.End()
	}
	if took := time.Since(start); took > 5*time.Second {
		t.Errorf("spans took %s beside a dead collector", took)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	_ = stop(ctx) // the spans are lost
	_ = host.Close(ctx)
}

func TestSamplerSettings(t *testing.T) {
	for _, tt := range []struct {
		sampler string
		arg     float64
		sampled bool
	}{
		{"always_on", 1, true}, {"always_off", 1, false}, {"traceidratio", 0, false}, {"parentbased_traceidratio", 1, true},
	} {
		var s Sampler
		if err := s.UnmarshalText([]byte(tt.sampler)); err != nil {
			t.Fatal(err)
		}
		tracer, stop := newTracer(Config{Sampler: s, SamplerArg: tt.arg}, "probe", "",
			[]*sharedExporter{{SpanExporter: discard{}}})
		_, span := tracer.Tracer("test").Start(context.Background(), "x")
		if span.SpanContext().IsSampled() != tt.sampled {
			t.Errorf("%s(%g) sampled %t", tt.sampler, tt.arg, !tt.sampled)
		}
		_ = stop(context.Background())
	}
	var s Sampler
	if s.UnmarshalText([]byte("sometimes")) == nil {
		t.Error("an unknown sampler is accepted")
	}
}

func TestTheSamplerKeepsItsShareOfTraces(t *testing.T) {
	cfg, err := Load[Config](Environ{"OTEL_TRACES_SAMPLER": "parentbased_traceidratio", "OTEL_TRACES_SAMPLER_ARG": "0.05"})
	if err != nil {
		t.Fatal(err)
	}
	provider, stop := newTracer(cfg, "probe", "live", []*sharedExporter{{SpanExporter: discard{}}})
	defer func() { _ = stop(context.Background()) }()
	tracer := provider.Tracer("test")
	const traces = 20_000
	kept := 0
	for range traces {
		ctx, root := tracer.Start(context.Background(), "request")
		_, child := tracer.Start(ctx, "work")
		if root.IsRecording() != child.IsRecording() {
			t.Fatal("a trace is kept in part")
		}
		if root.IsRecording() {
			kept++
		}
	}
	if kept < traces*4/100 || kept > traces*6/100 {
		t.Errorf("%d of %d traces were kept, want one in twenty", kept, traces)
	}
}
