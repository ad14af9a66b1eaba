package surcharge_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"assay.dev/contracts"
)

// abfPage is a page of ABF as of May 21, 2026.
func abfPage(kind, body string, weeks ...contracts.SurchargeWeek) caseDocument {
	d := besideTable("", "", "", false)
	d.body = []byte(`<title>Fuel surcharge - ABF Freight</title><main><h1>LTL fuel surcharge</h1>` + body + `</main>`)
	d.said.Kind, d.said.Want = kind, weeks
	return d
}

func checkOutcome(t *testing.T, name string, d caseDocument) {
	t.Helper()
	if o := d.outcome(); !o.ok {
		t.Errorf("%s %s: %s %q", d.said.Kind, name, o.detail, o.notes)
	}
}

// TestSplitValues: percents and days whose parts stand in elements of their own.
func TestSplitValues(t *testing.T) {
	card := func(figure, date string) string {
		return `<div class=stat>` + figure + `<div class=cap>` + date + `</div></div>`
	}
	two := func(first, second string) string {
		return card(first, "effective May 20, 2026") + card(second, "effective May 13, 2026")
	}
	for name, tt := range map[string]struct{ kind, body string }{
		"points touch":         {"plain", two("<span>50</span><span>.0</span><span>%</span>", "<span>50</span><span>.5</span><span>%</span>")},
		"the sign apart":       {"plain", two("<b>50.0</b><i>%</i>", "<b>50.5</b><i>%</i>")},
		"a number before it":   {"trap", two("<span>1</span><span>50.0</span><span>%</span>", "<span>2</span><span>50.5</span><span>%</span>")},
		"a plus before it":     {"trap", two("<span>+0</span><span>.5</span><span>%</span>", "<span>+1</span><span>.5</span><span>%</span>")},
		"cents":                {"trap", two("<span>50</span><span>.0</span><span>¢</span>", "<span>50</span><span>.5</span><span>¢</span>")},
		"the second is struck": {"trap", two("<span>50</span><s>.9</s><span>%</span>", "<span>50</span><s>.8</s><span>%</span>")},
	} {
		checkOutcome(t, name, abfPage(tt.kind, tt.body, contracts.SurchargeWeek{EffectiveDate: "2026-05-20", Percent: 50},
			contracts.SurchargeWeek{EffectiveDate: "2026-05-13", Percent: 50.5}))
	}
	leaf := `<div role=listitem><div class=cal><span>%s</span><span>%s</span><span>%s</span></div><div><div>%s</div><div>%s</div></div></div>`
	list := func(tag, first, second string) string {
		days := [][]any{{"May", "20", "2026", tag, first}, {"May", "13", "2026", tag, second}}
		return `<div role=list>` + fmt.Sprintf(leaf, days[0]...) + fmt.Sprintf(leaf, days[1]...) + `</div>`
	}
	checkOutcome(t, "leaves", abfPage("plain", list("", "50.00%", "50.50%"), besideWeeks[:2]...))
	checkOutcome(t, "leaves of Canada", abfPage("trap", list("Canada", "50.00%", "50.50%")))
	checkOutcome(t, "leaves of the day they were posted", abfPage("trap", list("Posted", "Expedited 50.00%", "Expedited 50.50%")))
}

// TestMonthsSideBySide: groups of columns under months.
func TestMonthsSideBySide(t *testing.T) {
	page := func(first, second, heading, before string) string {
		return fmt.Sprintf(`<table><tr><th colspan=2>%s</th><th colspan=2>%s</th></tr><tr><th>Effective</th><th>LTL %%</th><th>Effective</th><th>%s</th></tr>
			<tr><td>May 20</td><td>50.00</td><td>%s 29</td><td>51.00</td></tr><tr><td>May 13</td><td>50.50</td><td></td><td></td></tr></table>`, first, second, heading, before)
	}
	weeks := slices.Concat(besideWeeks[:2], []contracts.SurchargeWeek{{EffectiveDate: "2026-04-29", Percent: 51}})
	checkOutcome(t, "months", abfPage("plain", page("May 2026", "April 2026", "LTL %", "Apr"), weeks...))
	for name, body := range map[string]string{
		"another month":   page("May 2026", "March 2026", "LTL %", "Apr"),
		"another year":    page("May 2025", "April 2025", "LTL %", "Apr"),
		"another service": page("May 2026", "April 2026", "Volume %", "Apr"),
		"places":          page("Domestic", "Canada", "LTL %", "Apr"),
		"a draft":         page("May 2026", "April 2026 (draft)", "LTL %", "Apr"),
	} {
		d := abfPage("trap", body, weeks[:2]...)
		if name == "another month" || name == "another year" {
			d.said.Want = nil
		}
		checkOutcome(t, name, d)
	}
}

