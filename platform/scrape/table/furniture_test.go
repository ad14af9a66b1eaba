package table_test

import (
	"strings"
	"testing"

	"assay.dev/platform/scrape/table"
)

// Blocks of the site are left out, unless they speak of the figures of the page.
func TestFurniture(t *testing.T) {
	const grid = "<h1>Fuel surcharge</h1><table><tr><th>Date<th>LTL<tr><td>11/18/2026<td>50%</table>"
	for block, kept := range map[string]bool{
		`<section class="testimonials"><p>Claims went down in a year.</p></section>`:   false,
		`<blockquote>They answer.<cite>Pat, shipper</cite></blockquote>`:               false,
		`<dl class="newsroom"><dt>News</dt><dd>Service center opens in Reno</dd></dl>`: false,
		`<div class="news"><p>The table is superseded.</p></div>`:                      true,
		`<div class="news-box"><p>Alaska shipments only</p></div>`:                     true,
		`<div class="notice"><p>Canada</p></div>`:                                      true,
	} {
		page, err := table.ParsePage([]byte(grid + block))
		if err != nil {
			t.Fatal(err)
		}
		said := false
		for _, r := range page.Grids[0].Remarks {
			said = said || r.Place != table.Over && !strings.Contains(r.Text, "Fuel")
		}
		if said != kept {
			t.Errorf("%s: kept %t, want %t", block, said, kept)
		}
	}
}
