package carriers

import (
	"net/http"

	"assay.dev/contracts"
	"assay.dev/sandbox/page"
	"assay.dev/sandbox/tariff"
)

// ABF returns the handler of arcb.com: a page of templates that a script fills. The page shows no price of diesel.
func (s *Sites) ABF() http.Handler {
	return page.Site("ArcBest", map[string]http.HandlerFunc{
		"GET /abf-freight/resources/fuel-surcharge.html": func(w http.ResponseWriter, r *http.Request) {
			var v view
			if s.rendered(r) {
				v.Scope = abfScope(s.weeks(contracts.ABF), s.bands(contracts.ABF))
			}
			s.show(w, "abf.html", v)
		},
		"GET /abf-freight/assets/fuel.js": func(w http.ResponseWriter, r *http.Request) {
			http.ServeFileFS(w, r, files, "pages/abf.js")
		},
		"GET /abf-freight/assets/fuel.json": func(w http.ResponseWriter, _ *http.Request) {
			page.JSON(w, http.StatusOK, abfScope(s.weeks(contracts.ABF), s.bands(contracts.ABF)))
		},
	})
}

// abfScope holds the values that the page's templates name. They are texts, which the script inserts as they are.
func abfScope(weeks []tariff.Week, bands []tariff.Band) map[string]any {
	var history, steps []map[string]string
	for _, week := range weeks {
		history = append(history, map[string]string{
			"effectiveDate": abfDate(week.Effective), "endDate": abfDate(week.Effective.AddDays(6)),
			"ltl": week.LTL.String() + "%", "tl": week.Truckload.String() + "%",
		})
	}
	for _, b := range bands {
		steps = append(steps, map[string]string{
			"price": "$" + b.From.String() + " - $" + (b.To - 1).String(),
			"ltl":   b.LTL.String() + "%", "tl": b.Truckload.String() + "%",
		})
	}
	return map[string]any{"currentCharge": history[0]["ltl"], "history": history, "steps": steps}
}

// abfDate returns a date in the form M/dd/yyyy, such as 9/08/2026.
func abfDate(d contracts.Date) string { return d.Time().Format("1/02/2006") }
