package gateway

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
	// anonymous agents sent no valid key; their message was admitted as such.
	anonymous bool
	// answered are the headers of the last answer to a tool call.
	answered atomic.Pointer[http.Header]
}

type agentKey struct{}

// passedOn are the headers of a message that its tool calls have too.
var passedOn = []string{headerKey, headerProxySecret, headerUser, headerSubscription, "X-Forwarded-For"}

func newAgent(e *exchange) *agent {
	r := e.c.Request
	a := &agent{header: http.Header{headerRequestID: {e.requestID}, headerTraceparent: {traceparent(e.own)}}, remoteAddr: r.RemoteAddr}
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
	from, ok := r.Context().Value(agentKey{}).(*agent)
	if !ok {
		return nil, errors.New("a tool call without an agent")
	}
	r.Header, r.RemoteAddr, r.RequestURI = maps.Clone(from.header), from.remoteAddr, r.URL.RequestURI()
	propagation.TraceContext{}.Inject(r.Context(), propagation.HeaderCarrier(r.Header)) // when a trace is kept, here or at the caller
	w := &recorder{header: http.Header{}, status: http.StatusOK}
	p.engine.ServeHTTP(w, r)
	from.answered.Store(&w.header)
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

// mountAgents serves the tool server of each product, at the paths of contract §4.8.
func (g *gateway) mountAgents(e *gin.Engine, cfg Config) error {
	for _, p := range contracts.Products {
		server := mcp.New(p, mcp.Deps{API: inProcess{e}, Log: g.log, Called: g.metrics.tool(p)})
		handler, err := server.Handler(mcp.HandlerOptions{BehindProxy: len(cfg.TrustedProxies) > 0, Origins: cfg.AgentOrigins})
		if err != nil {
			return err
		}
		serve := g.agentHandler(mcp.Path(p), handler)
		for _, path := range []string{mcp.Path(p), "/mcp-" + string(p)} {
			e.Any(path, serve)
			e.Any(path+"/", serve)
		}
	}
	return nil
}

// agentHandler is handler for messages to a tool server.
func (g *gateway) agentHandler(template string, to http.Handler) gin.HandlerFunc {
	observe := g.metrics.route(template)
	r := &route{template: template, open: true}
	return func(c *gin.Context) {
		e := g.take(c, r)
		defer g.put(e)
		g.startTrace(e)
		from := newAgent(e)
		c.Header(headerRequestID, e.requestID)
		c.Header("Traceresponse", traceparent(e.own))
		err := g.admitAgent(e, from)
		if err != nil {
			g.fail(e, err)
		} else {
			serveAgent(e, from, to)
		}
		g.end(e, reply{}, err, observe)
	}
}

// admitAgent bounds a message without a valid key.
func (g *gateway) admitAgent(e *exchange, from *agent) (err error) {
	if from.anonymous, err = g.admitStranger(e); err != nil || !from.anonymous {
		return err
	}
	r := e.c.Request
	if r.ContentLength > maxAnonymousBody {
		return contracts.Errorf(contracts.RequestTooLarge, "a message without a valid API key has at most %d bytes", maxAnonymousBody)
	}
	r.Body = http.MaxBytesReader(e.c.Writer, r.Body, maxAnonymousBody)
	return nil
}

// serveAgent lets the tool server answer. An anonymous agent has no longer than anonymousTime.
func serveAgent(e *exchange, from *agent, to http.Handler) {
	ctx := context.WithValue(e.ctx, agentKey{}, from)
	if from.anonymous {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, anonymousTime)
		defer cancel()
	}
	to.ServeHTTP(&agentWriter{e.c.Writer, from}, e.c.Request.WithContext(ctx))
	e.status = e.c.Writer.Status()
}

// agentWriter adds what a tool call's answer says of the agent's limit and environment.
type agentWriter struct {
	gin.ResponseWriter
	from *agent
}

var aboutCaller = []string{"Assay-Environment", "Ratelimit-Policy", "Ratelimit", "X-Ratelimit-Limit", "X-Ratelimit-Remaining", "X-Ratelimit-Reset"}

func (w *agentWriter) WriteHeader(status int) {
	w.about()
	w.ResponseWriter.WriteHeader(status)
}

func (w *agentWriter) Write(b []byte) (int, error) {
	if !w.Written() {
		w.about()
	}
	return w.ResponseWriter.Write(b)
}

func (w *agentWriter) about() {
	answered := w.from.answered.Load()
	if answered == nil {
		return
	}
	for _, name := range aboutCaller {
		if values := (*answered)[name]; values != nil {
			w.Header()[name] = values
		}
	}
}
