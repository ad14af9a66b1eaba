// Package eia plays the publishers of the price of diesel: the feed and the API of the Energy Information
// Administration (EIA), and FRED, which mirrors the series.
package eia

import (
	"bytes"
	"embed"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"text/template"
	"time"

	"assay.dev/contracts"
	"assay.dev/sandbox/diesel"
	"assay.dev/sandbox/page"
)

//go:embed feed.xml
var files embed.FS

// Sites makes the sites. Each method without parameters is the handler of one host.
type Sites struct {
	prices *diesel.Series
	now    func() time.Time
	feed   *template.Template
}

// New makes the sites as they are at now.
func New(prices *diesel.Series, now func() time.Time) (*Sites, error) {
	feed, err := parseFeed()
	return &Sites{prices: prices, now: now, feed: feed}, err
}

// regional is a line of the feed.
type regional struct {
	Region string
	Price  diesel.Price
}

// regions are those of the feed. Only the national price is real. The distances of the others from it, in
// thousandths of a dollar, are made up.
var regions = [...]struct {
	name     string
	distance diesel.Price
}{
	{"U.S.", 0}, {"East Coast", 41}, {"New England", 198}, {"Central Atlantic", 187}, {"Lower Atlantic", -33},
	{"Midwest", -52}, {"Gulf Coast", -311}, {"Rocky Mountain", -87}, {"West Coast", 604}, {"California", 1012},
}

func pricesByRegion(national diesel.Price) []regional {
	lines := make([]regional, 0, len(regions))
	for _, r := range regions {
		lines = append(lines, regional{r.name, national + r.distance})
	}
	return lines
}

// Feed is www.eia.gov: the RSS feed, in ISO-8859-1, gasoline first.
func (s *Sites) Feed() http.Handler {
	return page.Site("U.S. Energy Information Administration", map[string]http.HandlerFunc{
		"GET /petroleum/gasdiesel/includes/gas_diesel_rss.xml": func(w http.ResponseWriter, _ *http.Request) {
			newest := s.prices.Published(s.now(), 1)[0]
			var feed bytes.Buffer
			if err := s.feed.Execute(&feed, map[string]any{
				"Monday": newest.Monday, "Diesel": pricesByRegion(newest.Price), "Gasoline": pricesByRegion(newest.Price * 3 / 4),
			}); err != nil {
				http.Error(w, "sandbox: "+err.Error(), http.StatusInternalServerError)
				return
			}
			w.Header().Set("Content-Type", "application/rss+xml")
			_, _ = w.Write(latin1(feed.String()))
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
	return template.New("feed.xml").Funcs(template.FuncMap{
		"date": func(layout string, d contracts.Date) string { return d.Time().Format(layout) },
	}).ParseFS(files, "feed.xml")
}

// DieselSeries is the EIA's name for the national price of diesel.
const DieselSeries = "EMD_EPD2D_PTE_NUS_DPG"

// API is api.eia.gov, version 2. It echoes the key, and without the parameter data[] it sends rows without values.
func (s *Sites) API() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /v2/petroleum/pri/gnd/data/", func(w http.ResponseWriter, r *http.Request) {
		q := r.URL.Query()
		if q.Get("api_key") == "" {
			page.JSON(w, http.StatusForbidden, map[string]any{"error": map[string]string{
				"code": "API_KEY_MISSING", "message": "No api_key was supplied.",
			}})
			return
		}
		rows := rowsOf(s.prices.Published(s.now(), -1), q)
		page.JSON(w, http.StatusOK, map[string]any{
			"response": map[string]any{
				"total": strconv.Itoa(len(rows)), "dateFormat": "YYYY-MM-DD", "frequency": "weekly", "data": rows,
			},
			"request":    map[string]any{"command": r.URL.Path, "params": q},
			"apiVersion": "2.1.12",
		})
	})
	return mux
}

func rowsOf(weeks []diesel.Week, q url.Values) []map[string]string {
	rows := []map[string]string{}
	if series := q.Get("facets[series][]"); series != "" && series != DieselSeries {
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
		row := map[string]string{"period": string(week.Monday), "duoarea": "NUS", "product": "EPD2D",
			"series": DieselSeries}
		if q.Get("data[0]") == "value" || q.Get("data[]") == "value" {
			row["value"], row["value-units"] = week.Price.String(), "$/GAL"
		}
		rows = append(rows, row)
	}
	return rows
}

// FRED is fred.stlouisfed.org: the same series as CSV, oldest first.
func (s *Sites) FRED() http.Handler {
	return page.Site("FRED", map[string]http.HandlerFunc{
		"GET /graph/fredgraph.csv": func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Query().Get("id") != "GASDESW" {
				http.NotFound(w, r)
				return
			}
			w.Header().Set("Content-Type", "application/csv")
			_, _ = fmt.Fprintln(w, "observation_date,GASDESW")
			weeks := s.prices.Published(s.now(), -1)
			for i := range weeks {
				week := weeks[len(weeks)-1-i]
				_, _ = fmt.Fprintf(w, "%s,%s\n", week.Monday, week.Price)
			}
		},
	})
}
