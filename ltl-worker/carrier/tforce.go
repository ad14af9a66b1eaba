package carrier

import (
	"time"

	"assay.dev/contracts"
	"assay.dev/ltl-worker/surcharge"
)

// tforce has a table with one row, the current week, without a diesel price (page, twice). Earlier weeks come from
// the archive. The site tforce-solutions.com belongs to another company.
var tforce = Recipe{
	Code: contracts.TFORCE, SCAC: "TFIN", Name: "TForce Freight", Headquarters: "Richmond, VA",
	Coverage: "National (United States)", HistoryWeeks: 1,
	Publication: Publication{Day: time.Wednesday, Hour: 1, Effective: time.Wednesday}, // hour: guess
	FuelRule: contracts.FuelRule{
		AppliesTo: new("all charges but accessorials"), Excludes: new("accessorials"), WeekStart: new("Wednesday"),
		SourceURL: new("https://www.tforcefreight.com/ltl/apps/FuelSurcharge"),
	},
	Pages: []string{
		"https://www.tforcefreight.com/ltl/apps/FuelSurcharge",
		"https://www.tforcefreight.com/ltl/apps/Resources/fueltable",
	},
	Rule: surcharge.Rule{Diesel: surcharge.Absent, Names: []string{"TForce Freight", "TForce", "TFIN", "TForceFreight"}},
}
