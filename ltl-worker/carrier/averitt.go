package carrier

import (
	"time"

	"assay.dev/contracts"
	"assay.dev/ltl-worker/surcharge"
)

// averitt has a history with the columns Effective Date | National Average | LTL % | Volume % | Min Charge. Pages of
// this host answer 500 without the session cookie of its home page (code).
var averitt = Recipe{
	Code: contracts.AVERITT, SCAC: "AVRT", Name: "Averitt Express", Headquarters: "Cookeville, TN",
	Coverage: "Regional (South United States)", HistoryWeeks: contracts.MaxWeeks, // guess
	Publication: Publication{Day: time.Tuesday, Hour: 12, Effective: time.Wednesday}, // hour: guess
	FuelRule: contracts.FuelRule{
		WeekStart: new("Wednesday"), SourceURL: new("https://tools.averitt.com/public/resources/fuelSurcharge/index.jsp"),
	},
	Visit: "https://tools.averitt.com/",
	Pages: []string{"https://tools.averitt.com/public/resources/fuelSurcharge/index.jsp"},
	Rule:  surcharge.Rule{Diesel: surcharge.Required, Names: []string{"Averitt Express", "Averitt", "AVRT"}},
}
