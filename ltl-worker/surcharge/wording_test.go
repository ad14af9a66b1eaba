package surcharge_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"assay.dev/ltl-worker/surcharge"
)

// neutralTexts change nothing about the table that they stand beside.
var neutralTexts = []string{
	"To calculate your surcharge, multiply the net linehaul charge by the percentage shown.",
	"Our fuel surcharge program was established to offset fluctuations in fuel costs.",
	"The fuel surcharge is determined using the U.S. Department of Energy's On-Highway Diesel Fuel Price.",
	"Effective every Wednesday based on the prior Monday's DOE index.",
	"The surcharge applies to all domestic LTL shipments within the 48 contiguous states.",
	"Fuel surcharges are adjusted weekly and become effective at 12:01 a.m. each Wednesday.",
	"Fuel prices are updated each Tuesday when the federal holiday falls on Monday.",
	"Please see rules tariff SAIA 170 series, item 525 for details.",
	"Last updated: September 9, 2026",
	"Current Week",
	"Historical Fuel Surcharges",
	"LTL Fuel Surcharge Percentage by Week",
	"Source: U.S. Energy Information Administration",
	"* Percent of linehaul charges",
	"Note: Surcharge applies to net freight charges before accessorials.",
	"Rates are for general commodities moving in less-than-truckload service.",
	"Customers with pricing agreements should contact their sales representative.",
	"Volume shipments are subject to separate surcharges; please call for a quote.",
	"Does not apply to Canada, Alaska or Hawaii.",
	"For Truckload fuel surcharge, click here.",
	"Diesel Fuel Index and LTL Surcharge",
	"What is a fuel surcharge?",
	"If the index is unavailable, the previous week's surcharge remains in effect.",
	"Freight charges collect and prepaid",
	"Domestic LTL",
	"All U.S. points",
	"Discounts do not apply to the fuel surcharge.",
	"Fuel surcharge applies to linehaul charges after discount.",
	"Minimum fuel surcharge charge may apply.",
	"Accessorials & Surcharges",
	"Rates and Tariffs",
}

// foreignTexts make the table beside them another one, or one that nobody can be sure of.
var foreignTexts = []string{
	"These rates apply to shipments to and from Puerto Rico.",
	"Rates for our Canadian customers",
	"The percentages below are for guaranteed deliveries only.",
	"Applies to shipments tendered under the ABC agreement.",
	"Sample data",
	"For use by authorized brokers only",
	"Applies to Reno service center shipments",
	"Valid for shipments moving via our Houston terminal.",
	"Percentages apply to the West Coast only.",
	"Fuel surcharge for time-critical freight",
	"These figures are for our dedicated customers.",
	"Table B",
	"Shipments over 10,000 pounds",
	"Effective for the Nordic Lane",
	"California intrastate",
	"AK/HI",
	"Quick Freight Division",
	"Percent of truckload linehaul",
	"Surcharge per mile",
	"Preliminary figures",
	"Rates of Halden Cartage, our partner in the Dakotas",
	"Government shipments",
	"Members only",
	"Maximum fuel surcharge",
	"Percent change from last week",
	"Carrier cost index",
	"Overlength",
	"Cold chain",
	"Mid-Atlantic",
	"New Jersey to New York corridor",
	"Spot quotes",
}

// beside are pages with a text above, over and below a table.
func beside(text string) map[string]string {
	const page, weeks = "<title>Fuel Surcharge | Saia</title><main><h1>LTL Fuel Surcharge</h1>%s</main>",
		`<table><tr><th>Effective<th>DOE<th>LTL<tr><td>9/9/2026<td>5.9<td>50.1%<tr><td>9/2/2026<td>5.5<td>48.1%</table>`
	pages := map[string]string{"above": "<p>" + text + "</p>" + weeks, "below": weeks + "<p>" + text + "</p>"}
	if !strings.HasSuffix(text, ".") {
		pages["heading"] = "<h2>" + text + "</h2>" + weeks
	}
	for place, body := range pages {
		pages[place] = fmt.Sprintf(page, body)
	}
	return pages
}

func TestWording(t *testing.T) {
	day := time.Wednesday
	rule := surcharge.Rule{Weekday: &day, Names: []string{"Saia"}}
	for _, texts := range []struct {
		all   []string
		clean bool
	}{{neutralTexts, true}, {foreignTexts, false}} {
		for _, text := range texts.all {
			for place, page := range beside(text) {
				r, err := surcharge.Read([]byte(page), rule, "2026-09-10")
				if clean := err == nil && r.Tally().Confidence() == 1; clean != texts.clean {
					t.Errorf("%s %q: clean %t, %v\n%s", place, text, clean, err, strings.Join(r.Notes, "\n"))
				}
			}
		}
	}
}
