package reader

import (
	"net/http"
	"strings"
	"testing"

	"assay.dev/contracts"
	"assay.dev/ltl-worker/carrier"
	"assay.dev/platform/scrape"
)

// What a page says follows from its text and the day alone, whatever was read before and whoever changed what he was given.
func TestPagesThatWereReadBefore(t *testing.T) {
	const saia = `<html><head><title>Fuel Surcharges</title></head><body><h1>LTL Fuel Surcharge</h1><table>
<tr><th>Effective Date</th><th>DOE Price</th><th>LTL Surcharge</th></tr>
<tr><td>09/09/2026</td><td>$5.967</td><td>53.80%</td></tr>
<tr><td>09/02/2026</td><td>$5.599</td><td>50.12%</td></tr>
</table></body></html>`
	r := &Reader{Recipe: carrier.Config{}.Recipe(contracts.SAIA)}
	revised := strings.Replace(saia, "53.80", "53.90", 1)
	steps := []struct {
		name    string
		text    string
		today   contracts.Date
		newest  float64
		weeks   int
		refused bool
	}{
		{"first", saia, "2026-09-10", 53.8, 2, false},
		{"the same text", saia, "2026-09-10", 53.8, 2, false},
		{"revised", revised, "2026-09-10", 53.9, 2, false},
		{"as before", saia, "2026-09-10", 53.8, 2, false},
		{"the day before the newest week", saia, "2026-09-08", 50.12, 1, false},
		{"months later", saia, "2026-12-10", 0, 0, true},
		{"no page of surcharges", "<html><body>Home</body></html>", "2026-09-10", 0, 0, true},
		{"in time again", saia, "2026-09-10", 53.8, 2, false},
	}
	for _, s := range steps {
		for range 2 {
			page := &scrape.Page{
				URL: r.Pages[0], Status: http.StatusOK, Header: http.Header{"Content-Type": {"text/html; charset=utf-8"}}, Body: []byte(s.text),
			}
			got, err := r.Extract(t.Context(), carrier.Page, page, s.today)
			if s.refused {
				if scrape.KindOf(err) != scrape.Changed {
					t.Errorf("%s: %v, %v", s.name, got.Value.Weeks, err)
				}
				continue
			}
			if err != nil || len(got.Value.Weeks) != s.weeks || got.Value.Weeks[0].Percent != s.newest {
				t.Fatalf("%s: %v, %v", s.name, got.Value.Weeks, err)
			}
			got.Value.Weeks[0].Percent = 1
		}
	}
}
