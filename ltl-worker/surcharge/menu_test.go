package surcharge_test

import (
	"strings"
	"testing"
)

// menus are lists that lead to other pages of the site; none is marked as one.
var menus = []string{
	`<div><b>Resources</b><br>Charges and services<br>Density calculator<br>Forms<br>Fuel surcharge<br>Rules and rates<br>ZIP code routing</div>`,
	`<div>Products and services<br>Volume quotes<br>Forms<br>Claims</div>`,
	`<div><b>Services</b><br>Guaranteed delivery<br>Volume quotes<br>Contact us<br>Tools</div>`,
	`<h2>More about charges</h2><ul><li>Accessorial list 2026</li><li>Limits of liability</li><li>California compliance</li></ul>`,
	`<h3>Related pages</h3><ul><li>Expedited and guaranteed services</li><li>How to ship to Canada and to Mexico</li><li>What a volume quote is</li></ul>`,
	`<h3>Also in our library</h3><ul><li>Retail compliance: a survival guide</li><li>Is it volume, or partial?</li><li>The nine documents of an ocean shipment</li></ul>`,
	`<ul><li>Rules 2026</li><li>Guaranteed list 2026</li><li>Canada</li></ul>`,
}

// noMenus are near, and say for what the figures beside them are.
var noMenus = []string{
	`<div>Service<br>Guaranteed</div><p>Thank you.</p>`,
	`<div>Services<br>Guaranteed<br>Forms</div><p>Thank you.</p>`,
	`<div>Territory<br>Canada<br>Contact us<br>Tools</div><p>Thank you.</p>`,
	`<p>The percentages apply to:</p><ul><li>Canada</li><li>Alaska</li><li>Hawaii</li></ul>`,
	`<ul><li>LTL</li><li class="active">Canada</li><li>Mexico</li></ul>`,
	`<ul><li>LTL</li><li aria-current="page">Canada</li><li>Mexico</li></ul>`,
	`<ul><li>LTL</li><li><a aria-current="true">Guaranteed</a></li><li>Volume</li></ul>`,
	`<b>Territory</b><ul><li>Canada</li><li>Alaska</li><li>Hawaii</li></ul><p>Thank you.</p>`,
	`<ul><li>Canada 2026</li></ul>`,
}

// TestMenusBesideWeeks: lists before and behind a table, and behind a sentence.
func TestMenusBesideWeeks(t *testing.T) {
	table := `<table><tr><th>Effective date</th><th>LTL fuel surcharge</th></tr><tr><td>5/20/2026</td><td>50.00%</td></tr>
		<tr><td>5/13/2026</td><td>50.50%</td></tr><tr><td>5/6/2026</td><td>50.25%</td></tr></table>`
	sentence := `<p>Effective May 20, 2026 the LTL fuel surcharge is 50.00% of line-haul charges.</p>`
	pages := map[string]int{`@<h1>Fuel surcharge</h1>` + table: 3, `<h1>Fuel surcharge</h1>` + table + `@`: 3, `<h1>Fuel surcharge</h1>` + sentence + `@`: 1}
	for page, weeks := range pages {
		d := besideTable("", "", "", false)
		read := func(list string) outcome {
			d.body = []byte(`<title>Fuel surcharge - ABF Freight</title>` + strings.Replace(page, "@", list, 1))
			return d.outcome()
		}
		for _, list := range noMenus {
			if o := read(list); !o.ok {
				t.Errorf("%s\n%s: %s", page, list, o.detail)
			}
		}
		d.said.Kind, d.said.Want = "plain", besideWeeks[:weeks]
		for _, list := range menus {
			if o := read(list); !o.ok {
				t.Errorf("%s\nplain %s: %s %q", page, list, o.detail, o.notes)
			}
		}
	}
}
