package surcharge_test

import (
	"fmt"
	"testing"

	"assay.dev/contracts"
)

// besideTable is a page of ABF with a text above its table of three weeks, or below it under another heading.
func besideTable(text, heading, sign string, below bool) caseDocument {
	table := fmt.Sprintf(`<table><tr><th>Effective date</th><th>%s</th></tr><tr><td>05/20/2026</td><td>50.00%[2]s</td></tr>
		<tr><td>05/13/2026</td><td>50.50%[2]s</td></tr><tr><td>05/06/2026</td><td>50.25%[2]s</td></tr></table>`, heading, sign)
	body := `<h1>Fuel surcharge</h1><p>` + text + `</p>` + table
	if below {
		body = `<h1>Fuel surcharge</h1>` + table + `<div><h3>Service updates</h3><p>` + text + `</p></div>`
	}
	var d caseDocument
	d.body = []byte(`<!DOCTYPE html><html><head><title>Fuel surcharge - ABF Freight</title></head><body><main>` + body + `</main></body></html>`)
	d.said.Carrier, d.said.Now, d.said.Kind = contracts.ABF, "2026-05-21", "trap"
	return d
}

// TestCorrectionsBesideTable: a text that says another percent for the newest week than the table, wherever it stands.
func TestCorrectionsBesideTable(t *testing.T) {
	for _, text := range []string{
		"Correction (May 21): our table listed 50.00% for the week of May 20, 2026. The correct fuel surcharge for that week is 49.75%.",
		"The fuel surcharge for the week of May 20 was listed incorrectly and should read 49.75%.",
		"Erratum: for 50.00% read 49.75% (week beginning 5/20/2026).",
		"Due to a typographical error the surcharge of May 20, 2026 was shown as 50.00%; it is 49.75%.",
		"Please note: the fuel surcharge effective May 20, 2026 is 49.75%, not 50.00%.",
		"We apologize: this week's fuel surcharge is 49.75% instead of 50.00%.",
		"The fuel surcharge for May 20, 2026 has been revised to 49.75%.",
		"The fuel surcharge shown for May 20, 2026 is a mistake. Please call us for the right figure.",
		"Update: the fuel surcharge for the week of May 20 is now 49.75%.",
		"The LTL fuel surcharge of 5/20/2026 was lowered to 49.75% on May 21.",
		"Customers billed 50.00% for the week of May 20 will be credited; the fuel surcharge is 49.75%.",
	} {
		for _, below := range []bool{false, true} {
			if o := besideTable(text, "Fuel surcharge", "%", below).outcome(); !o.ok {
				t.Errorf("%q: %s", text, o.detail)
			}
		}
	}
}

// TestOtherFiguresBesideTable: texts and headings that make the figures those of an index or of people's moves.
func TestOtherFiguresBesideTable(t *testing.T) {
	for _, text := range []string{
		"The index below (January 2012 = 10) helps shippers.", "This index is not our fuel surcharge.", "The index has the base period 2014.",
		"Figures are not percentages of the linehaul.", "The figures are percent of the 2019 average.", "Values are in points.",
		"Do not confuse this index with the surcharge.", "Moving to a new home? Our fuel surcharge for the weeks below:",
		"The fuel surcharge on Zorbex moves is shown below.", "The following fuel surcharge is for customers of U-Haul:",
		"Fuel surcharge for self-moves, by week:", "The fuel surcharge below is for people who move across the country.",
		"Not sure? These percentages are for Canada. See our glossary.",
	} {
		if o := besideTable(text, "LTL", "%", false).outcome(); !o.ok {
			t.Errorf("%q: %s", text, o.detail)
		}
	}
	for _, heading := range []string{"LTL fuel index", "LTL (points)", "LTL index points", "LTL fuel points", "LTL (2012=10)", "LTL percentile"} {
		if o := besideTable("Thank you.", heading, "", false).outcome(); !o.ok {
			t.Errorf("%q: %s", heading, o.detail)
		}
	}
}

// TestHypotheticalTable: texts that say of the figures that they would hold if something were decided.
func TestHypotheticalTable(t *testing.T) {
	for _, text := range []string{
		"If the new scale is adopted, recent weeks would have looked like this.", "The weeks as they would be under the new scale:",
		"If it is approved in spring, the surcharge of recent weeks is as follows.", "Weeks under a proposed scale that is not adopted.",
		"This is what the table would show after the change.", "Recent weeks, were the new scale adopted, would read:",
		"These weeks show a scale that we have proposed.", "Management has not yet approved this scale.", "The scale below was rejected.",
		"We are considering the scale below for July.", "Were it adopted, the scale would yield these percents.",
		"What the fuel surcharge will be if the merger closes:", "The new scale has been filed and awaits a decision.",
		"Shown: the surcharge under a scale that may replace ours.", "The table is subject to board approval.",
	} {
		if o := besideTable(text, "LTL", "%", false).outcome(); !o.ok {
			t.Errorf("%q: %s", text, o.detail)
		}
	}
}

