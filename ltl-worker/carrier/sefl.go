package carrier

import (
	"time"

	"assay.dev/contracts"
	"assay.dev/ltl-worker/surcharge"
)

// sefl has a Java servlet, which shows the diesel price and its band of 3 cents beside the percent (doc).
var sefl = Recipe{
	Code: contracts.SEFL, SCAC: "SEFL", Name: "Southeastern Freight Lines", Headquarters: "Lexington, SC",
	Coverage: "Regional (Southeast and Southwest United States)", HistoryWeeks: contracts.MaxWeeks, // guess
	Publication: Publication{Day: time.Tuesday, Hour: 12, Effective: time.Wednesday}, // hour: guess
	Table:       &Table{},
	FuelRule: contracts.FuelRule{
		WeekStart: new("Wednesday"), SourceURL: new("https://www.sefl.com/seflWebsite/servlet/FUELSURCHARGE_FUELPAGEUPDATE"),
	},
	Pages: []string{"https://www.sefl.com/seflWebsite/servlet/FUELSURCHARGE_FUELPAGEUPDATE"},
	Rule:  surcharge.Rule{Diesel: surcharge.Required, Names: []string{"Southeastern Freight Lines", "Southeastern", "SEFL"}},
}
