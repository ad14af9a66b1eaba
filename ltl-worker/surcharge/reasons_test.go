package surcharge_test

import (
	"errors"
	"strings"
	"testing"

	"assay.dev/ltl-worker/surcharge"
	"assay.dev/ltl-worker/surcharge/refusal"
)

func TestReasons(t *testing.T) {
	const headings = `<table><tr><th>Effective</th><th>LTL</th></tr>`
	for _, tt := range []struct {
		name, doc string
		want      refusal.Reason
	}{
		{"nothing", "", refusal.Empty},
		{"a page without tables", `<div id="root"></div><script src="app.js"></script>`, refusal.NoTable},
		{"headings alone", headings + `</table>`, refusal.NoTable},
		{"a template", headings + `<tr><td>{{d}}</td><td>{{p}}</td></tr></table>`, refusal.NoTable},
		{"brackets", `<table><tr><th>At Least</th><th>Less Than</th><th>LTL</th></tr>
			<tr><td>5<td>6<td>46.3%</td></tr></table>`, refusal.NoTable},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := surcharge.Read([]byte(tt.doc), surcharge.Rule{}, modelToday)
			var refused *refusal.Refusal
			if !errors.As(err, &refused) || refused.Reason != tt.want {
				t.Errorf("%v, want %q", err, tt.want)
			}
		})
	}
	many, err := surcharge.Read([]byte("<h1>Fuel surcharge</h1>"+strings.Repeat(ltl46, 60)), surcharge.Rule{}, modelToday)
	if err != nil || len(many.Notes) != 50 {
		t.Errorf("%v: %d notes", err, len(many.Notes))
	}
}
