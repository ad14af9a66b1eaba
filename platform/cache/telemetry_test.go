package cache_test

import (
	"context"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.opentelemetry.io/otel/trace"

	"assay.dev/contracts"
	"assay.dev/platform/bustest"
	"assay.dev/platform/cache"
	"assay.dev/platform/clock/clocktest"
)

// Who waits for another's fetch has a span of its own with a link to the one who fetches.
func TestWaitersLinkToTheFetch(t *testing.T) {
	t.Parallel()
	srv := bustest.Buckets(t, buckets...)
	registry := prometheus.NewPedanticRegistry()
	all := []*cache.Store{
		open(t, bustest.Connect(t, srv), cache.Deps{Metrics: registry}),
		open(t, bustest.Connect(t, srv), cache.Deps{Metrics: registry}),
	}
	spans := tracetest.NewSpanRecorder()
	provider := sdktrace.NewTracerProvider(sdktrace.WithSpanProcessor(spans))
	defer func() { _ = provider.Shutdown(context.Background()) }()
	begun, release := make(chan struct{}), make(chan struct{})
	var calls sync.WaitGroup
	var fetcher trace.TraceID
	fill := func(s *cache.Store) {
		ctx, span := provider.Tracer("test").Start(within(t, patient), "request")
		defer span.End()
		_, err := cache.Fill(ctx, s, key, func(ctx context.Context) (page, error) {
			fetcher = trace.SpanContextFromContext(ctx).TraceID()
			close(begun)
			<-release
			return newPage("a", time.Hour), nil
		})
		if err != nil {
			t.Error(err)
		}
	}
	calls.Go(func() { fill(all[0]) })
	<-begun
	calls.Go(func() { fill(all[0]) })
	calls.Go(func() { fill(all[1]) })
	clocktest.Await(t, "both wait", func() bool {
		roles := map[string]bool{}
		for _, span := range spans.Started() {
			roles[role(span.Attributes())] = true
		}
		return roles["waiter"] && roles["local"]
	})
	close(release)
	calls.Wait()
	linked := map[string]bool{}
	for _, span := range spans.Ended() {
		for _, link := range span.Links() {
			if link.SpanContext.TraceID() == fetcher {
				linked[role(span.Attributes())] = true
			}
		}
	}
	if !linked["waiter"] || !linked["local"] {
		t.Errorf("linked: %v", linked)
	}
	if n, err := testutil.GatherAndCount(registry, "flight_total"); err != nil || n != 3 {
		t.Errorf("flight_total: %d roles, %v", n, err)
	}
}

func role(attrs []attribute.KeyValue) string {
	for _, a := range attrs {
		if a.Key == "assay.flight.role" {
			return a.Value.AsString()
		}
	}
	return ""
}

// A search for failed spans finds the answer that was given and could not be stored.
func TestASpanTellsOfAnAnswerThatIsNotStored(t *testing.T) {
	t.Parallel()
	srv := bustest.Buckets(t, buckets...)
	conn := bustest.Connect(t, srv)
	stream, err := bustest.JetStream(t, conn).Stream(within(t, patient), contracts.AnswersBucket.Stream())
	if err == nil {
		cfg := stream.CachedInfo().Config
		cfg.MaxMsgSize = 1
		_, err = bustest.JetStream(t, conn).UpdateStream(within(t, patient), cfg)
	}
	if err != nil {
		t.Fatal(err)
	}
	spans := tracetest.NewSpanRecorder()
	ctx, span := sdktrace.NewTracerProvider(sdktrace.WithSpanProcessor(spans)).Tracer("test").Start(within(t, patient), "x")
	defer span.End()
	if _, err := cache.Fill(ctx, open(t, conn, cache.Deps{}), key,
		func(context.Context) (page, error) { return newPage("a", time.Hour), nil }); err != nil {
		t.Error(err)
	}
	clocktest.Await(t, "a failed span kv.put", func() bool {
		return slices.ContainsFunc(spans.Ended(), func(s sdktrace.ReadOnlySpan) bool {
			return s.Name() == "kv.put" && s.Status() == sdktrace.Status{Code: codes.Error, Description: "failed"}
		})
	})
}
