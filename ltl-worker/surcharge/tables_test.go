package surcharge_test

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"assay.dev/ltl-worker/surcharge"
	"assay.dev/ltl-worker/surcharge/refusal"
)

// tables are tables under "Fuel surcharge", each here because without it some rule could go unnoticed. An @ stands for three
// weeks that say the same, with their dates before it; else a | ends a row. What is wanted of each week is its percent, the
// price, a truckload's percent and the last day, and the tally of one that is not clean; or why the table is refused. Without
// rows the first text is the page. The weeks of this carrier begin on Wednesdays.
var tables = map[string]struct{ head, rows, want string }{
	// The percent for truckloads is given only where it is plain.
	"beside the percent": {"@<th>LTL<th>Truckload", "@<td>46.32%<td>92.64%", "46.32 - 92.64 -"},
	"by weight": {
		"@<th>LTL &lt; 20,000 lbs<th>LTL &gt; 20,000 lbs", "@<td>46.32%<td>92.64%", "46.32 - 92.64 -"},
	"fractions":                 {"@<th>LTL<th>TL", "@<td>0.4632<td>0.9264", "46.32 - 92.64 -"},
	"no truckload":              {"@<th>LTL", "@<td>46.32%", "46.32 - - -"},
	"volume is another service": {"@<th>LTL<th>Volume %", "@<td>46.32%<td>42.00%", "46.32 - - -"},
	"an unknown word":           {"@<th>LTL<th>Truckload Zorb", "@<td>46.32%<td>92.64%", "46.32 - - -"},
	"a rate per mile":           {"@<th>LTL<th>Truckload", "@<td>46.32%<td>$0.51", "46.32 - - -"},
	"two columns that differ":   {"@<th>LTL<th>Truckload<th>TL", "@<td>46.32%<td>92.64%<td>88.00%", "46.32 - - -"},
	"two columns that agree": {
		"@<th>LTL<th>Truckload<th>TL", "@<td>46.32%<td>92.64%<td>92.64%", "46.32 - 92.64 -"},
	"no figure":                  {"@<th>LTL<th>TL", "@<td>46.32%<td>call us", "46.32 - - -"},
	"too far from the percent":   {"@<th>LTL<th>TL", "@<td>12.00%<td>92.64%", "12 - - -"},
	"a figure of another column": {"@<th>LTL<th>TL", "@<td>46.32%<td>92.64% LTL", "46.32 - - -"},

	// The last day of a week is taken where the page prints it plainly.
	"a column of last days": {
		"<th>From<th>To<th>LTL", "<td>9/9/2026<td>9/15/2026<td>50%|<td>9/2/2026<td>9/8/2026<td>49%",
		"50 - - 2026-09-15, 49 - - 2026-09-08"},
	"two columns of last days": {
		"<th>From<th>To<th>Through<th>LTL", "<td>9/9/2026<td>9/15/2026<td>9/14/2026<td>50%", "50 - - -"},
	"ranges": {"<th>Effective<th>LTL",
		"<td>Sep. 9, 2026-Sep. 15, 2026<td>50%|<td>Sep. 2, 2026-Sep. 8, 2026<td>49%",
		"50 - - 2026-09-15, 49 - - 2026-09-08"},
	"a percent that was kept": {
		"<th>From<th>To<th>LTL", "<td>9/9/2026<td>9/15/2026<td>50%|<td>8/26/2026<td>9/8/2026<td>49%",
		"50 - - 2026-09-15, 49 - - 2026-09-08"},
	"the first day of the next week": {
		"<th>Effective<th>LTL", "<td>9/9/2026 - 9/16/2026<td>50%|<td>9/2/2026 - 9/9/2026<td>49%", "50 - - -, 49 - - -"},

	// Dates that may be of something else are not taken.
	"another country's dates": {
		"<th>Effective in Canada<th>LTL", "<td>9/9/2026<td>46.32%", "refused NoTable"},
	"another country's dates beside": {
		"<th>Effective<th>Effective in Canada<th>LTL", "<td>9/9/2026<td>9/8/2026<td>46.32%", "46.32 - - -"},
	"dates without a heading beside": {
		"<th><th>Effective<th>LTL", "<td>9/2/2026<td>9/9/2026<td>46.32%", "refused Ambiguous"},
	"last days before first ones": {
		"<th>From<th>To<th>LTL",
		"<td>9/9/2026<td>9/8/2026<td>46.32%|<td>A note<td>that is short|<td>A note<td>that is short",
		"refused Implausible"},
	"headings that moved by one column": {
		"@<th>LTL<th>TL<th>", "@<td>42.00%<td>46.32%<td>92.64%", "refused Ambiguous"},

	// Which column is the percent.
	"a bound of percents beside":    {"@<th>Rate above<th>Surcharge", "@<td>42.00%<td>46.32%", "46.32 - - -"},
	"a bound of percents":           {"@<th>Fuel rate above", "@<td>46.32%", "refused NoTable"},
	"prices with one decimal":       {"@<th>Average fuel rate", "@<td>5.6", "refused NoTable"},
	"points of an index":            {"@<th>LTL fuel index", "@<td>46.3", "refused NoTable"},
	"percents of something unknown": {"@<th>Zorb<th>Fuel surcharge", "@<td>31.10%<td>46.32%", "refused Ambiguous"},
	"something unknown":             {"@<th>Zorb fuel surcharge", "@<td>46.32", "refused NoTable"},
	"numbers of weeks":              {"@<th>Surcharge week<th>Surcharge", "@<td>36<td>46.32%", "46.32 - - -"},
	"cents of something":            {"@<th>LTL surcharge in cents", "@<td>46.32", "refused NoTable"},
	"figures that say cents":        {"@<th>LTL surcharge", "@<td>46.32 cents", "refused NoTable"},
	"percents under cents":          {"@<th>LTL surcharge (5 cents a step)", "@<td>46.32%", "46.32 - - -"},
	"a figure of others among ours": {
		"<th>Effective<th>LTL",
		"<td>9/9/2026<td>92.64% TL|<td>9/2/2026<td>46.32%|<td>8/26/2026<td>46%",
		"unreadable 2026-09-09, 46.32 - - -, 46 - - -"},
	"dollars among percents": {
		"<th>Effective<th>LTL",
		"<td>9/9/2026<td>$51.20|<td>9/2/2026<td>46.32%|<td>8/26/2026<td>46%",
		"unreadable 2026-09-09, 46.32 - - -, 46 - - -"},
	"a percent among fractions": {
		"<th>Effective<th>LTL",
		"<td>9/9/2026<td>0.50%|<td>9/2/2026<td>0.4632|<td>8/26/2026<td>0.46",
		"unreadable 2026-09-09, 46.32 - - -, 46 - - -"},

	// Which column is the price of diesel.
	"points of an index beside the price": {
		"@<th>DOE price<th>U.S. index<th>LTL", "@<td>5.599<td>2100<td>46.32%", "46.32 5.599 - -"},
	"prices of a region": {"@<th>West Coast price<th>LTL", "@<td>5.599<td>46.32%", "46.32 - - -"},
	"prices of a region beside": {
		"@<th>Price<th>West Coast price<th>LTL", "@<td>5.599<td>5.899<td>46.32%", "46.32 5.599 - -"},
	"numbers of rows":                     {"@<th>Index<th>LTL", "@<td>4<td>46.32%", "46.32 - - -"},
	"whole numbers of an index of prices": {"@<th>Price index<th>LTL", "@<td>5<td>46.32%", "46.32 5 - -"},
	"a rate in dollars":                   {"@<th>Fuel rate<th>LTL", "@<td>5.205<td>46.32%", "46.32 - - -"},
	"a bound of prices":                   {"@<th>DOE above<th>LTL", "@<td>5.580<td>46.32%", "46.32 - - -"},
	"amounts":                             {"@<th>Amount<th>LTL", "@<td>5.580<td>46.32%", "46.32 - - -"},
	"prices of something unknown beside": {
		"@<th>Zorb price<th>DOE price<th>LTL", "@<td>5.101<td>5.599<td>46.32%", "46.32 5.599 - -"},
	"prices of something unknown": {"@<th>Zorb price<th>LTL", "@<td>5.599<td>46.32%", "46.32 5.599 - -"},
	"a national price beside": {
		"@<th>Price<th>National price<th>LTL", "@<td>5.101<td>5.599<td>46.32%", "46.32 5.599 - -"},
	"two prices that differ": {
		"@<th>Price<th>DOE price<th>LTL", "@<td>5.101<td>5.599<td>46.32%", "46.32 - - -"},
	"two prices that agree": {
		"@<th>Price<th>DOE price<th>LTL", "@<td>$5.599<td>5.599<td>46.32%", "46.32 5.599 - -"},
	"prices without headings":                {"", "@<td>5.599<td>46.32%", "46.32 5.599 - -"},
	"prices without headings beside figures": {"", "@<td>5.599<td>46.325<td>46.32%", "46.32 5.599 - -"},
	"figures without headings":               {"", "@<td>5.6<td>46.32%", "46.32 - - -"},
	"percents under a price": {
		"@<th>DOE average<th>LTL", "@<td>5.10%<td>46.32%", "refused Implausible"},
	"dollars per mile under a price": {
		"@<th>Fuel cost<th>LTL", "@<td>$1.51 per mile<td>46.32%", "refused Implausible"},
	"another figure among prices": {
		"<th>Effective<th>DOE price<th>LTL",
		"<td>9/9/2026<td>5.1%<td>46%|<td>9/2/2026<td>5.599<td>45%|<td>8/26/2026<td>5.599<td>44%",
		"46 - - -, 45 5.599 - -, 44 5.599 - -"},
	"dollars per mile among prices": {
		"<th>Effective<th>DOE price<th>LTL",
		"<td>9/9/2026<td>$1.1 per mile<td>46%|<td>9/2/2026<td>5.599<td>45%|<td>8/26/2026<td>5.599<td>44%",
		"46 - - -, 45 5.599 - -, 44 5.599 - -"},

	// Weeks that begin on other days than the carrier's are not clean.
	"Tuesdays": {
		"<th>Effective<th>LTL<th>TL",
		"<td>9/8/2026<td>46%<td>92%|<td>9/1/2026<td>45%<td>90%", "46 - - - 1/2, 45 - - - 1/2"},
	"the newest on a Tuesday": {
		"<th>Effective<th>LTL",
		"<td>9/1/2026<td>46%|<td>8/26/2026<td>45%|<td>8/19/2026<td>44%",
		"46 - - - 1/2, 45 - - - 1/2, 44 - - - 1/2"},

	// Several tables of a page.
	"a table that is not clear beside ours": {
		ltl46 + "<table><tr><th>Effective<th>Zorb<th>Surcharge<tr><td>9/9/2026<td>31%<td>32%</table>",
		"", "46 - - -"},
	"a hidden table that differs": {
		ltl46 + "<div hidden>" + strings.ReplaceAll(ltl46, "46", "47") + "</div>", "", "46 - - -"},
	"a table that differs":         {ltl46 + strings.ReplaceAll(ltl46, "46", "47"), "", "refused Ambiguous"},
	"truckload in one table":       {ltl46 + tl92, "", "46 - 92 -"},
	"truckload in the other table": {tl92 + ltl46, "", "46 - 92 -"},
	"truckload in both":            {tl92 + tl92, "", "46 - 92 -"},
	"truckload that differs":       {tl92 + strings.ReplaceAll(tl92, "92", "93"), "", "46 - - -"},
	"prices in the other table":    {ltl46 + doe5, "", "46 5.599 - -, 46 - - -"},
	"prices that differ":           {doe5 + strings.ReplaceAll(doe5, "5.599", "5.601"), "", "46 - - -"},
	"a record that the other table has": {
		"<table><tr><th>Effective<th>LTL<tr><td>9/9/2026<td>46%<tr><td>9/2/2026<td>TBD<tr><td>8/26/2026<td>46%</table>" + ltl46,
		"", "46 - - -"},
	"a title in a box above":    {"<div><h2>Canada</h2></div>" + ltl46, "", "refused NoTable"},
	"a line in a box above":     {"<div><p>Canada</p></div>" + ltl46, "", "refused NoTable"},
	"a line of others in a box": {"<div><p>Home</p><p>About us</p><p>Canada</p></div>" + ltl46, "", "46 - - -"},
	"a title in a box of figures": {
		"<div><h2>Canada</h2>" + strings.ReplaceAll(ltl46, "46", "47") + "</div>" + ltl46, "", "46 - - -"},

	// A record that cannot be read counts against the week in whose place it stands.
	"a record without a date": {"<th>Effective<th>LTL",
		"<td>9/9/2026<td>46%|<td>TBD<td>45%|<td>8/26/2026<td>44%|<td>8/19/2026<td>43%",
		"46 - - -, 44 - - - 3/4, 43 - - -"},
	"a record without a date, oldest first": {"<th>Effective<th>LTL",
		"<td>8/19/2026<td>43%|<td>8/26/2026<td>44%|<td>TBD<td>45%|<td>9/9/2026<td>46%",
		"46 - - -, 44 - - - 3/4, 43 - - -"},
	"a newest week that cannot be read": {"<th>Effective<th>LTL",
		"<td>9/9/2026<td>TBD|<td>9/2/2026<td>45%|<td>8/26/2026<td>44%",
		"unreadable 2026-09-09, 45 - - -, 44 - - -"},
	"a record without a date on top": {
		"<th>Effective<th>LTL", "<td>TBD<td>45%|<td>9/9/2026<td>46%|<td>9/2/2026<td>44%", "46 - - - 3/4, 44 - - -"},
	"a record without a date at the end": {
		"<th>Effective<th>LTL", "<td>9/9/2026<td>46%|<td>9/2/2026<td>44%|<td>TBD<td>45%", "46 - - -, 44 - - - 3/4"},
}

