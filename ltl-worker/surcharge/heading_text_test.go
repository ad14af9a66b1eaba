package surcharge_test

import (
	"strings"
	"testing"
	"time"

	"assay.dev/ltl-worker/surcharge"
)

// plainTitles are titles of documents that change nothing.
var plainTitles = []string{
	"Freight Fuel Surcharge Program | LTL Shipping | Saia",
	"Fuel Surcharges & Accessorials | Saia",
	"Fuel Surcharge Rates | Less-Than-Truckload (LTL) Shipping | Saia LTL Freight",
	"LTL Freight Shipping Fuel Surcharge Rate Information - Saia",
	"Saia - Fuel Surcharge Calculator & Rates",
	"Weekly Fuel Update | Saia",
	"Saia LTL Freight | Fuel Surcharge Information",
	"Current LTL Fuel Surcharge Percentages – Saia",
	"Fuel Surcharge Tables - Tools and Resources - Saia",
	"Saia: Diesel Fuel Surcharge",
	"FSC | Saia",
	"Saia LTL | DOE Fuel Index and Surcharge",
	"Fuel Surcharge | Pricing & Billing | Support | Saia LTL Freight",
	"LTL Fuel Surcharge | Nationwide LTL Carrier | Saia",
	"Saia Fuel Surcharge | Customer Center",
	"My Saia - Fuel",
	"Fuel Surcharge Lookup Tool | Saia LTL",
	"Saia Secure | Fuel Surcharge",
	"Fuel Surcharge Program Overview | Saia LTL Freight",
	"Fuel Surcharge - Saia Inc.",
	"Saia LTL Freight - Regional, Interregional and National LTL Carrier | Fuel Surcharge",
	"Fuel Surcharges for LTL | Rates & Tariffs | Saia",
}

// plainHeadings are headings and captions over the table that change nothing.
var plainHeadings = []string{
	"How Fuel Surcharges Work",
	"Understanding Your Fuel Surcharge",
	"Fuel Surcharge Percentages by Week",
	"Fuel Surcharge Schedule",
	"Fuel Surcharge Notice",
	"Fuel Surcharge Announcement",
	"Week-by-Week Surcharge",
	"Most Recent Surcharges",
	"Recent History",
	"Last 4 Weeks",
	"Last Four Weeks",
	"Past 26 Weeks",
	"Current Week and History",
	"Diesel Fuel Price and Surcharge",
	"DOE On-Highway Diesel Average and LTL Fuel Surcharge",
	"U.S. Domestic LTL Fuel Surcharge",
	"Continental U.S. LTL Surcharge",
	"Standard LTL Fuel Surcharge",
	"LTL Standard Service",
	"Less-than-Truckload Fuel Surcharge Table",
	"Fuel Surcharge Percentage (% of Linehaul)",
	"Fuel Surcharge as a Percent of Net Linehaul",
	"Tariff 190-F Item 400 Fuel Surcharge",
	"Rules Tariff Item 390",
	"Fuel Surcharge: Summer 2026",
	"September 2026",
	"Q3 2026",
	"2026 Fuel Surcharges",
	"2026 YTD",
	"Effective Rates",
	"Rates at a Glance",
	"Need the Numbers?",
	"This Week's Numbers",
	"Fuel Surcharge Index",
	"Fuel Cost Recovery",
	"Fuel Recovery Charge",
	"Shipping Resources",
	"Knowledge Center",
	"Help Center",
	"Published Every Tuesday",
	"Posted Tuesdays, Effective Wednesdays",
	"LTL Rate History Table",
	"Table 1. LTL fuel surcharges",
	"Archive",
	"Prior Weeks",
	"Historical Data",
	"Data Table",
	"Fuel Trends",
	"Trailing Twelve Weeks",
	"Fuel Surcharge Timeline",
	"Fuel Surcharge at Saia",
	"A Message About Fuel",
	"Answers About Fuel",
	"Let's Talk Fuel",
	"Stay Up to Date",
	"Fueling Transparency",
	"Weekly Percentages, Newest First",
}

// plainCrumbs are ways to the page that change nothing.
var plainCrumbs = []string{
	"Resources / Fuel Surcharge",
	"Tools & Resources > Fuel Surcharges",
	"Customer Service › Pricing › Fuel Surcharge",
	"Ship » Rates » Fuel",
	"Support / Billing / Fuel surcharge information",
	"LTL Services / Fuel Surcharge",
	"Rates and Tariffs / Fuel",
	"Shipping Tools / Charges & Fees / Fuel Surcharge",
	"Manage / Fuel Surcharge Lookup",
	"About Us / Company Info / Fuel Surcharges",
	"Tracking & Tools / Fuel",
	"Forms, Rules & Tariffs / Surcharge",
}

