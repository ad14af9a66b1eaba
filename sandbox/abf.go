package sandbox

import (
	"net/http"

	"assay.dev/contracts"
	"assay.dev/sandbox/tariff"
)

// abf serves a page of templates that a script fills. It shows no price of diesel beside a rate.
func abf(w *world) http.Handler {
	return w.site("ArcBest", map[string]http.HandlerFunc{
		"GET /abf-freight/resources/fuel-surcharge.html": func(rw http.ResponseWriter, r *http.Request) {
			var v view
			if w.rendered(r) {
				v.Scope = abfScope(w.weeks(contracts.ABF), w.tariffs[contracts.ABF].Bands(3000, 5000))
			}
			w.show(rw, http.StatusOK, "abf.html", v)
		},
		"GET /abf-freight/assets/fuel.js": func(rw http.ResponseWriter, r *http.Request) {
			http.ServeFileFS(rw, r, pageFiles, "pages/abf.js")
		},
		"GET /abf-freight/assets/fuel.json": func(rw http.ResponseWriter, _ *http.Request) {
			writeJSON(rw, http.StatusOK, abfScope(w.weeks(contracts.ABF), w.tariffs[contracts.ABF].Bands(3000, 5000)))
		},
	})
}

// abfScope is what the page's templates name. Its members are texts: the script does no more than put them in place.
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

// abfDate is M/dd/yyyy.
func abfDate(d contracts.Date) string { return d.Time().Format("1/02/2006") }
