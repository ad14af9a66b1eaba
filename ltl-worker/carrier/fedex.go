package carrier

import (
	"time"

	"assay.dev/contracts"
	"assay.dev/ltl-worker/surcharge"
)

// fedex has had its own site since 2026 (doc). The page on fedex.com is never read: it is about parcels, and its
// "freight" surcharges are in dollars per pound.
var fedex = Recipe{
	Code: contracts.FEDEX, SCAC: "FXFE", Name: "FedEx Freight", Headquarters: "Memphis, TN", // it also files FXNL
	Coverage: "National (United States)", HistoryWeeks: contracts.MaxWeeks, // guess
	Publication: Publication{Day: time.Tuesday, Hour: 12, Effective: time.Wednesday}, // hour: guess
	Pages:       []string{"https://www.fedexfreight.com/en-us/support-resources/tariffs-rates-information/fuel-surcharges"},
	Rule: surcharge.Rule{Diesel: surcharge.Required, Names: []string{
		"FedEx Freight Priority and FedEx Freight Economy", "FedEx Freight Priority and Economy", "FedEx Freight", "FedEx", "FXF", "FXFE",
	}}, // doc
}
