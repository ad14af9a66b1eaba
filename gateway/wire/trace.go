package wire

import (
	"net/http"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"

	"assay.dev/contracts"
)

// startTrace begins the server's span when traces are kept. A trace of ours goes on in any case; that of a client does
// not, and ours has a link to it.
func (s *Server) startTrace(x *exchange) {
	if x.parent.IsValid() {
		x.ctx = trace.ContextWithRemoteSpanContext(x.ctx, x.parent)
	}
	if !s.tracing {
		return
	}
	options := []trace.SpanStartOption{trace.WithSpanKind(trace.SpanKindServer),
		trace.WithAttributes(attribute.String("http.request.method", x.c.Request.Method),
			attribute.String("http.route", x.route.Path),
			attribute.String("url.scheme", "http"), attribute.String("assay.request_id", x.requestID))}
	if x.theirs.IsValid() {
		options = append(options, trace.WithLinks(trace.Link{SpanContext: x.theirs}))
	}
	x.ctx, x.span = s.tracer.Start(x.ctx, x.c.Request.Method+" "+x.route.Path, options...)
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
