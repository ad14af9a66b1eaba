package carriers

import (
	"net/http"

	"assay.dev/contracts"
	"assay.dev/sandbox/page"
	"assay.dev/sandbox/tariff"
)

// SEFL returns the handler of www.sefl.com.
func (s *Sites) SEFL() http.Handler {
	const brand = "Southeastern Freight Lines"
	return page.Site(brand, map[string]http.HandlerFunc{
		"GET /seflWebsite/servlet/FUELSURCHARGE_FUELPAGEUPDATE": func(w http.ResponseWriter, _ *http.Request) {
			s.show(w, "sefl.html", view{Brand: brand, Weeks: s.weeks(contracts.SEFL), Bands: s.seflBands()})
		},
	})
}

// seflBands reach as far as the price of diesel does.
func (s *Sites) seflBands() []tariff.Band { return s.tariffs[contracts.SEFL].Bands(3000, 8000) }
