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
		"EFFECTIVE_DATE", "surchargeEffectiveDate", "beginDate", "fromDate", "EffectiveFrom",
		"fuelSurchargeDate", "effectiveWeek",
	},
	"price": {
		"nationalAverage", "doePrice", "dieselPrice", "fuelPrice", "price", "avgPrice", "doe_diesel_price_usd",
		"nationalAvg", "fuelIndex", "indexPrice", "doeAverage", "fuelCost", "averagePrice", "pricePerGallon",
		"DieselFuelPrice", "doe", "natlAvg",
	},
	"ltl": {
		"ltl", "ltlSurcharge", "ltl_pct", "LTLPercent", "ltlFuelSurcharge", "fuelSurchargeLTL", "ltlRate", "fscLtl",
		"lessThanTruckload", "LTL_FSC_PCT", "LTLSurchargePercentage",
	},
	"general": {
		"fuelSurcharge", "surchargePercent", "fsc", "percent", "percentage", "fuelSurchargePercent", "rate",
		"fscPct", "surchargeRate", "fuel_surcharge_pct", "surcharge",
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
		r, err := surcharge.ReadJSON(doc, surcharge.Rule{}, modelToday)
		if err != nil {
			t.Fatalf("%v\n%s\n%s", err, strings.Join(r.Notes, "\n"), doc)
		}
		if wrong := m.wrong(r); wrong != "" || len(r.Weeks) != len(m.weeks) || r.Tally().Confidence() != 1 {
			t.Fatalf("%s; %d of %d weeks, %v\n%s\n%s",
				wrong, len(r.Weeks), len(m.weeks), r.Tally(), strings.Join(r.Notes, "\n"), doc)
		}
	})
}

