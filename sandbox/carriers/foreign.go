package carriers

import (
	"net/http"

	"assay.dev/contracts"
	"assay.dev/sandbox/page"
)

// Foreign is a host that no source owns: it copies the dates of SAIA and invents the rest.
func (s *Sites) Foreign() http.Handler {
	return page.Site("Surcharges", map[string]http.HandlerFunc{
		"GET /{path...}": s.page("foreign.html", "Surcharges", contracts.SAIA),
	})
}
