package surcharge_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"assay.dev/contracts"
	"assay.dev/ltl-worker/surcharge"
)

// What stands beside the newest of five weeks in one row alone, and keeps it from being this week's LTL percent.
var foreignRemarks = []string{
	"Draft", "Proposed", "Canada only", "Truckload", "Estimate", "Preliminary", "Not in effect", "Contract customers", "Expedited", "Sample", "Void",
	"TL only", "Intrastate California", "Tentative", "Withdrawn", "Forecast", "Alaska",
}

// What changes nothing of it.
var neutralRemarks = []string{"", "Current", "New", "This week", "Latest"}

// remarkLayouts lay out weeks, the first of them with a remark. A percent is LTL's, a price the national one.
var remarkLayouts = map[string]func(remark string, weeks []contracts.SurchargeWeek) string{
	"a column of states": func(remark string, weeks []contracts.SurchargeWeek) string {
		return weekTable(weeks, "Status", func(i int) (string, string, string) { return "", "", ifFirst(i, remark) })
	},
	"a column without a heading": func(remark string, weeks []contracts.SurchargeWeek) string {
		return weekTable(weeks, "", func(i int) (string, string, string) { return "", "", ifFirst(i, remark) })
	},
	"behind the date": func(remark string, weeks []contracts.SurchargeWeek) string {
		return weekTable(weeks, "-", func(i int) (string, string, string) { return badge(ifFirst(i, remark)), "", "" })
	},
	"behind the percent": func(remark string, weeks []contracts.SurchargeWeek) string {
		return weekTable(weeks, "-", func(i int) (string, string, string) { return "", badge(ifFirst(i, remark)), "" })
	},
	"items of a list": func(remark string, weeks []contracts.SurchargeWeek) string {
		var items strings.Builder
		for i, w := range weeks {
			fmt.Fprintf(&items, "<li>%s: %.2f%% (diesel $%.3f) %s</li>", w.EffectiveDate, w.Percent, *w.DieselUSD, ifFirst(i, remark))
		}
		return "<ul>" + items.String() + "</ul>"
	},
	"cards": func(remark string, weeks []contracts.SurchargeWeek) string {
		var cards strings.Builder
		for i, w := range weeks {
			fmt.Fprintf(&cards, "<div><h3>Week of %s</h3>%s<p>LTL surcharge: <strong>%.2f%%</strong></p><p>DOE price: $%.3f</p></div>",
				w.EffectiveDate, badge(ifFirst(i, remark)), w.Percent, *w.DieselUSD)
		}
		return cards.String()
	},
	"pairs": func(remark string, weeks []contracts.SurchargeWeek) string {
		var pairs strings.Builder
		for i, w := range weeks {
			fmt.Fprintf(&pairs, "<dt>%s %s</dt><dd>LTL %.2f%%, diesel $%.3f</dd>", w.EffectiveDate, ifFirst(i, remark), w.Percent, *w.DieselUSD)
		}
		return "<dl>" + pairs.String() + "</dl>"
	},
}

func ifFirst(i int, remark string) string {
	if i > 0 {
		return ""
	}
	return remark
}

func badge(text string) string {
	if text == "" {
		return ""
	}
	return ` <small class="badge">` + text + "</small>"
}

// weekTable is a table of weeks. beside gives what stands behind a date, behind its percent, and in a last column; heading "-" means that
// there is no such column.
func weekTable(weeks []contracts.SurchargeWeek, heading string, beside func(i int) (date, percent, last string)) string {
	var rows strings.Builder
	head, isLast := "", heading != "-"
	if isLast {
		head = "<th>" + heading + "</th>"
	}
	for i, w := range weeks {
		date, percent, last := beside(i)
		if isLast {
			last = "<td>" + last + "</td>"
		}
		fmt.Fprintf(&rows, "<tr><td>%s%s</td><td>$%.3f</td><td>%.2f%%%s</td>%s</tr>", w.EffectiveDate, date, *w.DieselUSD, w.Percent, percent, last)
	}
	return "<table><tr><th>Effective</th><th>DOE Price</th><th>LTL</th>" + head + "</tr>" + rows.String() + "</table>"
}

func TestRemarksOnOneWeek(t *testing.T) {
	t.Parallel()
	day := time.Wednesday
	rule := surcharge.Rule{Diesel: surcharge.Required, Weekday: &day, Names: []string{"Saia LTL Freight", "Saia"}}
	var weeks []contracts.SurchargeWeek
	for i, price := range []float64{5.861, 5.904, 5.987, 6.094, 6.218} {
		date := contracts.Date("2026-09-09").AddDays(-7 * i)
		weeks = append(weeks, contracts.SurchargeWeek{EffectiveDate: date, Percent: 49.5 + 0.5*float64(i), DieselUSD: &price})
	}
	hasNewest := func(page string) bool {
		r, err := surcharge.Read([]byte(page), rule, "2026-09-14")
		return err == nil && len(r.Weeks) > 0 && r.Weeks[0].EffectiveDate == weeks[0].EffectiveDate && r.Tally().Confidence() >= contracts.MinConfidence
	}
	for name, layout := range remarkLayouts {
		for want, remarks := range map[bool][]string{false: foreignRemarks, true: neutralRemarks} {
			for _, remark := range remarks {
				page := "<h1>LTL Fuel Surcharge</h1><p>It changes each Wednesday.</p>" + layout(remark, weeks)
				if hasNewest(page) != want {
					t.Errorf("%s, %q: the newest week is read: %v", name, remark, !want)
				}
			}
		}
	}
}
