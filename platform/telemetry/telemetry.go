// Package telemetry holds what every package needs to count and to trace: metrics are registered here, and spans begun
// where somebody records them.
package telemetry

import (
	"cmp"
	"context"
	"errors"

	"github.com/nats-io/nuid"
	"github.com/prometheus/client_golang/prometheus"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"
	"go.opentelemetry.io/otel/trace/noop"
)

// Register adds c to r and returns it. When r has an equal collector already, Register returns that one, so that two
// parts of a process may count in the same metric. A nil r leaves c unregistered.
func Register[C prometheus.Collector](r prometheus.Registerer, c C) (C, error) {
	if r == nil {
		return c, nil
	}
	err := r.Register(c)
	var already prometheus.AlreadyRegisteredError
	if errors.As(err, &already) {
		if existing, ok := already.ExistingCollector.(C); ok {
			return existing, nil
		}
	}
	return c, err
}

// StartSpan begins a child of the span in ctx when that is sampled, also when it has ended: an answer is stored after
// it was given. Otherwise it returns ctx and a span that does nothing, because making an unrecorded span costs as much
// as making a recorded one. Scope is the import path of the caller.
func StartSpan(ctx context.Context, scope, name string, opts ...trace.SpanStartOption) (context.Context, trace.Span) {
	parent := trace.SpanFromContext(ctx)
	if !parent.SpanContext().IsSampled() {
		return ctx, noop.Span{}
	}
	return parent.TracerProvider().Tracer(scope).Start(ctx, name, opts...)
}

type tracerKey struct{}

// WithTracer gives [StartRoot] its tracer.
func WithTracer(ctx context.Context, p trace.TracerProvider) context.Context {
	return context.WithValue(ctx, tracerKey{}, p)
}

// StartRoot begins a trace of what a service does by itself, with a link to the span of who waits for it, if anybody
// does. Its log lines have the request id of who waits, or one of their own.
func StartRoot(ctx, waiter context.Context, scope, name string) (context.Context, trace.Span) {
	p, ok := ctx.Value(tracerKey{}).(trace.TracerProvider)
	if !ok {
		p = noop.NewTracerProvider()
	}
	return p.Tracer(scope).Start(WithRequestID(ctx, cmp.Or(RequestID(waiter), nuid.Next())), name, trace.WithNewRoot(),
		trace.WithLinks(trace.LinkFromContext(waiter)))
}

// Failed marks a span as one of what failed, without the error's text, which may hold what a user sent.
func Failed(span trace.Span) { span.SetStatus(codes.Error, "failed") }

type requestIDKey struct{}

// maxRequestID bounds the length of a request id.
const maxRequestID = 128

// ValidRequestID tells whether an id can stand in a header and in a log line as it is: 1 to 128 printable ASCII
// characters, and no blank, quote or backslash among them.
func ValidRequestID(id string) bool {
	if id == "" || len(id) > maxRequestID {
		return false
	}
	for _, c := range []byte(id) {
		if c <= ' ' || c > '~' || c == '"' || c == '\\' {
			return false
		}
	}
	return true
}

// WithRequestID gives calls made with the context, and its log lines, the id that the client sees in X-Request-ID. An
// id that is not valid is ignored.
func WithRequestID(ctx context.Context, id string) context.Context {
	if !ValidRequestID(id) {
		return ctx
	}
	return context.WithValue(ctx, requestIDKey{}, id)
}

// RequestID is the id given by [WithRequestID], in this process or in the one that called; "" without one.
func RequestID(ctx context.Context) string {
	id, _ := ctx.Value(requestIDKey{}).(string)
	return id
}
