package surcharge_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"assay.dev/contracts"
	"assay.dev/ltl-worker/surcharge"
)

// Pages that state one week in words: a line of the files is what stands below the heading. The neutral ones say that 49.5 % holds in the week of
// 2026-11-18; of the others none does.
func TestStatementsOfOneWeek(t *testing.T) {
	t.Parallel()
	day := time.Wednesday
	rule := surcharge.Rule{Weekday: &day, Names: []string{"TForce Freight", "TForce"}}
	for file, want := range map[string]bool{"statements-neutral.txt": true, "statements-foreign.txt": false} {
		text, err := os.ReadFile(filepath.Join("testdata", "wording", file))
		if err != nil {
			t.Fatal(err)
		}
		for body := range strings.Lines(string(text)) {
			page := "<html><head><title>Fuel Surcharge | TForce Freight</title></head><body><main><h1>Fuel Surcharge</h1>" + body + "</main></body></html>"
			r, err := surcharge.Read([]byte(page), rule, "2026-11-23")
			isRead := err == nil && len(r.Weeks) > 0 && r.Weeks[0].EffectiveDate == "2026-11-18" && r.Weeks[0].Percent == 49.5 &&
				r.Tally().Confidence() >= contracts.MinConfidence
			if isRead != want {
				t.Errorf("read is %v: %s%s", isRead, body, strings.Join(r.Notes, "\n"))
			}
		}
	}
}
