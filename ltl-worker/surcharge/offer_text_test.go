package surcharge_test

import (
	"strings"
	"testing"

	"assay.dev/contracts"
	"assay.dev/ltl-worker/surcharge"
)

// netTexts say that the figures beside them are net of an offer.
var netTexts = []string{
	"Below is what welcome-offer customers pay, with the five points already taken off.",
	"The percentages below include the five-point welcome discount.",
	"Figures are shown after the 5 points off.",
	"The posted surcharge, reduced by five points, is what new customers pay.",
	"Percentages are net of the promotion.",
	"Your rebate has already been deducted from the percentages.",
	"Three points have been subtracted from the posted surcharge.",
	"What members pay",
	"Shown with the loyalty reward applied",
	"Two points off already included",
	"These percentages already reflect the introductory offer.",
	"What our first-time customers pay for fuel",
	"LTL fuel surcharge, less the coupon",
	"The table is the LTL fuel surcharge minus your sign-up credit.",
	"These percentages are already reduced by the welcome offer.",
	"Percentages reflect 3 points off.",
	"Includes your 2-point discount",
	"New customers pay the percentages below.",
	"We have taken five points off every figure below.",
	"The published surcharge is five points higher.",
	"Add five points to get the published surcharge.",
	"The figures here are lower than the published surcharge because of the offer.",
	"Each figure is the posted percentage minus five points.",
	"This is what loyalty members are charged.",
	"Loyalty members are charged these percentages.",
	"A courtesy reduction of 3 points has been applied.",
	"The percentages have been cut by a tenth for the holidays.",
	"LTL fuel surcharge after cash back",
	"After ninety days the published surcharge applies in full.",
}

// offerTexts offer a lower surcharge. Far from the figures they say nothing of them.
var offerTexts = []string{
	"Five points off fuel", "5 pts off", "The figures are two percentage points below the published surcharge.", "Pay 10% less than the published fuel surcharge.",
	"These are five points above the posted LTL surcharge.", "Half off fuel until December 31", "Five points lower than everybody else pays.", "Welcome price",
}

// grossTexts have the same words, and leave the figures as they are.
var grossTexts = []string{
	"The percentage is applied to the linehaul charge after your discount is taken off.",
	"The fuel surcharge is calculated on the net linehaul charge after discount.",
	"Discounts do not apply to the fuel surcharge.",
	"What customers pay for fuel",
	"What shippers pay",
	"The truckload percentage is 50 points above the LTL percentage.",
	"Our customers pay the percentages below.",
	"Guaranteed customers pay what their contract says.",
	"A point is taken off for every ten cents.",
	"The published surcharge is two points higher than a year ago.",
	"Weekend pickups are a new service with no surcharge of their own.",
	"Use the code on your invoice to look up a shipment.",
	"The fuel surcharge is two points below that of last week.",
	"Half a point below the previous surcharge.",
	"The surcharge falls by half a point for every five cents.",
}

// TestNetOfOffer: texts about offers in each place beside weeks.
func TestNetOfOffer(t *testing.T) {
	const head, weeks = `<tr><th>Effective</th><th>LTL fuel surcharge</th></tr>`, `<tr><td>5/20/2026</td><td>50.00%</td></tr><tr><td>5/13/2026</td><td>50.50%</td></tr>`
	const records = `[{"effectiveDate":"2026-05-20","ltlSurcharge":"50.00%"},{"effectiveDate":"2026-05-13","ltlSurcharge":"50.50%"}]`
	pages := map[string]string{
		"above":           `<p>@</p><table>` + head + weeks + `</table>`,
		"below":           `<table>` + head + weeks + `</table><p>@</p>`,
		"caption":         `<table><caption>@</caption>` + head + weeks + `</table>`,
		"heading":         `<h2>@</h2><table>` + head + weeks + `</table>`,
		"near":            `<p>Our terminals are open all night.</p><p>@</p><p>Thank you for shipping with us.</p><table>` + head + weeks + `</table>`,
		"badge":           `<div class="badges"><span>@</span></div><table>` + head + weeks + `</table>`,
		"last row":        `<table>` + head + weeks + `<tr><td colspan=2>@</td></tr></table>`,
		"cards":           `<div class="card"><b>May 20, 2026</b><p>LTL fuel surcharge 50.00%</p><p>@</p></div><div class="card"><b>May 13, 2026</b><p>LTL fuel surcharge 50.50%</p><p>@</p></div>`,
		"JSON note":       `{"note":"@","fuelSurcharge":` + records + `}`,
		"JSON text":       `{"intro":{"text":"@"},"fuelSurcharge":` + records + `}`,
		"JSON list":       `{"footnotes":["@"],"fuelSurcharge":` + records + `}`,
		"JSON badge":      `{"badge":"@","fuelSurcharge":` + records + `}`,
		"JSON in a label": `{"labels":{"ltlSurcharge":"@"},"fuelSurcharge":` + records + `}`,
	}
	read := func(name, text string) float64 {
		var r surcharge.Reading
		var err error
		if page := strings.ReplaceAll(pages[name], "@", text); page[0] == '{' {
			r, err = surcharge.ReadJSON([]byte(page), surcharge.Rule{}, "2026-05-21")
		} else {
			r, err = surcharge.Read([]byte(`<title>Fuel surcharge</title><main><h1>Fuel surcharge</h1>`+page+`</main>`), surcharge.Rule{}, "2026-05-21")
		}
		if err != nil {
			return 0
		}
		return r.Tally().Confidence()
	}
	for name := range pages {
		for _, text := range netTexts {
			if c := read(name, text); c >= contracts.MinConfidence {
				t.Errorf("%s, %q: read at %v", name, text, c)
			}
		}
		for _, text := range offerTexts {
			if c := read(name, text); c < contracts.MinConfidence == (name == "near") {
				t.Errorf("%s, %q: read at %v", name, text, c)
			}
		}
		for _, text := range grossTexts {
			if c := read(name, text); c < contracts.MinConfidence && name != "heading" && name != "caption" && name != "cards" {
				t.Errorf("%s, plain %q: read at %v", name, text, c)
			}
		}
	}
}
