package surcharge_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"assay.dev/ltl-worker/surcharge"
)

// Texts of testdata/wording beside a table: neutral ones change nothing, foreign ones bring the confidence below the gate, wherever
// they stand. A line that begins with "?" is not judged right in all places yet; one that is must lose the mark.
func TestWordingOfFiles(t *testing.T) {
	day := time.Wednesday
	rule := surcharge.Rule{Weekday: &day, Names: []string{"Saia"}}
	for _, list := range []struct {
		name  string
		clean bool
	}{{"neutral", true}, {"foreign", false}} {
		lines, err := os.ReadFile(filepath.Join("testdata", "wording", list.name+".txt"))
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(lines)) {
			text, notYet := strings.CutPrefix(strings.TrimSpace(line), "? ")
			var wrong []string
			for place, page := range beside(text) {
				r, err := surcharge.Read([]byte(page), rule, "2026-09-10")
				if clean := err == nil && r.Tally().Confidence() == 1; clean != list.clean {
					wrong = append(wrong, place+" "+strings.Join(r.Notes, " / "))
				}
			}
			if notYet != (len(wrong) > 0) {
				t.Errorf("%s %q, marked %t: %s", list.name, text, notYet, strings.Join(wrong, "; "))
			}
		}
	}
}
