package carrier

import (
	"time"

	"assay.dev/contracts"
	"assay.dev/ltl-worker/surcharge"
)

// xpo shows the diesel price and a history (doc). The page of its predecessor had three percents in each row, for
// LTL, truckload and volume, and a rate per mile (page).
var xpo = Recipe{
	Code: contracts.XPO, SCAC: "CNWY", Name: "XPO", Headquarters: "Greenwich, CT",
	Coverage: "National (United States)", HistoryWeeks: contracts.MaxWeeks, // doc
	Publication: Publication{Day: time.Tuesday, Hour: 12, Effective: time.Monday}, // hour: guess
	FuelRule:    contracts.FuelRule{WeekStart: new("Monday"), SourceURL: new("https://www.xpo.com/fuel-surcharge-table/")},
	Pages: []string{
		"https://www.xpo.com/fuel-surcharge-table/",
		"https://ltl.xpo.com/fuel-surcharge",
	},
	Rule: surcharge.Rule{Diesel: surcharge.Required, Names: []string{"XPO Logistics", "XPO", "CNWY"}},
}
