package carrier

import (
	"time"

	"assay.dev/contracts"
	"assay.dev/ltl-worker/surcharge"
)

// fedex: on its own site since 2026 (doc). The page on fedex.com is about parcels, where "freight" means dollars per
// pound: it is never read.
var fedex = Recipe{
	Code: contracts.FEDEX, SCAC: "FXFE", Name: "FedEx Freight", Headquarters: "Memphis, TN", // files FXNL too
	Coverage: "National (United States)", HistoryWeeks: contracts.MaxWeeks, // guess
	Publication: Publication{Day: time.Tuesday, Hour: 12, Effective: time.Wednesday}, // hour: guess
	Pages:       []string{"https://www.fedexfreight.com/en-us/support-resources/tariffs-rates-information/fuel-surcharges"},
	Rule:        surcharge.Rule{Diesel: surcharge.Required}, // doc
}
