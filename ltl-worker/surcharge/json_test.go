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

// Whatever form a history has, what stands beside it, and the name of what holds it, is about its figures. Each is read often, since
// the members of an object come in any order.
func TestWhatHoldsAHistoryIsAboutIt(t *testing.T) {
	const plain, doubted, refused = 1, 0.5, 0
	for name, tt := range map[string]struct {
		history    string
		confidence float64
	}{
		"lists in objects":              {`"weeks":["2026-09-09","2026-09-02"],"ltl":{"percent":[50.32,50.1]},"truckload":{"percent":[100.64,100.2]}`, plain},
		"lists in one object":           {`"weeks":["2026-09-09","2026-09-02"],"rates":{"LTL":[50.32,50.1],"TL":[100.64,100.2]}`, plain},
		"numbered records":              {`"week_1":{"start":"2026-09-09","ltl":50.32},"week_2":{"start":"2026-09-02","ltl":50.1}`, plain},
		"another region's list":         {`"weeks":["2026-09-09","2026-09-02"],"canada":{"ltl":[50.32,50.1]}`, refused},
		"another region's percents":     {`"weeks":["2026-09-09","2026-09-02"],"canada":{"percent":[50.32,50.1]}`, refused},
		"another region's records":      {`"canada_1":{"start":"2026-09-09","ltl":50.32},"canada_2":{"start":"2026-09-02","ltl":50.1}`, refused},
		"another region beside lists":   {`"region":"Canada","weeks":["2026-09-09","2026-09-02"],"ltl":[50.32,50.1]`, doubted},
		"another region beside rows":    {`"region":"Canada","columns":["week","ltl"],"rows":[["2026-09-09",50.32],["2026-09-02",50.1]]`, doubted},
		"another region beside a chart": {`"region":"Canada","labels":["2026-09-09","2026-09-02"],"datasets":[{"label":"LTL","data":[50.32,50.1]}]`, doubted},
		"another region beside dates":   {`"region":"Canada","weeks":{"2026-09-09":50.32,"2026-09-02":50.1}`, doubted},
		"another region in a chart":     {`"canada":{"labels":["2026-09-09","2026-09-02"],"datasets":[{"label":"LTL","data":[50.32,50.1]}]}`, refused},
		"another region's series":       {`"labels":["2026-09-09","2026-09-02"],"canada":[{"label":"LTL","data":[50.32,50.1]}]`, refused},
		"another region in a series":    {`"labels":["2026-09-09","2026-09-02"],"datasets":[{"label":"LTL","region":"Canada","data":[50.32,50.1]}]`, refused},
		"two series of one name":        {`"labels":["2026-09-09","2026-09-02"],"datasets":[{"label":"LTL","data":[50.32,50.1]},{"label":"LTL","data":[60.1,60.0]}]`, refused},
		"a chart":                       {`"labels":["2026-09-09","2026-09-02"],"datasets":[{"label":"LTL","data":[50.32,50.1]},{"label":"TL","data":[60.1,60.0]}]`, plain},
		"another region over dates":     {`"xAxis":{"categories":["2026-09-09","2026-09-02"]},"canada":[{"name":"LTL","data":[50.32,50.1]}]`, refused},
		"services of weeks":             {`"weeks":[{"effective":"2026-09-09","rates":[{"mode":"LTL","pct":50.32},{"mode":"TL","pct":80}]},{"effective":"2026-09-02","rates":[{"mode":"LTL","pct":50.1},{"mode":"TL","pct":80}]}]`, plain},
		"another region's services":     {`"weeks":[{"effective":"2026-09-09","canada":[{"mode":"LTL","pct":50.32},{"mode":"TL","pct":80}]},{"effective":"2026-09-02","canada":[{"mode":"LTL","pct":50.1},{"mode":"TL","pct":80}]}]`, refused},
		"another region of a service":   {`"weeks":[{"effective":"2026-09-09","region":"US","rates":[{"mode":"LTL","region":"Canada","pct":50.32}]},{"effective":"2026-09-02","region":"US","rates":[{"mode":"LTL","region":"Canada","pct":50.1}]}]`, refused},
		"another region before rows":    {`"tables":[["Canada",[["2026-09-09",50.32],["2026-09-02",50.1]]]]`, refused},
		"rows in a list of lists":       {`"ltl":[[["2026-09-09",50.32],["2026-09-02",50.1]]]`, plain},
		"money of another country":      {`"currency":"CAD","weeks":[{"start":"2026-09-09","ltl":50.32},{"start":"2026-09-02","ltl":50.1}]`, doubted},
		"another region beside records": {`"region":"Canada","history":[{"start":"2026-09-09","ltl":50.32},{"start":"2026-09-02","ltl":50.1}]`, doubted},
	} {
		t.Run(name, func(t *testing.T) {
			for range 20 {
				r, err := surcharge.ReadJSON([]byte(`{"fuelSurcharge":{`+tt.history+`}}`), surcharge.Rule{}, "2026-09-10")
				if err != nil {
					if tt.confidence != refused {
						t.Fatal(err)
					}
					continue
				}
				if r.Tally().Confidence() != tt.confidence || len(r.Weeks) != 2 || r.Weeks[0].Percent != 50.32 || r.Weeks[1].Percent != 50.1 {
					t.Fatalf("%+v at %v, want %v", r.Weeks, r.Tally().Confidence(), tt.confidence)
				}
			}
		})
	}
}
