package carriers

import (
	"net/http"
	"strings"

	"assay.dev/contracts"
	"assay.dev/sandbox/page"
	"assay.dev/sandbox/tariff"
)

type estesWeek struct {
	EffectiveDate   string   `json:"effectiveDate"`
	NationalAverage string   `json:"nationalAverage"`
	LTLSurcharge    *float64 `json:"ltlSurcharge"`
	TLSurcharge     *float64 `json:"tlSurcharge"`
}

// Estes returns the handler of www.estes-express.com: a page with two tables that a script fills from two JSON
// documents.
func (s *Sites) Estes() http.Handler {
	return page.Site("Estes Express Lines", map[string]http.HandlerFunc{
		"GET /resources/fees-and-surcharges/fuel-surcharge": func(w http.ResponseWriter, r *http.Request) {
			var v view
			if s.rendered(r) {
				v.Weeks, v.Bands = s.weeks(contracts.ESTES), s.bands(contracts.ESTES)
			}
			s.show(w, "estes.html", v)
		},
		"GET /api/fuel-surcharge/v1/current": func(w http.ResponseWriter, _ *http.Request) {
			newest := s.weeks(contracts.ESTES)[0]
			page.JSON(w, http.StatusOK, map[string]any{
				"nationalAverage": newest.Diesel.Price.String(), "effectiveDate": compact(newest.Effective),
				"scale": estesScale(s.bands(contracts.ESTES)),
			})
		},
		"GET /api/fuel-surcharge/v1/history": func(w http.ResponseWriter, _ *http.Request) {
			page.JSON(w, http.StatusOK, estesHistory(s.weeks(contracts.ESTES)))
		},
	})
}

// estesHistory returns the history. Its last row has a date and no percents, as after a failure on the real site.
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
			"atLeast": b.From.String(), "lessThan": b.To.String(),
			"ltlSurcharge": b.LTL.Float(), "tlSurcharge": b.Truckload.Float(),
		})
	}
	return rows
}

// compact returns a date in the form YYYYMMDD, such as 20260908.
func compact(d contracts.Date) string { return strings.ReplaceAll(string(d), "-", "") }
