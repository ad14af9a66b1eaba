package carrier

import (
	"time"

	"assay.dev/contracts"
	"assay.dev/ltl-worker/surcharge"
)

// rlc is known little of: only a probable address, and the claim that the page has a history (doc).
var rlc = Recipe{
	Code: contracts.RLC, SCAC: "RLCA", Name: "R+L Carriers", Headquarters: "Wilmington, OH",
	Coverage: "National (United States)", HistoryWeeks: contracts.MaxWeeks, // doc
	Publication: Publication{Day: time.Tuesday, Hour: 12, Effective: time.Wednesday},                                                            // guess
	Pages:       []string{"https://www2.rlcarriers.com/freight/shipping-fuel-surcharge"},                                                        // guess
	Rule:        surcharge.Rule{Diesel: surcharge.Optional, Names: []string{"R+L Carriers", "R+L", "RL Carriers", "RLC", "RLCA", "RLCarriers"}}, // guess
}
