package surcharge_test

import (
	"errors"
	"fmt"
	"testing"

	"assay.dev/ltl-worker/surcharge/refusal"
)

// TestNumberedTables: two tables for the same weeks whose titles only a number tells apart. A text lets the second be doubted.
func TestNumberedTables(t *testing.T) {
	page := func(first, second string) caseDocument {
		table := `<h3>%s</h3><table><tr><th>Effective</th><th>LTL %%</th></tr><tr><td>5/20/2026</td><td>%s</td></tr><tr><td>5/13/2026</td><td>50.50</td></tr></table>`
		d := besideTable("", "", "", false)
		d.body = fmt.Appendf(nil, `<title>Fuel surcharge - ABF Freight</title><h2>Fuel surcharge</h2>`+table+table+
			`<p>The scale that applies is named in your rate agreement.</p>`, first, "50.00", second, "49.00")
		return d
	}
	for first, second := range map[string]string{
		"LTL, Scale 1": "LTL, Scale 2", "LTL Scale A": "LTL Scale B", "Scale I: LTL": "Scale II: LTL", "LTL scale one": "LTL scale two",
		"LTL fuel surcharge": "LTL fuel surcharge",
	} {
		var refused *refusal.Refusal
		if _, err := page(first, second).read(); !errors.As(err, &refused) || refused.Reason != refusal.Ambiguous {
			t.Errorf("%q beside %q: %v", first, second, err)
		}
	}
	if o := page("LTL fuel surcharge", "LTL fuel surcharge, Canada").outcome(); !o.wrong {
		t.Errorf("a table of Canada hides ours: %s", o.detail) // nothing is wanted: to be read is to be wrong
	}
}
