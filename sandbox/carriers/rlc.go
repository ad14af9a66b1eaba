package carriers

import (
	"net/http"

	"assay.dev/contracts"
	"assay.dev/sandbox/page"
)

// RLC returns the handler of www2.rlcarriers.com.
func (s *Sites) RLC() http.Handler {
	return page.Site("R+L Carriers", map[string]http.HandlerFunc{
		"GET /freight/shipping-fuel-surcharge": s.page("rlc.html", "R+L Carriers", contracts.RLC),
	})
}
