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

// pagesOfWeeks are what stands around tables, and records that cannot be read.
var pagesOfWeeks = map[string]tableOfWeeks{
	// Weeks that begin on other days than the carrier's are not clean.
	"Tuesdays": {
		"Effective|LTL|TL",
		"9/8/2026|46%|92%; 9/1/2026|45%|90%", "46 - - - 1/2, 45 - - - 1/2"},
	"the newest on a Tuesday": {
		"Effective|LTL",
		"9/1/2026|46%; 8/26/2026|45%; 8/19/2026|44%",
		"46 - - - 1/2, 45 - - - 1/2, 44 - - - 1/2"},

	// Labor Day moved the week of 9/9/2026 to a Thursday; 9/10/2025 was a Wednesday.
	"a moved week without a year": {
		"Effective|LTL", "September 10|46%; September 2|45%; August 26|44%", "46 - - -, 45 - - -, 44 - - -"},
	"a moved week under its year": {
		"<h2>2026</h2><table><tr><th>Effective<th>LTL<tr><td>August 26<td>44%<tr><td>September 2<td>45%<tr><td>September 10<td>46%</table>",
		"", "46 - - -, 45 - - -, 44 - - -"},
	"a week moved to a Tuesday without a year": {
		"Effective|LTL", "June 3|46%; May 26|45%; May 20|44%", "46 - - -, 45 - - -, 44 - - -"},
	"the same day of a year ago": {
		"Effective|LTL",
		"September 2|46%; August 26|45%; August 19|44%; August 12|43%; September 17|42%; September 10|41%",
		"46 - - -, 45 - - -, 44 - - -, 43 - - -, 42 - - -, 41 - - -"},

	// Several tables of a page.
	"a table that is not clear beside ours": {
		ltl46 + "<table><tr><th>Effective<th>Zorb<th>Surcharge<tr><td>9/9/2026<td>31%<td>32%</table>",
		"", "46 - - -"},
	"a hidden table that differs": {
		ltl46 + "<div hidden>" + strings.ReplaceAll(ltl46, "46", "47") + "</div>", "", "46 - - -"},
	"a table that differs": {ltl46 + strings.ReplaceAll(ltl46, "46", "47"), "", "refused Ambiguous"},
	"the newest on another day, in the second table": {"<table><tr><th>Effective<th>LTL<tr><td>8/5/2026<td>44%<tr><td>7/29/2026<td>44%</table>" +
		"<table><tr><th>Effective<th>LTL<tr><td>9/7/2026<td>44%<tr><td>9/2/2026<td>44%<tr><td>8/26/2026<td>44%<tr><td>8/19/2026<td>44%<tr><td>8/12/2026<td>44%</table>",
		"", "44 - - - 1/2"},
	"old weeks on another day, in the first table": {"<table><tr><th>Effective<th>LTL<tr><td>7/28/2026<td>44%</table>" +
		"<table><tr><th>Effective<th>LTL<tr><td>9/9/2026<td>44%<tr><td>9/2/2026<td>44%<tr><td>8/26/2026<td>44%<tr><td>8/19/2026<td>44%<tr><td>8/12/2026<td>44%<tr><td>8/5/2026<td>44%</table>",
		"", "44 - - -"},
	"a newest week that one of two services may have alone": {
		"<h2>Zorb LTL</h2>" + older46 + "<h2>Quux LTL</h2>" + long46, "", "46 - - - 1/2, 46 - - -"},
	"a newest week that one of two services has alone, twice": {
		"<h2>Zorb LTL</h2>" + long46 + "<h2>Zorb LTL</h2>" + long46 + "<h2>Quux LTL</h2>" + older46, "", "46 - - - 1/2, 46 - - -"},
	"a newest week that one of two lists has alone": {
		"<h2>Current LTL</h2>" + long46 + "<h2>LTL history</h2>" + older46, "", "46 - - -"},
	"a newest week that an archive lacks": {
		"<h2>Recent LTL surcharges</h2>" + long46 + "<h2>LTL archive, all of Zorb</h2>" + older46, "", "46 - - -"},
	"a newest week that two of three lists have": {
		"<h2>Zorb LTL</h2>" + long46 + "<h2>Quux LTL</h2>" + older46 + "<h2>Flurb LTL</h2>" + long46, "", "46 - - -"},
	"a newest week that the last of three lists has alone": {
		"<h2>Zorb LTL</h2>" + older46 + "<h2>LTL</h2>" + older46 + "<h2>Flurb LTL</h2>" + long46, "", "46 - - - 1/2, 46 - - -"},
	"weeks that an archive lacks": {
		"<h2>Zorb LTL</h2>" + strings.Replace(long46, "<td>46%", "<td>46%<tr><td>9/16/2026<td>46%", 1) +
			"<h2>Quux archive LTL</h2>" + older46, "", "46 - - -"},
	"truckload in one table":       {ltl46 + tl92, "", "46 - 92 -"},
	"truckload in the other table": {tl92 + ltl46, "", "46 - 92 -"},
	"truckload in both":            {tl92 + tl92, "", "46 - 92 -"},
	"truckload that differs":       {tl92 + strings.ReplaceAll(tl92, "92", "93"), "", "46 - - -"},
	"prices in the other table":    {ltl46 + doe5, "", "46 5.599 - -, 46 - - -"},
	"prices that differ":           {doe5 + strings.ReplaceAll(doe5, "5.599", "5.601"), "", "46 - - -"},
	"a record that the other table has": {
		ltl46 + "<table><tr><th>Effective<th>LTL<tr><td>9/9/2026<td>46%<tr><td>9/2/2026<td>TBD</table>",
		"", "46 - - -"},
	"a title in a box above":    {"<div><h2>Canada</h2><p>All lanes.</p></div>" + ltl46, "", "refused NoTable"},
	"a line in a box above":     {"<div><p>All lanes.</p><p>Canada</p></div>" + ltl46, "", "refused NoTable"},
	"a line of others in a box": {"<div><p>Home</p><p>About us</p><p>Canada</p></div>" + ltl46, "", "46 - - -"},
	"a title in a box of figures": {
		"<div><h2>Canada</h2>" + strings.ReplaceAll(ltl46, "46", "47") + "</div>" + ltl46, "", "46 - - -"},

	"a title of here and another country": {
		"<h2>The United States and Canada</h2>" + ltl46, "", "46 - - -"},
	"a table that is not clear beside a lesser one": {
		surcharge46 + "<table><tr><th>Effective<th>Zorb<th>Surcharge<tr><td>9/9/2026<td>31%<td>32%</table>",
		"", "refused Ambiguous"},
	"an implausible table beside a lesser one": {
		surcharge46 + "<table><tr><th>Effective<th>LTL<th>TL<tr><td>9/9/2026<td>80%<td>40%</table>",
		"", "46 - - -"},
	"a table that breaks off behind one row": {
		"<table><tr><th>Effective<th>LTL<tr><td>9/2/2026<td>46%<tr><td>9/9", "", "refused Malformed"},
	"a line of another service": {"<p>Volume</p>" + ltl46, "", "refused NoTable"},
	"a line of a kind of ours":  {"<p>Volume LTL</p>" + ltl46, "", "refused NoTable"},
	"a line of other services":  {"<p>Volume, expedited</p>" + ltl46, "", "refused NoTable"},
	"a line of services":        {"<p>Volume, LTL</p>" + ltl46, "", "46 - - -"},
	"a line of two services":    {"<p>Volume and LTL</p>" + ltl46, "", "46 - - -"},
	"a heading of other services": {
		"<h2>Volume, expedited, guaranteed</h2>" + ltl46, "", "refused NoTable"},
	"a line of truckload": {
		"<p>Truckload</p>" + surcharge46, "", "refused NoTable"},
	"a line of both": {
		"<p>LTL and truckload</p>" + surcharge46, "", "46 - - -"},
	"a line of truckload over LTL": {"<p>Truckload</p>" + ltl46, "", "46 - - -"},
	"rows of services": {
		"Effective|Service|Surcharge",
		"9/9/2026|LTL|46%; 9/9/2026|Volume|40%", "46 - - -"},
	"rows of services with ours": {
		"Effective|Service|Surcharge",
		"9/9/2026|LTL and volume|46%; 9/2/2026|LTL|40%", "46 - - -, 40 - - -"},
	"rows with a sentence of a service": {
		"Effective|Note|Surcharge",
		"9/9/2026|This is not for volume shipments|46%; 9/2/2026||40%", "46 - - -, 40 - - -"},
	"the present date over a table": {"<div><h4>9/9/2026</h4>" + figures, "", "46 - 92 -"},
	"another day over a table":      {"<div><h4>9/8/2026</h4>" + figures, "", "refused NoTable"},
	"an old date over a table":      {"<div><h4>9/2/2026</h4>" + figures, "", "refused NoTable"},
	"a coming date over a table":    {"<div><h4>9/16/2026</h4>" + figures, "", "refused NoTable"},

	"old dates over tables": {
		"<div><h4>9/2/2026</h4>" + figures + "<div><h4>8/26/2026</h4>" + figures, "", "46 - 92 -"},
	"a lesser table that shares a week": {
		"<table><tr><th>Effective<th>Surcharge<tr><td>9/2/2026<td>46%<tr><td>8/26/2026<td>44%</table>" + ltl46,
		"", "46 - - -, 44 - - -"},
	"a lesser table that continues": {lesser("8/26/2026", 44) + ltl46, "", "46 - - -, 44 - - -"},
	"a lesser table of the next week": {
		lesser("9/9/2026", 47) + strings.ReplaceAll(strings.ReplaceAll(ltl46, "9/2/", "8/26/"), "9/9/", "9/2/"),
		"", "47 - - -, 46 - - -"},
	"a lesser table of a next week that a holiday moved": {
		lesser("7/2/2026", 47) + strings.ReplaceAll(strings.ReplaceAll(ltl46, "9/2/", "6/17/"), "9/9/", "6/24/"),
		"", "47 - - -, 46 - - -"},
	"a lesser table after a week that a holiday moved": {
		lesser("9/9/2026", 47) + strings.ReplaceAll(strings.ReplaceAll(ltl46, "9/2/", "8/26/"), "9/9/", "9/3/"),
		"", "47 - - -, 46 - - -"},
	"a lesser table that continues before a moved week": {
		lesser("5/20/2026", 44) + strings.ReplaceAll(strings.ReplaceAll(ltl46, "9/2/", "5/28/"), "9/9/", "6/3/"), "", "46 - - -, 44 - - -"},
	"a lesser table of nine days ago": {lesser("8/24/2026", 44) + ltl46, "", "46 - - -"},
	"a lesser table that is hidden": {
		"<div hidden>" + lesser("8/26/2026", 44) + "</div>" + ltl46, "", "46 - - -"},
	"a lesser table far from ours":    {lesser("8/26/2026", 40) + ltl46, "", "46 - - -"},
	"a lesser table of an older week": {lesser("8/19/2026", 44) + ltl46, "", "46 - - -"},

	// A record that cannot be read counts against the week in whose place it stands.
	"a record without a date": {"Effective|LTL",
		"9/9/2026|46%; TBD|45%; 8/26/2026|44%; 8/19/2026|43%",
		"46 - - -, 44 - - - 3/4, 43 - - -"},
	"a record without a date, oldest first": {"Effective|LTL",
		"8/19/2026|43%; 8/26/2026|44%; TBD|45%; 9/9/2026|46%",
		"46 - - -, 44 - - - 3/4, 43 - - -"},
	"a newest week that cannot be read": {"Effective|LTL",
		"9/9/2026|TBD; 9/2/2026|45%; 8/26/2026|44%",
		"unreadable 2026-09-09, 45 - - -, 44 - - -"},
	"a record without a date at the end, oldest first": {
		"Effective|LTL", "8/26/2026|44%; 9/2/2026|45%; TBD|46%", "45 - - - 3/4, 44 - - -"},
	"a remark": {
		"Effective|LTL",
		"A note|about it; 9/2/2026|45%; 8/26/2026|44%", "45 - - -, 44 - - -"},
	"a coming week that cannot be read": {
		"Effective|LTL",
		"9/16/2026|TBD; 9/9/2026|45%; 9/2/2026|44%", "45 - - -, 44 - - -"},
	"a record of months ahead": {
		"Effective|LTL", "1/6/2027|40%; 9/9/2026|46%; 9/2/2026|44%", "46 - - -, 44 - - -"},
	"a record of months ahead that is not the newest": {
		"Effective|LTL", "9/9/2026|46%; 12/2/2026|40%; 8/26/2026|44%", "46 - - -, 44 - - - 3/4"},
	"a record of a mistyped year": {
		"Effective|LTL", "9/9/2027|40%; 9/2/2026|46%; 8/26/2026|44%", "46 - - - 3/4, 44 - - -"},
	"two records without a date": {
		"Effective|LTL",
		"9/9/2026|46%; TBD|45%; TBD|45%; 8/26/2026|44%; 8/19/2026|43%", "46 - - -, 44 - - - 4/6, 43 - - -"},
	"a record without a percent": {
		"Effective|LTL",
		"9/9/2026|46%; 9/2/2026|TBD; 8/26/2026|44%; 8/19/2026|43%", "46 - - -, 44 - - - 3/4, 43 - - -"},
	"a record without a percent out of order": {
		"Effective|LTL",
		"9/9/2026|46%; 8/26/2026|TBD; 9/2/2026|45%; 8/19/2026|43%", "46 - - -, 45 - - -, 43 - - - 3/4"},
	"a record before weeks to come": {"Effective|LTL", "9/16/2026|46%; 9/9/2026|TBD", "refused NotInForce"},
	"a record without a date on top": {
		"Effective|LTL", "TBD|45%; 9/9/2026|46%; 9/2/2026|44%", "46 - - - 3/4, 44 - - -"},
	"a record without a date at the end": {
		"Effective|LTL", "9/9/2026|46%; 9/2/2026|44%; TBD|45%", "46 - - -, 44 - - - 3/4"},
}

