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
	{[]string{"Priority and Economy shipments share one LTL percentage.", "Priority and Economy pay the same LTL percentage.", "One LTL percentage covers Priority and Economy.",
		"Guaranteed and standard services have a single LTL fuel surcharge.", "Priority and Economy use one LTL table.", "There is one LTL fuel surcharge for Priority and Economy."},
		[]string{"Priority and Economy shipments share one percentage.", "Priority and Economy share the LTL percentages below.", "Volume shipments share one LTL percentage, shown below.",
			"Alaska and Hawaii share one LTL percentage.", "This is one LTL percentage of our guaranteed service.",
			"There is one percentage for guaranteed shipments.", "Expedited and guaranteed use one table, which is this."}},
	{[]string{"Truckload percentages are for full trailers only.", "Truckload percentages are for shipments at or over 20,000 lbs.", "TL surcharges apply to full trailers."},
		[]string{"Percentages are for full trailers only.", "Truckload percentages are for full trailers, LTL percentages for trailers we share with partners.",
			"Truckload and volume percentages are below.", "All percentages are for full trailers only.",
			"Truckload percentages are for full trailers and LTL percentages are for guaranteed freight."}},
	{[]string{"The table holds LTL only; ask your account executive for full-trailer figures.", "For full-trailer figures, ask your account executive."},
		[]string{"The table holds LTL for Canada.", "The table holds full-trailer figures only."}},
	{[]string{"The figures for the weeks of 2026 are also on the year-end statement that account holders received on January 8.", "These percentages are also in the app for members.",
		"The figures are also on the invoice of contract customers."},
		[]string{"The figures are also for account holders.", "These figures are on the statement that account holders received.", "The figures for account holders are also on their statement.",
			"The percentages are also in force for members only.", "The percentages, also in the app, are for members of the program.",
			"The percentages are also in the app and apply to members only."}},
	{[]string{"Discounts agreed for fuel appear on the invoice, not here.", "Contract pricing is on your agreement, not on this page.", "Volume surcharges stand on the quote, not here."},
		[]string{"Our LTL percentages appear on the invoice, not here.", "The surcharge that you pay is on the invoice, not here.", "The figures that are billed stand in the contract, not here."}},
	{[]string{"Percentages go on line-haul net of discount.", "The percentage is taken of the linehaul charge net of all discounts.",
		"Take the line-haul charge, subtract your discount, and multiply."},
		[]string{"Percentages net of discount.", "The surcharge is shown net of your discount.", "LTL surcharge rates net of discount", "LTL surcharge minus your discount", "Rates after subtracting your discount"}},
	{[]string{"Weeks before these are in the spreadsheet for auditors (Excel, 212 kB).", "Earlier weeks are in the archive.", "Older weeks are on the site of our accounting department in a file."},
		[]string{"Weeks before the merger", "Weeks before these are for Canada.", "These weeks are in the spreadsheet for Canadian customers.", "Earlier schedule, before the merger"}},
	{[]string{"Shipments below 20,000 lbs. are ordinary LTL."}, []string{"Shipments below 20,000 lbs. are volume LTL.", "Ordinary expedited LTL"}},
	{[]string{"Fuel moves every mile of freight we haul.", "Our drivers know every mile of the road."},
		[]string{"The percentages are for every mile.", "We charge the figures below for every mile.", "Fuel costs are paid for every mile."}},
	{[]string{"If oil were steady we would have no need of this page.", "If fuel prices never moved, nobody would need this page.", "Were oil steady, this page would be short."},
		[]string{"If oil were steady the surcharge would be as below.", "If diesel were at $4.00 these percentages would be what you need.", "If diesel were at $3, this page would be down to these percentages.", "Were the scale adopted, this page would be down.", "If the scale were adopted, these figures would be all that you need."}},
	{[]string{"For minimum charge shipments, the percentage goes on the minimum charge.", "On minimum-charge shipments the percentage is taken of the minimum."},
		[]string{"For minimum charge shipments, the percentages below apply.", "For minimum charge shipments only.", "For Canadian shipments, the percentage goes on the charge."}},
	{[]string{"Hurricane season lasts until the end of November. Shipments on hand are held at no charge.", "News from Lexington: our Quest for Quality streak goes on.",
		"Company news: two new terminals in Texas.", "News from the terminals: drivers logged another year above 99 percent on-time."},
		[]string{"Hurricane season surcharge", "These percentages are charged in hurricane season.", "News from Lexington: these percentages are for Canada.", "Company news: the table below is a draft."}},
	{[]string{"User: GUEST Terminal: WEB Function: FUEL SURCHARGE INQUIRY", "Session: PUBLIC Screen title: FUEL SURCHARGE"},
		[]string{"User: ACME Terminal: WEB Function: FUEL SURCHARGE INQUIRY", "User: GUEST Terminal: TORONTO", "Function: CANADA FUEL SURCHARGE INQUIRY User: GUEST"}},
	{[]string{"Territory: ABF direct points and partner points, U.S.", "Direct and interline points, domestic", "Applies to direct and partner points."},
		[]string{"Partner points", "Direct points and partner points, Canada", "Applies to partner points.", "Direct points only"}},
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

