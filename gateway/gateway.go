package gateway

import (
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gin-gonic/gin"
	"go.opentelemetry.io/otel/trace"
	"go.opentelemetry.io/otel/trace/noop"

	"assay.dev/gateway/answers"
	"assay.dev/gateway/keys"
	"assay.dev/gateway/openapi"
	"assay.dev/gateway/ratelimit"
	"assay.dev/gateway/usage"
	"assay.dev/platform/daemon"
)

// How long a worker may take over a source.
const (
	fastMaxTime = 25 * time.Second
	// slowMaxTime leaves room for a CAPTCHA solve or a paid render.
	slowMaxTime = 75 * time.Second
)

// openapiMaxAge is how long a client may keep the document.
const openapiMaxAge = 5 * time.Minute

type parts struct {
	keys    *keys.Directory
	limiter *ratelimit.Limiter
	answers *answers.Store
	usage   *usage.Publisher
	catalog *catalog
}

type gateway struct {
	parts
	log      *slog.Logger
	tracer   trace.Tracer
	tracing  bool
	engine   *gin.Engine
	listings []listing
	// publicURL is the API's address as clients see it; empty takes it from each request.
	publicURL string
	// marketplaceLimit is the limit of tenants that come through the marketplace.
	marketplaceLimit int
	anonymous        *anonymous
	metrics          *metrics
	sample           sampler
	openapi          reply
	exchanges        sync.Pool // of *exchange
	draining         atomic.Bool
}

func newGateway(cfg Config, d *daemon.Daemon, p parts) (*gateway, error) {
	_, off := d.Tracer.(noop.TracerProvider)
	g := &gateway{
		parts: p, log: d.Log, tracer: d.Tracer.Tracer("assay.dev/gateway"), tracing: !off,
		publicURL: strings.TrimRight(cfg.PublicURL, "/"), listings: cfg.listings(), marketplaceLimit: cfg.RateLimit, exchanges: sync.Pool{New: func() any { return new(exchange) }},
	}
	document, err := openapi.Document()
	if err != nil {
		return nil, err
	}
	g.openapi = reply{body: document, etag: answers.ETag(document), maxAge: openapiMaxAge}
	if g.metrics, err = newMetrics(d.Metrics); err != nil {
		return nil, err
	}
	if g.anonymous, err = newAnonymous(cfg.AnonymousLimit, cfg.AnonymousRate, g.metrics.anonymous); err != nil {
		return nil, err
	}
	d.OnStop("anonymous requests", g.anonymous.close)
	if err := keyAge(d.Metrics, p.keys); err != nil {
		return nil, err
	}
	g.engine, err = g.newEngine(cfg)
	return g, err
}

// newEngine routes GET and HEAD to the routes; everything else is 404 or 405.
func (g *gateway) newEngine(cfg Config) (*gin.Engine, error) {
	gin.SetMode(gin.ReleaseMode)
	e := gin.New()
	e.RedirectTrailingSlash, e.RedirectFixedPath, e.HandleMethodNotAllowed = false, false, true
	e.RemoteIPHeaders = []string{"X-Forwarded-For"}
	if err := e.SetTrustedProxies(cfg.TrustedProxies.texts()); err != nil {
		return nil, err
	}
	for _, r := range append(discoveryRoutes(), routes...) {
		handler := g.handler(r)
		e.GET(r.path, handler)
		e.HEAD(r.path, handler)
	}
	if err := g.mountAgents(e, cfg); err != nil {
		return nil, err
	}
	e.NoRoute(g.handler(unknownPath))
	e.NoMethod(g.handler(wrongMethod))
	return e, nil
}