// Tables of weeks that say the same.
const (
	ltl46       = "<table><tr><th>Effective<th>LTL<tr><td>9/9/2026<td>46%<tr><td>9/2/2026<td>46%</table>"
	surcharge46 = "<table><tr><th>Effective<th>Surcharge<tr><td>9/9/2026<td>46%<tr><td>9/2/2026<td>46%</table>"
	long46      = "<table><tr><th>Effective<th>LTL<tr><td>9/9/2026<td>46%<tr><td>9/2/2026<td>46%<tr><td>8/26/2026<td>46%</table>"
	older46     = "<table><tr><th>Effective<th>LTL<tr><td>9/2/2026<td>46%<tr><td>8/26/2026<td>46%</table>"
	tl92        = "<table><tr><th>Effective<th>LTL<th>TL<tr><td>9/9/2026<td>46%<td>92%<tr><td>9/2/2026<td>46%<td>92%</table>"
	figures     = "<table><tr><td>LTL<td>46%<tr><td>TL<td>92%</table></div>"
	doe5        = "<table><tr><th>Effective<th>LTL<th>DOE<tr><td>9/9/2026<td>46%<td>5.599</table>"
)

func lesser(day string, percent int) string {
	return fmt.Sprintf("<table><tr><th>Effective<th>Surcharge<tr><td>%s<td>%d%%</table>", day, percent)
}

