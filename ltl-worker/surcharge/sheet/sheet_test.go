package sheet_test

import (
	"fmt"
	"strings"
	"testing"

	"assay.dev/ltl-worker/surcharge/meaning"
	"assay.dev/ltl-worker/surcharge/sheet"
)

var vocabulary = meaning.NewVocabulary(meaning.CarrierWords{})

// describe writes a sheet as text: its name, its context, its headings and its rows.
func describe(s sheet.Sheet) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s (%s)\n", s.Name, strings.Join(s.Context, " > "))
	for i, h := range s.Columns {
		if i > 0 {
			b.WriteString(" | ")
		}
		b.WriteString(h.String())
	}
	for _, r := range s.Rows {
		b.WriteString("\n" + r.Section + ":")
		for i := range r.Cells {
			b.WriteString(" " + r.Cells[i].Text)
		}
		if r.Broken {
			b.WriteString(" (broken)")
		}
	}
	return b.String()
}

func TestLayouts(t *testing.T) {
	for _, tt := range []struct{ name, page, want string }{
		{"rows under headings",
			`<table><tr><th>Date<th>LTL</tr><tr><td>9/9/2026<td>50%</tr></table>`,
			"table 1 ()\nDate | LTL\n: 9/9/2026 50%"},
		{"two lines of headings",
			`<table><tr><th rowspan=2>Date<th colspan=2>Percent</tr><tr><th>LTL<th>TL</tr>
			<tr><td>9/9/2026<td>50%<td>99%</tr></table>`,
			"table 1 ()\nDate | Percent > LTL | Percent > TL\n: 9/9/2026 50% 99%"},
		{"sections",
			`<table><tr><th>Date<th>LTL</tr><tr><td colspan=2>Canada</tr><tr><td>9/9/2026<td>50%</tr></table>`,
			"table 1 ()\nDate | LTL\nCanada: 9/9/2026 50%"},
		{"month, day and year in columns of their own",
			`<table><tr><th colspan=3>Effective<th rowspan=2>LTL</tr><tr><th>Month<th>Day<th>Year</tr>
			<tr><td>March<td>4<td>2026<td>50%</tr><tr><td>Feb.<td>25<td>2026<td>49%</tr></table>`,
			"table 1 ()\n | Effective > Date |  | LTL\n:  March 4, 2026  50%\n:  Feb. 25, 2026  49%"},
		{"halves side by side",
			`<table><tr><th>Date<th>LTL<th>Date<th>LTL</tr><tr><td>9/9/2026<td>50%<td>9/2/2026<td>49%</tr></table>`,
			"table 1 ()\nDate | LTL\n: 9/9/2026 50%\n: 9/2/2026 49%"},
		{"a row that lacks a cell",
			`<table><tr><th>Date<th>LTL<th>TL</tr><tr><td>9/9/2026<td>50%<td>99%</tr>
			<tr><td>9/2/2026<td>98%</tr><tr><td>8/26/2026<td>48%<td>97%</tr></table>`,
			"table 1 ()\nDate | LTL | TL\n: 9/9/2026 50% 99%\n: 9/2/2026 98% (broken)\n: 8/26/2026 48% 97%"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			sheets, err := sheet.FromHTML([]byte(tt.page), vocabulary)
			if err != nil || len(sheets) != 1 {
				t.Fatalf("%d sheets, %v", len(sheets), err)
			}
			if got := describe(sheets[0]); got != tt.want {
				t.Errorf("got\n%s\nwant\n%s", got, tt.want)
			}
		})
	}
}

func TestTurned(t *testing.T) {
	const page = `<table><tr><td>Effective date<td>9/9/2026<td>9/2/2026</tr><tr><td>LTL<td>50%<td>49%</tr></table>`
	sheets, err := sheet.FromHTML([]byte(page), vocabulary)
	if err != nil || len(sheets) == 0 {
		t.Fatal("no sheets", err)
	}
	const want = "table 1 turned ()\nEffective date | LTL\n: 9/9/2026 50%\n: 9/2/2026 49%"
	if got := describe(sheets[len(sheets)-1]); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestJSON(t *testing.T) {
	const doc = `{"fuelHistory": [
		{"date": 1788912000000, "ltl": {"pct": 50.5}},
		{"date": "9/2/2026", "ltl": {"pct": 49}}
	]}`
	sheets, err := sheet.FromJSON([]byte(doc), vocabulary)
	if err != nil || len(sheets) != 1 {
		t.Fatalf("%d sheets, %v", len(sheets), err)
	}
	const want = "list fuelHistory (fuel History)\ndate | ltl > pct\n: 2026-09-09 50.5\n: 9/2/2026 49"
	if got := describe(sheets[0]); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestNoJSON(t *testing.T) {
	for _, doc := range []string{"<html>", `{"a": 1`, "{} {}", "[" + strings.Repeat("{},", 100_001) + "{}]"} {
		if _, err := sheet.FromJSON([]byte(doc), vocabulary); err == nil {
			t.Errorf("%.40s: no error", doc)
		}
	}
}
