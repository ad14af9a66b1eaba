package carrier

import (
	"time"

	"assay.dev/contracts"
	"assay.dev/ltl-worker/surcharge"
)

// estes: two tables on one page, brackets and history, both filled by scripts (page). The JSON behind it is newest first
// (code), but its host and prefix are unknown: ASSAY_LTL_URLS=ESTES.api=… switches it on; the address ends in /history.
var estes = Recipe{
	Code: contracts.ESTES, SCAC: "EXLA", Name: "Estes Express Lines", Headquarters: "Richmond, VA",
	Coverage: "National (United States)", HistoryWeeks: contracts.MaxWeeks,
	Publication: Publication{Day: time.Tuesday, Hour: 12, Effective: time.Wednesday}, // hour: guess
	Pages:       []string{"https://www.estes-express.com/resources/fees-and-surcharges/fuel-surcharge"},
	Scripted:    true,
	Rule:        surcharge.Rule{Diesel: surcharge.Required},
	APIRule:     surcharge.Rule{Diesel: surcharge.Required},
}
