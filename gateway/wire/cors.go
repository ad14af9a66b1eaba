package wire

import (
	"net/http"
	"slices"

	"assay.dev/gateway/api"
)

// anyOrigin is the setting that lets the pages of every web site call the API.
const anyOrigin = "*"

// What pages of other web sites may send, and read beside the body. Exposed are the headers of replies that the
// contract names, without those that every page may read (Fetch Standard §3.2.6: Cache-Control, Content-Length,
// Content-Type, Expires, Last-Modified).
const (
	corsMethods = "GET, HEAD, POST, PUT, PATCH, DELETE"
	corsHeaders = "X-API-Key, Authorization, Accept, Cache-Control, Content-Type, Idempotency-Key, If-None-Match, " +
		"Pragma, Traceparent, Tracestate, X-Request-ID"
	corsExposed = "Age, " + api.HeaderLinePrice + ", " + api.HeaderColumns + ", " + api.HeaderAuditID +
		", Assay-Environment, Cache-Status, Content-Digest, Content-Disposition, ETag, " + api.HeaderReplayed + ", Location, RateLimit, " +
		"RateLimit-Policy, Retry-After, Traceresponse, Vary, WWW-Authenticate, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, " +
		"X-Request-ID"
	// corsMaxAge is how many seconds a browser may remember the answer before it asks again.
	corsMaxAge = "600"
)

// corsOrigin is the origin to which a reply may be shown: that of the request where the operator allows it, else empty.
// A page of another site never sends our cookie: credentials are not allowed.
func (s *Server) corsOrigin(r *http.Request) string {
	if len(s.options.CORSOrigins) == 0 {
		return ""
	}
	if slices.Contains(s.options.CORSOrigins, anyOrigin) {
		return anyOrigin
	}
	origin := r.Header.Get("Origin")
	if !slices.Contains(s.options.CORSOrigins, origin) {
		return ""
	}
	return origin
}

// mountPreflights answers OPTIONS of the endpoints with 204 (Fetch Standard §3.2.2), where the operator lets other web
// sites in.
func (s *Server) mountPreflights() {
	if len(s.options.CORSOrigins) == 0 {
		return
	}
	mounted := map[string]bool{}
	for _, e := range api.Endpoints {
		if mounted[e.Path] {
			continue
		}
		mounted[e.Path] = true
		s.engine.OPTIONS(newRoute(e).pattern(), s.openHandler(openRoute(e.Path), s.servePreflight))
	}
}

func (s *Server) servePreflight(x *exchange) error {
	if err := checkSize(x.c.Request, 0); err != nil {
		return err
	}
	if _, err := s.admitStranger(x); err != nil {
		return err
	}
	h := x.c.Writer.Header()
	if origin := s.corsOrigin(x.c.Request); origin != "" {
		h.Set("Access-Control-Allow-Origin", origin)
		h.Set("Access-Control-Allow-Methods", corsMethods)
		h.Set("Access-Control-Allow-Headers", corsHeaders)
		h.Set("Access-Control-Max-Age", corsMaxAge)
	}
	h.Set("Vary", "Origin")
	h.Set("Cache-Control", "no-store")
	x.c.Status(http.StatusNoContent)
	x.c.Writer.WriteHeaderNow()
	return nil
}

// setOrigin lets pages of the origin read the reply.
func (h *headers) setOrigin(origin string) {
	if origin != "" {
		h.set("Access-Control-Allow-Origin", origin)
		h.set("Access-Control-Expose-Headers", corsExposed)
	}
}
