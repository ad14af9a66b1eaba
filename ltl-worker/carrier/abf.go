package carrier

import (
	"time"

	"assay.dev/contracts"
	"assay.dev/ltl-worker/surcharge"
)

// abf has an AngularJS page, which holds only templates until its scripts have run (page). Its history has the
// columns From | To | LTL | TL, without a diesel price. When the index is late, ABF keeps the percent of the week
// before.
var abf = Recipe{
	Code: contracts.ABF, SCAC: "ABFS", Name: "ABF Freight (ArcBest)", Headquarters: "Fort Smith, AR",
	Coverage: "National (United States)", HistoryWeeks: contracts.MaxWeeks, // guess
	Publication: Publication{Day: time.Tuesday, Hour: 12, Effective: time.Wednesday}, // hour: guess
	Table:       &abfTable,
	FuelRule: contracts.FuelRule{
		AppliesTo: new("all line-haul charges after discount"), Excludes: new("special services"), WeekStart: new("Wednesday"),
		LateIndexRule: new("the percent of the week before is kept until the index is published"),
		SourceURL:     new("https://arcb.com/abf-freight/resources/fuel-surcharge.html"),
	},
	Pages:    []string{"https://arcb.com/abf-freight/resources/fuel-surcharge.html"},
	Scripted: true,
	Rule:     surcharge.Rule{Diesel: surcharge.Absent, Names: []string{"ABF Freight System", "ABF Freight", "ABF", "ArcBest Corporation", "ArcBest", "ABFS", "ARCB"}},
}
