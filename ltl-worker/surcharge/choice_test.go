package surcharge_test

import (
	"strings"
	"testing"
	"time"

	"assay.dev/contracts"
	"assay.dev/ltl-worker/surcharge"
)

// Ways to say what a table shows; @ is what is chosen, and # the table.
var choices = map[string]string{
	"a list":                 `<form><label>Show: <select><option>Other</option><option selected>@</option></select></label></form>#`,
	"a list with its prompt": `<label for="r">Region</label><select id="r"><option selected="selected">@</option><option>Other</option></select>#`,
	"a radio button":         `<fieldset><label><input type="radio" name="s" checked> @</label></fieldset>#`,
	"a field":                `<label>Region <input type="text" value="@" readonly></label>#`,
	"a pressed button":       `<button class="btn" aria-pressed="true">@</button><button class="btn">Other</button>#`,
	"an active button":       `<button class="btn active">@</button><button class="btn">Other</button>#`,
	"a tab": `<ul role="tablist"><li role="tab" aria-selected="true" aria-controls="p1">@</li><li role="tab" aria-controls="p2">More</li></ul>` +
		`<div role="tabpanel" id="p1">#</div>`,
	"an item of tabs": `<ul class="nav nav-tabs"><li class="active"><a href="#a">@</a></li><li><a href="#b">Other</a></li></ul>` +
		`<div class="tab-pane active" id="a">#</div>`,
	"details":                `<details open><summary>@</summary>#</details>`,
	"a legend":               `<fieldset><legend>@</legend>#</fieldset>`,
	"a caption of a figure":  `<figure>#<figcaption>@</figcaption></figure>`,
	"the label of a section": `<section aria-label="@">#</section>`,
	"a line":                 `<p><strong>@</strong></p>#`,
	"a sentence":             `<p>You selected: @</p>#`,
	"results":                `<p>Showing results for @</p>#`,
}

func TestWhatIsChosen(t *testing.T) {
	t.Parallel()
	day := time.Wednesday
	rule := surcharge.Rule{Diesel: surcharge.Required, Weekday: &day, Names: []string{"Saia LTL Freight", "Saia"}}
	const weeks = `<table><tr><th>Effective Date</th><th>DOE Average</th><th>LTL Surcharge</th></tr><tr><td>9/9/2026</td><td>$5.861</td><td>49.50%</td></tr>` +
		`<tr><td>9/2/2026</td><td>$5.904</td><td>50.00%</td></tr><tr><td>8/26/2026</td><td>$5.987</td><td>50.50%</td></tr></table>`
	isRead := func(page string) bool {
		r, err := surcharge.Read([]byte(page), rule, "2026-09-14")
		return err == nil && len(r.Weeks) == 3 && r.Tally().Confidence() >= contracts.MinConfidence
	}
	for name, choice := range choices {
		for want, all := range map[bool][]string{
			true:  {"United States", "LTL", "All", "Standard LTL", "2026"},
			false: {"Canada", "Truckload", "Alaska / Hawaii", "Volume", "Expedited"},
		} {
			for _, chosen := range all {
				page := "<h1>LTL Fuel Surcharge</h1>" + strings.NewReplacer("@", chosen, "#", weeks).Replace(choice)
				if isRead(page) != want {
					t.Errorf("%s, %q: read is %v", name, chosen, !want)
				}
			}
		}
	}
}
