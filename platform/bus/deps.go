package bus

import (
	"log/slog"

	"github.com/nats-io/nats.go"
	"github.com/prometheus/client_golang/prometheus"
	"go.opentelemetry.io/otel/trace"
	"go.opentelemetry.io/otel/trace/noop"
)

// scope names this package's spans.
const scope = "assay.dev/platform/bus"

// Deps is what every part of this package needs. Conn is required and should come from [Connect]; of the others, what is
// nil is not written to.
type Deps struct {
	Conn    *nats.Conn
	Log     *slog.Logger
	Metrics prometheus.Registerer
	Tracer  trace.TracerProvider
}

func (d Deps) log() *slog.Logger {
	if d.Log == nil {
		return slog.New(slog.DiscardHandler)
	}
	return d.Log
}

func (d Deps) tracer() trace.Tracer {
	if d.Tracer == nil {
		return noop.NewTracerProvider().Tracer(scope)
	}
	return d.Tracer.Tracer(scope)
}
