package carrier

import (
	"time"

	"assay.dev/contracts"
	"assay.dev/ltl-worker/surcharge"
)

// abf: an AngularJS page; as it comes it holds templates only (page). Its history is From | To | LTL | TL, without a
// diesel price. When the index is late it keeps the rate of the week before.
var abf = Recipe{
	Code: contracts.ABF, SCAC: "ABFS", Name: "ABF Freight (ArcBest)", Headquarters: "Fort Smith, AR",
	Coverage: "National (United States)", HistoryWeeks: contracts.MaxWeeks, // guess
	Publication: Publication{Day: time.Tuesday, Hour: 12, Effective: time.Wednesday}, // hour: guess
	Pages:       []string{"https://arcb.com/abf-freight/resources/fuel-surcharge.html"},
	Scripted:    true,
	Rule:        surcharge.Rule{Diesel: surcharge.Absent},
}
