package carrier

import (
	"time"

	"assay.dev/contracts"
	"assay.dev/ltl-worker/surcharge"
)

// saia has a plain table with the full history: effective date, DOE price, LTL %, truckload % (doc). The URL that
// ends in "fuel-surcharge" leads to the home page with status 200.
var saia = Recipe{
	Code: contracts.SAIA, SCAC: "SAIA", Name: "Saia LTL Freight", Headquarters: "Johns Creek, GA",
	Coverage: "National (United States)", HistoryWeeks: contracts.MaxWeeks,
	Publication: Publication{Day: time.Tuesday, Hour: 12, Effective: time.Wednesday}, // hour: guess
	FuelRule:    contracts.FuelRule{WeekStart: new("Wednesday"), SourceURL: new("https://www.saia.com/tools-and-resources/fuel-surcharges")},
	Pages:       []string{"https://www.saia.com/tools-and-resources/fuel-surcharges"}, // doc
	Rule:        surcharge.Rule{Diesel: surcharge.Required, Names: []string{"Saia LTL Freight", "Saia Motor Freight Line", "Saia"}},
}