// TestHeadsElsewhere: headings below the rows, or in the cells of a table of several columns.
func TestHeadsElsewhere(t *testing.T) {
	rows := func(starts, ltl string) string {
		return strings.ReplaceAll(`<tr><td data-label="@S">5/20/2026</td><td data-label="Ends">5/26/2026</td><td data-label="@L">50.00%</td></tr>
			<tr><td data-label="@S">5/13/2026</td><td data-label="Ends">5/19/2026</td><td data-label="@L">50.50%</td></tr>`, "@S", starts)
	}
	put := func(body, ltl string) string { return strings.ReplaceAll(body, "@L", ltl) }
	labelled := func(ltl string) string { return `<table><tbody>` + put(rows("Starts", ltl), ltl) + `</tbody></table>` }
	checkOutcome(t, "labels in the cells", abfPage("plain", labelled("LTL surcharge"), besideWeeks[:2]...))
	for _, label := range []string{"Truckload surcharge", "Canada LTL surcharge", "Volume surcharge", "Discount", "Change"} {
		checkOutcome(t, label, abfPage("trap", labelled(label)))
	}
	below := func(ltl string) string {
		return `<table><tbody>` + strings.ReplaceAll(put(rows("Starts", ltl), ltl), "data-label", "data-x") + `</tbody><thead><tr><th>Starts</th><th>Ends</th><th>` + ltl + `</th></tr></thead></table>`
	}
	checkOutcome(t, "headings below", abfPage("plain", below("LTL surcharge"), besideWeeks[:2]...))
	checkOutcome(t, "headings below of Canada", abfPage("trap", below("Canada LTL surcharge")))
}

// TestAccordionUnderDates: closed parts of an accordion, each opened by a button.
func TestAccordionUnderDates(t *testing.T) {
	page := func(button, part string) string {
		one := `<div><button aria-expanded=false id=b%[1]s>%[2]s</button><div role=region aria-labelledby=b%[1]s hidden><p>%[3]s</p></div></div>`
		return `<p>For the week beginning May 20, 2026, the LTL fuel surcharge is <b>50.00%</b>.</p>` +
			fmt.Sprintf(one, "1", fmt.Sprintf(button, "May 13, 2026"), fmt.Sprintf(part, "50.50%")) + fmt.Sprintf(one, "2", fmt.Sprintf(button, "May 6, 2026"), fmt.Sprintf(part, "50.25%"))
	}
	checkOutcome(t, "weeks", abfPage("plain", page("Week of %s", "LTL fuel surcharge: %s"), besideWeeks...))
	inHeading := strings.NewReplacer("<button aria-expanded=false", "<h3><button aria-expanded=false", "</button>", "</button></h3>", "hidden>", `style="display:none">`)
	checkOutcome(t, "weeks in headings", abfPage("plain", inHeading.Replace(page("Week of %s", "LTL fuel surcharge: %s")), besideWeeks...))
	for name, body := range map[string]string{
		"Canada":       page("Canada, week of %s", "LTL fuel surcharge: %s"),
		"a draft":      page("Draft for %s", "LTL fuel surcharge: %s"),
		"expedited":    page("Week of %s", "Expedited fuel surcharge: %s"),
		"Canada below": page("Week of %s", "LTL fuel surcharge, Canada: %s"),
		"truckload":    page("Week of %s", "Truckload fuel surcharge: %s"),
	} {
		checkOutcome(t, name, abfPage("trap", body, besideWeeks[0]))
	}
}

