package wire

import (
	"strings"

	"assay.dev/contracts"
	"assay.dev/gateway/api"
	"assay.dev/gateway/mcp"
)

// route is an endpoint with what is known of its path before requests come.
type route struct {
	*api.Endpoint
	prefix, parameter, suffix string // as [api.Endpoint.Route] has them
	// isForPeople: a browser that fails here sees a page.
	isForPeople bool
}

func newRoute(e *api.Endpoint) *route {
	prefix, parameter, suffix := e.Route()
	return &route{
		Endpoint: e, prefix: prefix, parameter: parameter, suffix: suffix, isForPeople: e == api.UnknownPath ||
			e == api.WrongMethod,
	}
}

// openRoute is the route of what writes its own replies.
func openRoute(path string) *route { return newRoute(&api.Endpoint{Path: path, Access: api.Open}) }

// isOf tells whether the route, or the tool server at its path, is of a product.
func (r *route) isOf(p contracts.Product) bool { return r.Product == p || r.Path == mcp.Path(p) }

// pattern is the path as gin has it. A path parameter takes all that follows, so that values may hold an encoded
// slash, unless it is a segment.
func (r *route) pattern() string {
	switch {
	case r.parameter == "":
		return r.prefix
	case r.InSegment():
		return r.prefix + ":" + r.parameter + r.suffix
	}
	return r.prefix + "*" + r.parameter
}

// pathValue is the value of the path parameter, decoded once. A further path segment, unlike an encoded slash, is
// another path; ok is then false.
func (r *route) pathValue(x *exchange) (value string, ok bool) {
	if r.Endpoint == api.UnknownPath || r.Endpoint == api.WrongMethod {
		return x.c.Request.URL.Path, true
	}
	if r.parameter == "" {
		return "", true
	}
	value = strings.TrimPrefix(x.c.Param(r.parameter), "/")
	if !strings.Contains(value, "/") {
		return value, true
	}
	return value, !strings.Contains(strings.TrimPrefix(x.c.Request.URL.EscapedPath(), r.prefix), "/")
}

// maxUpload bounds the body of requests that have one, in bytes; 0 where none is wanted.
func (r *route) maxUpload() int64 {
	if r.Upload == nil {
		return 0
	}
	return r.Upload.MaxBytes
}
