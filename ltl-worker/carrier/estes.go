package carrier

import (
	"time"

	"assay.dev/contracts"
	"assay.dev/ltl-worker/surcharge"
)

// estes has two tables on one page, brackets and history, and scripts fill both (page). The JSON behind the page is
// newest first (code). Its host and the first part of its path are not known; it ends in /history. An operator who
// knows the address switches the JSON on with ASSAY_LTL_URLS=ESTES.api=….
var estes = Recipe{
	Code: contracts.ESTES, SCAC: "EXLA", Name: "Estes Express Lines", Headquarters: "Richmond, VA",
	Coverage: "National (United States)", HistoryWeeks: contracts.MaxWeeks,
	Publication: Publication{Day: time.Tuesday, Hour: 12, Effective: time.Wednesday}, // hour: guess
	Table:       &Table{},
	FuelRule: contracts.FuelRule{
		WeekStart: new("Wednesday"), SourceURL: new("https://www.estes-express.com/resources/fees-and-surcharges/fuel-surcharge"),
	},
	Pages:    []string{"https://www.estes-express.com/resources/fees-and-surcharges/fuel-surcharge"},
	Scripted: true,
	Rule:     surcharge.Rule{Diesel: surcharge.Required, Names: []string{"Estes Express Lines", "Estes Express", "Estes", "EXLA"}},
	APIRule:  surcharge.Rule{Diesel: surcharge.Required, Names: []string{"Estes Express Lines", "Estes Express", "Estes", "EXLA"}},
}