// dateHeadings are headings of effective dates that change nothing.
var dateHeadings = []string{
	"Wk Of",
	"Eff. Dt.",
	"Eff Date",
	"Valid From",
	"Pickup Date From",
	"Ship Week",
	"Billing Week",
	"Week Starting",
	"Begin Date",
	"Start",
	"Effective as of",
	"Date Effective",
	"Effective Week",
	"Effective (Wed)",
	"Effective Wednesday",
	"Period Beginning",
	"Date",
	"Week",
	"For Week Of",
	"Weeks of",
	"Effective On",
	"Effectivity",
	"Applies From",
	"In Effect From",
	"Starting Date",
	"Surcharge Effective",
	"Rate Effective Date",
	"Fuel Week",
	"Valid for Shipments From",
	"Pick-up Week",
}

// percentHeadings are headings of the LTL percent that change nothing.
var percentHeadings = []string{
	"FSC %",
	"LTL Rate",
	"Fuel %",
	"Surcharge Pct",
	"LTL FS",
	"Rate",
	"% of Revenue",
	"Percentage",
	"Fuel Surcharge",
	"LTL",
	"LTL %",
	"LTL Pct.",
	"Surcharge Rate",
	"Fuel Surcharge (LTL)",
	"LTL Fuel Charge",
	"% LTL",
	"Less Than Truckload",
	"Surcharge Amount",
	"LTL Fuel Surcharge Rate",
	"Percent of Linehaul",
	"LTL FSC",
	"LTL (under 20,000 lbs.)",
	"LTL <20,000 lbs",
	"Fuel Adjustment",
	"Fuel Adjustment Factor",
	"Fuel Surcharge Percent*",
	"LTL Surch.",
	"Standard LTL",
	"U.S. LTL",
	"Domestic LTL",
	"LTL Shipments",
	"Fuel rate",
	"LTL surcharge %¹",
}

// priceHeadings are headings of the national diesel price that change nothing.
var priceHeadings = []string{
	"US Avg",
	"Natl Avg $/gal",
	"On-Highway Diesel",
	"DOE Index",
	"EIA $/Gal",
	"Average Price of Diesel",
	"DOE",
	"Diesel",
	"Fuel Price",
	"Fuel Cost/Gal",
	"National Average Diesel Price",
	"DOE Avg. Price",
	"$/gal",
	"U.S. On-Hwy Diesel",
	"Diesel Index",
	"EIA National Average",
	"Price/Gallon",
	"Index Price",
	"Retail Diesel",
	"U.S. Average Price (per gallon)",
	"Nat'l Avg",
	"DOE Diesel Fuel Index",
	"EIA On-Highway Diesel (U.S.)",
	"Dept. of Energy Average",
	"Avg Diesel",
}

// headedPage is a page with each of the words that a test replaces.
const headedPage = `<title>TITLE</title><div class="breadcrumb">Home / CRUMB</div><main><h1>Fuel Surcharge</h1><h2>HEADING</h2>
	<table><tr><th>DATES<th>PRICE<th>PERCENTS<tr><td>9/9/2026<td>$5.967<td>50.12%<tr><td>9/2/2026<td>$5.599<td>48.12%</table></main>`

// plainWording are the words of a page that nobody doubts.
var plainWording = map[string]string{
	"TITLE": "Fuel Surcharge | Saia", "CRUMB": "Fuel Surcharge", "HEADING": "Recent weeks", "DATES": "Effective Date",
	"PRICE": "National Average", "PERCENTS": "LTL Surcharge",
}

func TestPlainHeadings(t *testing.T) {
	day := time.Wednesday
	rule := surcharge.Rule{Diesel: surcharge.Required, Weekday: &day, Names: []string{"Saia LTL Freight", "Saia"}}
	for place, texts := range map[string][]string{
		"TITLE": plainTitles, "CRUMB": plainCrumbs, "HEADING": plainHeadings, "DATES": dateHeadings, "PRICE": priceHeadings, "PERCENTS": percentHeadings,
	} {
		for _, text := range texts {
			page := strings.ReplaceAll(headedPage, place, text)
			for other, word := range plainWording {
				page = strings.ReplaceAll(page, other, word)
			}
			r, err := surcharge.Read([]byte(page), rule, "2026-09-10")
			if err != nil || r.Tally().Confidence() < 1 || r.Weeks[0].Percent != 50.12 || r.Weeks[0].DieselUSD == nil {
				t.Errorf("%s %q: %v %v\n%s", place, text, err, r.Weeks, strings.Join(r.Notes, "\n"))
			}
		}
	}
}
