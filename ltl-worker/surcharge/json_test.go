package surcharge_test

import (
	"encoding/json"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"assay.dev/ltl-worker/surcharge"
)

// names that services give the fields of a record.
var names = map[role][]string{
	"date": {
		"effectiveDate", "effective_date", "effDate", "effDt", "startDate", "date", "weekOf", "week_of",
		"EFFECTIVE_DATE", "effectivedate", "surchargeEffectiveDate", "beginDate", "fromDate", "EffectiveFrom",
		"fuelSurchargeDate", "effectiveWeek",
	},
	"price": {
		"nationalAverage", "doePrice", "dieselPrice", "fuelPrice", "price", "avgPrice", "doe_diesel_price_usd",
		"nationalAvg", "fuelIndex", "indexPrice", "doeAverage", "fuelCost", "averagePrice", "pricePerGallon",
		"DOEAVG", "DieselFuelPrice", "doe", "natlAvg", "fuelprice",
	},
	"ltl": {
		"ltl", "ltlSurcharge", "ltl_pct", "LTLPercent", "ltlFuelSurcharge", "fuelSurchargeLTL", "ltlRate", "fscLtl",
		"ltlfsc", "lessThanTruckload", "LTL_FSC_PCT", "ltlpercent", "LTLSurchargePercentage",
	},
	"general": {
		"fuelSurcharge", "surchargePercent", "fsc", "percent", "percentage", "fuelSurchargePercent", "rate",
		"fscPct", "surchargeRate", "fuel_surcharge_pct", "surcharge", "fuelsurchargepercent",
		"FuelSurchargePercentage",
	},
	"tl":     {"tlSurcharge", "truckload", "tl", "tlPct", "truckloadPercent", "TL_PCT", "truckLoadSurcharge"},
	"posted": {"publishDate", "createdDate", "updatedAt", "indexDate", "doeDate", "datePosted", "modified"},
	"end":    {"endDate", "expirationDate", "throughDate", "effectiveTo", "weekEnding"},
	"note":   {"id", "index", "active", "comment", "week", "createdBy"},
}

// Whatever the names and the order of fields, the wrapping and the forms of values: a list of weeks reads the same.
func TestAnyRightListIsRead(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := drawModel(t)
		asNumber := rapid.Bool().Draw(t, "numbers")
		keys := map[role]string{}
		for _, r := range []role{"date", "price", "ltl", "general", "tl", "posted", "end", "note"} {
			keys[r] = rapid.SampledFrom(names[r]).Draw(t, string(r))
		}
		var list []map[string]any
		for i, w := range m.weeks {
			record := map[string]any{keys["note"]: i}
			for _, c := range m.columns {
				name, ok := keys[c.role]
				if !ok || c.role == "note" {
					continue
				}
				switch {
				case asNumber && c.role == "price":
					record[name] = *w.DieselUSD
				case asNumber && (c.role == "ltl" || c.role == "general"):
					record[name] = w.Percent
				default:
					record[name] = strings.TrimSuffix(c.cells[i], "*")
				}
			}
			list = append(list, record)
		}
		var root any = rapid.Permutation(list).Draw(t, "order")
		wrappers := rapid.SampledFrom([]string{"data", "result", "fuelHistory", "d", "items"})
		for _, name := range rapid.SliceOfN(wrappers, 0, 3).Draw(t, "wrapping") {
			root = map[string]any{name: root, "status": 200, "ok": true}
		}
		doc, _ := json.Marshal(root)
		r, err := surcharge.ReadJSON(doc, m.rule(), modelToday)
		if err != nil {
			t.Fatalf("%v\n%s\n%s", err, strings.Join(r.Notes, "\n"), doc)
		}
		if wrong := m.wrong(r); wrong != "" || len(r.Weeks) != len(m.weeks) || r.Tally().Confidence() != 1 {
			t.Fatalf("%s; %d of %d weeks, %v\n%s\n%s",
				wrong, len(r.Weeks), len(m.weeks), r.Tally(), strings.Join(r.Notes, "\n"), doc)
		}
	})
}
