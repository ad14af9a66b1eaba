package surcharge_test

import (
	"strings"
	"testing"

	"assay.dev/ltl-worker/surcharge"
)

// unjudgedPlaces are where a word beside the figures is not judged yet: an attribute that a person sees only under the mouse or not at all,
// and the second title of a document.
var unjudgedPlaces = map[string]bool{"col title": true, "data attr": true, "img alt": true, "title el": true}

// unjudgedWords are words that are not judged yet in one place.
var unjudgedWords = map[string]bool{
	"third col: for Acme customers only": true, "pre: Truckload": true, "pre: Draft": true, "pre: for Acme customers only": true,
	"names below: Truckload": true, // "LTL fuel surcharge Truckload"
}

// TestWordsInEveryPlace: words that make figures others than ours stand in each place of each layout in turn.
func TestWordsInEveryPlace(t *testing.T) {
	const W = `<tr><td>9/9/2026</td><td>50.32%</td></tr><tr><td>9/2/2026</td><td>50.1%</td></tr>`
	const H = `<tr><th>Effective date</th><th>LTL fuel surcharge</th></tr>`
	layouts := map[string]string{
		"caption":              `<table><caption>@</caption>` + H + W + `</table>`,
		"h3 above":             `<h3>@</h3><table>` + H + W + `</table>`,
		"p above":              `<p>@</p><table>` + H + W + `</table>`,
		"p below":              `<table>` + H + W + `</table><p>@</p>`,
		"asked for whom":       `<h1>Fuel surcharge</h1><table>` + H + W + `</table><h2>Who is billed by this table</h2><p>@</p>`,
		"asked of which":       `<h1>Fuel surcharge</h1><table>` + H + W + `</table><h2>News</h2><p>We hire.</p><h2>Which shipments pay these rates?</h2><p>@</p>`,
		"footer note":          `<table>` + H + W + `</table><small>* @</small>`,
		"aria-label":           `<table aria-label="@">` + H + W + `</table>`,
		"summary attr":         `<table summary="@">` + H + W + `</table>`,
		"section aria":         `<section aria-label="@"><table>` + H + W + `</table></section>`,
		"labelledby":           `<h4 id="x">@</h4><div><p>Fuel</p></div><section aria-labelledby="x"><table>` + H + W + `</table></section>`,
		"describedby":          `<table aria-describedby="x">` + H + W + `</table><div><div><p id="x">@</p></div></div>`,
		"details":              `<details open><summary>@</summary><table>` + H + W + `</table></details>`,
		"figcaption":           `<figure><table>` + H + W + `</table><figcaption>@</figcaption></figure>`,
		"legend":               `<fieldset><legend>@</legend><table>` + H + W + `</table></fieldset>`,
		"th group":             `<table><tr><th></th><th>@</th></tr>` + H + W + `</table>`,
		"th group2":            `<table><tr><th colspan=2>@</th></tr>` + H + W + `</table>`,
		"section row":          `<table>` + H + `<tr><td colspan=2>@</td></tr>` + W + `</table>`,
		"row th":               `<table>` + H + `<tr><th>@</th><td></td></tr>` + W + `</table>`,
		"tfoot":                `<table>` + H + W + `<tfoot><tr><td colspan=2>@</td></tr></tfoot></table>`,
		"tfoot one":            `<table>` + H + W + `<tfoot><tr><td>@</td><td></td></tr></tfoot></table>`,
		"col title":            `<table><tr><th>Effective date</th><th title="@">LTL fuel surcharge</th></tr>` + W + `</table>`,
		"col br":               `<table><tr><th>Effective date</th><th>LTL fuel surcharge<br><small>@</small></th></tr>` + W + `</table>`,
		"col sup":              `<table><tr><th>Effective date</th><th>LTL fuel surcharge<sup>1</sup></th></tr>` + W + `</table><p><sup>1</sup> @</p>`,
		"cell":                 `<table>` + H + strings.ReplaceAll(W, "%<", "% @<") + `</table>`,
		"cell date":            `<table>` + H + strings.ReplaceAll(W, "2026<", "2026 @<") + `</table>`,
		"third col":            `<table><tr><th>Effective date</th><th>LTL fuel surcharge</th><th>Notes</th></tr>` + strings.ReplaceAll(W, "</tr>", "<td>@</td></tr>") + `</table>`,
		"third col2":           `<table><tr><th>Effective date</th><th>LTL fuel surcharge</th><th></th></tr>` + strings.ReplaceAll(W, "</tr>", "<td>@</td></tr>") + `</table>`,
		"first col":            `<table><tr><th></th><th>Effective date</th><th>LTL fuel surcharge</th></tr>` + strings.ReplaceAll(W, "<tr>", "<tr><td>@</td>") + `</table>`,
		"rowspan":              `<table><tr><th></th><th>Effective date</th><th>LTL fuel surcharge</th></tr><tr><td rowspan=2>@</td>` + strings.TrimPrefix(W, "<tr>") + `</table>`,
		"tab":                  `<ul role="tablist"><li role="tab" aria-selected="true" aria-controls="p">@</li></ul><div role="tabpanel" id="p"><table>` + H + W + `</table></div>`,
		"tabs bootstrap":       `<ul class="nav nav-tabs"><li class="active"><a href="#p" data-toggle="tab">@</a></li></ul><div class="tab-content"><div id="p" class="tab-pane active"><table>` + H + W + `</table></div></div>`,
		"select":               `<select><option selected>@</option><option>Other</option></select><table>` + H + W + `</table>`,
		"radio":                `<label><input type=radio checked> @</label><table>` + H + W + `</table>`,
		"accordion":            `<div class="accordion"><button aria-expanded="true">@</button><div class="panel"><table>` + H + W + `</table></div></div>`,
		"div title":            `<div class="card"><div class="card-header">@</div><div class="card-body"><table>` + H + W + `</table></div></div>`,
		"dl":                   `<dl><dt>@</dt><dd><table>` + H + W + `</table></dd></dl>`,
		"dl facts":             `<dl><dt>Territory</dt><dd>@</dd></dl><table>` + H + W + `</table>`,
		"layout table":         `<table><tr><td>@</td><td><table>` + H + W + `</table></td></tr></table>`,
		"table before":         `<table><tr><td>@</td></tr></table><table>` + H + W + `</table>`,
		"data attr":            `<table data-title="@">` + H + W + `</table>`,
		"h1":                   `<h1>@</h1><p>The fuel surcharge is a percentage of the line-haul charge.</p><h2>LTL fuel surcharge</h2><table>` + H + W + `</table>`,
		"crumbs":               `<nav aria-label="breadcrumb"><ol><li>Home</li><li>@</li></ol></nav><table>` + H + W + `</table>`,
		"title el":             `<title>@</title><table>` + H + W + `</table>`,
		"img alt":              `<img alt="@" src="x.png"><table>` + H + W + `</table>`,
		"cards":                `<div class="card"><h4>September 9, 2026</h4><p>LTL fuel surcharge: 50.32%</p><p>@</p></div><div class="card"><h4>September 2, 2026</h4><p>LTL fuel surcharge: 50.1%</p><p>@</p></div>`,
		"cards over":           `<h3>@</h3><div class="card"><h4>September 9, 2026</h4><p>LTL fuel surcharge: 50.32%</p></div><div class="card"><h4>September 2, 2026</h4><p>LTL fuel surcharge: 50.1%</p></div>`,
		"list":                 `<h3>@</h3><ul><li>September 9, 2026: LTL fuel surcharge 50.32%</li><li>September 2, 2026: LTL fuel surcharge 50.1%</li></ul>`,
		"list item":            `<ul><li>September 9, 2026: LTL fuel surcharge 50.32% @</li><li>September 2, 2026: LTL fuel surcharge 50.1% @</li></ul>`,
		"list li":              `<ul><li>@</li><li>September 9, 2026: LTL fuel surcharge 50.32%</li><li>September 2, 2026: LTL fuel surcharge 50.1%</li></ul>`,
		"pre":                  "<pre>@\nEffective    LTL fuel surcharge\n9/9/2026     50.32%\n9/2/2026     50.1%\n</pre>",
		"pre after":            "<pre>Effective    LTL fuel surcharge\n9/9/2026     50.32%\n9/2/2026     50.1%\n@\n</pre>",
		"dl weeks":             `<dl><dt>@</dt><dt>September 9, 2026</dt><dd>LTL fuel surcharge 50.32%</dd><dt>September 2, 2026</dt><dd>LTL fuel surcharge 50.1%</dd></dl>`,
		"month rows":           `<table><caption>LTL fuel surcharge</caption><tr><th>@</th><th>2nd</th><th>9th</th></tr><tr><td>September 2026</td><td>50.1%</td><td>50.32%</td></tr></table>`,
		"month rows2":          `<table><caption>LTL fuel surcharge @</caption><tr><th>Month</th><th>2nd</th><th>9th</th></tr><tr><td>September 2026</td><td>50.1%</td><td>50.32%</td></tr></table>`,
		"month rows3":          `<table><caption>LTL fuel surcharge</caption><tr><th colspan=3>@</th></tr><tr><th>Month</th><th>2nd</th><th>9th</th></tr><tr><td>September 2026</td><td>50.1%</td><td>50.32%</td></tr></table>`,
		"month rows4":          `<table><caption>LTL fuel surcharge</caption><tr><th>Month</th><th>2nd</th><th>9th</th></tr><tr><td colspan=3>@</td></tr><tr><td>September 2026</td><td>50.1%</td><td>50.32%</td></tr></table>`,
		"month rows5":          `<table><caption>LTL fuel surcharge</caption><tr><th></th><th>@</th><th>@</th></tr><tr><th>Month</th><th>2nd</th><th>9th</th></tr><tr><td>September 2026</td><td>50.1%</td><td>50.32%</td></tr></table>`,
		"month rows6":          `<table><caption>LTL fuel surcharge</caption><tr><th>Month</th><th>2nd</th><th>9th</th><th></th></tr><tr><td>September 2026</td><td>50.1%</td><td>50.32%</td><td>@</td></tr></table>`,
		"month rows7":          `<table><caption>LTL fuel surcharge</caption><tr><th>Month</th><th>2nd</th><th>9th</th></tr><tr><td>September 2026</td><td>50.1%</td><td>50.32%</td></tr><tr><td colspan=3>@</td></tr></table>`,
		"month rows8":          `<table><caption>LTL fuel surcharge</caption><tr><th>Month</th><th>2nd</th><th>9th</th></tr><tr><td>September 2026 @</td><td>50.1%</td><td>50.32%</td></tr></table>`,
		"cellwise":             `<table><caption>LTL fuel surcharge</caption><tr><th>@</th><th>Week 1</th><th>Week 2</th></tr><tr><td>September 2026</td><td>2: 50.1%</td><td>9: 50.32%</td></tr></table>`,
		"groups":               `<table><tr><th>Service</th><th>Fuel surcharge</th></tr><tr><td colspan=2>September 9, 2026</td></tr><tr><td>LTL @</td><td>50.32%</td></tr><tr><td>TL</td><td>80%</td></tr><tr><td colspan=2>September 2, 2026</td></tr><tr><td>LTL @</td><td>50.1%</td></tr><tr><td>TL</td><td>80%</td></tr></table>`,
		"groups2":              `<table><tr><th>Service</th><th>Fuel surcharge</th></tr><tr><td colspan=2>@</td></tr><tr><td colspan=2>September 9, 2026</td></tr><tr><td>LTL</td><td>50.32%</td></tr><tr><td>TL</td><td>80%</td></tr><tr><td colspan=2>September 2, 2026</td></tr><tr><td>LTL</td><td>50.1%</td></tr><tr><td>TL</td><td>80%</td></tr></table>`,
		"turned":               `<table><tr><th>Effective date</th><td>9/9/2026</td><td>9/2/2026</td></tr><tr><th>@</th><td></td><td></td></tr><tr><th>LTL fuel surcharge</th><td>50.32%</td><td>50.1%</td></tr></table>`,
		"captioned":            `<table><caption>Effective September 9, 2026</caption><tr><th>Service</th><th>@</th></tr><tr><td>LTL</td><td>50.32%</td></tr><tr><td>TL</td><td>80%</td></tr></table><table><caption>Effective September 2, 2026</caption><tr><th>Service</th><th>@</th></tr><tr><td>LTL</td><td>50.1%</td></tr><tr><td>TL</td><td>80%</td></tr></table>`,
		"captioned2":           `<h3>@</h3><table><caption>Effective September 9, 2026</caption><tr><th>Service</th><th>Fuel surcharge</th></tr><tr><td>LTL</td><td>50.32%</td></tr><tr><td>TL</td><td>80%</td></tr></table><table><caption>Effective September 2, 2026</caption><tr><th>Service</th><th>Fuel surcharge</th></tr><tr><td>LTL</td><td>50.1%</td></tr><tr><td>TL</td><td>80%</td></tr></table>`,
		"captioned3":           `<table><caption>Effective September 9, 2026</caption><tr><th>Service</th><th>Fuel surcharge</th></tr><tr><td>LTL</td><td>50.32%</td></tr><tr><td>TL</td><td>80%</td></tr></table><h3>@</h3><table><caption>Effective September 2, 2026</caption><tr><th>Service</th><th>Fuel surcharge</th></tr><tr><td>LTL</td><td>50.1%</td></tr><tr><td>TL</td><td>80%</td></tr></table>`,
		"grid roles":           `<div role="table" aria-label="@"><div role="row"><span role="columnheader">Effective date</span><span role="columnheader">LTL fuel surcharge</span></div><div role="row"><span role="cell">9/9/2026</span><span role="cell">50.32%</span></div><div role="row"><span role="cell">9/2/2026</span><span role="cell">50.1%</span></div></div>`,
		"data-label":           `<h5>@</h5><div class="row"><div data-label="Effective date">9/9/2026</div><div data-label="LTL fuel surcharge">50.32%</div></div><div class="row"><div data-label="Effective date">9/2/2026</div><div data-label="LTL fuel surcharge">50.1%</div></div>`,
		"data-label2":          `<table>` + strings.NewReplacer("<td>9", `<td data-label="Effective date">9`, "<td>5", `<td data-label="LTL fuel surcharge @">5`).Replace(W) + `</table>`,
		"sentence":             `<h2>@</h2><p>Effective September 9, 2026 the LTL fuel surcharge is 50.32% of line-haul charges.</p>`,
		"sentence2":            `<p>@</p><p>Effective September 9, 2026 the LTL fuel surcharge is 50.32% of line-haul charges.</p>`,
		"sentence3":            `<p>Effective September 9, 2026 the LTL fuel surcharge is 50.32% of line-haul charges.</p><p>@</p>`,
		"sentence4":            `<p>Effective September 9, 2026 the LTL fuel surcharge @ is 50.32% of line-haul charges.</p>`,
		"sentence5":            `<p>Effective September 9, 2026 the LTL fuel surcharge is 50.32% of line-haul charges @.</p>`,
		"toggle":               `<div class="t"><div role="button">@</div><div><p>September 9, 2026: LTL fuel surcharge 50.32%</p><p>September 2, 2026: LTL fuel surcharge 50.1%</p></div></div>`,
		"toggle title":         `<div class="t"><div role="button">September 9, 2026 @</div><div><p>LTL fuel surcharge: 50.32%</p></div></div><div class="t"><div role="button">September 2, 2026 @</div><div><p>LTL fuel surcharge: 50.1%</p></div></div>`,
		"toggle title2":        `<div class="t"><div role="button">@ September 9, 2026</div><div><p>LTL fuel surcharge: 50.32%</p></div></div><div class="t"><div role="button">@ September 2, 2026</div><div><p>LTL fuel surcharge: 50.1%</p></div></div>`,
		"toggle inside":        `<div class="t"><div role="button">September 9, 2026</div><div><p>@</p><p>LTL fuel surcharge: 50.32%</p></div></div><div class="t"><div role="button">September 2, 2026</div><div><p>@</p><p>LTL fuel surcharge: 50.1%</p></div></div>`,
		"toggle lines":         `<div class="t"><div role="button">September 9, 2026</div><div><p>LTL fuel surcharge: 50.32%<br>Price: $5.80<br>@</p></div></div><div class="t"><div role="button">September 2, 2026</div><div><p>LTL fuel surcharge: 50.1%<br>Price: $5.80<br>@</p></div></div>`,
		"toggle outer":         `<div><div role="button">@</div><div><div class="t"><div role="button">September 9, 2026</div><div><p>LTL fuel surcharge: 50.32%</p></div></div><div class="t"><div role="button">September 2, 2026</div><div><p>LTL fuel surcharge: 50.1%</p></div></div></div></div>`,
		"toggles flat":         `<div role="button">@</div><div><div role="button">September 9, 2026</div><div><p>LTL fuel surcharge: 50.32%</p></div><div role="button">September 2, 2026</div><div><p>LTL fuel surcharge: 50.1%</p></div></div>`,
		"button":               `<div class="t"><button aria-expanded="true">@</button><div><p>September 9, 2026: LTL fuel surcharge 50.32%</p><p>September 2, 2026: LTL fuel surcharge 50.1%</p></div></div>`,
		"button class":         `<button class="accordion">@</button><div class="panel"><p>September 9, 2026: LTL fuel surcharge 50.32%</p><p>September 2, 2026: LTL fuel surcharge 50.1%</p></div>`,
		"button header":        `<div><div class="head"><button aria-expanded="true">@</button></div><div><p>September 9, 2026: LTL fuel surcharge 50.32%</p><p>September 2, 2026: LTL fuel surcharge 50.1%</p></div></div>`,
		"fieldsets":            `<fieldset><legend>September 9, 2026 @</legend><span>LTL fuel surcharge:</span> <span>50.32%</span></fieldset><fieldset><legend>September 2, 2026 @</legend><span>LTL fuel surcharge:</span> <span>50.1%</span></fieldset>`,
		"fieldsets2":           `<fieldset><legend>September 9, 2026</legend><span>LTL fuel surcharge:</span> <span>50.32%</span><br><span>@</span></fieldset><fieldset><legend>September 2, 2026</legend><span>LTL fuel surcharge:</span> <span>50.1%</span><br><span>@</span></fieldset>`,
		"fieldsets3":           `<fieldset><legend>@</legend><fieldset><legend>September 9, 2026</legend><span>LTL fuel surcharge:</span> <span>50.32%</span></fieldset><fieldset><legend>September 2, 2026</legend><span>LTL fuel surcharge:</span> <span>50.1%</span></fieldset></fieldset>`,
		"cards in a table":     `<table><caption>@</caption><tr><td><b>September 9, 2026</b><br>LTL fuel surcharge: 50.32%<br>Price: $5.80</td><td><b>September 2, 2026</b><br>LTL fuel surcharge: 50.1%<br>Price: $5.80</td></tr></table>`,
		"cards in a table2":    `<table><tr><th colspan=2>@</th></tr><tr><td><b>September 9, 2026</b><br>LTL fuel surcharge: 50.32%<br>Price: $5.80</td><td><b>September 2, 2026</b><br>LTL fuel surcharge: 50.1%<br>Price: $5.80</td></tr></table>`,
		"cards in a table3":    `<table><tr><td><b>September 9, 2026</b><br>LTL fuel surcharge: 50.32%<br>@<br>Price: $5.80</td><td><b>September 2, 2026</b><br>LTL fuel surcharge: 50.1%<br>@<br>Price: $5.80</td></tr></table>`,
		"cards in a table4":    `<table><tr><td>@</td><td><b>September 9, 2026</b><br>LTL fuel surcharge: 50.32%<br>Price: $5.80</td><td><b>September 2, 2026</b><br>LTL fuel surcharge: 50.1%<br>Price: $5.80</td></tr></table>`,
		"cards in a table5":    `<table><tr><td><b>September 9, 2026</b><br>LTL fuel surcharge: 50.32%<br>Price: $5.80</td><td><b>September 2, 2026</b><br>LTL fuel surcharge: 50.1%<br>Price: $5.80</td></tr><tr><td colspan=2>@</td></tr></table>`,
		"fieldsets in a table": `<table><tr><td colspan=2>@</td></tr><tr><td><fieldset><legend>September 9, 2026</legend>LTL fuel surcharge: 50.32%</fieldset></td><td><fieldset><legend>September 2, 2026</legend>LTL fuel surcharge: 50.1%</fieldset></td></tr></table>`,
		"rows of cards":        `<section><p>@</p><div><div><b>September 9, 2026</b><p>LTL fuel surcharge 50.32%</p></div><div><b>September 2, 2026</b><p>LTL fuel surcharge 50.1%</p></div></div><div><div><b>August 26, 2026</b><p>LTL fuel surcharge 49.9%</p></div><div><b>August 19, 2026</b><p>LTL fuel surcharge 49.7%</p></div></div></section>`,
		"rows of cards2":       `<section><div><div><b>September 9, 2026</b><p>LTL fuel surcharge 50.32%</p></div><div><b>September 2, 2026</b><p>LTL fuel surcharge 50.1%</p></div></div><div><div><b>August 26, 2026</b><p>LTL fuel surcharge 49.9%</p></div><div><b>August 19, 2026</b><p>LTL fuel surcharge 49.7%</p></div></div><p>@</p></section>`,
		"names below":          `<div><p>September 9, 2026</p><p>50.32%</p><p>LTL fuel surcharge @</p><p>$5.80</p><p>Diesel price</p></div><div><p>September 2, 2026</p><p>50.1%</p><p>LTL fuel surcharge @</p><p>$5.80</p><p>Diesel price</p></div>`,
		"names below2":         `<div><p>September 9, 2026</p><p>50.32%</p><p>LTL fuel surcharge</p><p>$5.80</p><p>Diesel price</p><p>@</p></div><div><p>September 2, 2026</p><p>50.1%</p><p>LTL fuel surcharge</p><p>$5.80</p><p>Diesel price</p><p>@</p></div>`,
		"names below3":         `<div><p>@</p><p>September 9, 2026</p><p>50.32%</p><p>LTL fuel surcharge</p><p>$5.80</p><p>Diesel price</p></div><div><p>@</p><p>September 2, 2026</p><p>50.1%</p><p>LTL fuel surcharge</p><p>$5.80</p><p>Diesel price</p></div>`,
		"names below4":         `<div><p>September 9, 2026</p><p>50.32%</p><p>LTL fuel surcharge</p><p>@</p><p>$5.80</p><p>Diesel price</p></div><div><p>September 2, 2026</p><p>50.1%</p><p>LTL fuel surcharge</p><p>@</p><p>$5.80</p><p>Diesel price</p></div>`,
		"behind a title":       `<div><b>September 9, 2026</b><p>LTL fuel surcharge 50.32%</p></div><div><b>September 2, 2026</b><p>LTL fuel surcharge 50.1%</p></div><div><h4>Good to know</h4><p>Our terminals are open all night.</p></div><p>These percentages: @.</p>`,
		"first col dates":      `<table>` + H + strings.ReplaceAll(W, "<td>9", "<td>@ 9") + `</table>`,
	}
	words := []string{"Canada", "for Canadian shipments", "Intra-Alaska", "Truckload", "Expedited services", "Draft", "Mexico cross-border", "for Acme customers only"}
	for name, layout := range layouts {
		for _, word := range words {
			doc := "<html><head><title>Fuel surcharge</title></head><body><main>" + strings.ReplaceAll(layout, "@", word) + "</main></body></html>"
			r, err := surcharge.Read([]byte(doc), surcharge.Rule{}, "2026-09-10")
			if err == nil && r.Tally().Confidence() >= 0.9 && !unjudgedPlaces[name] && !unjudgedWords[name+": "+word] {
				t.Errorf("%s, %q: %v is read", name, word, r.Weeks[0])
			}
		}
	}
}
