package gateway

import (
	"context"
	"net/http"
	"net/netip"
	"time"

	"github.com/gin-gonic/gin"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"

	"assay.dev/contracts"
	"assay.dev/gateway/keys"
	"assay.dev/gateway/ratelimit"
	"assay.dev/gateway/usage"
	"assay.dev/platform/panics"
)

// exchange is one request on its way, and what is known of it so far.
type exchange struct {
	c     *gin.Context
	ctx   context.Context
	route *route
	began time.Time
	ids
	span   trace.Span // nil when nothing is traced
	caller *keys.Record
	// standing is where the caller's limit stands, once limited is set.
	standing ratelimit.Decision
	limited  bool
	// leave ends an anonymous request that was admitted; nil for others.
	leave  func()
	status int
	query  parameters
	head   headers
}

// reset makes e ready for a request; what it has of memory is used again.
func (e *exchange) reset(c *gin.Context, r *route) {
	e.head.reset()
	*e = exchange{
		c: c, ctx: c.Request.Context(), route: r, began: time.Now(), ids: newIDs(c.Request.Header),
		query: parameters{given: e.query.given[:0]}, head: e.head,
	}
}

func (e *exchange) decided(d ratelimit.Decision) { e.standing, e.limited = d, true }

// address is the client's; an IPv6 client has its whole network.
func (e *exchange) address() netip.Addr {
	a, _ := netip.ParseAddr(e.c.ClientIP())
	a = a.Unmap().WithZone("")
	if a.Is6() {
		network, _ := a.Prefix(64)
		return network.Addr()
	}
	return a
}

// handler takes requests through a route.
func (g *gateway) handler(to *route) gin.HandlerFunc {
	observe := g.metrics.route(to.template)
	return func(c *gin.Context) {
		e := g.take(c, to)
		defer g.put(e)
		g.startTrace(e)
		r, err := g.guarded(e)
		if err != nil {
			g.fail(e, err)
		} else {
			g.reply(e, r)
		}
		g.end(e, r, err, observe)
	}
}

// take begins the exchange of a request. The caller puts it back.
func (g *gateway) take(c *gin.Context, to *route) *exchange {
	e := g.exchanges.Get().(*exchange)
	e.reset(c, to)
	if g.draining.Load() {
		c.Header("Connection", "close")
	}
	return e
}

// put ends an exchange; its memory is used again.
func (g *gateway) put(e *exchange) {
	e.release()
	g.exchanges.Put(e)
}

// end tells of a request that was answered.
func (g *gateway) end(e *exchange, r reply, err error, observe observer) {
	g.endTrace(e, err)
	took := time.Since(e.began)
	observe(e.c.Request.Method, e.status, took)
	g.logRequest(e, r, err, took)
}

// guarded is answer; a panic in it is an INTERNAL error.
func (g *gateway) guarded(e *exchange) (r reply, err error) {
	err = panics.Catch(e.ctx, g.log, func() (err error) {
		r, err = g.answer(e)
		return err
	})
	return r, err
}

// answer is a request's way, in the order that its errors have.
func (g *gateway) answer(e *exchange) (reply, error) {
	if err := checkSize(e.c.Request); err != nil {
		return reply{}, err
	}
	if e.route.open {
		if _, err := g.admitStranger(e); err != nil {
			return reply{}, err
		}
		return e.route.answer(g, e)
	}
	if err := g.authenticate(e); err != nil {
		return reply{}, err
	}
	if err := g.permit(e); err != nil {
		return reply{}, err
	}
	if err := g.limit(e); err != nil {
		return reply{}, err
	}
	r, err := e.route.answer(g, e)
	if err == nil && e.route.billable && e.caller.Environment == contracts.Live && e.c.Request.Method == http.MethodGet {
		g.usage.Report(usage.Event{
			ID: e.id, Tenant: e.caller.Tenant, Product: e.route.product, Route: e.route.template,
			RequestID: e.requestID, At: e.began.UTC(),
		})
	}
	return r, err
}

// startTrace begins the server's span when traces are kept. The caller's trace goes on through us in any case.
func (g *gateway) startTrace(e *exchange) {
	if e.parent.IsValid() {
		e.ctx = trace.ContextWithRemoteSpanContext(e.ctx, e.parent)
	}
	if !g.tracing {
		return
	}
	e.ctx, e.span = g.tracer.Start(e.ctx, e.c.Request.Method+" "+e.route.template, trace.WithSpanKind(trace.SpanKindServer),
		trace.WithAttributes(attribute.String("http.request.method", e.c.Request.Method), attribute.String("http.route", e.route.template),
			attribute.String("url.scheme", "http"), attribute.String("assay.request_id", e.requestID)))
	e.own = e.span.SpanContext()
}

func (g *gateway) endTrace(e *exchange, err error) {
	if e.span == nil {
		return
	}
	e.span.SetAttributes(attribute.Int("http.response.status_code", e.status))
	if err != nil {
		e.span.SetAttributes(attribute.String("error.type", string(contracts.CodeOf(err))))
	}
	if e.status >= http.StatusInternalServerError {
		e.span.SetStatus(codes.Error, string(contracts.CodeOf(err)))
	}
	e.span.End()
}
