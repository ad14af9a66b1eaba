package daemon

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"
	"sync/atomic"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/exporters/stdout/stdouttrace"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
	"go.opentelemetry.io/otel/trace/noop"
)

// Sampler is a value of OTEL_TRACES_SAMPLER.
type Sampler string

// UnmarshalText refuses a sampler that OpenTelemetry does not name.
func (s *Sampler) UnmarshalText(text []byte) error {
	if _, ok := samplers(1)[Sampler(text)]; !ok {
		return fmt.Errorf("sampler %q: want always_on, always_off or traceidratio, each also with the prefix parentbased_",
			text)
	}
	*s = Sampler(text)
	return nil
}

func samplers(ratio float64) map[Sampler]sdktrace.Sampler {
	return map[Sampler]sdktrace.Sampler{
		"always_on":                sdktrace.AlwaysSample(),
		"always_off":               sdktrace.NeverSample(),
		"traceidratio":             sdktrace.TraceIDRatioBased(ratio),
		"parentbased_always_on":    sdktrace.ParentBased(sdktrace.AlwaysSample()),
		"parentbased_always_off":   sdktrace.ParentBased(sdktrace.NeverSample()),
		"parentbased_traceidratio": sdktrace.ParentBased(sdktrace.TraceIDRatioBased(ratio)),
	}
}

func (c Config) sampler() sdktrace.Sampler {
	if s, ok := samplers(c.SamplerArg)[c.Sampler]; ok {
		return s
	}
	return sdktrace.ParentBased(sdktrace.AlwaysSample())
}

// spanExporters opens the file and the collector that the settings name, either, both or none.
func spanExporters(ctx context.Context, cfg Config, log *slog.Logger) ([]*sharedExporter, []io.Closer, error) {
	var exporters []*sharedExporter
	var closers []io.Closer
	if cfg.TraceFile != "" {
		// Appending keeps the lines of several processes whole: each span is one write.
		f, err := os.OpenFile(cfg.TraceFile, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
		if err != nil {
			return nil, nil, fmt.Errorf("ASSAY_TRACE_FILE: %w", err)
		}
		e, err := stdouttrace.New(stdouttrace.WithWriter(f))
		if err != nil {
			return nil, nil, err
		}
		exporters, closers = append(exporters, &sharedExporter{SpanExporter: e, log: log}), append(closers, f)
	}
	if cfg.OTLPEndpoint != "" {
		e, err := otlptracehttp.New(ctx, otlptracehttp.WithEndpointURL(strings.TrimSuffix(cfg.OTLPEndpoint,
			"/")+"/v1/traces"))
		if err != nil {
			return nil, nil, fmt.Errorf("OTEL_EXPORTER_OTLP_ENDPOINT: %w", err)
		}
		exporters = append(exporters, &sharedExporter{SpanExporter: e, log: log})
	}
	return exporters, closers, nil
}

// sharedExporter exports the spans of all services of a process, and lives longer than each of them. It logs at most
// one failure a minute. It does not return failures, because the SDK gives them to a global handler.
type sharedExporter struct {
	sdktrace.SpanExporter
	log    *slog.Logger
	logged atomic.Int64
}

func (e *sharedExporter) ExportSpans(ctx context.Context, spans []sdktrace.ReadOnlySpan) error {
	err := e.SpanExporter.ExportSpans(ctx, spans)
	now := time.Now().Unix()
	if last := e.logged.Load(); err != nil && now-last >= 60 && e.logged.CompareAndSwap(last, now) {
		e.log.Warn("spans were lost", "spans", len(spans), "error", err)
	}
	return nil
}

func (*sharedExporter) Shutdown(context.Context) error { return nil }

const (
	spanQueue = 4096
	spanBatch = 512
	spanDelay = time.Second
	spanFlush = 3 * time.Second // how long a stop waits for a collector
)

// newTracer returns a provider and the function that sends what it has left. The provider queues at most spanQueue
// spans and drops further ones, so that a slow collector never delays a request. Without exporters it records nothing.
func newTracer(
	cfg Config, service, environment string, exporters []*sharedExporter,
) (trace.TracerProvider, func(context.Context) error) {
	if len(exporters) == 0 {
		return noop.NewTracerProvider(), func(context.Context) error { return nil }
	}
	attrs := []attribute.KeyValue{
		attribute.String("service.namespace", "assay"),
		attribute.String("service.name", service),
		attribute.String("service.version", Version()),
	}
	if environment != "" {
		attrs = append(attrs, attribute.String("deployment.environment", environment))
	}
	opts := []sdktrace.TracerProviderOption{
		sdktrace.WithSampler(cfg.sampler()),
		sdktrace.WithResource(resource.NewSchemaless(attrs...)),
	}
	for _, e := range exporters {
		opts = append(opts, sdktrace.WithBatcher(e,
			sdktrace.WithMaxQueueSize(spanQueue), sdktrace.WithMaxExportBatchSize(spanBatch),
			sdktrace.WithBatchTimeout(spanDelay)))
	}
	provider := sdktrace.NewTracerProvider(opts...)
	return provider, func(ctx context.Context) error {
		ctx, cancel := context.WithTimeout(ctx, spanFlush)
		defer cancel()
		return provider.Shutdown(ctx)
	}
}
