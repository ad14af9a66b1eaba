package telemetry_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"assay.dev/platform/clock"
	"assay.dev/platform/telemetry"
)

func TestTwoPartsCountInOneMetric(t *testing.T) {
	registry := prometheus.NewPedanticRegistry()
	counter := func() prometheus.Counter {
		c, err := telemetry.Register(registry, prometheus.NewCounter(prometheus.CounterOpts{Name: "reads_total"}))
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	if counter() != counter() {
		t.Error("the second part counts on its own")
	}
	gauge := prometheus.NewGauge(prometheus.GaugeOpts{Name: "reads_total"})
	if _, err := telemetry.Register(registry, gauge); err == nil {
		t.Error("a gauge took the name of a counter")
	}
}

func TestATraceOfItsOwnNamesWhoWaits(t *testing.T) {
	recorder := tracetest.NewSpanRecorder()
	provider := sdktrace.NewTracerProvider(sdktrace.WithSpanProcessor(recorder))
	defer func() { _ = provider.Shutdown(context.Background()) }()
	service := telemetry.WithTracer(t.Context(), provider)
	waiter, request := provider.Tracer("test").Start(telemetry.WithRequestID(t.Context(), "order-17"), "request")
	for want, by := range map[string]context.Context{"order-17": waiter, "": service} {
		ctx, span := telemetry.StartRoot(service, by, "test", "load")
		span.End()
		load := recorder.Ended()[len(recorder.Ended())-1]
		if load.Parent().IsValid() || (len(load.Links()) == 1) != (want != "") || telemetry.RequestID(ctx) == "" {
			t.Errorf("parent %v, links %v, id %q", load.Parent(), load.Links(), telemetry.RequestID(ctx))
		}
		if want != "" && (telemetry.RequestID(ctx) != want ||
			load.Links()[0].SpanContext.SpanID() != request.SpanContext().SpanID()) {
			t.Errorf("id %q, link %v", telemetry.RequestID(ctx), load.Links()[0])
		}
	}
}

func TestLinesOfOneFailureAreSeldom(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var s telemetry.Seldom
		lines := 0
		for range 120 {
			if s.Due("a") {
				lines++
			}
			_ = clock.Sleep(t.Context(), time.Second)
		}
		if lines != 2 || !s.Due("b") {
			t.Errorf("%d lines in two minutes", lines)
		}
		if s.Over("b"); !s.Due("b") {
			t.Error("a failure that begins anew is not told")
		}
	})
}

func TestSpansAreMadeWhereOneIsRecorded(t *testing.T) {
	recorder := tracetest.NewSpanRecorder()
	provider := sdktrace.NewTracerProvider(sdktrace.WithSpanProcessor(recorder))
	defer func() { _ = provider.Shutdown(context.Background()) }()
	recorded, parent := provider.Tracer("test").Start(t.Context(), "request")
	for name, ctx := range map[string]context.Context{"not recorded": t.Context(), "recorded": recorded} {
		_, span := telemetry.StartSpan(ctx, "test", name)
		span.End()
	}
	parent.End()
	if ended := recorder.Ended(); len(ended) != 2 || ended[0].Name() != "recorded" {
		t.Errorf("got %v", ended)
	}
}

// An answer is stored after it was given: the span of its request has ended then.
func TestSpansAreMadeAfterTheirParentHasEnded(t *testing.T) {
	recorder := tracetest.NewSpanRecorder()
	provider := sdktrace.NewTracerProvider(sdktrace.WithSpanProcessor(recorder))
	defer func() { _ = provider.Shutdown(context.Background()) }()
	ctx, parent := provider.Tracer("test").Start(t.Context(), "request")
	parent.End()
	_, span := telemetry.StartSpan(ctx, "test", "kv.put")
	span.End()
	ended := recorder.Ended()
	if len(ended) != 2 || ended[1].Name() != "kv.put" || ended[1].Parent().SpanID() != parent.SpanContext().SpanID() {
		t.Errorf("got %v", ended)
	}
}
