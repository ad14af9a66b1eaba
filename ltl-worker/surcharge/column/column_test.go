package column_test

import (
	"strings"
	"testing"

	"assay.dev/ltl-worker/surcharge/calendar"
	"assay.dev/ltl-worker/surcharge/column"
	"assay.dev/ltl-worker/surcharge/meaning"
	"assay.dev/ltl-worker/surcharge/refusal"
	"assay.dev/ltl-worker/surcharge/sheet"
)

// find finds the columns of a table whose headings and rows are divided by " | ".
func find(t *testing.T, lines ...string) (*column.Columns, *refusal.Refusal) {
	t.Helper()
	page := "<h1>Fuel</h1><table><tr><th>" + strings.ReplaceAll(lines[0], " | ", "<th>") + "</tr>"
	for _, line := range lines[1:] {
		page += "<tr><td>" + strings.ReplaceAll(line, " | ", "<td>") + "</tr>"
	}
	vocabulary := meaning.NewVocabulary(meaning.CarrierWords{})
	sheets, err := sheet.FromHTML([]byte(page+"</table>"), vocabulary)
	if err != nil || len(sheets) != 1 {
		t.Fatalf("%d sheets, %v", len(sheets), err)
	}
	return column.Find(sheets[0], vocabulary, calendar.Carrier{}, true)
}

func TestFind(t *testing.T) {
	for _, tt := range []struct {
		name                  string
		lines                 []string
		date, percent, diesel int
	}{
		{"by their headings", []string{
			"DOE Price | TL | Effective | LTL", "$5.702 | 99% | 9/9/2026 | 50%", "$5.599 | 92% | 9/2/2026 | 46%"}, 2, 3, 0},
		{"effective before posted", []string{
			"Posted | Effective | Surcharge", "9/7/2026 | 9/9/2026 | 50%", "8/31/2026 | 9/2/2026 | 46%"}, 1, 2, column.None},
		{"the national price of two", []string{
			"Date | U.S. Price | West Coast Price | LTL", "9/9/2026 | 5.702 | 6.1 | 50%"}, 0, 3, 1},
		{"no price where two could be it", []string{
			"Date | DOE Price | EIA Price | LTL", "9/9/2026 | 5.702 | 5.703 | 50%"}, 0, 3, column.None},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c, refused := find(t, tt.lines...)
			if refused != nil {
				t.Fatal(refused)
			}
			if c.Date != tt.date || c.Percent != tt.percent || c.Diesel != tt.diesel {
				t.Errorf("date %d, percent %d, diesel %d", c.Date, c.Percent, c.Diesel)
			}
		})
	}
}

func TestRefusals(t *testing.T) {
	for _, tt := range []struct {
		name  string
		lines []string
		want  refusal.Reason
	}{
		{"two percents", []string{"Date | Rate | Surcharge", "9/9/2026 | 50% | 31%"}, refusal.Ambiguous},
		{"two dates", []string{"Date | Week | LTL", "9/9/2026 | 9/7/2026 | 50%"}, refusal.Ambiguous},
		{"day and month not told apart", []string{"Date | LTL", "17/2/2026 | 50%", "10/2/2026 | 49%"}, refusal.Ambiguous},
		{"values under the wrong headings", []string{"Date | LTL", "50% | 9/9/2026"}, refusal.Implausible},
		{"LTL above truckload", []string{"Date | LTL | TL", "9/9/2026 | 99% | 50%"}, refusal.Implausible},
		{"percents that do not belong to the prices", []string{
			"Date | DOE Price | LTL", "9/9/2026 | 1.102 | 50%"}, refusal.Implausible},
		{"no percents", []string{"Date | Depots", "9/9/2026 | 12"}, refusal.NoTable},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if _, refused := find(t, tt.lines...); refused == nil || refused.Reason != tt.want {
				t.Errorf("%v, want %q", refused, tt.want)
			}
		})
	}
}

// A row that does not fit its column is not read.
func TestRows(t *testing.T) {
	c, refused := find(t, "Date | Price | LTL",
		"9/9/2026 | 5.702 | 50.32%", "9/2/2026 | 5.599 | TBD", "8/26/2026 | 0 | 45%", "Average | 5.6 | 48%")
	if refused != nil {
		t.Fatal(refused)
	}
	want := []struct {
		record  bool
		percent float64
		priced  bool
	}{{true, 50.32, true}, {true, 0, true}, {true, 45, false}, {false, 48, true}}
	for i, row := range c.Sheet.Rows {
		got, diesel := c.PercentIn(row), c.DieselIn(row)
		if c.IsRecord(row) != want[i].record || got != want[i].percent || (diesel != nil) != want[i].priced {
			t.Errorf("row %d: record %t, percent %v, diesel %v", i, c.IsRecord(row), got, diesel)
		}
	}
}
