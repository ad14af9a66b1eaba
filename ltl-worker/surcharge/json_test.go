package surcharge_test

import (
	"encoding/json"
	"fmt"
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
		"lists in objects":                             {`"weeks":["2026-09-09","2026-09-02"],"ltl":{"percent":[50.32,50.1]},"truckload":{"percent":[100.64,100.2]}`, plain},
		"lists in one object":                          {`"weeks":["2026-09-09","2026-09-02"],"rates":{"LTL":[50.32,50.1],"TL":[100.64,100.2]}`, plain},
		"numbered records":                             {`"week_1":{"start":"2026-09-09","ltl":50.32},"week_2":{"start":"2026-09-02","ltl":50.1}`, plain},
		"another region's list":                        {`"weeks":["2026-09-09","2026-09-02"],"canada":{"ltl":[50.32,50.1]}`, refused},
		"another region's percents":                    {`"weeks":["2026-09-09","2026-09-02"],"canada":{"percent":[50.32,50.1]}`, refused},
		"another region's records":                     {`"canada_1":{"start":"2026-09-09","ltl":50.32},"canada_2":{"start":"2026-09-02","ltl":50.1}`, refused},
		"another region beside lists":                  {`"region":"Canada","weeks":["2026-09-09","2026-09-02"],"ltl":[50.32,50.1]`, doubted},
		"another region beside rows":                   {`"region":"Canada","columns":["week","ltl"],"rows":[["2026-09-09",50.32],["2026-09-02",50.1]]`, doubted},
		"another region beside a chart":                {`"region":"Canada","labels":["2026-09-09","2026-09-02"],"datasets":[{"label":"LTL","data":[50.32,50.1]}]`, doubted},
		"another region beside dates":                  {`"region":"Canada","weeks":{"2026-09-09":50.32,"2026-09-02":50.1}`, doubted},
		"another region in a chart":                    {`"canada":{"labels":["2026-09-09","2026-09-02"],"datasets":[{"label":"LTL","data":[50.32,50.1]}]}`, refused},
		"another region's series":                      {`"labels":["2026-09-09","2026-09-02"],"canada":[{"label":"LTL","data":[50.32,50.1]}]`, refused},
		"another region in a series":                   {`"labels":["2026-09-09","2026-09-02"],"datasets":[{"label":"LTL","region":"Canada","data":[50.32,50.1]}]`, refused},
		"two series of one name":                       {`"labels":["2026-09-09","2026-09-02"],"datasets":[{"label":"LTL","data":[50.32,50.1]},{"label":"LTL","data":[60.1,60.0]}]`, refused},
		"a chart":                                      {`"labels":["2026-09-09","2026-09-02"],"datasets":[{"label":"LTL","data":[50.32,50.1]},{"label":"TL","data":[60.1,60.0]}]`, plain},
		"another region over dates":                    {`"xAxis":{"categories":["2026-09-09","2026-09-02"]},"canada":[{"name":"LTL","data":[50.32,50.1]}]`, refused},
		"services of weeks":                            {`"weeks":[{"effective":"2026-09-09","rates":[{"mode":"LTL","pct":50.32},{"mode":"TL","pct":80}]},{"effective":"2026-09-02","rates":[{"mode":"LTL","pct":50.1},{"mode":"TL","pct":80}]}]`, plain},
		"another region's services":                    {`"weeks":[{"effective":"2026-09-09","canada":[{"mode":"LTL","pct":50.32},{"mode":"TL","pct":80}]},{"effective":"2026-09-02","canada":[{"mode":"LTL","pct":50.1},{"mode":"TL","pct":80}]}]`, refused},
		"another region of a service":                  {`"weeks":[{"effective":"2026-09-09","region":"US","rates":[{"mode":"LTL","region":"Canada","pct":50.32}]},{"effective":"2026-09-02","region":"US","rates":[{"mode":"LTL","region":"Canada","pct":50.1}]}]`, refused},
		"another region before rows":                   {`"tables":[["Canada",[["2026-09-09",50.32],["2026-09-02",50.1]]]]`, refused},
		"rows in a list of lists":                      {`"ltl":[[["2026-09-09",50.32],["2026-09-02",50.1]]]`, plain},
		"money of another country":                     {`"currency":"CAD","weeks":[{"start":"2026-09-09","ltl":50.32},{"start":"2026-09-02","ltl":50.1}]`, doubted},
		"another region beside records":                {`"region":"Canada","history":[{"start":"2026-09-09","ltl":50.32},{"start":"2026-09-02","ltl":50.1}]`, doubted},
		"texts in a list beside records":               {`"notes":["Updated every Wednesday."],"countries":["US"],"history":[{"start":"2026-09-09","ltl":50.32},{"start":"2026-09-02","ltl":50.1}]`, plain},
		"another region in a list beside records":      {`"regions":["Canada"],"history":[{"start":"2026-09-09","ltl":50.32},{"start":"2026-09-02","ltl":50.1}]`, doubted},
		"another region in a list of notes":            {`"notes":[{"text":"For Canadian shipments only","updated":"2026-09-01"}],"history":[{"start":"2026-09-09","ltl":50.32},{"start":"2026-09-02","ltl":50.1}]`, doubted},
		"another region in a list of lists":            {`"notes":[["For Canadian shipments only"]],"history":[{"start":"2026-09-09","ltl":50.32},{"start":"2026-09-02","ltl":50.1}]`, doubted},
		"another region in numbered notes":             {`"notes":{"1":"For Canadian shipments only"},"history":[{"start":"2026-09-09","ltl":50.32},{"start":"2026-09-02","ltl":50.1}]`, doubted},
		"another region in a filter":                   {`"filters":[{"field":"region","value":"Canada"}],"history":[{"start":"2026-09-09","ltl":50.32},{"start":"2026-09-02","ltl":50.1}]`, doubted},
		"another region deep in an object":             {`"filters":{"region":["Canada"]},"history":[{"start":"2026-09-09","ltl":50.32},{"start":"2026-09-02","ltl":50.1}]`, doubted},
		"the title of a page with links":               {`"page":{"title":"Fuel surcharge","crumbs":[{"href":"/c","text":"Canada"}]},"history":[{"start":"2026-09-09","ltl":50.32},{"start":"2026-09-02","ltl":50.1}]`, plain},
		"another region in the title of a page":        {`"page":{"title":"Canada","crumbs":[{"href":"/","text":"Home"}]},"history":[{"start":"2026-09-09","ltl":50.32},{"start":"2026-09-02","ltl":50.1}]`, doubted},
		"another region before records":                {`"history":["Canada",{"start":"2026-09-09","ltl":50.32},{"start":"2026-09-02","ltl":50.1}]`, doubted},
		"another region in a record before the others": {`"history":[{"region":"Canada"},{"start":"2026-09-09","ltl":50.32},{"start":"2026-09-02","ltl":50.1}]`, doubted},
		"another region in a record before a list":     {`"tables":[{"region":"Canada"},{"history":[{"start":"2026-09-09","ltl":50.32},{"start":"2026-09-02","ltl":50.1}]}]`, doubted},
		"another region in a list of each record":      {`"history":[{"start":"2026-09-09","ltl":50.32,"countries":["Canada"]},{"start":"2026-09-02","ltl":50.1,"countries":["Canada"]}]`, refused},
		"another region in objects of each record":     {`"history":[{"start":"2026-09-09","ltl":50.32,"for":{"to":[{"country":"Canada"}]}},{"start":"2026-09-02","ltl":50.1,"for":{"to":[{"country":"Canada"}]}}]`, refused},
		"another region of each service":               {`"weeks":[{"effective":"2026-09-09","rates":[{"mode":"LTL","countries":["Canada"],"pct":50.32}]},{"effective":"2026-09-02","rates":[{"mode":"LTL","countries":["Canada"],"pct":50.1}]}]`, refused},
		"another region of each day":                   {`"2026-09-09":{"ltl":50.32,"regions":["Canada"]},"2026-09-02":{"ltl":50.1,"regions":["Canada"]}`, refused},
		"how columns are drawn":                        {`"columns":[{"title":"Effective","type":"date","width":"20%"},{"title":"LTL %","align":"right","field":"ltl_pct"}],"rows":[["2026-09-09",50.32],["2026-09-02",50.1]]`, plain},
		"another region of a column":                   {`"columns":[{"title":"Effective"},{"title":"LTL %","group":"Canada"}],"rows":[["2026-09-09",50.32],["2026-09-02",50.1]]`, refused},
		"another region in the name of a column":       {`"columns":[{"title":"Effective"},{"title":"%","field":"canada_pct"}],"rows":[["2026-09-09",50.32],["2026-09-02",50.1]]`, refused},
		"another region under a column":                {`"columns":[{"headerName":"Effective"},{"headerName":"LTL %","children":[{"headerName":"Canada"}]}],"rows":[["2026-09-09",50.32],["2026-09-02",50.1]]`, refused},
		"another region of a spreadsheet's column":     {`"cols":[{"label":"Effective"},{"label":"LTL %","region":"Canada"}],"rows":[{"c":[{"v":"2026-09-09"},{"v":50.32}]},{"c":[{"v":"2026-09-02"},{"v":50.1}]}]`, refused},
		"another region in a second line of headings":  {`"header":["date","ltl"],"subheader":["","Canada"],"rows":[["2026-09-09",50.32],["2026-09-02",50.1]]`, doubted},
		"another region in a row":                      {`"rows":[["date","ltl"],["Canada",null],["2026-09-09",50.32],["2026-09-02",50.1]]`, refused},
		"another region in a line of values":           {`"csv":"date,ltl\nCanada,\n2026-09-09,50.32\n2026-09-02,50.1"`, doubted},
		"how a series is drawn":                        {`"labels":["2026-09-09","2026-09-02"],"datasets":[{"label":"LTL","borderColor":"rgb(1,2,3)","yAxisID":"left","pointStyle":"circle","data":[50.32,50.1]}]`, plain},
		"another region deep in a series":              {`"labels":["2026-09-09","2026-09-02"],"datasets":[{"label":"LTL","meta":{"regions":["Canada"]},"data":[50.32,50.1]}]`, refused},
		"another service of a series":                  {`"labels":["2026-09-09","2026-09-02"],"datasets":[{"label":"LTL","shipmentType":"expedited","data":[50.32,50.1]}]`, refused},
		"the title of a chart":                         {`"options":{"plugins":{"title":{"text":"LTL fuel surcharge"},"legend":{"position":"top"}}},"data":{"labels":["2026-09-09","2026-09-02"],"datasets":[{"label":"LTL","data":[50.32,50.1]}]}`, plain},
		"another region in the title of a chart":       {`"options":{"plugins":{"title":{"text":"Canada"}}},"data":{"labels":["2026-09-09","2026-09-02"],"datasets":[{"label":"LTL","data":[50.32,50.1]}]}`, doubted},
		"a piece of a page in a list":                  {`"blocks":[{"blockType":"hero","text":"Fuel surcharge"},{"blockType":"table","markup":"<table><tr><th>Effective date</th><th>LTL fuel surcharge</th></tr><tr><td>9/9/2026</td><td>50.32%</td></tr><tr><td>9/2/2026</td><td>50.1%</td></tr></table>"}]`, plain},
		"another region over a piece of a page":        {`"blocks":[{"text":"Canada"},{"markup":"<table><tr><th>Effective date</th><th>LTL fuel surcharge</th></tr><tr><td>9/9/2026</td><td>50.32%</td></tr><tr><td>9/2/2026</td><td>50.1%</td></tr></table>"}]`, doubted},
		"another region around a piece of a page":      {`"canada":{"data":{"table":{"html":"<table><tr><th>Effective date</th><th>LTL fuel surcharge</th></tr><tr><td>9/9/2026</td><td>50.32%</td></tr><tr><td>9/2/2026</td><td>50.1%</td></tr></table>"}}}`, doubted},
		"more beside records than is read":             {manyMembers(301) + `"history":[{"start":"2026-09-09","ltl":50.32},{"start":"2026-09-02","ltl":50.1}]`, refused},
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

// What stands beside the records of LTL and truckload may be about the truckload alone, or about other pages.
func TestWhatIsOfOtherMembers(t *testing.T) {
	const weeks = `,"history":[{"start":"2026-09-09","ltlSurcharge":50.32,"tlSurcharge":100.64},{"start":"2026-09-02","ltlSurcharge":50.1,"tlSurcharge":100.2}]}`
	for beside, isPlain := range map[string]bool{
		`{"units":{"ltlSurcharge":"percent","tlSurcharge":"percent of the truckload rate"}`:              true,
		`{"labels":{"Truckload":"Truckload (over 20,000 lbs) Fuel Surcharge"}`:                           true,
		`{"legend":{"ltlSurcharge":"shipments under 20,000 lbs","truckload":"20,000 lbs and over"}`:      true,
		`{"help":{"tl_surcharge":"for full trailers"}`:                                                   true,
		`{"siblings":["rules-tariff","extreme-length","money-back-guarantee"]`:                           true,
		`{"related":[{"title":"Accessorial charges","summary":"What a redelivery costs."}]`:              true,
		`{"quickLinks":["Expedited","Canada","Limits of liability"]`:                                     true,
		`{"seeAlso":{"links":["Guaranteed services","Mexico"]}`:                                          true,
		`{"jcr:primaryType":"cq:Page","sling:resourceType":"freight/components/fuel",":type":"page"`:     true,
		`{"footnotes":["Customers with contract fuel tables should consult their agreement."]`:           true,
		`{"legend":{"ltlSurcharge":"20,000 lbs and over"}`:                                               false,
		`{"legend":{"ltlSurcharge":"Canada"}`:                                                            false,
		`{"legend":{"truckload":"These percentages are for Canada"}`:                                     false,
		`{"legend":{"tlSurcharge":"LTL and truckload in Canada"}`:                                        false,
		`{"scope":{"truckload":"only"}`:                                                                  false,
		`{"notes":{"tlSurcharge":"All percentages are net of the welcome offer"}`:                        false,
		`{"related":["These percentages apply to Canada"]`:                                               false,
		`{"columns":[{"key":"start","label":"Effective"},{"key":"ltlSurcharge","label":"LTL %"}]`:        true,
		`{"columns":[{"key":"start","label":"Effective"},{"key":"ltlSurcharge","label":"LTL % Canada"}]`: false,
		`{"columns":[{"field":"ltlSurcharge","title":"Expedited LTL"}]`:                                  false,
		`{"announcements":[{"headline":"NMFC changes: density applies to more items"}]`:                  true,
		`{"items":{"promo":{"title":"Guaranteed A.M.","description":"By noon, or the fee is on us"}}`:    true,
		`{"blocks":[{"type":"hero"},{"type":"richText"},{"type":"dataTable"}]`:                           true,
		`{"type":"canada"`: false,
		`{"promo":{"title":"Fuel surcharge capped for new customers"}`:                              false,
		`{"announcements":[{"headline":"The percentages below are drafts"}]`:                        false,
		`{"relatedRegion":"Canada"`:                                                                 false,
		`{"sling:resourceType":"freight/components/canada"`:                                         false,
		`{"columns":{"tlSurcharge":{"label":"20,000 lbs and over"},"ltlSurcharge":{"label":"LTL"}}`: true,
		`{"truckloadNote":"20,000 lbs and over"`:                                                    true,
		`{"seeAlso":["Guaranteed service","Canada"]`:                                                true,
		`{"includesTruckload":"yes"`:                                                                false,
		`{"truckloadNote":"These percentages are for Canada"`:                                       false,
	} {
		r, err := surcharge.ReadJSON([]byte(beside+weeks), surcharge.Rule{}, "2026-09-10")
		if isRead := err == nil && r.Tally().Confidence() == 1; isRead != isPlain {
			t.Errorf("%s: %v, %v %q", beside, err, r.Tally().Confidence(), r.Notes)
		}
	}
}

// manyMembers are the first members of an object, which say nothing.
func manyMembers(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `"fuel%d":"fuel",`, i)
	}
	return b.String()
}