// Whatever form a history has, what stands beside it, and the name of what holds it, names its figures. Texts beside it are for
// package trust.
func TestWhatHoldsAHistoryIsAboutIt(t *testing.T) {
	const plain, refused = true, false
	for name, tt := range map[string]struct {
		history string
		isRead  bool
	}{
		"lists in objects":                         {`"weeks":["2026-09-09","2026-09-02"],"ltl":{"percent":[50.32,50.1]},"truckload":{"percent":[100.64,100.2]}`, plain},
		"lists in one object":                      {`"weeks":["2026-09-09","2026-09-02"],"rates":{"LTL":[50.32,50.1],"TL":[100.64,100.2]}`, plain},
		"numbered records":                         {`"week_1":{"start":"2026-09-09","ltl":50.32},"week_2":{"start":"2026-09-02","ltl":50.1}`, plain},
		"another region's list":                    {`"weeks":["2026-09-09","2026-09-02"],"canada":{"ltl":[50.32,50.1]}`, refused},
		"another region's percents":                {`"weeks":["2026-09-09","2026-09-02"],"canada":{"percent":[50.32,50.1]}`, refused},
		"another region's records":                 {`"canada_1":{"start":"2026-09-09","ltl":50.32},"canada_2":{"start":"2026-09-02","ltl":50.1}`, refused},
		"another region in a chart":                {`"canada":{"labels":["2026-09-09","2026-09-02"],"datasets":[{"label":"LTL","data":[50.32,50.1]}]}`, refused},
		"another region's series":                  {`"labels":["2026-09-09","2026-09-02"],"canada":[{"label":"LTL","data":[50.32,50.1]}]`, refused},
		"another region in a series":               {`"labels":["2026-09-09","2026-09-02"],"datasets":[{"label":"LTL","region":"Canada","data":[50.32,50.1]}]`, refused},
		"two series of one name":                   {`"labels":["2026-09-09","2026-09-02"],"datasets":[{"label":"LTL","data":[50.32,50.1]},{"label":"LTL","data":[60.1,60.0]}]`, refused},
		"a chart":                                  {`"labels":["2026-09-09","2026-09-02"],"datasets":[{"label":"LTL","data":[50.32,50.1]},{"label":"TL","data":[60.1,60.0]}]`, plain},
		"another region over dates":                {`"xAxis":{"categories":["2026-09-09","2026-09-02"]},"canada":[{"name":"LTL","data":[50.32,50.1]}]`, refused},
		"services of weeks":                        {`"weeks":[{"effective":"2026-09-09","rates":[{"mode":"LTL","pct":50.32},{"mode":"TL","pct":80}]},{"effective":"2026-09-02","rates":[{"mode":"LTL","pct":50.1},{"mode":"TL","pct":80}]}]`, plain},
		"another region's services":                {`"weeks":[{"effective":"2026-09-09","canada":[{"mode":"LTL","pct":50.32},{"mode":"TL","pct":80}]},{"effective":"2026-09-02","canada":[{"mode":"LTL","pct":50.1},{"mode":"TL","pct":80}]}]`, refused},
		"another region of a service":              {`"weeks":[{"effective":"2026-09-09","region":"US","rates":[{"mode":"LTL","region":"Canada","pct":50.32}]},{"effective":"2026-09-02","region":"US","rates":[{"mode":"LTL","region":"Canada","pct":50.1}]}]`, refused},
		"another region before rows":               {`"tables":[["Canada",[["2026-09-09",50.32],["2026-09-02",50.1]]]]`, refused},
		"rows in a list of lists":                  {`"ltl":[[["2026-09-09",50.32],["2026-09-02",50.1]]]`, plain},
		"texts in a list beside records":           {`"notes":["Updated every Wednesday."],"countries":["US"],"history":[{"start":"2026-09-09","ltl":50.32},{"start":"2026-09-02","ltl":50.1}]`, plain},
		"the title of a page with links":           {`"page":{"title":"Fuel surcharge","crumbs":[{"href":"/c","text":"Canada"}]},"history":[{"start":"2026-09-09","ltl":50.32},{"start":"2026-09-02","ltl":50.1}]`, plain},
		"another region in a list of each record":  {`"history":[{"start":"2026-09-09","ltl":50.32,"countries":["Canada"]},{"start":"2026-09-02","ltl":50.1,"countries":["Canada"]}]`, refused},
		"another region in objects of each record": {`"history":[{"start":"2026-09-09","ltl":50.32,"for":{"to":[{"country":"Canada"}]}},{"start":"2026-09-02","ltl":50.1,"for":{"to":[{"country":"Canada"}]}}]`, refused},
		"another region of each service":           {`"weeks":[{"effective":"2026-09-09","rates":[{"mode":"LTL","countries":["Canada"],"pct":50.32}]},{"effective":"2026-09-02","rates":[{"mode":"LTL","countries":["Canada"],"pct":50.1}]}]`, refused},
		"another region of each day":               {`"2026-09-09":{"ltl":50.32,"regions":["Canada"]},"2026-09-02":{"ltl":50.1,"regions":["Canada"]}`, refused},
		"how columns are drawn":                    {`"columns":[{"title":"Effective","type":"date","width":"20%"},{"title":"LTL %","align":"right","field":"ltl_pct"}],"rows":[["2026-09-09",50.32],["2026-09-02",50.1]]`, plain},
		"another region of a column":               {`"columns":[{"title":"Effective"},{"title":"LTL %","group":"Canada"}],"rows":[["2026-09-09",50.32],["2026-09-02",50.1]]`, refused},
		"another region in the name of a column":   {`"columns":[{"title":"Effective"},{"title":"%","field":"canada_pct"}],"rows":[["2026-09-09",50.32],["2026-09-02",50.1]]`, refused},
		"another region under a column":            {`"columns":[{"headerName":"Effective"},{"headerName":"LTL %","children":[{"headerName":"Canada"}]}],"rows":[["2026-09-09",50.32],["2026-09-02",50.1]]`, refused},
		"another region of a spreadsheet's column": {`"cols":[{"label":"Effective"},{"label":"LTL %","region":"Canada"}],"rows":[{"c":[{"v":"2026-09-09"},{"v":50.32}]},{"c":[{"v":"2026-09-02"},{"v":50.1}]}]`, refused},
		"how a series is drawn":                    {`"labels":["2026-09-09","2026-09-02"],"datasets":[{"label":"LTL","borderColor":"rgb(1,2,3)","yAxisID":"left","pointStyle":"circle","data":[50.32,50.1]}]`, plain},
		"another service of a series":              {`"labels":["2026-09-09","2026-09-02"],"datasets":[{"label":"LTL","shipmentType":"expedited","data":[50.32,50.1]}]`, refused},
		"the title of a chart":                     {`"options":{"plugins":{"title":{"text":"LTL fuel surcharge"},"legend":{"position":"top"}}},"data":{"labels":["2026-09-09","2026-09-02"],"datasets":[{"label":"LTL","data":[50.32,50.1]}]}`, plain},
		"a piece of a page in a list":              {`"blocks":[{"blockType":"hero","text":"Fuel surcharge"},{"blockType":"table","markup":"<table><tr><th>Effective date</th><th>LTL fuel surcharge</th></tr><tr><td>9/9/2026</td><td>50.32%</td></tr><tr><td>9/2/2026</td><td>50.1%</td></tr></table>"}]`, plain},
	} {
		t.Run(name, func(t *testing.T) {
			r, err := surcharge.ReadJSON([]byte(`{"fuelSurcharge":{`+tt.history+`}}`), surcharge.Rule{}, "2026-09-10")
			if err != nil || !tt.isRead {
				if (err == nil) != tt.isRead {
					t.Fatalf("%v: %+v", err, r.Weeks)
				}
				return
			}
			if len(r.Weeks) != 2 || r.Weeks[0].Percent != 50.32 || r.Weeks[1].Percent != 50.1 {
				t.Fatalf("%+v", r.Weeks)
			}
		})
	}
}
