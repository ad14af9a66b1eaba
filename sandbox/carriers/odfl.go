package carriers

import (
	"net/http"

	"assay.dev/contracts"
	"assay.dev/sandbox/page"
)

// ODFL returns the handler of www.odfl.com. The page shows no price of diesel, and the API does.
func (s *Sites) ODFL() http.Handler {
	return page.Site("Old Dominion Freight Line", map[string]http.HandlerFunc{
		"GET /us/en/resources/fuel-surcharge.html": s.page("odfl.html", "Old Dominion Freight Line", contracts.ODFL),
	})
}

// odflWeek is a week in the API. We invented the names of its members, because the real ones are not known.
type odflWeek struct {
	EffectiveDate       string  `json:"effectiveDate"`
	LTLSurchargePercent float64 `json:"ltlSurchargePercent"`
	TLSurchargePercent  float64 `json:"tlSurchargePercent"`
	DieselPrice         float64 `json:"dieselPrice"`
}

// ODFLAPI returns the handler of api.odfl.com.
func (s *Sites) ODFLAPI() http.Handler {
	list := func(w http.ResponseWriter, _ *http.Request) {
		var history struct {
			Status string     `json:"status"`
			Weeks  []odflWeek `json:"fuelHistory"`
		}
		history.Status = "SUCCESS"
		for _, week := range s.weeks(contracts.ODFL) {
			history.Weeks = append(history.Weeks, odflWeek{
				string(week.Effective), week.LTL.Float(), week.Truckload.Float(), week.Diesel.Price.USD(),
			})
		}
		page.JSON(w, http.StatusOK, history)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /tools/fuel-history/v1.0/fuel-history.list", list)
	mux.HandleFunc("POST /tools/fuel-history/v1.0/fuel-history.list", list)
	return mux
}
