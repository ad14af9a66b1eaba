package bus

import (
	"context"
	"log/slog"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/prometheus/client_golang/prometheus"
	"go.opentelemetry.io/otel/trace"
	"go.opentelemetry.io/otel/trace/noop"

	"assay.dev/contracts"
)

// scope names this package's spans.
const scope = "assay.dev/platform/bus"

// Deps is what every part of this package needs. Conn is required and should come from [Connect]; of the others, what
// is nil is not written to.
type Deps struct {
	Conn    *nats.Conn
	Log     *slog.Logger
	Metrics prometheus.Registerer
	Tracer  trace.TracerProvider
	// Patience is about how long a call waits for a server that is lost or hangs; 0 is a second.
	Patience time.Duration
	// StoredAnswer reads an answer that was too large to be sent (see [HandleStored]): package cache does. Without it,
	// a call that is answered so fails with SOURCE_UNAVAILABLE.
	StoredAnswer func(context.Context, contracts.CacheKey) ([]byte, error)
}

func (d Deps) stored(ctx context.Context, key contracts.CacheKey) ([]byte, error) {
	if d.StoredAnswer == nil {
		return nil, contracts.Errorf(contracts.SourceUnavailable, "the answer could not be delivered; retry")
	}
	return d.StoredAnswer(ctx, key)
}

// Logger is Log, or one that writes nothing.
func (d Deps) Logger() *slog.Logger {
	if d.Log == nil {
		return slog.New(slog.DiscardHandler)
	}
	return d.Log
}

// SpanTracer is the tracer of messages.
func (d Deps) SpanTracer() trace.Tracer {
	if d.Tracer == nil {
		return noop.NewTracerProvider().Tracer(scope)
	}
	return d.Tracer.Tracer(scope)
}
