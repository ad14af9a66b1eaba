package bus

import (
	"context"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"

	"assay.dev/contracts"
)

// traceRequest continues the caller's trace with a server span.
func traceRequest(tracer trace.Tracer) layer {
	return func(next handler) handler {
		return func(ctx context.Context, r *request) (reply, error) {
			ctx = propagator().Extract(ctx, carrier(r.header))
			ctx, span := startSpan(ctx, tracer, "process", trace.SpanKindServer, r.subject)
			span.SetAttributes(attribute.Int("assay.inflight", r.inflight))
			rep, err := next(ctx, r)
			endSpan(span, err)
			return rep, err
		}
	}
}

// startSpan names the span after the subject's template: a name must come from a small set.
func startSpan(ctx context.Context, t trace.Tracer, op string, kind trace.SpanKind, s contracts.Subject) (context.Context, trace.Span) {
	return t.Start(ctx, op+" "+s.Template, trace.WithSpanKind(kind), trace.WithAttributes(
		attribute.String("messaging.system", "nats"),
		attribute.String("messaging.operation.name", op),
		attribute.String("messaging.destination.name", s.Name),
		attribute.String("messaging.destination.template", s.Template),
	))
}

// endSpan notes the code of a failure, never its text, which may hold what a user sent.
func endSpan(span trace.Span, err error) {
	if code := contracts.CodeOf(err); code != "" {
		span.SetAttributes(attribute.String("error.type", string(code)))
		if code != contracts.Canceled {
			span.SetStatus(codes.Error, string(code))
		}
	}
	span.End()
}
