package sandbox

import (
	"net/http"

	"assay.dev/contracts"
)

// odfl's page shows no price of diesel; its API does.
func odfl(w *world) http.Handler {
	return w.site("Old Dominion Freight Line", map[string]http.HandlerFunc{
		"GET /us/en/resources/fuel-surcharge.html": w.page("odfl.html", "Old Dominion Freight Line", contracts.ODFL),
	})
}

// odflWeek has names of our own: the real ones are unknown.
type odflWeek struct {
	EffectiveDate       string  `json:"effectiveDate"`
	LTLSurchargePercent float64 `json:"ltlSurchargePercent"`
	TLSurchargePercent  float64 `json:"tlSurchargePercent"`
	DieselPrice         float64 `json:"dieselPrice"`
}

func odflAPI(w *world) http.Handler {
	list := func(rw http.ResponseWriter, _ *http.Request) {
		var history struct {
			Status string     `json:"status"`
			Weeks  []odflWeek `json:"fuelHistory"`
		}
		history.Status = "SUCCESS"
		for _, week := range w.weeks(contracts.ODFL) {
			history.Weeks = append(history.Weeks, odflWeek{
				string(week.Effective), week.LTL.Float(), week.Truckload.Float(), week.Diesel.Price.USD(),
			})
		}
		writeJSON(rw, http.StatusOK, history)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /tools/fuel-history/v1.0/fuel-history.list", list)
	mux.HandleFunc("POST /tools/fuel-history/v1.0/fuel-history.list", list)
	return mux
}
