package surcharge_test

import (
	"fmt"
	"testing"

	"assay.dev/contracts"
)

// besideWeeks are the weeks of [besideTable].
var besideWeeks = []contracts.SurchargeWeek{
	{EffectiveDate: "2026-05-20", Percent: 50}, {EffectiveDate: "2026-05-13", Percent: 50.5}, {EffectiveDate: "2026-05-06", Percent: 50.25},
}

// nearTexts are lines that say nothing of the figures, each with lines that are near and make the figures others, or may.
var nearTexts = []struct {
	plain []string
	traps []string
}{
	{[]string{"New surcharges become effective the following Wednesday.", "Weekly percentages are posted on Tuesday and become effective Wednesday at 12:01 a.m."},
		[]string{"These percentages become effective when approved.", "The percentages below become effective once the new tariff is filed.",
			"They become effective if the board agrees.", "The surcharges shown become effective on a date to be announced.",
			"The scale below will become effective upon adoption.", "These figures become effective the following Wednesday in Canada."}},
	{[]string{"Rate Alerts - issue 21", "Bulletin, Vol. 12, No. 3", "Issue 21 / 2026"},
		[]string{"Known issue with the table below", "Issue: the percentages are wrong", "Volume 12 feet and over", "Volume", "Volume LTL, issue 21"}},
	{[]string{"For comparison, earlier LTL fuel surcharges:", "For comparison, previous weeks:"},
		[]string{"For comparison, industry LTL fuel surcharges:", "Comparison of LTL fuel surcharges", "For comparison, earlier LTL fuel surcharges in Canada:",
			"For comparison, a typical carrier's surcharges:", "For comparison, earlier Zorbex surcharges:"}},
	{[]string{"Stated as a share (%) of the discounted line-haul charge.", "A share of the net linehaul charge."},
		[]string{"Share of freight moved by rail", "A share of the diesel price.", "Share of shipments on time", "Share of freight charges collected in Texas"}},
	{[]string{"Freight Shipping | Expedited LTL | Tools | About us", "LTL | Volume | Tracking | Contact | Careers", "LTL | Truckload | Expedited | Tools | Contact"},
		[]string{"LTL | Expedited | Volume | Guaranteed", "Home | Expedited | Fuel surcharge | Rates", "Expedited LTL | Rates | Tools",
			"Home | About us | Tools | Guaranteed", "Home | Tools | Contact | Canada", "Truckload | Volume | Expedited | Parcel"}},
	{[]string{"ABF Freight, Fort Smith, Arkansas", "ABF Freight System, Inc., Fort Smith, Arkansas"},
		[]string{"ABF Freight, Arkansas", "Fort Smith, Arkansas", "ABF Freight, Anchorage, Alaska", "ABF Freight, Honolulu, Hawaii", "Zorbex Freight, Fort Smith, Arkansas",
			"ABF Freight, Intrastate, Texas", "ABF Freight, Volume, Arkansas"}},
	{[]string{"Guaranteed Select: add 25% of net charge, min. $65."},
		[]string{"Guaranteed Select: 50.00% of the linehaul", "Guaranteed Select: the percentages below.", "Guaranteed Select: add nothing to these percentages.",
			"Expedited: add 25% to the surcharge below.", "Guaranteed Select"}},
	{[]string{"Fuel surcharge, less-than-truckload"}, []string{"Trade show fuel surcharge, less-than-truckload", "Expedited fuel surcharge, LTL"}},
	{[]string{"Diesel eased again. Here is where ABF's LTL fuel surcharge stands:", "Diesel edged down and slipped below $4."},
		[]string{"Diesel eased again. Here is where Zorbex's LTL fuel surcharge stands:", "Diesel eased again. Here is where our Canadian surcharge stands:"}},
	{[]string{"Fuel surcharge / Recargo por combustible (U.S.)", "LTL shipments within the United States / Envois LTL aux États-Unis"},
		[]string{"LTL fuel surcharge / Recargo por combustible", "LTL shipments / Envois LTL au Québec", "Supplément carburant", "LTL fuel surcharge, U.S. / Recargo transfronterizo",
			"Fuel surcharge, U.S. / Camión completo"}},
}

// TestNearTexts: lines above the table of a page.
func TestNearTexts(t *testing.T) {
	for _, near := range nearTexts {
		for _, text := range near.plain {
			d := besideTable(text, "LTL", "%", false)
			d.said.Kind, d.said.Want = "plain", besideWeeks
			if o := d.outcome(); !o.ok {
				t.Errorf("%q: %s %q", text, o.detail, o.notes)
			}
		}
		for _, text := range near.traps {
			if o := besideTable(text, "LTL", "%", false).outcome(); !o.ok {
				t.Errorf("trap %q: %s", text, o.detail)
			}
		}
	}
}

// TestSentenceAboutColumn: sentences below a table of four columns about one of them.
func TestSentenceAboutColumn(t *testing.T) {
	page := func(text string) caseDocument {
		d := besideTable("", "", "", false)
		d.body = fmt.Appendf(nil, `<title>Fuel surcharge - ABF Freight</title><main><h1>Fuel surcharge</h1><table>
			<tr><th>Effective date</th><th>LTL</th><th>Volume quotes</th><th>Truckload</th></tr><tr><td>5/20/2026</td><td>50.00%%</td><td>44.00%%</td><td>90.00%%</td></tr>
			<tr><td>5/13/2026</td><td>50.50%%</td><td>44.50%%</td><td>91.00%%</td></tr><tr><td>5/6/2026</td><td>50.25%%</td><td>44.25%%</td><td>90.50%%</td></tr></table><p>%s</p></main>`, text)
		return d
	}
	for _, text := range []string{"The last column is in points against the base year.", "The third column is for volume shipments only.",
		"Truckload and volume columns are for shipments moving on those quotes only."} {
		d := page(text)
		d.said.Kind, d.said.Want = "plain", besideWeeks
		if o := d.outcome(); !o.ok {
			t.Errorf("%q: %s %q", text, o.detail, o.notes)
		}
	}
	for _, text := range []string{"The second column is in points against the base year.", "The second column is for volume shipments only.",
		"The last columns are in points against the base year.", "LTL and volume columns are for contract customers only.", "The columns are for volume shipments only.",
		"The last column is for truckload, the other columns are for volume shipments.", "Volume columns are for quotes, LTL columns are for contract customers only."} {
		if o := page(text).outcome(); !o.ok {
			t.Errorf("trap %q: %s", text, o.detail)
		}
	}
}
