package sandbox

import (
	"bytes"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"text/template"

	"assay.dev/contracts"
	"assay.dev/sandbox/diesel"
)

// regional is a line of the feed.
type regional struct {
	Region string
	Price  diesel.Price
}

// eiaRegions are the feed's; only the national price is real, the others stand off it by thousandths of a dollar of
// our own.
var eiaRegions = [...]struct {
	name     string
	distance diesel.Price
}{
	{"U.S.", 0}, {"East Coast", 41}, {"New England", 198}, {"Central Atlantic", 187}, {"Lower Atlantic", -33},
	{"Midwest", -52}, {"Gulf Coast", -311}, {"Rocky Mountain", -87}, {"West Coast", 604}, {"California", 1012},
}

func regions(national diesel.Price) []regional {
	lines := make([]regional, 0, len(eiaRegions))
	for _, r := range eiaRegions {
		lines = append(lines, regional{r.name, national + r.distance})
	}
	return lines
}

// eiaFeed is the RSS of the EIA, in ISO-8859-1, gasoline first.
func eiaFeed(w *world) http.Handler {
	return w.site("U.S. Energy Information Administration", map[string]http.HandlerFunc{
		"GET /petroleum/gasdiesel/includes/gas_diesel_rss.xml": func(rw http.ResponseWriter, _ *http.Request) {
			newest := w.prices.Published(w.now(), 1)[0]
			var feed bytes.Buffer
			if err := w.feed.Execute(&feed, map[string]any{
				"Monday": newest.Monday, "Diesel": regions(newest.Price), "Gasoline": regions(newest.Price * 3 / 4),
			}); err != nil {
				http.Error(rw, "sandbox: "+err.Error(), http.StatusInternalServerError)
				return
			}
			rw.Header().Set("Content-Type", "application/rss+xml")
			_, _ = rw.Write(latin1(feed.String()))
		},
	})
}

// latin1 works for the letters it has: the first 256 of Unicode.
func latin1(s string) []byte {
	out := make([]byte, 0, len(s))
	for _, letter := range s {
		out = append(out, byte(letter))
	}
	return out
}

func parseFeed() (*template.Template, error) {
	return template.New("eia.xml").Funcs(template.FuncMap{
		"date": func(layout string, d contracts.Date) string { return d.Time().Format(layout) },
	}).ParseFS(pageFiles, "pages/eia.xml")
}

const dieselSeries = "EMD_EPD2D_PTE_NUS_DPG"

// eiaAPI is version 2 of the EIA's API. It echoes the key, and without data[] it sends rows without values.
func eiaAPI(w *world) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /v2/petroleum/pri/gnd/data/", func(rw http.ResponseWriter, r *http.Request) {
		q := r.URL.Query()
		if q.Get("api_key") == "" {
			writeJSON(rw, http.StatusForbidden, map[string]any{"error": map[string]string{
				"code": "API_KEY_MISSING", "message": "No api_key was supplied.",
			}})
			return
		}
		rows := eiaRows(w.prices.Published(w.now(), -1), q)
		writeJSON(rw, http.StatusOK, map[string]any{
			"response":   map[string]any{"total": strconv.Itoa(len(rows)), "dateFormat": "YYYY-MM-DD", "frequency": "weekly", "data": rows},
			"request":    map[string]any{"command": r.URL.Path, "params": q},
			"apiVersion": "2.1.12",
		})
	})
	return mux
}

func eiaRows(weeks []diesel.Week, q url.Values) []map[string]string {
	rows := []map[string]string{}
	if series := q.Get("facets[series][]"); series != "" && series != dieselSeries {
		return rows
	}
	length, err := strconv.Atoi(q.Get("length"))
	if err != nil || length < 0 || length > 5000 {
		length = 5000
	}
	for i := range min(length, len(weeks)) {
		week := weeks[i]
		if q.Get("sort[0][direction]") != "desc" {
			week = weeks[len(weeks)-1-i]
		}
		row := map[string]string{"period": string(week.Monday), "duoarea": "NUS", "product": "EPD2D", "series": dieselSeries}
		if q.Get("data[0]") == "value" || q.Get("data[]") == "value" {
			row["value"], row["value-units"] = week.Price.String(), "$/GAL"
		}
		rows = append(rows, row)
	}
	return rows
}

// fred is the mirror of the same series as CSV, oldest first.
func fred(w *world) http.Handler {
	return w.site("FRED", map[string]http.HandlerFunc{
		"GET /graph/fredgraph.csv": func(rw http.ResponseWriter, r *http.Request) {
			if r.URL.Query().Get("id") != "GASDESW" {
				http.NotFound(rw, r)
				return
			}
			rw.Header().Set("Content-Type", "application/csv")
			_, _ = fmt.Fprintln(rw, "observation_date,GASDESW")
			weeks := w.prices.Published(w.now(), -1)
			for i := range weeks {
				week := weeks[len(weeks)-1-i]
				_, _ = fmt.Fprintf(rw, "%s,%s\n", week.Monday, week.Price)
			}
		},
	})
}
