package surcharge_test

import (
	"fmt"

	"assay.dev/contracts"
	"assay.dev/ltl-worker/surcharge"
)

// The page of package surcharge's own documentation. The week without a percent lowers the tally of the other one.
func ExampleRead() {
	page := []byte(`<h1>Fuel Surcharge</h1>
		<table>
		<tr><th>Effective</th><th>DOE Price</th><th>LTL</th><th>TL</th></tr>
		<tr><td>9/9/2026</td><td>$5.702</td><td>50.32%</td><td>100.64%</td></tr>
		<tr><td>9/2/2026</td><td>$5.599</td><td>TBD</td><td>92.64%</td></tr>
		</table>`)
	reading, err := surcharge.Read(page, surcharge.Rule{}, "2026-09-10")
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, week := range reading.Weeks {
		fmt.Println(week.EffectiveDate, week.Percent, *week.DieselUSD, *week.TruckloadPercent)
	}
	fmt.Println("confidence", reading.Tally().Confidence())
	for _, spot := range reading.Rows["2026-09-09"] {
		fmt.Println("stands in the page:", spot.Text)
	}
	fmt.Println(reading.Notes[0])
	// Output:
	// 2026-09-09 50.32 5.702 100.64
	// confidence 0.75
	// stands in the page: 9/9/2026
	// stands in the page: 50.32%
	// stands in the page: $5.702
	// table 1 read: 1 weeks, date in column 1 "Effective", percent in column 3 "LTL", diesel in column 2 "DOE Price", 1 failed rows
}

// A page that can be read in two ways is refused.
func ExampleRead_refused() {
	page := []byte(`<h1>Fuel Surcharge</h1>
		<table>
		<tr><th>Effective</th><th>Rate</th><th>Surcharge</th></tr>
		<tr><td>9/9/2026</td><td>50.32%</td><td>31.10%</td></tr>
		</table>`)
	_, err := surcharge.Read(page, surcharge.Rule{}, "2026-09-10")
	fmt.Println(err)
	// Output:
	// surcharge: ambiguous: more than one column could hold the LTL percent
}

func ExampleReadJSON() {
	answer := []byte(`{"data": {"history": [
		{"effectiveDate": "2026-09-09", "ltlPct": "50.32", "tlPct": "100.64"},
		{"effectiveDate": "2026-09-16", "ltlPct": "51.00", "tlPct": "102.00"}
	]}}`)
	reading, err := surcharge.ReadJSON(answer, surcharge.Rule{}, contracts.Date("2026-09-10"))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("in force:", reading.Weeks[0].EffectiveDate, reading.Weeks[0].Percent)
	fmt.Println("to come: ", reading.Coming[0].EffectiveDate, reading.Coming[0].Percent)
	// Output:
	// in force: 2026-09-09 50.32
	// to come:  2026-09-16 51
}
