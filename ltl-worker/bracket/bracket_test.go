package bracket_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"assay.dev/ltl-worker/bracket"
)

// page is a page with one table.
func page(headings string, rows ...string) []byte {
	var b strings.Builder
	b.WriteString("<h1>Fuel Surcharge</h1><table><tr><th>" + strings.ReplaceAll(headings, "|", "<th>"))
	for _, r := range rows {
		b.WriteString("<tr><td>" + strings.ReplaceAll(r, "|", "<td>"))
	}
	return []byte(b.String() + "</table>")
}

func TestRead(t *testing.T) {
	t.Parallel()
	const bounds = "At Least|But Less Than|LTL Surcharge|TL Surcharge"
	for name, c := range map[string]struct {
		page []byte
		want string // first and last row; or the error
	}{
		"two columns of prices": {
			page(bounds, "$3.000|$3.050|25.00%|50.00%", "$3.050|$3.100|25.50%|51.00%", "$3.100|$3.150|26.00%|52.00%"),
			"[3 3.05 25 50] [3.1 3.15 26 52] 3/3",
		},
		"both prices in one cell, the last included": {
			page("Price per gallon|LTL|TL", "$3.000 - $3.039|25.00%|50.00%", "$3.040 - $3.079|25.40%|50.80%", "$3.080 - $3.119|25.80%|51.60%"),
			"[3 3.04 25 50] [3.08 3.12 25.8 51.6] 3/3",
		},
		"the highest price first": {
			page(bounds, "3.10|3.15|26.00%|52%", "3.05|3.10|25.50%|51%", "3.00|3.05|25.00%|50%"),
			"[3 3.05 25 50] [3.1 3.15 26 52] 3/3",
		},
		"a last row in words": {
			page(bounds, "3.00|3.05|25.00%|50%", "3.05|3.10|25.50%|51%", "3.10|3.15|26.00%|52%", "3.15|and above|call us|call us"),
			"[3 3.05 25 50] [3.1 3.15 26 52] 3/4",
		},
		"no percents of truckloads": {
			page("At Least|Less Than|LTL", "3.00|3.05|25.00%", "3.05|3.10|25.50%", "3.10|3.15|26.00%"), "[3 3.05 25 0] [3.1 3.15 26 0] 3/3",
		},
		"a gap": {
			page(bounds, "3.00|3.05|25%|50%", "3.05|3.10|25.5%|51%", "3.15|3.20|26%|52%"), "do not follow one another",
		},
		"a percent that falls": {
			page(bounds, "3.00|3.05|25%|50%", "3.05|3.10|24%|51%", "3.10|3.15|26%|52%"), "lower percent",
		},
		"a history": {
			page("Effective|Price|LTL|TL", "9/9/2026|5.599|46%|92%", "9/2/2026|5.549|45%|90%", "8/26/2026|5.5|44%|88%"), "no table of brackets",
		},
		"two columns of LTL percents": {
			page("At Least|Less Than|LTL|LTL", "3.00|3.05|25%|30%", "3.05|3.10|26%|31%", "3.10|3.15|27%|32%"), "no table of brackets",
		},
		"of another place": {
			[]byte("<h2>Canada</h2>" + string(page(bounds, "3.00|3.05|25%|50%", "3.05|3.10|25.5%|51%", "3.10|3.15|26%|52%"))[23:]), "no table of brackets",
		},
		"nothing": {nil, "no table of brackets"},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := bracket.Read(c.page)
			text := fmt.Sprint(err)
			if err == nil {
				text = describe(got)
			}
			if !strings.Contains(text, c.want) {
				t.Errorf("%s, want %s", text, c.want)
			}
		})
	}
}

// describe gives the first and the last row.
func describe(t bracket.Table) string {
	text := ""
	for _, i := range []int{0, len(t.Rows) - 1} {
		b, tl := t.Rows[i], 0.0
		if b.TruckloadPercent != nil {
			tl = *b.TruckloadPercent
		}
		text += fmt.Sprint([]float64{b.AtLeastUSD, b.LessThanUSD, b.Percent, tl}, " ")
	}
	return text + fmt.Sprintf("%d/%d", t.Clean, t.Required)
}

// Two tables that differ are refused; the same one twice is not.
func TestTwoTables(t *testing.T) {
	t.Parallel()
	one := string(page("At Least|Less Than|LTL", "3.00|3.05|25%", "3.05|3.10|26%", "3.10|3.15|27%"))
	other := strings.ReplaceAll(one, "25%", "24%")
	if _, err := bracket.Read([]byte(one + one)); err != nil {
		t.Error(err)
	}
	if got, err := bracket.Read([]byte(one + other)); err == nil {
		t.Errorf("%v", got.Rows)
	}
}

// Any table without a gap is read as it is.
func TestAnyTableIsRead(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		low := rapid.IntRange(1000, 4000).Draw(t, "low")
		widths := rapid.SliceOfN(rapid.IntRange(5, 100), 3, 40).Draw(t, "widths")
		percent := rapid.IntRange(300, 3000).Draw(t, "percent")
		var rows []string
		for i, w := range widths {
			rows = append(rows, fmt.Sprintf("$%.3f|$%.3f|%.2f%%", float64(low)/1000, float64(low+w)/1000, float64(percent+10*i)/100))
			low += w
		}
		got, err := bracket.Read(page("At Least|But Less Than|LTL Surcharge", rows...))
		if err != nil || len(got.Rows) != len(rows) || got.Clean != len(rows) {
			t.Fatalf("%v %+v of %v", err, got, rows)
		}
		last := got.Rows[len(rows)-1]
		if math.Abs(last.LessThanUSD*1000-float64(low)) > 1e-6 || last.Percent != float64(percent+10*(len(rows)-1))/100 {
			t.Errorf("%+v", last)
		}
	})
}

func FuzzRead(f *testing.F) {
	f.Add(page("At Least|But Less Than|LTL", "3.00|3.05|25%", "3.05|3.10|26%", "3.10|3.15|27%"))
	f.Add(page("Price per gallon|LTL", "$3.000 - $3.039|25%", "$3.040 - $3.079|26%", "$3.080 - $3.119|27%"))
	f.Fuzz(func(t *testing.T, doc []byte) {
		got, err := bracket.Read(doc)
		if err != nil {
			return
		}
		for i, b := range got.Rows {
			if b.LessThanUSD <= b.AtLeastUSD || i > 0 && b.AtLeastUSD != got.Rows[i-1].LessThanUSD {
				t.Errorf("row %d of %v", i, got.Rows)
			}
		}
	})
}
