package carriers

import (
	"net/http"

	"assay.dev/contracts"
	"assay.dev/sandbox/page"
)

// TForce returns the handler of www.tforcefreight.com.
func (s *Sites) TForce() http.Handler {
	return page.Site("TForce Freight", map[string]http.HandlerFunc{
		"GET /ltl/apps/FuelSurcharge":       s.page("tforce.html", "TForce Freight", contracts.TFORCE),
		"GET /ltl/apps/Resources/fueltable": s.page("tforce.html", "TForce Freight resources", contracts.TFORCE),
	})
}
