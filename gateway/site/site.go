package site

import (
	"net/http"

	"assay.dev/gateway/api"
	"assay.dev/gateway/keys"
	"assay.dev/gateway/ratelimit"
	"assay.dev/gateway/session"
)

// Deps is what the pages show.
type Deps struct {
	// API answers from the same data as the endpoints.
	API *api.API
	// Keys and Limiter are those of the endpoints.
	Keys    *keys.Directory
	Limiter *ratelimit.Limiter
	// Sessions are those of the console; nil for no console.
	Sessions *session.Sealer
}

// Request is a request for a page. Caller is what the key of its session permits; nil when nobody is logged in.
type Request struct {
	*http.Request
	Caller *keys.Record
}

// Site makes the pages.
type Site struct {
	Deps
	assets *assets
	pages  pages
}

// Page is one path of the site.
type Page struct {
	Method string
	// Path is the path as gin has it. A name at its end that begins with an asterisk takes all that follows.
	Path string
	// Serve answers a request. It writes nothing when it returns an error.
	Serve func(http.ResponseWriter, *Request) error
	// Static pages are the same for all who ask and may be large.
	Static bool
	// MaxUpload bounds the body of a request, in bytes, where one of more than a few KB is wanted. It is taken of who is logged in
	// only.
	MaxUpload int64
}

// New makes the pages that do not change. A template, a script or a document that cannot be shown is an error.
func New(d Deps) (*Site, error) {
	a, err := loadAssets()
	if err != nil {
		return nil, err
	}
	p, err := loadPages(a)
	if err != nil {
		return nil, err
	}
	return &Site{Deps: d, assets: a, pages: p}, nil
}

// Pages are all paths of the site. A path with the method GET answers HEAD too.
func (s *Site) Pages() ([]Page, error) {
	documents, err := s.documents()
	if err != nil {
		return nil, err
	}
	if s.Sessions != nil {
		documents = append(documents, s.console()...)
	}
	return append(documents,
		Page{Method: http.MethodGet, Path: assetsPath + "*name", Serve: s.assets.serve, Static: true},
		Page{Method: http.MethodGet, Path: homePath, Serve: s.home},
		Page{Method: http.MethodGet, Path: statusPath, Serve: s.statusPage},
		Page{Method: http.MethodGet, Path: statusJSONPath, Serve: s.statusJSON},
	), nil
}
