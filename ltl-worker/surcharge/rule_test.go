package surcharge_test

import (
	"errors"
	"testing"

	"assay.dev/ltl-worker/surcharge"
	"assay.dev/ltl-worker/surcharge/refusal"
)

// What only one carrier says is told by its rule, not by the vocabulary.
func TestRule(t *testing.T) {
	const page = `<h1>Fuel surcharge</h1><table><tr><th>Ladder Day</th><th>Blue rate</th><th>Cold Chain</th></tr>
		<tr><td>9/9/2026</td><td>50.32%</td><td>40.00%</td></tr>
		<tr><td>9/2/2026</td><td>46.32%</td><td>39.00%</td></tr></table>`
	own := surcharge.Rule{LTL: []string{"blue  RATE:"}, Effective: []string{"ladder-day"}}
	r, err := surcharge.Read([]byte(page), own, modelToday)
	if err != nil || len(r.Weeks) != 2 || r.Weeks[0].Percent != 50.32 {
		t.Errorf("with the carrier's words: %v %+v", err, r)
	}
	var refused *refusal.Refusal
	if _, err := surcharge.Read([]byte(page), surcharge.Rule{}, modelToday); !errors.As(err, &refused) {
		t.Error("read without them")
	}
	own.Refuse = []string{"blue"}
	if _, err := surcharge.Read([]byte(page), own, modelToday); !errors.As(err, &refused) {
		t.Error("read what the rule refuses")
	}
}

func TestReasons(t *testing.T) {
	const headings = `<table><tr><th>Effective</th><th>LTL</th></tr>`
	for _, tt := range []struct {
		name, doc string
		want      refusal.Reason
	}{
		{"nothing", "", refusal.Empty},
		{"a page without tables", `<div id="root"></div><script src="app.js"></script>`, refusal.NoTable},
		{"headings alone", headings + `</table>`, refusal.NoRows},
		{"a template", headings + `<tr><td>{{d}}</td><td>{{p}}</td></tr></table>`, refusal.Template},
		{"brackets", `<table><tr><th>At Least</th><th>Less Than</th><th>LTL</th></tr>
			<tr><td>5<td>6<td>46.3%</td></tr></table>`, refusal.Brackets},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := surcharge.Read([]byte(tt.doc), surcharge.Rule{}, modelToday)
			var refused *refusal.Refusal
			if !errors.As(err, &refused) || refused.Reason != tt.want {
				t.Errorf("%v, want %q", err, tt.want)
			}
		})
	}
}
