package sandbox

import (
	"net/http"
	"strings"

	"assay.dev/contracts"
	"assay.dev/sandbox/tariff"
)

type estesWeek struct {
	EffectiveDate   string   `json:"effectiveDate"`
	NationalAverage string   `json:"nationalAverage"`
	LTLSurcharge    *float64 `json:"ltlSurcharge"`
	TLSurcharge     *float64 `json:"tlSurcharge"`
}

// estes serves a page whose two tables a script fills from two JSON documents.
func estes(w *world) http.Handler {
	return w.site("Estes Express Lines", map[string]http.HandlerFunc{
		"GET /resources/fees-and-surcharges/fuel-surcharge": func(rw http.ResponseWriter, r *http.Request) {
			var v view
			if w.rendered(r) {
				v.Weeks, v.Bands = w.weeks(contracts.ESTES), w.tariffs[contracts.ESTES].Bands(3000, 5000)
			}
			w.show(rw, http.StatusOK, "estes.html", v)
		},
		"GET /api/fuel-surcharge/v1/current": func(rw http.ResponseWriter, _ *http.Request) {
			newest := w.weeks(contracts.ESTES)[0]
			writeJSON(rw, http.StatusOK, map[string]any{
				"nationalAverage": newest.Diesel.Price.String(), "effectiveDate": compact(newest.Effective),
				"scale": estesScale(w.tariffs[contracts.ESTES].Bands(3000, 5000)),
			})
		},
		"GET /api/fuel-surcharge/v1/history": func(rw http.ResponseWriter, _ *http.Request) {
			writeJSON(rw, http.StatusOK, estesHistory(w.weeks(contracts.ESTES)))
		},
	})
}

// estesHistory ends with a row that failed: it has a date and no percents.
func estesHistory(weeks []tariff.Week) []estesWeek {
	rows := make([]estesWeek, 0, len(weeks)+1)
	for _, week := range weeks {
		ltl, tl := week.LTL.Float(), week.Truckload.Float()
		rows = append(rows, estesWeek{compact(week.Effective), week.Diesel.Price.String(), &ltl, &tl})
	}
	oldest := weeks[len(weeks)-1].Effective
	return append(rows, estesWeek{EffectiveDate: compact(oldest.AddDays(-7)), NationalAverage: "0.000"})
}

func estesScale(bands []tariff.Band) []map[string]any {
	var rows []map[string]any
	for _, b := range bands {
		rows = append(rows, map[string]any{
			"atLeast": b.From.String(), "lessThan": b.To.String(), "ltlSurcharge": b.LTL.Float(), "tlSurcharge": b.Truckload.Float(),
		})
	}
	return rows
}

// compact is YYYYMMDD.
func compact(d contracts.Date) string { return strings.ReplaceAll(string(d), "-", "") }