// TestUnitInJSON: a number with its unit beside it, and the names of what holds it.
func TestUnitInJSON(t *testing.T) {
	typeName := "Freight.FuelSurchargeDto"
	page := func(holder, ltl, unit string) caseDocument {
		week := `{"week":{"start":"%s"},"%s":{"value":%s,"unit":"%s"}}`
		d := abfPage("trap", "")
		d.json = true
		d.body = fmt.Appendf(nil, `{"%s":{"__type":"%s","weeks":[`+week+`,`+week+`]}}`, holder, typeName,
			"2026-05-20", ltl, "50.00", unit, "2026-05-13", ltl, "50.50", unit)
		return d
	}
	for _, holder := range []string{"d", "output", "response"} {
		for _, unit := range []string{"PERCENT", "%"} {
			d := page(holder, "ltlFuelSurcharge", unit)
			d.said.Kind, d.said.Want = "plain", besideWeeks[:2]
			checkOutcome(t, holder+" "+unit, d)
		}
	}
	for _, tt := range [][3]string{{"d", "ltlFuelSurcharge", "CPM"}, {"d", "ltlFuelSurcharge", "USD_PER_CWT"}, {"d", "ltlFuelSurcharge", "BASIS_POINTS"},
		{"d", "truckloadFuelSurcharge", "PERCENT"}, {"sampleOutput", "ltlFuelSurcharge", "%"}, {"testResponse", "ltlFuelSurcharge", "%"},
		{"outputForecast", "ltlFuelSurcharge", "%"}, {"canada", "ltlFuelSurcharge", "%"}, {"d", "canadaLtlFuelSurcharge", "%"}} {
		checkOutcome(t, fmt.Sprint(tt), page(tt[0], tt[1], tt[2]))
	}
	for _, typeName = range []string{"Freight.CanadaFuelSurchargeDto", "Freight.VolumeSurchargeDto"} {
		checkOutcome(t, typeName, page("d", "ltlFuelSurcharge", "%"))
	}
}

// TestOtherTableBesideWeeks: tables with dates and percents that are no weeks stand beside a box of weeks that no heading names.
func TestOtherTableBesideWeeks(t *testing.T) {
	box := func(table string) string {
		return `<div><p>Current fuel surcharge, effective May 20, 2026: <b>50.0%</b></p><p>Previous fuel surcharge, effective May 13, 2026: 50.5%</p></div>` + table
	}
	rows := func(first, second string) string {
		return `<h3>Other fees</h3><table><tr><th>Item</th><th>Effective Date</th><th>Rate</th></tr><tr><td>` + first +
			`</td><td>04/01/2026</td><td>3.00%</td></tr><tr><td>` + second + `</td><td>01/05/2026</td><td>1.50%</td></tr></table>`
	}
	checkOutcome(t, "fees", abfPage("plain", box(rows("Late payment charge", "Loss of discount after 60 days")), besideWeeks[:2]...))
	for _, tt := range [][]string{{"Fuel surcharge, LTL", "Late payment charge"}, {"Late payment charge", "Late payment charge"}, {"", ""}, {"LTL", "Truckload"}} {
		if o := abfPage("trap", box(rows(tt[0], tt[1]))).outcome(); o.wrong || o.detail == "" {
			t.Errorf("%q: %s %q", tt, o.detail, o.notes)
		}
	}
}

// TestTableAfterTheCurrentWeek: the newest week stands in a tile, those before it in a table whose heading says only what it is.
func TestTableAfterTheCurrentWeek(t *testing.T) {
	page := func(kind, title, heading, percent string, weeks ...contracts.SurchargeWeek) caseDocument {
		return abfPage(kind, `<div><p>LTL fuel surcharge this week</p><p>50.0%</p><p>Effective Wednesday, May 20, 2026</p></div><h2>`+title+
			`</h2><table><tr><th>Effective date</th><th>`+heading+`</th></tr><tr><td>May 13, 2026</td><td>`+percent+`</td></tr></table>`, weeks...)
	}
	checkOutcome(t, "before", page("plain", "Previous LTL fuel surcharges", "Surcharge", "50.5%", besideWeeks[:2]...))
	for _, tt := range [][]string{
		{"Previous truckload fuel surcharges", "Surcharge", "50.5%"}, {"Previous Canada LTL fuel surcharges", "Surcharge", "50.5%"},
		{"Previous LTL fuel surcharges", "Expedited surcharge", "50.5%"}, {"Previous LTL fuel surcharges", "Surcharge", "25.5%"},
		{"Previous LTL volume fuel surcharges", "Surcharge", "50.5%"},
	} {
		if o := page("trap", tt[0], tt[1], tt[2], besideWeeks[:1]...).outcome(); o.wrong {
			t.Errorf("%q: %s %q", tt, o.detail, o.notes)
		}
	}
}

// TestHeadingsOfTheCountry: columns that name the country in several words.
func TestHeadingsOfTheCountry(t *testing.T) {
	page := func(heading string) string {
		return `<table><tr><th>Effective</th><th>` + heading + `</th></tr><tr><td>5/20/2026</td><td>50.00%</td></tr><tr><td>5/13/2026</td><td>50.50%</td></tr></table>`
	}
	for _, heading := range []string{"LTL – 48 contiguous states", "LTL, United States", "LTL (lower 48)", "United States LTL"} {
		checkOutcome(t, heading, abfPage("plain", page(heading), besideWeeks[:2]...))
	}
	for _, heading := range []string{"LTL – western states", "LTL, United Zorbex", "LTL (lower rate)", "LTL – states of the West Coast", "LTL, United States to Canada",
		"LTL, United States Virgin Islands", "LTL – Gulf states", "LTL – all other states"} {
		if o := abfPage("trap", page(heading)).outcome(); o.wrong {
			t.Errorf("%s: %s %q", heading, o.detail, o.notes)
		}
	}
}

