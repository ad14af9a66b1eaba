package wire

import (
	"cmp"
	"context"
	"net/http"
	"net/netip"
	"time"

	"github.com/gin-gonic/gin"
	"go.opentelemetry.io/otel/trace"

	"assay.dev/contracts"
	"assay.dev/gateway/api"
	"assay.dev/gateway/keys"
	"assay.dev/gateway/ratelimit"
	"assay.dev/gateway/usage"
	"assay.dev/platform/panics"
	"assay.dev/platform/telemetry"
)

// exchange is one request on its way, and what is known of it so far.
type exchange struct {
	c     *gin.Context
	ctx   context.Context
	route *route
	began time.Time
	ids
	span   trace.Span   // nil when nothing is traced
	caller *keys.Record // nil while nobody is known
	// key is the one that the caller was found by; nil for callers of the marketplace.
	key *keys.Hash
	// visitor is what a valid key permits that came with a request to an open route; nil for a request without one.
	visitor *keys.Record
	// limitState is where the caller's limit stands, once isLimited is set.
	limitState ratelimit.Decision
	isLimited  bool
	// unverified is why the caller's token cannot be verified at the moment; nil for other requests.
	unverified error
	// leave ends an anonymous request that was admitted; nil for others.
	leave func()
	// lines counts the resolved lines that were written, charged those of them that are charged.
	lines, charged int
	// isCutShort: our failure came after a part of the reply.
	isCutShort bool
	// leaveUpload gives back the place of an upload or a large answer; nil for other requests.
	leaveUpload func()
	status      int
	origin      string // to whose pages the reply may be shown; empty for our own only
	request     api.Request
	head        headers
}

// reset makes x ready for a request. The memory of the request before is used again.
func (x *exchange) reset(c *gin.Context, to *route) {
	x.head.reset()
	x.request.Reset(to.Endpoint)
	_, ours := c.Request.Context().Value(agentKey{}).(*agent)
	*x = exchange{
		c: c, ctx: c.Request.Context(), route: to, began: time.Now(), ids: newIDs(c.Request.Header, ours),
		request: x.request, head: x.head,
	}
}

// address is the client's; an IPv6 client has its whole network.
func (x *exchange) address() netip.Addr {
	a, _ := netip.ParseAddr(x.c.ClientIP())
	a = a.Unmap().WithZone("")
	if a.Is6() {
		network, _ := a.Prefix(64)
		return network.Addr()
	}
	return a
}

// handler takes requests to an endpoint.
func (s *Server) handler(to *route) gin.HandlerFunc {
	observe := s.metrics.route(to.Path)
	return func(c *gin.Context) {
		x := s.begin(c, to)
		defer s.release(x)
		s.startTrace(x)
		r, err := s.answerSafely(x)
		switch {
		case err != nil:
			s.writeFailure(x, err)
		case r.Pieces != nil || r.Write != nil:
			err = s.writePiecesSafely(x, r)
		default:
			s.writeReply(x, r)
		}
		s.tell(x, r, err, observe)
		if err != nil && x.isCutShort {
			panic(http.ErrAbortHandler) // the client is to see that the answer is not whole
		}
	}
}

// begin begins the exchange of a request. The caller releases it.
func (s *Server) begin(c *gin.Context, to *route) *exchange {
	x := s.exchanges.Get().(*exchange)
	x.reset(c, to)
	x.origin = s.corsOrigin(c.Request)
	if s.draining.Load() {
		c.Header("Connection", "close")
	}
	return x
}

// release ends an exchange; its memory is used again.
func (s *Server) release(x *exchange) {
	x.leaveAnonymous()
	if x.leaveUpload != nil {
		x.leaveUpload()
		x.leaveUpload, x.request.Body = nil, nil
	}
	s.exchanges.Put(x)
}

// tell traces, counts and logs a request that was answered. A panic in it costs the line, and not the answer.
func (s *Server) tell(x *exchange, r api.Reply, err error, observe observer) {
	_ = s.safely(x, func() error {
		s.endTrace(x, err)
		took := time.Since(x.began)
		observe(x.c.Request.Method, x.status, took)
		if x.route.Sourced {
			s.metrics.hit(r, err, took)
		}
		s.logRequest(x, r, err, took)
		return nil
	})
}