func (tt tableOfWeeks) table() string {
	head, rows := strings.Split(tt.head, "|"), strings.Split(tt.rows, "; ")
	if cells, same := strings.CutPrefix(tt.rows, "@"); same {
		rows = []string{"9/9/2026|" + cells, "9/2/2026|" + cells, "8/26/2026|" + cells}
	}
	if label, same := strings.CutPrefix(head[0], "@"); same {
		head = append([]string{"Effective", label}, head[1:]...)
	}
	page := "<table>"
	if tt.head != "" {
		page += "<tr><th>" + strings.Join(head, "<th>")
	}
	for _, row := range rows {
		page += "<tr><td>" + strings.ReplaceAll(row, "|", "<td>")
	}
	return page + "</table>"
}

func TestTables(t *testing.T) {
	t.Parallel()
	for _, rows := range []map[string]tableOfWeeks{tables, pagesOfWeeks} {
		for name, tt := range rows {
			t.Run(name, tt.test)
		}
	}
}

func (tt tableOfWeeks) test(t *testing.T) {
	wednesday, page := time.Wednesday, tt.head
	if tt.rows != "" {
		page = tt.table()
	}
	read := surcharge.Read
	switch {
	case strings.HasPrefix(page, "["):
		read = surcharge.ReadJSON
	case !strings.HasPrefix(page, "<h1>"):
		page = "<h1>Fuel surcharge</h1>" + page
	}
	r, err := read([]byte(page), surcharge.Rule{Weekday: &wednesday}, modelToday)
	if got := plainly(r, err); got != tt.want {
		t.Errorf("%q, want %q\n%s", got, tt.want, strings.Join(r.Notes, "\n"))
	}
}

// plainly says in a line what was read, as the table wants it: weeks that say the same once.
func plainly(r surcharge.Reading, err error) string {
	var refused *refusal.Refusal
	if errors.As(err, &refused) {
		return "refused " + reasons[refused.Reason]
	}
	var weeks []string
	if r.Unreadable != "" {
		weeks = append(weeks, "unreadable "+string(r.Unreadable))
	}
	for _, w := range r.Weeks {
		week := fmt.Sprint(w.Percent, " ", numberOrNone(w.DieselUSD), " ", numberOrNone(w.TruckloadPercent), " ", cmp.Or(w.EndDate, "-"))
		if len(r.Rows[w.EffectiveDate]) == 0 {
			week += " nowhere"
		}
		if w.Clean < w.Required {
			week += fmt.Sprintf(" %d/%d", w.Clean, w.Required)
		}
		weeks = append(weeks, week)
	}
	return strings.Join(slices.Compact(weeks), ", ")
}
