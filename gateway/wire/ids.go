package wire

import (
	"context"
	"encoding/binary"
	"encoding/hex"
	"math/rand/v2"
	"net/http"

	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"

	"assay.dev/platform/telemetry"
)

// ids are the names of a request.
type ids struct {
	// id is ours and unique. What is billed once per request goes by it: a client may send one X-Request-ID twice.
	id string
	// requestID is the client's own, or id.
	requestID string
	// parent is the span of a tool call or a page of ours that made the request.
	parent trace.SpanContext
	// theirs is the client's span, when it sent one. Our trace has a link to it and is another: no client decides what is
	// kept.
	theirs trace.SpanContext
	// own is the span that traceresponse names, recorded or not.
	own trace.SpanContext
}

const (
	headerRequestID   = "X-Request-Id"
	headerTraceparent = "Traceparent"
)

// hasTrace tells whether who asked sent a span, and so is told ours.
func (n *ids) hasTrace() bool { return n.theirs.IsValid() || n.parent.IsValid() }

// newIDs names a request. ours tells that this gateway made it.
func newIDs(h http.Header, ours bool) ids {
	traceID, spanID := randomIDs()
	n := ids{id: hex.EncodeToString(traceID[:])}
	n.requestID = n.id
	if given := h[headerRequestID]; len(given) == 1 && telemetry.ValidRequestID(given[0]) {
		n.requestID = given[0]
	}
	own := trace.SpanContextConfig{TraceID: traceID, SpanID: spanID}
	if h[headerTraceparent] != nil {
		ctx := propagation.TraceContext{}.Extract(context.Background(), propagation.HeaderCarrier(h))
		if n.theirs = trace.SpanContextFromContext(ctx); ours && n.theirs.IsValid() {
			n.parent, n.theirs = n.theirs, trace.SpanContext{}
			own.TraceID = n.parent.TraceID()
		}
	}
	n.own = trace.NewSpanContext(own)
	return n
}

// randomIDs need be unique, not secret.
func randomIDs() (t trace.TraceID, s trace.SpanID) {
	binary.NativeEndian.PutUint64(t[:8], rand.Uint64())
	binary.NativeEndian.PutUint64(t[8:], rand.Uint64()|1) // zero is not valid
	binary.NativeEndian.PutUint64(s[:], rand.Uint64()|1)
	return t, s
}
