package carrier

import (
	"net/http"
	"time"

	"assay.dev/contracts"
	"assay.dev/ltl-worker/surcharge"
)

const (
	national    = "National (United States)"
	odflHistory = "https://api.odfl.com/tools/fuel-history/v1.0/fuel-history.list" // doc; method and fields unknown
)

// usual is when most carriers publish. The hour is a guess, the day that of the index.
var usual = Publication{Day: time.Tuesday, Hour: 12, Effective: time.Wednesday}

// Recipes has one entry for each carrier.
var Recipes = complete(map[contracts.Carrier]Recipe{
	// ODFL has a page without diesel prices. The JSON behind the page has them (doc).
	contracts.ODFL: {
		SCAC: "ODFL", Name: "Old Dominion Freight Line", Headquarters: "Thomasville, NC", Coverage: national,
		HistoryWeeks: contracts.MaxWeeks,                    // guess
		Publication:  usual, PriceLag: 9, Table: &odflTable, // day of week: page; lag: as captured, uncertain
		FuelRule: contracts.FuelRule{WeekStart: new("Wednesday"), TariffItem: new("ODFL 128-CC")},
		API: []Request{{Method: http.MethodGet, URL: odflHistory},
			{Method: http.MethodPost, URL: odflHistory, Body: "{}"}},
		Pages: []string{"https://www.odfl.com/us/en/resources/fuel-surcharge.html"},
		Rule:  surcharge.Rule{Names: []string{"Old Dominion Freight Line", "Old Dominion", "ODFL", "OD"}},
	},
	// Saia has a plain table with the full history: effective date, DOE price, LTL %, truckload % (doc). The URL that
	// ends in "fuel-surcharge" leads to the home page with status 200.
	contracts.SAIA: {
		SCAC: "SAIA", Name: "Saia LTL Freight", Headquarters: "Johns Creek, GA", Coverage: national,
		HistoryWeeks: contracts.MaxWeeks, Publication: usual,
		FuelRule: contracts.FuelRule{WeekStart: new("Wednesday")},
		Pages:    []string{"https://www.saia.com/tools-and-resources/fuel-surcharges"}, // doc
		Rule:     surcharge.Rule{Names: []string{"Saia LTL Freight", "Saia Motor Freight Line", "Saia"}},
	},
	// Estes has two tables on one page, brackets and history, and scripts fill both (page). The JSON behind the page is
	// newest first (code). Its host and the first part of its path are not known; it ends in /history. An operator who
	// knows the address switches the JSON on with ASSAY_LTL_URLS=ESTES.api=….
	contracts.ESTES: {
		SCAC: "EXLA", Name: "Estes Express Lines", Headquarters: "Richmond, VA", Coverage: national,
		HistoryWeeks: contracts.MaxWeeks, Publication: usual, Table: &Table{},
		FuelRule: contracts.FuelRule{WeekStart: new("Wednesday")},
		Pages:    []string{"https://www.estes-express.com/resources/fees-and-surcharges/fuel-surcharge"},
		Scripted: true,
		Rule:     surcharge.Rule{Names: []string{"Estes Express Lines", "Estes Express", "Estes", "EXLA"}},
	},
	// ABF has an AngularJS page, which holds only templates until its scripts have run (page). Its history has the
	// columns From | To | LTL | TL, without a diesel price. When the index is late, ABF keeps the percent of the week
	// before.
	contracts.ABF: {
		SCAC: "ABFS", Name: "ABF Freight (ArcBest)", Headquarters: "Fort Smith, AR", Coverage: national,
		HistoryWeeks: contracts.MaxWeeks, // guess
		Publication:  usual, Table: &abfTable,
		FuelRule: contracts.FuelRule{
			AppliesTo: new("all line-haul charges after discount"), Excludes: new("special services"),
			WeekStart:     new("Wednesday"),
			LateIndexRule: new("the percent of the week before is kept until the index is published"),
		},
		Pages:    []string{"https://arcb.com/abf-freight/resources/fuel-surcharge.html"},
		Scripted: true,
		Rule: surcharge.Rule{NoDiesel: true, Names: []string{
			"ABF Freight System", "ABF Freight", "ABF", "ArcBest Corporation", "ArcBest", "ABFS", "ARCB",
		}},
	},
	// R+L is known little of: only a probable address, and the claim that the page has a history (doc).
	contracts.RLC: {
		SCAC: "RLCA", Name: "R+L Carriers", Headquarters: "Wilmington, OH", Coverage: national,
		HistoryWeeks: contracts.MaxWeeks, Publication: usual, // doc; guess
		Pages: []string{"https://www2.rlcarriers.com/freight/shipping-fuel-surcharge"},                            // guess
		Rule:  surcharge.Rule{Names: []string{"R+L Carriers", "R+L", "RL Carriers", "RLC", "RLCA", "RLCarriers"}}, // guess
	},
	// TForce has a table with one row, the current week, without a diesel price (page, twice). Earlier weeks come from
	// the archive. The site tforce-solutions.com belongs to another company.
	contracts.TFORCE: {
		SCAC: "TFIN", Name: "TForce Freight", Headquarters: "Richmond, VA", Coverage: national,
		HistoryWeeks: 1,
		Publication:  Publication{Day: time.Wednesday, Hour: 1, Effective: time.Wednesday}, // hour: guess
		FuelRule: contracts.FuelRule{
			AppliesTo: new("all charges but accessorials"), Excludes: new("accessorials"), WeekStart: new("Wednesday"),
		},
		Pages: []string{"https://www.tforcefreight.com/ltl/apps/FuelSurcharge",
			"https://www.tforcefreight.com/ltl/apps/Resources/fueltable"},
		Rule: surcharge.Rule{NoDiesel: true, Names: []string{"TForce Freight", "TForce", "TFIN", "TForceFreight"}},
	},
	// XPO shows the diesel price and a history (doc). The page of its predecessor had three percents in each row, for
	// LTL, truckload and volume, and a rate per mile (page).
	contracts.XPO: {
		SCAC: "CNWY", Name: "XPO", Headquarters: "Greenwich, CT", Coverage: national,
		HistoryWeeks: contracts.MaxWeeks,                                               // doc
		Publication:  Publication{Day: time.Tuesday, Hour: 12, Effective: time.Monday}, // hour: guess
		FuelRule:     contracts.FuelRule{WeekStart: new("Monday")},
		Pages:        []string{"https://www.xpo.com/fuel-surcharge-table/", "https://ltl.xpo.com/fuel-surcharge"},
		Rule:         surcharge.Rule{Names: []string{"XPO Logistics", "XPO", "CNWY"}},
	},
	// SEFL has a Java servlet, which shows the diesel price and its band of 3 cents beside the percent (doc).
	contracts.SEFL: {
		SCAC: "SEFL", Name: "Southeastern Freight Lines", Headquarters: "Lexington, SC",
		Coverage: "Regional (Southeast and Southwest United States)", HistoryWeeks: contracts.MaxWeeks, // guess
		Publication: usual, Table: &Table{},
		FuelRule: contracts.FuelRule{WeekStart: new("Wednesday")},
		Pages:    []string{"https://www.sefl.com/seflWebsite/servlet/FUELSURCHARGE_FUELPAGEUPDATE"},
		Rule:     surcharge.Rule{Names: []string{"Southeastern Freight Lines", "Southeastern", "SEFL"}},
	},
	// Averitt has a history with the columns Effective Date | National Average | LTL % | Volume % | Min Charge. Pages of
	// this host answer 500 without the session cookie of its home page (code).
	contracts.AVERITT: {
		SCAC: "AVRT", Name: "Averitt Express", Headquarters: "Cookeville, TN", Coverage: "Regional (South United States)",
		HistoryWeeks: contracts.MaxWeeks, // guess
		Publication:  usual, FuelRule: contracts.FuelRule{WeekStart: new("Wednesday")},
		Visit: "https://tools.averitt.com/",
		Pages: []string{"https://tools.averitt.com/public/resources/fuelSurcharge/index.jsp"},
		Rule:  surcharge.Rule{Names: []string{"Averitt Express", "Averitt", "AVRT"}},
	},
	// FedEx Freight has had its own site since 2026 (doc). The page on fedex.com is never read: it is about parcels, and
	// its "freight" surcharges are in dollars per pound.
	contracts.FEDEX: {
		SCAC: "FXFE", Name: "FedEx Freight", Headquarters: "Memphis, TN", Coverage: national, // it also files FXNL
		HistoryWeeks: contracts.MaxWeeks, Publication: usual, // guess
		Pages: []string{"https://www.fedexfreight.com/en-us/support-resources/tariffs-rates-information/fuel-surcharges"},
		Rule: surcharge.Rule{Names: []string{
			"FedEx Freight Priority and FedEx Freight Economy", "FedEx Freight Priority and Economy", "FedEx Freight",
			"FedEx", "FXF", "FXFE",
		}}, // doc
	},
})

// complete says what follows from the rest of a recipe.
func complete(all map[contracts.Carrier]Recipe) map[contracts.Carrier]Recipe {
	for c, r := range all {
		if r.Code = c; r.FuelRule.WeekStart != nil {
			r.FuelRule.SourceURL = &r.Pages[0] // where it is said
		}
		all[c] = r
	}
	return all
}