// TestOtherSections: a section behind the table, or before it, counts where its title or its text points at the figures.
func TestOtherSections(t *testing.T) {
	const table = `<h2>Fuel surcharge by week</h2><table><tr><th>Effective</th><th>LTL surcharge</th></tr><tr><td>5/20/2026</td><td>50.00%</td></tr>` +
		`<tr><td>5/13/2026</td><td>50.50%</td></tr><tr><td>5/6/2026</td><td>50.25%</td></tr></table>`
	check := func(body string, isTrap bool) {
		t.Helper()
		d := abfPage("plain", body, besideWeeks...)
		if isTrap {
			d = abfPage("trap", body)
		}
		checkOutcome(t, body, d)
	}
	for section, isTrap := range map[string]bool{
		`<h2>Customer notice</h2><p>Every LTL percentage above was affected and is hereby withdrawn.</p>`:                    true,
		`<h2>News</h2><p>The table above is a draft.</p>`:                                                                    true,
		`<h2>Questions</h2><h3>Who is billed by this table</h3><p>Accounts with an agreement of 2018.</p>`:                   true,
		`<h2>Our partners</h2><p>These percentages are for Canada.</p>`:                                                      true,
		`<h2>About these percentages</h2><p>They are for shipments to Canada only.</p>`:                                      true,
		`<h2>Customer notice</h2><p>Snow is expected above 3,000 feet. Two terminals in Canada are closed.</p>`:              false,
		`<h2>Who we are</h2><p>Accounts with an agreement of 2018 have a manager of their own.</p>`:                          false,
		`<h2>How to read this table</h2><p>Find the week of the pickup. Multiply the percent with the line-haul charge.</p>`: false,
		`<h2>Canada</h2><p>Our Canadian partners publish their own fuel surcharges.</p>`:                                     false,
	} {
		check(table+section, isTrap)
	}
	for section, isTrap := range map[string]bool{
		`<h2>Important notice</h2><p>The percentages below are proposals.</p>`:                                    true,
		`<h2>New here?</h2><p>The following rates are those of our offer for new customers.</p>`:                  true,
		`<h2>About these rates</h2><p>They are for shipments to Canada only.</p>`:                                 true,
		`<h2>Important notice</h2><p>We proposed a new classification of freight.</p>`:                            false,
		`<h2>Offers</h2><p>New customers save on their first shipment with us.</p>`:                               false,
		`<h2>How it works</h2><p>The percentages below are multiplied with the line-haul charge.</p>`:             false,
		`<h2>Canada</h2><p>Our Canadian partners publish their own fuel surcharges.</p>`:                          false,
		`<h2>Where to find earlier weeks</h2><p>The weeks below are the newest. Earlier ones are on request.</p>`: false,
	} {
		check(section+table, isTrap)
	}
}
