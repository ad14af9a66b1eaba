package surcharge_test

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"pgregory.net/rapid"

	"assay.dev/contracts"
	"assay.dev/ltl-worker/surcharge"
)

const modelToday = contracts.Date("2026-09-10")

// role is what a column of a model holds.
type role string

// The headings that carriers write over each.
var headings = map[role][]string{
	"date": {
		"Effective Date", "Effective", "Eff. Date", "Date Effective", "Week Of", "Week Beginning", "Week Starting",
		"Effective Week", "Start Date", "Begin Date", "Date", "Week", "Surcharge Effective Date", "Beginning",
		"Effective From", "Valid From", "Effective Wednesday", "Effective Dates", "Dates in Effect", "Applies From",
		"Surcharge Date", "EFFECTIVE<br>DATE", "Effective&nbsp;Date*", "Wk. of", "Ship Date",
	},
	"price": {
		"DOE Price", "National Average", "Fuel Index", "Average Price", "DOE Average", "U.S. Average",
		"Diesel Price", "DOE Diesel Price", "National Avg.", "Price Per Gallon", "Fuel Price", "EIA Price",
		"DOE Index", "National Diesel Average", "U.S. DOE Average", "DOE National Average ($/gal)",
		"Diesel Fuel Price", "Natl Avg", "Index Price", "Nat'l Average", "DOE", "Diesel", "Avg Price/Gal",
		"DOE Fuel Price", "U.S. On-Highway Diesel Price", "Weekly Average", "DOE #2 Diesel", "No. 2 Diesel",
		"Prior Monday's DOE Price", "Fuel Cost", "DOE Avg. Fuel Price", "Department of Energy Average",
		"EIA National Average Diesel Price per Gallon",
	},
	"ltl": {
		"LTL", "LTL %", "LTL Surcharge", "LTL Rate", "LTL Surcharge (%)", "LTL Fuel Surcharge",
		"Less-Than-Truckload", "Less Than Truckload (LTL)", "LTL FSC", "LTL Percent", "LTL Pct.",
		"Shipments under 10,000 lbs", "LTL &lt; 20,000 lbs", "LTL (0-19,999 lbs.)", "LTL Shipments",
		"LTL Fuel Surcharge Percentage", "% LTL", "FSC LTL", "Surcharge for LTL", "Less than Truckload Surcharge",
		"L.T.L.", "LTL Surcharge % of Net Line Haul", "1 - 9,999 lbs.", "LTL&nbsp;Surcharge",
		"LTL Shipments (Less than 20,000 lbs)", "Less Than Truck Load",
	},
	"general": {
		"Surcharge", "Fuel Surcharge", "Surcharge %", "FSC", "FSC %", "Fuel Surcharge %", "Fuel Percentage",
		"Surcharge Rate", "Fuel Surcharge Rate", "Fuel Surcharge Percentage", "Fuel Surcharge (%)",
		"Surcharge Percentage", "Fuel Adjustment %", "Current Fuel Surcharge",
	},
	"tl": {
		"TL", "Truckload", "TL %", "TL Surcharge", "Truckload %", "TL Rate", "Truckload (TL)",
		"Shipments 10,000 lbs and over", "LTL &gt; 20,000 lbs", "TL Fuel Surcharge", "20,000 lbs. or more", "FTL",
		"Truck Load Surcharge", "TL (20,000+ lbs)", "Truckload Surcharge", "LTL 20,000 lbs &amp; over",
	},
	"volume": {
		"Volume", "Volume %", "Volume LTL", "Spot Volume", "VOL", "Density Based", "Canada LTL", "LTL Canada",
		"Intra-Canada", "Expedited", "LTL - Alaska", "Minimum %", "Next Week", "Change",
	},
	"money": {
		"Minimum", "Min Charge", "Minimum Charge", "LTL Minimum", "Per Mile", "Rate per Mile", "TL per Mile", "CPM",
	},
	"posted": {
		"DOE Date", "Index Date", "EIA Date", "Posted", "Date Posted", "Fuel Index Date", "Publication Date",
		"DOE Publish Date", "As of",
	},
	"end":  {"To", "Through", "Thru", "End Date", "Week Ending", "Ending", "Expires", "Effective Through"},
	"band": {"Between", "Price Range", "DOE Range", "At Least / Less Than"},
	"note": {"Notes", "Remarks", ""},
}

