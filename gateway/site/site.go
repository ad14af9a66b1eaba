package site

import (
	"net/http"

	"assay.dev/gateway/api"
)

// Deps is what the pages show.
type Deps struct {
	// API answers from the same data as the endpoints.
	API *api.API
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
	Serve func(http.ResponseWriter, *http.Request) error
	// Static pages are the same for all who ask and may be large.
	Static bool
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
	return append(documents,
		Page{Method: http.MethodGet, Path: assetsPath + "*name", Serve: s.assets.serve, Static: true},
		Page{Method: http.MethodGet, Path: homePath, Serve: s.home},
		Page{Method: http.MethodGet, Path: statusPath, Serve: s.statusPage},
		Page{Method: http.MethodGet, Path: statusJSONPath, Serve: s.statusJSON},
	), nil
}
