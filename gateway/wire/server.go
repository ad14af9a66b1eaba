package wire

import (
	"context"
	"log/slog"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/gin-gonic/gin"
	"github.com/prometheus/client_golang/prometheus"
	"go.opentelemetry.io/otel/trace"
	"go.opentelemetry.io/otel/trace/noop"

	"assay.dev/contracts"
	"assay.dev/gateway/api"
	"assay.dev/gateway/keys"
	"assay.dev/gateway/mcp"
	"assay.dev/gateway/oauth"
	"assay.dev/gateway/ratelimit"
	"assay.dev/gateway/session"
	"assay.dev/gateway/site"
	"assay.dev/gateway/usage"
	"assay.dev/platform/daemon"
	"assay.dev/platform/panics"
	"assay.dev/platform/telemetry"
)

// MaxHeaderBytes is for [http.Server]: it cuts off larger headers in words of its own.
const MaxHeaderBytes = 96 << 10

// Deps is what a server needs.
type Deps struct {
	Log     *slog.Logger
	Metrics prometheus.Registerer
	Tracer  trace.TracerProvider
	API     *api.API
	Keys    *keys.Directory
	Limiter *ratelimit.Limiter
	Usage   *usage.Publisher
	// Receipts are asked where a request with an Idempotency-Key is charged.
	Receipts *usage.Receipts
	Site     *site.Site
	// Sessions seals and opens the sessions of the console. It is nil where the console is off.
	Sessions *session.Sealer
	// Tokens checks bearer tokens of an authorization server. It is nil where there is no such server.
	Tokens *oauth.Verifier
}

// Options are what an operator decides.
type Options struct {
	// TrustedProxies are the address ranges whose X-Forwarded-For is believed, such as 10.0.0.0/8.
	TrustedProxies []string
	// AddressRequests a minute and AllRequests a second are allowed without a valid key, for one address and for all.
	AddressRequests, AllRequests int
	// AgentOrigins are web origins besides our own whose pages may use the agent tools.
	AgentOrigins []string
	// ListUpcomingTools lists the tools that are not available yet.
	ListUpcomingTools bool
	// CORSOrigins are web origins whose pages may call the endpoints, such as https://app.example.com, or "*" for all.
	CORSOrigins []string
	// Secrets are those of the marketplace's listings by their products, none of them empty. MarketplaceLimit is the
	// limit of tenants that come through the marketplace, in requests a minute.
	Secrets          map[contracts.Product]daemon.Secret
	MarketplaceLimit int
}

// Server answers HTTP requests.
type Server struct {
	Deps
	options   Options
	tracer    trace.Tracer
	tracing   bool
	engine    *gin.Engine
	anonymous *anonymousBound
	uploads   *bound
	waits     *bound
	metrics   *metrics
	sample    logSampler
	exchanges sync.Pool // of *exchange
	draining  atomic.Bool
}

// New makes a server. [Server.Close] ends it.
func New(d Deps, o Options) (*Server, error) {
	_, off := d.Tracer.(noop.TracerProvider)
	s := &Server{
		Deps: d, options: o, tracer: d.Tracer.Tracer("assay.dev/gateway/wire"), tracing: !off,
		uploads: newUploadBound(), waits: newWaitBound(),
		exchanges: sync.Pool{New: func() any { return new(exchange) }},
	}
	var err error
	if s.metrics, err = newMetrics(d.Metrics); err != nil {
		return nil, err
	}
	if s.anonymous, err = newAnonymousBound(o.AddressRequests, o.AllRequests, s.metrics.anonymous); err != nil {
		return nil, err
	}
	return s, s.mount()
}

// Close ends what the server remembers of addresses. No request may be under way.
func (s *Server) Close(context.Context) error {
	s.anonymous.close()
	return nil
}

// Drain makes each further reply the last one of its connection.
func (s *Server) Drain() { s.draining.Store(true) }

// Draining tells whether Drain was called.
func (s *Server) Draining() bool { return s.draining.Load() }

// ServeHTTP answers a request. A chunked one is the last of its connection: it may have named a length as well, which
// net/http drops unseen, and a proxy that went by the length would take the rest for somebody else's request (RFC 9112
// §6.1).
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if len(r.TransferEncoding) > 0 {
		w.Header().Set("Connection", "close")
	}
	defer s.abort(w, r)
	s.engine.ServeHTTP(w, r)
}

// abort ends the connection of a request whose panic nobody caught, and logs that with the request's id where the reply
// has one.
func (s *Server) abort(w http.ResponseWriter, r *http.Request) {
	p := recover()
	if p == nil {
		return
	}
	if p != http.ErrAbortHandler { //nolint:errorlint // as net/http compares it
		_ = panics.Error(telemetry.WithRequestID(r.Context(), w.Header().Get(headerRequestID)), s.Log, p)
	}
	panic(http.ErrAbortHandler)
}

// mount routes the endpoints' methods to them, GET and HEAD to the pages for people, and all methods to the tool
// servers; everything else is 404 or 405.
func (s *Server) mount() error {
	gin.SetMode(gin.ReleaseMode)
	e := gin.New()
	e.RedirectTrailingSlash, e.RedirectFixedPath, e.HandleMethodNotAllowed = false, false, true
	e.RemoteIPHeaders = []string{"X-Forwarded-For"}
	if err := e.SetTrustedProxies(s.options.TrustedProxies); err != nil {
		return err
	}
	s.engine = e
	for _, endpoint := range slices.Concat(api.Endpoints, mcp.Pages(), s.resourcePages()) {
		to := newRoute(endpoint)
		handler := s.handler(to)
		for _, method := range endpoint.Methods() {
			e.Handle(method, to.pattern(), handler)
		}
	}
	e.NoRoute(s.handler(newRoute(api.UnknownPath)))
	e.NoMethod(s.handler(newRoute(api.WrongMethod)))
	s.mountPreflights()
	if err := s.mountSite(); err != nil {
		return err
	}
	return s.mountAgents()
}
