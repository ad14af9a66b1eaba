package surcharge_test

import (
	"fmt"
	"strings"
	"testing"

	"assay.dev/ltl-worker/surcharge"
)

// The last day of a week is taken where the page prints it plainly.
func TestPrintedLastDays(t *testing.T) {
	for name, tt := range map[string]struct{ head, rows, want string }{
		"a column of last days": {"<th>From</th><th>To</th><th>LTL</th>",
			"<td>9/9/2026</td><td>9/15/2026</td><td>50.00%</td>|<td>9/2/2026</td><td>9/8/2026</td><td>49.50%</td>", "2026-09-15 2026-09-08"},
		"ranges": {"<th>Effective</th><th>LTL</th>",
			"<td>Sep. 9, 2026-Sep. 15, 2026</td><td>50.00%</td>|<td>Sep. 2, 2026-Sep. 8, 2026</td><td>49.50%</td>", "2026-09-15 2026-09-08"},
		"a percent that was kept": {"<th>From</th><th>To</th><th>LTL</th>",
			"<td>9/9/2026</td><td>9/15/2026</td><td>50.00%</td>|<td>8/26/2026</td><td>9/8/2026</td><td>49.50%</td>", "2026-09-15 2026-09-08"},
		"the first day of the next week": {"<th>Effective</th><th>LTL</th>",
			"<td>9/9/2026 - 9/16/2026</td><td>50.00%</td>|<td>9/2/2026 - 9/9/2026</td><td>49.50%</td>", " "},
		"none": {"<th>Effective</th><th>LTL</th>", "<td>9/9/2026</td><td>50.00%</td>|<td>9/2/2026</td><td>49.50%</td>", " "},
	} {
		t.Run(name, func(t *testing.T) {
			page := fmt.Sprintf("<h1>LTL Fuel Surcharge</h1><table><tr>%s</tr><tr>%s</tr></table>", tt.head, strings.ReplaceAll(tt.rows, "|", "</tr><tr>"))
			found, err := surcharge.Read([]byte(page), surcharge.Rule{}, "2026-09-11")
			if err != nil {
				t.Fatal(err, found.Notes)
			}
			var ends []string
			for _, w := range found.Weeks {
				ends = append(ends, string(w.EndDate))
			}
			if got := strings.Join(ends, " "); got != tt.want {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
}