// column is a heading and the cells under it.
type column struct {
	role    role
	heading string
	cells   []string
}

// model is a page before it is written: what it says, in what columns.
type model struct {
	columns []column
	weeks   []contracts.SurchargeWeek // newest first
	diesel  bool
	lost    int // 1 + the column whose heading cell is missing; 0 for none
}

func drawModel(t *rapid.T) model {
	n := rapid.IntRange(1, 30).Draw(t, "weeks")
	m := model{diesel: rapid.Bool().Draw(t, "diesel")}
	price := 5.003
	for i := range n {
		price = math.Round(1000*(price+float64(rapid.IntRange(-200, 200).Draw(t, "move"))/1000)) / 1000
		price = min(max(price, 3.001), 6.801)
		if price == math.Trunc(price) {
			price += 0.001 // a whole number may be the number of a row
		}
		w := contracts.SurchargeWeek{
			EffectiveDate: contracts.Date("2026-09-09").AddDays(-7 * i), Percent: math.Round(800*price) / 100,
		}
		if m.diesel {
			p := price
			w.DieselUSD = &p
		}
		m.weeks = append(m.weeks, w)
	}
	roles := []role{"date", rapid.SampledFrom([]role{"ltl", "ltl", "general"}).Draw(t, "percent")}
	if m.diesel {
		roles = append(roles, "price")
	}
	for _, r := range []role{"tl", "volume", "money", "posted", "end", "band", "note"} {
		if rapid.IntRange(0, 2).Draw(t, string(r)) == 0 {
			roles = append(roles, r)
		}
	}
	date, day := rapid.SampledFrom(dateForms).Draw(t, "date form"), rapid.SampledFrom(percentForms).Draw(t, "percent form")
	usd := rapid.SampledFrom([]string{"%.3f", "$%.3f", "$ %.3f", "%.3f*"}).Draw(t, "price form")
	for _, r := range rapid.Permutation(roles).Draw(t, "order") {
		c := column{role: r, heading: rapid.SampledFrom(headings[r]).Draw(t, "heading")}
		for _, w := range m.weeks {
			c.cells = append(c.cells, cell(r, w, date, day, usd))
		}
		m.columns = append(m.columns, c)
	}
	return m
}

var dateForms = []string{
	"1/2/2006", "01/02/2006", "1/2/06", "01-02-2006", "20060102", "2006-01-02", "January 2, 2006", "Jan. 2, 2006",
	"Mon 02-Jan-2006", "2-Jan-2006", "2006-01-02T15:04:05", "Week of 1/2/2006", "Monday, January 2, 2006",
	"2 January 2006", "02Jan2006",
}

var percentForms = []string{"%.2f%%", "%.2f", "%.3f%%", "%.2f %%", "%.2f%%*", "%.2f%% (1)", "%.2f percent"}

func cell(r role, w contracts.SurchargeWeek, date, percent, usd string) string {
	day := func(shift int) string { return w.EffectiveDate.AddDays(shift).Time().Format(date) }
	price := 5.25
	if w.DieselUSD != nil {
		price = *w.DieselUSD
	}
	switch r {
	case "date":
		return day(0)
	case "posted":
		return day(-2)
	case "end":
		return day(6)
	case "price":
		return fmt.Sprintf(usd, price)
	case "ltl", "general":
		return fmt.Sprintf(percent, w.Percent)
	case "tl":
		return fmt.Sprintf(percent, 2*w.Percent)
	case "volume":
		return fmt.Sprintf(percent, 0.8*w.Percent)
	case "money":
		return fmt.Sprintf("$%.3f", price/9)
	case "band":
		return fmt.Sprintf("%.2f - %.2f", price-0.02, price+0.03)
	}
	return ""
}

