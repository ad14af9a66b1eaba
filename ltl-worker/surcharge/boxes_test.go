package surcharge_test

import (
	"strings"
	"testing"

	"assay.dev/ltl-worker/surcharge"
)

// boxes are parts of a page, and of the site around it.
var boxes = []string{
	`<footer><p>@</p></footer>`, `<aside><p>@</p></aside>`, `<header><p>@</p></header>`, `<nav><p>@</p></nav>`, `<div role="alert">@</div>`,
	`<div role="dialog"><p>@</p></div>`, `<div role="note">@</div>`, `<div class="banner">@</div>`, `<div class="modal"><p>@</p></div>`,
	`<div class="footer"><small>@</small></div>`, `<details><summary>Note</summary><p>@</p></details>`, `<blockquote>@</blockquote>`,
	`<div class="cookie-banner"><p>@</p></div>`, `<form><p>@</p></form>`, `<ul><li>@</li></ul>`, `<dl><dt>Note</dt><dd>@</dd></dl>`, `<address>@</address>`,
	`<div class="sidebar"><div class="widget"><h4>Note</h4><p>@</p></div></div>`, `<label>@</label>`, `<h3>@</h3>`, `<p class="sr-only">@</p>`,
	`<table><tr><td>@</td></tr></table>`, `<h2>Other</h2><ul><li>@</li></ul>`, `<h2>Other</h2><div><span>@</span></div>`,
}

// aboutFigures are sentences, and whether they make figures others than ours.
var aboutFigures = map[string]bool{
	"The percentages on this page are samples.":                          true,
	"These percentages are for Canada.":                                  true,
	"The table is out of date; do not bill from it.":                     true,
	"All figures on this site are for demonstration.":                    true,
	"You are viewing the Canadian site.":                                 true,
	"LTL percentages shown are for members of the buying group only.":    true,
	"Percentages apply to expedited shipments.":                          true,
	"The percentages on this page change each Wednesday.":                false,
	"All percentages are multiplied with the net linehaul charge.":       false,
	"This page shows the LTL fuel surcharge of each week.":               false,
	"You are viewing the LTL fuel surcharge.":                            false,
	"We opened a terminal in Toronto; ask about service to Canada.":      false,
	"Use of this site is subject to our terms.":                          false,
	"The diesel price is that of the U.S. Department of Energy.":         false,
	"Our carriers in Canada and Mexico publish surcharges of their own.": false,
}

// TestSentencesInEveryMember: such a sentence counts in every part of a JSON document too.
func TestSentencesInEveryMember(t *testing.T) {
	const weeks = `"history":[{"start":"2026-09-09","ltlSurcharge":50.32,"tlSurcharge":100.64},{"start":"2026-09-02","ltlSurcharge":50.1,"tlSurcharge":100.2}]`
	for _, document := range []string{
		`{"notice":"@",W}`, `{W,"notice":"@"}`, `{"page":{"notice":{"text":"@"}},W}`, `{"messages":["@"],W}`, `{"messages":[{"text":"@"}],W}`,
		`{"data":{W},"meta":{"disclaimer":"@"}}`, `{"data":{W},"disclaimer":"@"}`, `{"data":{W,"note":"@"}}`, `{"alerts":[{"title":"Note","body":"<p>@</p>"}],W}`,
		`{"footnotes":["@"],W}`, `{"blocks":[{"type":"text","html":"<p>@</p>"},{"type":"table",W}]}`, `{"blocks":[{"type":"table",W},{"type":"text","html":"<p>@</p>"}]}`,
		`{"sections":[{"heading":"Notice","content":"@"},{"heading":"Fuel",W}]}`, `{"faq":[{"q":"Is it weekly?","a":"@"}],W}`, `{"seo":{"description":"@"},W}`,
		`{"related":["@"],W}`, `{"props":{"pageProps":{"banner":{"text":"@"},"fuel":{W}}}}`, `{"status":{"message":"@"},W}`, `[{"text":"@"},{W}]`,
	} {
		for text, isTrap := range aboutFigures {
			body := strings.NewReplacer("W", weeks, "@", text).Replace(document)
			r, err := surcharge.ReadJSON([]byte(body), surcharge.Rule{}, "2026-09-10")
			if isRead := err == nil && r.Tally().Confidence() == 1; isRead == isTrap {
				t.Errorf("%s: %v, %v %q", body, err, r.Tally().Confidence(), r.Notes)
			}
		}
	}
}

// TestSentencesInEveryBox: a sentence about the figures counts in whatever part of a page it stands, before them or behind.
func TestSentencesInEveryBox(t *testing.T) {
	const table = `<h2>Fuel surcharge by week</h2><table><tr><th>Effective</th><th>LTL surcharge</th></tr><tr><td>5/20/2026</td><td>50.00%</td></tr>` +
		`<tr><td>5/13/2026</td><td>50.50%</td></tr><tr><td>5/6/2026</td><td>50.25%</td></tr></table>`
	const main = `<main><h1>LTL fuel surcharge</h1>` + table + `</main>`
	for text, isTrap := range aboutFigures {
		kind, weeks := "plain", besideWeeks
		if isTrap {
			kind, weeks = "trap", nil
		}
		for _, box := range boxes {
			part := strings.ReplaceAll(box, "@", text)
			for _, body := range []string{part + main, main + part, strings.Replace(main, "</main>", part+"</main>", 1), strings.Replace(main, "<h2>", part+"<h2>", 1)} {
				d := abfPage(kind, "", weeks...)
				d.body = []byte(`<!DOCTYPE html><html><head><title>Fuel surcharge - ABF Freight</title></head><body>` + body + `</body></html>`)
				checkOutcome(t, body, d)
			}
		}
	}
}
