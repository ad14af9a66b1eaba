package surcharge_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"assay.dev/contracts"
	"assay.dev/ltl-worker/surcharge"
)

// A tooltip of the percents' heading, or of a percent, counts as what stands beside them. Those of other cells do not.
func TestTooltips(t *testing.T) {
	const other = "Cents per mile, for truckload shipments in Canada."
	day := time.Wednesday
	tests := map[string]struct {
		heading, percent, diesel string
		isOurs                   bool
	}{
		"none":                         {isOurs: true},
		"of the heading":               {heading: other},
		"neutral":                      {heading: "Percent of the net linehaul charge.", percent: "In effect this week", isOurs: true},
		"the figure itself":            {percent: "50.3200", isOurs: true},
		"how to sort":                  {heading: "Click to sort ascending", isOurs: true},
		"what it is":                   {heading: "LTL fuel surcharge percent", percent: "Based on $5.702", isOurs: true},
		"the days of the week":         {percent: "Sep 9 – Sep 15, 2026", isOurs: true},
		"the way it is worked out":     {heading: "Percentage of net linehaul charges, set by the DOE average of Monday", isOurs: true},
		"of the newest percent":        {percent: "Preliminary"},
		"of the percents of others":    {heading: "For shipments to Hawaii and Alaska"},
		"of the heading of the prices": {diesel: other, isOurs: true},
	}
	for name, test := range tests {
		for _, markup := range []string{`<th title="@">`, `<th>^<i class="tip" data-tooltip="@"></i>`, `<th>^<span data-bs-original-title="@">i</span>`} {
			t.Run(name+" "+markup, func(t *testing.T) {
				head := func(text, hint string) string {
					if !strings.Contains(markup, "^") {
						return strings.Replace(markup, "@", hint, 1) + text + "</th>"
					}
					return strings.NewReplacer("^", text, "@", hint, ">i<", "><").Replace(markup) + "</th>"
				}
				doc := "<title>Fuel Surcharge</title><h1>LTL Fuel Surcharge</h1><table><tr><th>Effective</th>" + head("Diesel", test.diesel) + head("Surcharge", test.heading) +
					fmt.Sprintf(`</tr><tr><td>9/9/2026</td><td>$5.702</td><td title="%s">50.32%%</td></tr>`, test.percent) +
					"<tr><td>9/2/2026</td><td>$5.599</td><td>46.32%</td></tr></table>"
				r, err := surcharge.Read([]byte(doc), surcharge.Rule{Diesel: surcharge.Required, Weekday: &day}, "2026-09-14")
				if isOurs := err == nil && r.Tally().Confidence() >= contracts.MinConfidence; isOurs != test.isOurs {
					t.Errorf("%v, doubts %q", err, r.Doubts)
				}
			})
		}
	}
}