// html writes the model as one of the kinds of tables there are.
func (m model) html(t *rapid.T) string {
	rows := make([]int, len(m.weeks))
	for i := range rows {
		rows[i] = i
	}
	if rapid.Bool().Draw(t, "shuffled") {
		rows = rapid.Permutation(rows).Draw(t, "rows")
	}
	row, cell, head := "tr", "td", "th"
	attributes := []string{"", ` class="a b" border=1`, ` id="x" style="width:9px"`}
	open, shut := "<table"+rapid.SampledFrom(attributes).Draw(t, "style")+">", "</table>"
	switch rapid.SampledFrom([]string{"table", "table", "plain", "div"}).Draw(t, "layout") {
	case "plain":
		head = "td"
	case "div":
		if len(m.weeks) > 1 || m.headed() {
			open, shut, row, cell, head = `<div class="grid">`, "</div>", "div", "span", "span"
		}
	}
	wrap := rapid.SampledFrom([]string{"%s", "<b>%s</b>", "\n  %s&nbsp;\n", `<span class="v">%s</span>`}).Draw(t, "wrap")
	var b strings.Builder
	line := func(tag string, text func(column) string) {
		b.WriteString("<" + row + ">")
		for i, c := range m.columns {
			if tag == head && m.lost == i+1 && row == "tr" && text(c) == c.heading {
				continue
			}
			b.WriteString("<" + tag + ">" + fmt.Sprintf(wrap, text(c)) + "</" + tag + ">")
		}
		b.WriteString("</" + row + ">\n")
	}
	b.WriteString(open)
	if m.headed() {
		line(head, func(c column) string { return c.heading })
	}
	for _, i := range rows {
		line(cell, func(c column) string {
			if i >= len(c.cells) {
				return ""
			}
			return c.cells[i]
		})
	}
	b.WriteString(shut)
	return surround(t, b.String())
}

// headed tells whether the model has a row of headings at all.
func (m model) headed() bool {
	for _, c := range m.columns {
		if c.heading != "" {
			return true
		}
	}
	return false
}

// surround puts what else a page holds around a table.
func surround(t *rapid.T, body string) string {
	others := []string{
		"<table><tr><th>At Least</th><th>But Less Than</th><th>LTL</th><th>TL</th></tr>" +
			"<tr><td>$5.00</td><td>$5.05</td><td>40.5%</td><td>81%</td></tr>" +
			"<tr><td>$5.05</td><td>$5.10</td><td>41%</td><td>82%</td></tr></table>",
		"<table><tr><td>Terminal</td><td>Phone</td></tr><tr><td>Reno</td><td>555-0100</td></tr></table>",
		"<ul><li><a href=/tl>Truckload</a></li><li><a href=/ca>Canada</a></li></ul>",
		"<p>The surcharge for truckload shipments is 2 times that of LTL shipments.</p>",
		"<div><p>Phone: 555-0100</p><p>Rev: 9/10/2026</p></div>",
		"<table><tr><th>Effective</th><th>General rate increase</th></tr><tr><td>1/5/2026</td><td>5.9%</td></tr></table>",
		"<div><div>Claims</div><div>1%</div></div>",
	}
	for range rapid.IntRange(0, 3).Draw(t, "wrappers") {
		body = "<div>" + body + "</div>"
	}
	some := rapid.SliceOfN(rapid.SampledFrom(others), 0, 3)
	before, after := some.Draw(t, "before"), some.Draw(t, "after")
	return "<!DOCTYPE html><html><head><title>Fuel Surcharge</title></head><body><h1>Fuel Surcharge</h1>" +
		strings.Join(before, "\n") + body + strings.Join(after, "\n") + "</body></html>"
}

// wrong describes the first week of r that the model does not have; "" when there is none.
func (m model) wrong(r surcharge.Reading) string {
	known := map[contracts.Date]contracts.SurchargeWeek{}
	for _, w := range m.weeks {
		known[w.EffectiveDate] = w
	}
	for _, w := range append(r.Weeks, r.Coming...) {
		k, ok := known[w.EffectiveDate]
		switch {
		case !ok:
			return "no such week: " + string(w.EffectiveDate)
		case math.Abs(k.Percent-w.Percent) > 1e-9:
			return fmt.Sprintf("%s: %s instead of %s", w.EffectiveDate, plainNumber(w.Percent), plainNumber(k.Percent))
		case w.DieselUSD != nil && (k.DieselUSD == nil || *k.DieselUSD != *w.DieselUSD):
			return fmt.Sprintf("%s: diesel %v", w.EffectiveDate, *w.DieselUSD)
		}
	}
	return ""
}

func plainNumber(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }
