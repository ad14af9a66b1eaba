package site

import (
	"net/http"
	"sync"

	"assay.dev/gateway/api"
	"assay.dev/gateway/keys"
	"assay.dev/gateway/ratelimit"
	"assay.dev/gateway/session"
	"assay.dev/gateway/usage"
)

// Deps is what the pages show.
type Deps struct {
	// API answers from the same data as the endpoints.
	API *api.API
	// Keys and Limiter are those of the endpoints.
	Keys    *keys.Directory
	Limiter *ratelimit.Limiter
	// Usage is that of the running month, for the account.
	Usage *usage.Running
	// Sessions are those of the console; nil for no console.
	Sessions *session.Sealer
}

// Request is a request for a page.
type Request struct {
	*http.Request
	// Caller is what the key of its session permits; nil when nobody is logged in.
	Caller *keys.Record
	// Ask sends the API a request as the same person: a path with its query, such as /v1/ltl/carriers, and the body with
	// its Content-Type and Idempotency-Key. It has the limit and the bill of every request.
	Ask func(*http.Request) (*http.Response, error)
	// AdmitKey is called before another key is looked up: whoever sends one may be guessing.
	AdmitKey func() error
	// Hold takes one of the places that there are for large answers, until the page is sent to who is logged in.
	Hold func() error
}

// Site makes the pages.
type Site struct {
	Deps
	assets *assets
	pages  pages
	// menu are the console's pages; none without a console.
	menu []consolePage
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
	// IsJSON pages are for programs, as their failures are.
	IsJSON bool
	// TakesForm pages bound and read a body themselves, of who is logged in only.
	TakesForm bool
	// IsUpload pages take forms with a file. A gateway takes few of these at once.
	IsUpload bool
}

// The assets and the templates are loaded once: no site of this process changes them, and they take long to compress
// and to parse.
var (
	sharedAssets = sync.OnceValues(loadAssets)
	sharedPages  = sync.OnceValues(func() (pages, error) {
		a, err := sharedAssets()
		if err != nil {
			return nil, err
		}
		return loadPages(a)
	})
)

// New makes the pages that do not change. A template, a script or a document that cannot be shown is an error.
func New(d Deps) (*Site, error) {
	a, err := sharedAssets()
	if err != nil {
		return nil, err
	}
	p, err := sharedPages()
	if err != nil {
		return nil, err
	}
	s := &Site{Deps: d, assets: a, pages: p}
	if s.Sessions != nil {
		s.menu = s.consolePages()
	}
	return s, nil
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
	icon, err := s.assets.icon()
	if err != nil {
		return nil, err
	}
	return append(documents,
		Page{Method: http.MethodGet, Path: "/favicon.ico", Serve: icon.servePage, Static: true},
		Page{Method: http.MethodGet, Path: "/robots.txt", Serve: robots.servePage, Static: true},
		Page{Method: http.MethodGet, Path: assetsPath + "*name", Serve: s.assets.serve, Static: true},
		Page{Method: http.MethodGet, Path: sharedPath + "*file", Serve: s.shared},
		Page{Method: http.MethodGet, Path: homePath, Serve: s.home},
		Page{Method: http.MethodGet, Path: statusPath, Serve: s.statusPage},
		Page{Method: http.MethodGet, Path: statusJSONPath, Serve: s.statusJSON, IsJSON: true},
	), nil
}