// TestPaperAboutFuel: letters whose table does not name fuel.
func TestPaperAboutFuel(t *testing.T) {
	page := func(subject string) string {
		return `<h2>MEMORANDUM</h2><p>TO: Customers<br>` + subject + `</p><table><tr><th>In effect</th><th>LTL shipments</th></tr>
			<tr><td>5/20/2026</td><td>50.00%</td></tr><tr><td>5/13/2026</td><td>50.50%</td></tr></table>`
	}
	put := func(kind, subject string) caseDocument {
		d := abfPage(kind, "")
		d.body = []byte(`<body>` + page(subject) + `</body>`)
		if kind == "plain" {
			d.said.Want = besideWeeks[:2]
		}
		return d
	}
	checkOutcome(t, "subject", put("plain", "RE: ABF 111 Item 195 &mdash; fuel surcharges, United States"))
	for _, subject := range []string{"RE: Detention charges", "RE: Discounts; the fuel surcharge is unchanged", "RE: Volume fuel surcharges", "RE: Proposed fuel surcharges",
		"RE: Fuel surcharges, Canada", "RE: Discounts off the fuel surcharge", "Our fuel surcharges are on another page."} {
		checkOutcome(t, subject, put("trap", subject))
	}
}

// TestProgramTitle: pages whose title is the name of the program that made them.
func TestProgramTitle(t *testing.T) {
	for title, kind := range map[string]string{
		"FUELSURCHARGE_FUELPAGEUPDATE": "plain", "FUELSURCHARGE_WEEKLYTABLE": "plain", "FUELSURCHARGE_CANADAPAGE": "trap", "FUELSURCHARGE_TESTPAGE": "trap",
		"FUELSURCHARGE_ZORBEXPAGE": "trap", "FUELSURCHARGE_DRAFTUPDATE": "trap", "FUELSURCHARGE_VOLUMETABLE": "trap", "FUELSURCHARGE_PRIORTABLE": "trap",
	} {
		d := besideTable("Thank you.", "LTL", "%", false)
		d.body = []byte(strings.Replace(string(d.body), "Fuel surcharge - ABF Freight", title, 1))
		if d.said.Kind = kind; kind == "plain" {
			d.said.Want = besideWeeks
		}
		checkOutcome(t, title, d)
	}
}

// TestPriceInLine: percents and prices in one line, where the words of one stand before the other.
func TestPriceInLine(t *testing.T) {
	for line, price := range map[string]float64{
		"50.00% LTL fuel surcharge, with the national diesel average at $5.598":   5.598,
		"50.00% LTL fuel surcharge (diesel at $5.598)":                            5.598,
		"$5.598 national diesel average, 50.00% LTL fuel surcharge":               5.598,
		"50.00% LTL surcharge, U.S. diesel price $5.598":                          5.598,
		"50.00% LTL fuel surcharge, with a minimum charge of $5.598":              0,
		"50.00% LTL fuel surcharge, with the West Coast diesel average at $5.598": 0,
		"50.00% LTL fuel surcharge, with diesel in California at $5.598":          0,
	} {
		d := besideTable("", "", "", false)
		d.said.Carrier = contracts.AVERITT
		d.body = []byte(`<title>Fuel surcharge - Averitt</title><main><h1>LTL fuel surcharge</h1><div><time datetime="2026-05-20">May 20, 2026</time><p>` + line +
			`</p></div><div><time datetime="2026-05-13">May 13, 2026</time><p>` + strings.NewReplacer("50.00", "50.50", "5.598", "5.612").Replace(line) + `</p></div></main>`)
		r, err := d.read()
		if err != nil || len(r.Weeks) != 2 || r.Weeks[0].Percent != 50 {
			t.Errorf("%q: %v, %v", line, r.Weeks, err)
			continue
		}
		got := 0.0
		if diesel := r.Weeks[0].DieselUSD; diesel != nil {
			got = *diesel
		}
		if got != price {
			t.Errorf("%q: a price of %v, want %v", line, got, price)
		}
	}
}
