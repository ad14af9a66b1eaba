package carriers

import (
	"net/http"

	"assay.dev/contracts"
	"assay.dev/sandbox/page"
)

// FedExFreight returns the handler of www.fedexfreight.com.
func (s *Sites) FedExFreight() http.Handler {
	surcharges := s.page("fedex.html", "FedEx Freight", contracts.FEDEX)
	return page.Site("FedEx Freight", map[string]http.HandlerFunc{
		"GET /en-us/support-resources/tariffs-rates-information/fuel-surcharges": surcharges,
	})
}

// FedExParcel returns the handler of www.fedex.com, which a reader must not use: its percents are those of parcels, and
// it gives freight in dollars per pound.
func (s *Sites) FedExParcel() http.Handler {
	return page.Site("Shipping services", map[string]http.HandlerFunc{
		"GET /en-us/shipping/fuel-surcharge.html": s.page("fedexparcel.html", "Shipping services", contracts.FEDEX),
	})
}
