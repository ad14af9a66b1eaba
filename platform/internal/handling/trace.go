package handling

import (
	"context"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"

	"assay.dev/contracts"
)

// Trace continues the caller's trace with a server span.
func Trace(tracer trace.Tracer) Layer {
	return func(next Handler) Handler {
		return func(ctx context.Context, r *Request) (Reply, error) {
			ctx = Propagator().Extract(ctx, Carrier(r.Header))
			ctx, span := StartSpan(ctx, tracer, "process", trace.SpanKindServer, r.Subject)
			span.SetAttributes(attribute.Int("assay.inflight", r.Inflight))
			if r.Job != "" {
				span.SetAttributes(attribute.Int64("assay.queue_wait_ms", r.Waited.Milliseconds()))
			}
			rep, err := next(ctx, r)
			EndSpan(span, err)
			return rep, err
		}
	}
}

// StartSpan names the span after the subject's template: a name must come from a small set.
func StartSpan(
	ctx context.Context, t trace.Tracer, op string, kind trace.SpanKind, s contracts.Subject,
) (context.Context, trace.Span) {
	return t.Start(ctx, op+" "+s.Template, trace.WithSpanKind(kind), trace.WithAttributes(
		attribute.String("messaging.system", "nats"),
		attribute.String("messaging.operation.name", op),
		attribute.String("messaging.destination.name", s.Name),
		attribute.String("messaging.destination.template", s.Template),
	))
}

// EndSpan notes the code of a failure, never its text, which may hold what a user sent.
func EndSpan(span trace.Span, err error) {
	if code := contracts.CodeOf(err); code != "" {
		span.SetAttributes(attribute.String("error.type", string(code)))
		if code != contracts.Canceled {
			span.SetStatus(codes.Error, string(code))
		}
	}
	span.End()
}
