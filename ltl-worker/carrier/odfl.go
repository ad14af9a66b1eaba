package carrier

import (
	"net/http"
	"time"

	"assay.dev/contracts"
	"assay.dev/ltl-worker/surcharge"
)

const odflHistory = "https://api.odfl.com/tools/fuel-history/v1.0/fuel-history.list" // doc; method and fields unknown

// odfl has a page without diesel prices. The JSON behind the page has them (doc).
var odfl = Recipe{
	Code: contracts.ODFL, SCAC: "ODFL", Name: "Old Dominion Freight Line", Headquarters: "Thomasville, NC",
	Coverage: "National (United States)", HistoryWeeks: contracts.MaxWeeks, // guess
	Publication: Publication{Day: time.Tuesday, Hour: 12, Effective: time.Wednesday}, // day of week: page; hour: guess
	PriceLag:    9,                                                                   // as captured, uncertain
	Table:       &odflTable,
	FuelRule: contracts.FuelRule{
		WeekStart: new("Wednesday"), TariffItem: new("ODFL 128-CC"), SourceURL: new("https://www.odfl.com/us/en/resources/fuel-surcharge.html"),
	},
	API: []Request{
		{Method: http.MethodGet, URL: odflHistory},
		{Method: http.MethodPost, URL: odflHistory, Body: "{}"},
	},
	Pages:   []string{"https://www.odfl.com/us/en/resources/fuel-surcharge.html"},
	Rule:    surcharge.Rule{Diesel: surcharge.Optional, Names: []string{"Old Dominion Freight Line", "Old Dominion", "ODFL", "OD"}},
	APIRule: surcharge.Rule{Diesel: surcharge.Required, Names: []string{"Old Dominion Freight Line", "Old Dominion", "ODFL", "OD"}},
}
