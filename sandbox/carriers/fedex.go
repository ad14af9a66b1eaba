package carriers

import (
	"net/http"

	"assay.dev/contracts"
	"assay.dev/sandbox/page"
)

// FedExFreight is www.fedexfreight.com.
func (s *Sites) FedExFreight() http.Handler {
	surcharges := s.page("fedex.html", "FedEx Freight", contracts.FEDEX)
	return page.Site("FedEx Freight", map[string]http.HandlerFunc{
		"GET /en-us/support-resources/tariffs-rates-information/fuel-surcharges": surcharges,
	})
}

// FedExParcel is www.fedex.com, the page to stay away from: its percents are of parcels, and it gives freight in
// dollars a pound.
func (s *Sites) FedExParcel() http.Handler {
	return page.Site("Shipping services", map[string]http.HandlerFunc{
		"GET /en-us/shipping/fuel-surcharge.html": s.page("fedexparcel.html", "Shipping services", contracts.FEDEX),
	})
}