// Tables of weeks that say the same.
const (
	ltl46 = "<table><tr><th>Effective<th>LTL<tr><td>9/9/2026<td>46%<tr><td>9/2/2026<td>46%</table>"
	tl92  = "<table><tr><th>Effective<th>LTL<th>TL<tr><td>9/9/2026<td>46%<td>92%<tr><td>9/2/2026<td>46%<td>92%</table>"
	doe5  = "<table><tr><th>Effective<th>LTL<th>DOE<tr><td>9/9/2026<td>46%<td>5.599</table>"
)

func TestTables(t *testing.T) {
	t.Parallel()
	for name, tt := range tables {
		t.Run(name, func(t *testing.T) {
			wednesday, rows := time.Wednesday, strings.Split(tt.rows, "|")
			if cells, same := strings.CutPrefix(tt.rows, "@"); same {
				rows = []string{"<td>9/9/2026" + cells, "<td>9/2/2026" + cells, "<td>8/26/2026" + cells}
			}
			page := tt.head
			if tt.rows != "" {
				head := strings.Replace(tt.head, "@", "<th>Effective", 1)
				page = "<table><tr>" + head + "<tr>" + strings.Join(rows, "<tr>") + "</table>"
			}
			page = "<h1>Fuel surcharge</h1>" + page
			r, err := surcharge.Read([]byte(page), surcharge.Rule{Weekday: &wednesday}, modelToday)
			if got := plainly(r, err); got != tt.want {
				t.Errorf("%q, want %q\n%s", got, tt.want, strings.Join(r.Notes, "\n"))
			}
		})
	}
}

// plainly says in a line what was read, as the table wants it: weeks that say the same once.
func plainly(r surcharge.Reading, err error) string {
	var refused *refusal.Refusal
	if errors.As(err, &refused) {
		return "refused " + reasons[refused.Reason]
	}
	figure := func(p *float64) string {
		if p == nil {
			return "-"
		}
		return plainNumber(*p)
	}
	var weeks []string
	if r.Unreadable != "" {
		weeks = append(weeks, "unreadable "+string(r.Unreadable))
	}
	for _, w := range r.Weeks {
		week := fmt.Sprint(plainNumber(w.Percent), " ", figure(w.DieselUSD), " ", figure(w.TruckloadPercent), " ", cmp.Or(w.EndDate, "-"))
		if w.Clean < w.Required {
			week += fmt.Sprintf(" %d/%d", w.Clean, w.Required)
		}
		weeks = append(weeks, week)
	}
	return strings.Join(slices.Compact(weeks), ", ")
}
