package wire

import (
	"net/http"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"

	"assay.dev/contracts"
)

// startTrace begins the server's span when traces are kept. The caller's trace goes on through us in any case.
func (s *Server) startTrace(x *exchange) {
	if x.parent.IsValid() {
		x.ctx = trace.ContextWithRemoteSpanContext(x.ctx, x.parent)
	}
	if !s.tracing {
		return
	}
	x.ctx, x.span = s.tracer.Start(x.ctx, x.c.Request.Method+" "+x.route.Path, trace.WithSpanKind(trace.SpanKindServer),
		trace.WithAttributes(attribute.String("http.request.method", x.c.Request.Method), attribute.String("http.route", x.route.Path),
			attribute.String("url.scheme", "http"), attribute.String("assay.request_id", x.requestID)))
	x.own = x.span.SpanContext()
}

func (s *Server) endTrace(x *exchange, err error) {
	if x.span == nil {
		return
	}
	x.span.SetAttributes(attribute.Int("http.response.status_code", x.status))
	if err != nil {
		x.span.SetAttributes(attribute.String("error.type", string(contracts.CodeOf(err))))
	}
	if x.status >= http.StatusInternalServerError {
		x.span.SetStatus(codes.Error, string(contracts.CodeOf(err)))
	}
	x.span.End()
}
