package wire

import (
	"bytes"
	"context"
	"errors"
	"io"
	"maps"
	"net/http"
	"sync/atomic"

	"github.com/gin-gonic/gin"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"

	"assay.dev/contracts"
	"assay.dev/gateway/mcp"
)

// agent is who sent a message to a tool server. The requests of its tool calls are the agent's own: same credentials,
// same address, same request id.
type agent struct {
	header     http.Header
	remoteAddr string
	// isAnonymous: the agent sent no valid key, and its message was admitted as an anonymous request.
	isAnonymous bool
	// isUploading: the agent's own request counts as an upload already.
	isUploading bool
	// answered are the headers of the last answer to a tool call.
	answered atomic.Pointer[http.Header]
}

type agentKey struct{}

// passedOn are the headers of a message that its tool calls have too.
var passedOn = []string{headerKey, headerAuthorization, headerProxySecret, headerUser, headerSubscription,
	"X-Forwarded-For", "Sec-Fetch-Site"}

func newAgent(x *exchange) *agent {
	r := x.c.Request
	a := &agent{header: http.Header{headerRequestID: {x.requestID}, headerTraceparent: {traceparent(x.own)}},
		remoteAddr: r.RemoteAddr}
	for _, name := range passedOn {
		if values := r.Header[name]; values != nil {
			a.header[name] = values
		}
	}
	return a
}

func traceparent(s trace.SpanContext) string {
	return "00-" + s.TraceID().String() + "-" + s.SpanID().String() + "-" + s.TraceFlags().String()
}

// inProcess takes the requests of tool calls through the gateway's own request path.
type inProcess struct{ engine http.Handler }

// RoundTrip answers a request as one that the agent in its context had sent itself.
func (p inProcess) RoundTrip(r *http.Request) (*http.Response, error) {
	sender, ok := r.Context().Value(agentKey{}).(*agent)
	if !ok {
		return nil, errors.New("a tool call without an agent")
	}
	own := r.Header
	r.Header, r.RemoteAddr, r.RequestURI = maps.Clone(sender.header), sender.remoteAddr, r.URL.RequestURI()
	for _, name := range []string{"Cache-Control", "Content-Type", headerIdempotencyKey} {
		if values := own[name]; values != nil {
			r.Header[name] = values
		}
	}
	// The span is the tool call's when a trace is kept.
	propagation.TraceContext{}.Inject(r.Context(), propagation.HeaderCarrier(r.Header))
	w := &recorder{header: http.Header{}, status: http.StatusOK}
	p.engine.ServeHTTP(w, r)
	sender.answered.Store(&w.header)
	return &http.Response{
		StatusCode: w.status, Header: w.header, ContentLength: int64(w.body.Len()), Body: io.NopCloser(&w.body), Request: r,
	}, nil
}

// recorder is a ResponseWriter that keeps what is written.
type recorder struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (r *recorder) Header() http.Header         { return r.header }
func (r *recorder) WriteHeader(status int)      { r.status = status }
func (r *recorder) Write(b []byte) (int, error) { return r.body.Write(b) }

// Flush does nothing: what is written is kept at once.
func (r *recorder) Flush() {}

// mountAgents serves the tool server of each product at its path and at the alias /mcp-PRODUCT (contract §4.8).
func (s *Server) mountAgents() error {
	for _, p := range contracts.Products {
		server := mcp.New(p, mcp.Deps{API: inProcess{s.engine}, Log: s.Log, Called: s.metrics.tool(p),
			HideUpcoming: !s.options.ListUpcomingTools})
		handler, err := server.Handler(mcp.HandlerOptions{
			BehindProxy: len(s.options.TrustedProxies) > 0, Origins: s.options.AgentOrigins,
		})
		if err != nil {
			return err
		}
		serve := s.openHandler(openRoute(mcp.Path(p)), func(x *exchange) error {
			sender := newAgent(x)
			if err := s.admitAgent(x, sender); err != nil {
				return err
			}
			serveAgent(x, sender, handler)
			return nil
		})
		for _, path := range []string{mcp.Path(p), "/mcp-" + string(p)} {
			s.engine.Any(path, serve)
			s.engine.Any(path+"/", serve)
		}
	}
	return nil
}

// admitAgent admits a message. One without a valid key is an anonymous request, and its body is bounded.
func (s *Server) admitAgent(x *exchange, sender *agent) (err error) {
	if sender.isAnonymous, err = s.admitStranger(x); err != nil || !sender.isAnonymous {
		return err
	}
	if x.unverified != nil {
		return x.unverified
	}
	if s.mustAuthorize(x) {
		return contracts.Errorf(contracts.Unauthorized,
			"get a token from %s, or send an API key in the X-API-Key header", s.Tokens.Issuer)
	}
	r := x.c.Request
	if r.ContentLength > maxAnonymousBody {
		return contracts.Errorf(contracts.RequestTooLarge,
			"a message without a valid API key has at most %d bytes", maxAnonymousBody)
	}
	r.Body = http.MaxBytesReader(x.c.Writer, r.Body, maxAnonymousBody)
	return nil
}

// serveAgent lets the tool server answer. An anonymous agent has no longer than anonymousTime.
func serveAgent(x *exchange, sender *agent, server http.Handler) {
	ctx := context.WithValue(x.ctx, agentKey{}, sender)
	if sender.isAnonymous {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, anonymousTime)
		defer cancel()
	}
	server.ServeHTTP(&agentWriter{x.c.Writer, sender}, x.c.Request.WithContext(ctx))
}

// agentWriter adds the headers of a tool call's answer that tell of the agent's limit and environment.
type agentWriter struct {
	gin.ResponseWriter
	sender *agent
}

var callerHeaders = []string{
	"Assay-Environment", "Ratelimit-Policy", "Ratelimit", "X-Ratelimit-Limit", "X-Ratelimit-Remaining",
	"X-Ratelimit-Reset",
}

func (w *agentWriter) WriteHeader(status int) {
	w.addCallerHeaders()
	w.ResponseWriter.WriteHeader(status)
}

func (w *agentWriter) Write(b []byte) (int, error) {
	if !w.Written() {
		w.addCallerHeaders()
	}
	return w.ResponseWriter.Write(b)
}

func (w *agentWriter) addCallerHeaders() {
	answered := w.sender.answered.Load()
	if answered == nil {
		return
	}
	for _, name := range callerHeaders {
		if values := (*answered)[name]; values != nil {
			w.Header()[name] = values
		}
	}
}
