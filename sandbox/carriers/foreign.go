package carriers

import (
	"net/http"

	"assay.dev/contracts"
	"assay.dev/sandbox/page"
)

// Foreign returns the handler of a host that belongs to no source. Its page has the dates of SAIA and invented
// percents.
func (s *Sites) Foreign() http.Handler {
	return page.Site("Surcharges", map[string]http.HandlerFunc{
		"GET /{path...}": s.page("foreign.html", "Surcharges", contracts.SAIA),
	})
}
