package surcharge_test

import (
	"testing"

	"assay.dev/ltl-worker/surcharge"
)

// The percent for truckloads is given only where it is plain.
func TestTruckload(t *testing.T) {
	t.Parallel()
	const without = 0.0
	for name, c := range map[string]struct {
		headings, cells string
		want            float64
	}{
		"beside the percent":         {"<th>LTL<th>Truckload", "<td>46.32%<td>92.64%", 92.64},
		"by weight":                  {"<th>LTL &lt; 20,000 lbs<th>LTL &gt; 20,000 lbs", "<td>46.32%<td>92.64%", 92.64},
		"fractions":                  {"<th>LTL<th>TL", "<td>0.4632<td>0.9264", 92.64},
		"none":                       {"<th>LTL", "<td>46.32%", without},
		"volume is another service":  {"<th>LTL<th>Volume %", "<td>46.32%<td>42.00%", without},
		"an unknown word":            {"<th>LTL<th>Truckload Zorb", "<td>46.32%<td>92.64%", without},
		"a rate per mile":            {"<th>LTL<th>Truckload", "<td>46.32%<td>$0.51", without},
		"two columns that differ":    {"<th>LTL<th>Truckload<th>TL", "<td>46.32%<td>92.64%<td>88.00%", without},
		"two columns that agree":     {"<th>LTL<th>Truckload<th>TL", "<td>46.32%<td>92.64%<td>92.64%", 92.64},
		"no figure":                  {"<th>LTL<th>TL", "<td>46.32%<td>call us", without},
		"too far from the percent":   {"<th>LTL<th>TL", "<td>12.00%<td>92.64%", without},
		"a figure of another column": {"<th>LTL<th>TL", "<td>46.32%<td>92.64% LTL", without},
	} {
		t.Run(name, func(t *testing.T) {
			page := "<h1>Fuel surcharge</h1><table><tr><th>Effective" + c.headings
			for _, day := range []string{"9/9/2026", "9/2/2026", "8/26/2026"} {
				page += "<tr><td>" + day + c.cells
			}
			r, err := surcharge.Read([]byte(page+"</table>"), surcharge.Rule{}, modelToday)
			if err != nil {
				t.Fatal(err)
			}
			got := without
			if p := r.Weeks[0].TruckloadPercent; p != nil {
				got = *p
			}
			if got != c.want {
				t.Errorf("%v, want %v", got, c.want)
			}
		})
	}
}