// TestKickerOverHeading: a few words right above the heading over a table, which name another service.
func TestKickerOverHeading(t *testing.T) {
	table := `<table><tr><th>Effective</th><th>Surcharge</th></tr><tr><td>5/20/2026</td><td>50.00%</td></tr><tr><td>5/13/2026</td><td>50.50%</td></tr></table>`
	for kicker, kind := range map[string]string{
		"Must-arrive expedited": "trap", "Canada": "trap", "Guaranteed service": "trap", "Rates and tools": "plain", "Fuel surcharge": "plain",
	} {
		d := besideTable("", "", "", false)
		d.body = []byte(`<title>Fuel surcharge - ABF Freight</title><main><p>` + kicker + `</p><h2>LTL fuel surcharge by week</h2>` + table + `</main>`)
		d.said.Kind = kind
		d.said.Want = nil
		if kind == "plain" {
			d.said.Want = []contracts.SurchargeWeek{{EffectiveDate: "2026-05-20", Percent: 50}, {EffectiveDate: "2026-05-13", Percent: 50.5}}
		}
		if o := d.outcome(); !o.ok {
			t.Errorf("%q: %s", kicker, o.detail)
		}
	}
}

// TestReadOnlyForm: weeks in the fields of a form, with a text in it and a legend over it.
func TestReadOnlyForm(t *testing.T) {
	for _, tt := range []struct{ legend, text, kind string }{
		{"LTL fuel surcharge", "", "plain"}, {"LTL fuel surcharge in effect", "Call us with questions.", "plain"},
		{"Canada LTL fuel surcharge", "", "trap"}, {"Zorbex LTL fuel surcharge", "", "trap"}, {"LTL fuel surcharge", "These percentages apply to Canada only.", "trap"},
		{"LTL fuel surcharge", "Valid for contract customers.", "trap"}, {"Expedited", "", "trap"}, {"Fuel surcharge estimate", "", "trap"},
	} {
		d := besideTable("", "", "", false)
		d.body = []byte(`<title>Fuel surcharge - ABF Freight</title><main><h1>Fuel surcharge</h1><form><fieldset><legend>` + tt.legend + `</legend>
			<label for=a>Effective date</label> <output id=a>05/20/2026</output><br>
			<label for=b>Surcharge, percent of linehaul</label> <input id=b readonly value="50.00"><p>` + tt.text + `</p></fieldset></form></main>`)
		if d.said.Kind = tt.kind; tt.kind == "plain" {
			d.said.Want = []contracts.SurchargeWeek{{EffectiveDate: "2026-05-20", Percent: 50}}
		}
		if o := d.outcome(); !o.ok {
			t.Errorf("%q, %q: %s", tt.legend, tt.text, o.detail)
		}
	}
}

// TestSentenceBetweenPairs: labels and values with a sentence among them.
func TestSentenceBetweenPairs(t *testing.T) {
	for text, kind := range map[string]string{
		"Valid for Canada only.": "trap", "These percentages apply to contract customers.": "trap", "Thank you for your business.": "plain",
	} {
		d := besideTable("", "", "", false)
		d.body = []byte(`<title>Fuel surcharge - ABF Freight</title><main><h1>Fuel surcharge</h1><div><p>Effective: 5/20/2026</p>
			<p>LTL surcharge: 50.00%</p><p>` + text + `</p></div></main>`)
		if d.said.Kind = kind; kind == "plain" {
			d.said.Want = []contracts.SurchargeWeek{{EffectiveDate: "2026-05-20", Percent: 50}}
		}
		if o := d.outcome(); !o.ok {
			t.Errorf("%q: %s", text, o.detail)
		}
	}
}

// TestHarmlessBesideTable: texts with dates, percents or words of correction that leave the table as it is.
func TestHarmlessBesideTable(t *testing.T) {
	for _, text := range []string{
		"Correction of May 14: the fuel surcharge for the week of May 13, 2026 is 50.50%.", "The table was corrected on 5/21/2026.",
		"We are not responsible for typographical errors.", "99.1% of our invoices are correct.",
		"If the fuel surcharge on your invoice is not correct, call us within 30 days.",
		"The general rate increase of 5.9% takes effect May 20, 2026; the fuel surcharge is not affected.",
		"The fuel surcharge of 50.0% replaces that of 50.5% on May 20, 2026.", "The fuel surcharge was 50.5% until May 20, 2026.",
		"The fuel surcharge of May 20, 2026 is 0.5% lower than last week.", "The minimum applies per shipment.",
		"Subject to a minimum of $20.00 per shipment.", "Not sure what LTL means? Our glossary explains it.",
		"Don't know the difference between LTL and truckload? Read our guide.", "The surcharge is not a penalty.",
		"The price of the week is that of Monday.", "New weeks would normally be posted on Tuesday.",
	} {
		d := besideTable(text, "Fuel surcharge", "%", true)
		d.said.Kind = "plain"
		for date, percent := range map[contracts.Date]float64{"2026-05-20": 50, "2026-05-13": 50.5, "2026-05-06": 50.25} {
			d.said.Want = append(d.said.Want, contracts.SurchargeWeek{EffectiveDate: date, Percent: percent})
		}
		if o := d.outcome(); !o.ok {
			t.Errorf("%q: %s", text, o.detail)
		}
	}
}