// safely runs f. A panic of f is logged with the request's id, and is an INTERNAL error.
func (s *Server) safely(x *exchange, f func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = panics.Error(telemetry.WithRequestID(x.ctx, x.requestID), s.Log, p)
		}
	}()
	return f()
}

// answerSafely is answer; a panic in it is an INTERNAL error.
func (s *Server) answerSafely(x *exchange) (r api.Reply, err error) {
	err = s.safely(x, func() (err error) {
		r, err = s.answer(x)
		return err
	})
	return r, err
}

// answer takes a request through all checks, in the order that their errors have, and answers it.
func (s *Server) answer(x *exchange) (api.Reply, error) {
	if err := checkSize(x.c.Request, x.route.maxUpload()); err != nil {
		return api.Reply{}, err
	}
	value, ok := x.route.pathValue(x)
	if !ok {
		_, err := s.admitStranger(x)
		return api.Reply{}, cmp.Or(err, api.NoPath(x.c.Request.URL.Path))
	}
	if err := s.admit(x); err != nil {
		return api.Reply{}, err
	}
	if err := x.checkHeaders(); err != nil {
		return api.Reply{}, err
	}
	x.request.ID, x.request.Host, x.request.Path, x.request.Query = x.requestID, x.c.Request.Host, value,
		x.c.Request.URL.RawQuery
	if err := s.receive(x); err != nil {
		return api.Reply{}, err
	}
	x.request.Fresh = x.route.Sourced && asksFresh(x.c.Request.Header)
	x.request.AcceptsCSV = x.route.Table != nil && api.AcceptsCSV(x.c.Request.Header["Accept"])
	if x.caller != nil {
		x.request.Environment, x.request.Tenant, x.request.Products = x.caller.Environment, x.caller.Tenant, x.caller.Products
	}
	if x.route.Waits {
		x.request.Wait = func() (func(context.Context) error, func(), error) { return s.wait(x) }
	}
	if x.route.IsLarge {
		if err := s.hold(x, x.caller.Tenant); err != nil {
			return api.Reply{}, err
		}
	}
	r, err := s.API.Answer(x.ctx, &x.request)
	if err == nil && len(r.Body) > largeBody && x.caller != nil {
		err = s.hold(x, x.caller.Tenant)
	}
	if err != nil {
		return api.Reply{}, err
	}
	s.bill(x)
	return r, nil
}

// wait lets the request wait, as [api.Request.Wait] says.
func (s *Server) wait(x *exchange) (allowed func(context.Context) error, leave func(), err error) {
	leave, err = s.waits.enter(x.caller.Tenant)
	return func(ctx context.Context) error {
		if x.key == nil {
			return nil
		}
		_, err := s.Keys.Lookup(ctx, *x.key, func() error { return nil })
		if err != nil {
			_, err = keyError(err)
		}
		return err
	}, leave, err
}

// tenant is the caller's, as limits know it.
func (x *exchange) tenant() ratelimit.Tenant {
	return ratelimit.Tenant{Environment: x.caller.Environment, Name: x.caller.Tenant}
}

// isLive tells whether the caller's answers cost something.
func (x *exchange) isLive() bool { return x.caller.Environment == contracts.Live }

// admit finds who calls and whether they may now.
func (s *Server) admit(x *exchange) error {
	if x.route.Access == api.Open {
		_, err := s.admitStranger(x)
		return err
	}
	if err := s.authenticate(x); err != nil {
		return err
	}
	if err := s.permit(x); err != nil {
		return err
	}
	return s.limit(x)
}

// bill reports an answer that costs something, or that would with a live key. A HEAD costs what the GET does: its
// status tells whether a license exists.
func (s *Server) bill(x *exchange) {
	if !x.route.Billable {
		return
	}
	if !x.isLive() {
		s.Usage.ReportTest(x.caller.Tenant, x.route.Product, x.began)
		return
	}
	s.Usage.Report(usage.Event{
		ID: x.id, Tenant: x.caller.Tenant, Product: x.route.Product, Route: x.route.Path,
		RequestID: x.requestID, At: x.began.UTC(), Price: x.route.Product.UnitPrice(),
	})
}
