package carriers

import (
	"net/http"

	"assay.dev/contracts"
	"assay.dev/sandbox/page"
)

// SEFL returns the handler of www.sefl.com.
func (s *Sites) SEFL() http.Handler {
	const brand = "Southeastern Freight Lines"
	return page.Site(brand, map[string]http.HandlerFunc{
		"GET /seflWebsite/servlet/FUELSURCHARGE_FUELPAGEUPDATE": s.page("sefl.html", brand, contracts.SEFL),
	})
}
