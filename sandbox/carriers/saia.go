package carriers

import (
	"net/http"

	"assay.dev/contracts"
	"assay.dev/sandbox/page"
)

// Saia returns the handler of www.saia.com. The path in the singular, as in older links, redirects to the home page.
func (s *Sites) Saia() http.Handler {
	return page.Site("Saia LTL Freight", map[string]http.HandlerFunc{
		"GET /tools-and-resources/fuel-surcharges": s.page("saia.html", "Saia", contracts.SAIA),
		"GET /tools-and-resources/fuel-surcharge": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "https://www.saia.com/", http.StatusMovedPermanently)
		},
	})
}
