package surcharge_test

import "strings"

// tableOfWeeks is a table under "Fuel surcharge", each here because without it some rule could go unnoticed. A | stands
// between cells, a semicolon between rows, and an @ for the dates of three weeks that say the same. What is wanted of each
// week is its percent, the price, a truckload's percent and the last day, and the tally of one that is not clean; or why the
// table is refused. Without rows the head is the page. The weeks of this carrier begin on Wednesdays.
type tableOfWeeks struct{ head, rows, want string }

// tables are tables alone, by the rule that reads or refuses their columns.
var tables = map[string]tableOfWeeks{
	// The percent for truckloads is given only where it is plain.
	"beside the percent": {"@LTL|Truckload", "@46.32%|92.64%", "46.32 - 92.64 -"},
	"by weight": {
		"@LTL &lt; 20,000 lbs|LTL &gt; 20,000 lbs", "@46.32%|92.64%", "46.32 - 92.64 -"},
	"fractions":                 {"@LTL|TL", "@0.4632|0.9264", "46.32 - 92.64 -"},
	"no truckload":              {"@LTL", "@46.32%", "46.32 - - -"},
	"volume is another service": {"@LTL|Volume %", "@46.32%|42.00%", "46.32 - - -"},
	"an unknown word":           {"@LTL|Truckload Zorb", "@46.32%|92.64%", "46.32 - - -"},
	"a rate per mile":           {"@LTL|Truckload", "@46.32%|$0.51", "46.32 - - -"},
	"two columns that differ":   {"@LTL|Truckload|TL", "@46.32%|92.64%|88.00%", "46.32 - - -"},
	"two columns that agree": {
		"@LTL|Truckload|TL", "@46.32%|92.64%|92.64%", "46.32 - 92.64 -"},
	"no figure":                  {"@LTL|TL", "@46.32%|call us", "46.32 - - -"},
	"too far from the percent":   {"@LTL|TL", "@12.00%|92.64%", "12 - - -"},
	"a figure of another column": {"@LTL|TL", "@46.32%|92.64% LTL", "46.32 - - -"},

	// The last day of a week is taken where the page prints it plainly.
	"a column of last days": {
		"From|To|LTL", "9/9/2026|9/15/2026|50%; 9/2/2026|9/8/2026|49%",
		"50 - - 2026-09-15, 49 - - 2026-09-08"},
	"two columns of last days": {
		"From|To|Through|LTL", "9/9/2026|9/15/2026|9/14/2026|50%", "50 - - -"},
	"ranges": {"Effective|LTL",
		"Sep. 9, 2026-Sep. 15, 2026|50%; Sep. 2, 2026-Sep. 8, 2026|49%",
		"50 - - 2026-09-15, 49 - - 2026-09-08"},
	"ranges, and a row that lacks cells": {"LTL|Effective",
		"46%|9/9/2026 - 9/15/2026; 9/2/2026; 45%|8/26/2026 - 9/1/2026", "46 - - 2026-09-15, 45 - - 2026-09-01 2/4"},
	"a percent that was kept": {
		"From|To|LTL", "9/9/2026|9/15/2026|50%; 8/26/2026|9/8/2026|49%",
		"50 - - 2026-09-15, 49 - - 2026-09-08"},
	"the first day of the next week": {
		"Effective|LTL", "9/9/2026 - 9/16/2026|50%; 9/2/2026 - 9/9/2026|49%", "50 - - -, 49 - - -"},

	"a last day that is text beside": {"From|To|Through|LTL", "9/9/2026|9/15/2026|open|50%", "50 - - 2026-09-15"},
	"another country's last day beside": {
		"From|To|Through in Canada|LTL", "9/9/2026|9/15/2026|9/14/2026|50%", "50 - - 2026-09-15"},
	"another date":            {"Effective|Date|LTL", "9/9/2026|9/11/2026|50%", "50 - - -"},
	"a last day of the index": {"Effective|DOE through|LTL", "9/9/2026|9/11/2026|50%", "50 - - -"},
	"a last day that is mistyped": {
		"From|To|LTL",
		"9/9/2026|9/1/2026|50%; 9/2/2026|9/8/2026|49%; 8/26/2026|9/1/2026|48%",
		"50 - - -, 49 - - 2026-09-08, 48 - - 2026-09-01"},
	"a next update beside the last day": {
		"From|To|LTL|Next update", "9/9/2026|9/15/2026|50%|9/14/2026", "50 - - 2026-09-15"},
	"a next review":           {"Effective|LTL|Next review", "9/9/2026|50%|9/14/2026", "50 - - -"},
	"a last day months later": {"From|To|LTL", "9/9/2026|12/31/2026|50%", "50 - - -"},

	// Dates that may be of something else are not taken.
	"another country's dates": {
		"Effective in Canada|LTL", "9/9/2026|46.32%", "refused NoTable"},
	"another country's dates beside": {
		"Effective|Effective in Canada|LTL", "9/9/2026|9/8/2026|46.32%", "46.32 - - -"},
	"dates without a heading beside": {
		"|Effective|LTL", "9/2/2026|9/9/2026|46.32%", "refused Ambiguous"},
	"last days before first ones": {
		"From|To|LTL",
		"9/9/2026|9/8/2026|46.32%; A note|that is short; A note|that is short",
		"refused Implausible"},
	"headings that moved by one column": {
		"@LTL|TL|", "@42.00%|46.32%|92.64%", "refused Ambiguous"},

	"first and last days":                  {"From - to|LTL", "9/9/2026|46.32%", "46.32 - - -"},
	"first days of a publication":          {"Posted from|LTL", "9/9/2026|46.32%", "refused NoTable"},
	"dates under a word that says nothing": {"Shipments|LTL", "9/9/2026|46.32%", "46.32 - - -"},
	"dates that are less clear beside": {
		"Effective|Date|LTL", "9/9/2026|9/8/2026|46.32%", "46.32 - - -"},
	"the same dates beside": {
		"Effective|Effective date|LTL", "9/9/2026|9/9/2026|46.32%", "46.32 - - -"},
	"several years over dates without one": {
		"<h2>Rates of 2024</h2><h3>2025 and 2026</h3>" + strings.ReplaceAll(ltl46, "/2026", ""), "", "46 - - -"},
	"last days that are mostly open": {
		"From|To|LTL", "9/9/2026|9/1/2026|46%; 9/2/2026|open|46%; 8/26/2026|open|46%", "46 - - -"},
	"last days of which half are blank": {
		"From|To|LTL", "9/9/2026|9/1/2026|46%; 9/2/2026|9/9/2026|46%; 8/26/2026||46%; 8/19/2026||46%", "46 - - -"},
	"last days before first ones, some of which are lost": {
		"From|To|LTL",
		"9/9/2026|9/1/2026|46%; 9/2/2026|8/26/2026|46%; 8/26/2026|9/1/2026|46%; TBD|9/1/2026|46%; TBD|9/1/2026|46%",
		"refused Implausible"},
	"dates under a percent": {
		"@LTL|TL rate", "@46.32%|9/8/2026", "refused Implausible"},
	"dates under a minimum": {
		"@LTL|Minimum", "@46.32%|9/8/2026", "refused Implausible"},
	"dates under remarks": {
		"@LTL|Remarks", "@46.32%|9/8/2026", "refused Implausible"},
	"dates under a price": {"Effective|LTL|DOE price", "9/9/2026|46.32%|9/8/2026", "refused Implausible"},
	"dates under a remark of a record": {
		`[{"effective":"2026-09-09","ltl":46.32,"remark":"2026-09-08"}]`, "", "46.32 - - -"},
	"percents under remarks": {"@LTL|Remarks", "@46.32%|45.10%", "refused Implausible"},
	"percents under a day":   {"@LTL|Posted", "@46.32%|45%", "refused Implausible"},
	"rows under names that say week": {
		`[{"columns":["Week","Surcharge of the week"],"rows":[["2026-09-09",46.32]]}]`, "", "46.32 - - -"},
	"prices under a day":    {"@LTL|Posted", "@46.32%|5.599", "refused Implausible"},
	"prices of a day":       {"@LTL|Posted price", "@46.32%|5.599", "46.32 5.599 - -"},
	"numbers under a week":  {"@LTL|Week", "@46.32%|36", "46.32 - - -"},
	"percents of next week": {"@LTL|Next week", "@46.32%|45.10%", "46.32 - - -"},
	"a record whose names say week": {
		`[{"week":"2026-09-09","weekSurcharge":46.32}]`, "", "46.32 - - -"},
	"a line that says week twice": {
		"<p>9/9/2026: surcharge for the week 46.32%</p>", "", "46.32 - - -"},
	"an upcoming week in a line": {
		"<p>Upcoming week of 9/9/2026: LTL 46.32%</p>", "", "46.32 - - -"},

	// Which column is the percent.
	"a bound of percents beside":           {"@Rate above|Surcharge", "@42.00%|46.32%", "46.32 - - -"},
	"a bound of percents":                  {"@Fuel rate above", "@46.32%", "refused NoTable"},
	"prices with one decimal":              {"@Average fuel rate", "@5.6", "refused NoTable"},
	"points of an index":                   {"@LTL fuel index", "@46.3", "refused NoTable"},
	"percents of something unknown":        {"@Zorb|Fuel surcharge", "@31.10%|46.32%", "refused Ambiguous"},
	"something unknown":                    {"@Zorb fuel surcharge", "@46.32", "refused NoTable"},
	"numbers of weeks":                     {"@Surcharge week|Surcharge", "@36|46.32%", "46.32 - - -"},
	"a lesser column beside":               {"@Surcharge||Note", "@46.32%|31.10%|x", "refused Ambiguous"},
	"percents of another country":          {"@LTL", "@46.32% Canada", "refused NoTable"},
	"percents of the United States":        {"@United States|Canada", "@46.32%|31.10%", "46.32 - - -"},
	"percents of the U.S.":                 {"@U.S.|Canada", "@46.32%|31.10%", "46.32 - - -"},
	"percents here and in another country": {"@LTL US and Canada", "@46.32%", "46.32 - - -"},
	"marked percents of an average":        {"@Average LTL", "@12.5%", "12.5 - - -"},
	"percents of an average":               {"@Average LTL", "@46.32", "46.32 - - -"},
	"percents by an index":                 {"@DOE LTL surcharge", "@46.32", "46.32 - - -"},
	"marked percents by an index":          {"@DOE LTL", "@46.32%", "46.32 - - -"},
	"percents below three":                 {"@LTL", "@0.46%", "refused NoTable"},
	"percents above a hundred":             {"@LTL", "@146%", "refused NoTable"},
	"figures below three":                  {"@LTL", "@2", "refused NoTable"},
	"figures like prices":                  {"@LTL", "@5.599", "refused NoTable"},
	"figures above prices":                 {"@LTL", "@12.50", "12.5 - - -"},
	"figures at the end of prices":         {"@LTL", "@9.50", "9.5 - - -"},
	"figures that are coarser than prices": {"@LTL", "@8.5", "8.5 - - -"},
	"fractions that are coarse":            {"@LTL", "@0.5", "refused NoTable"},
	"fractions among which one is small": {
		"Effective|LTL", "9/9/2026|0.4632; 9/2/2026|0.46; 8/26/2026|0.01", "refused NoTable"},
	"percents in few rows": {
		"Effective|LTL", "9/9/2026|46%; 9/2/2026|; 8/26/2026|", "refused NoTable"},
	"a percent above a hundred": {
		"Effective|LTL", "9/9/2026|146%; 9/2/2026|46%; 8/26/2026|46%", "unreadable 2026-09-09, 46 - - -"},
	"a percent far above the usual": {
		"Effective|LTL", "9/9/2026|99%; 9/2/2026|12%; 8/26/2026|12%", "unreadable 2026-09-09, 12 - - -"},
	"a percent far below the usual": {
		"Effective|LTL", "9/9/2026|5%; 9/2/2026|46%; 8/26/2026|46%", "unreadable 2026-09-09, 46 - - -"},
	"a percent above that of a truckload": {
		"Effective|LTL|TL",
		"9/9/2026|92%|46%; 9/2/2026|46%|92%; 8/26/2026|46%|92%", "unreadable 2026-09-09, 46 - 92 -"},
	"dollars among truckload percents": {
		"Effective|LTL|TL", "9/9/2026|46%|$92; 9/2/2026|46%|92%; 8/26/2026|46%|92%", "46 - - -, 46 - 92 -"},
	"a row that lacks cells": {
		"LTL|LTL %|TL|DOE price|To|Effective",
		"46%|46%|92%|5.599|9/15/2026|9/9/2026; 8/26/2026|a note; 46%|46%|92%|5.599|9/8/2026|9/2/2026", "46 5.599 92 2026-09-15, 46 5.599 92 2026-09-08 2/4"},
	"truckload percents in few rows": {
		"Effective|LTL|TL", "9/9/2026|46%|92%; 9/2/2026|46%|call us; 8/26/2026|46%|call us", "46 - - -"},
	"text among truckload percents": {
		"Effective|LTL|TL", "9/9/2026|46%|call us; 9/2/2026|46%|92%; 8/26/2026|46%|92%", "46 - - -, 46 - 92 -"},
	"points of an index without a word of fuel": {
		"<h1>Rates</h1><table><tr><th>Effective<th>LTL<th>Index<tr><td>9/9/2026<td>46%<td>2100</table>",
		"", "refused NoTable"},
	"figures without a word of fuel": {
		"<h1>Rates</h1><table><tr><th>Effective<th>LTL<th>Amount<tr><td>9/9/2026<td>46%<td>5.60</table>",
		"", "refused NoTable"},
	"figures with a link to a note": {"@LTL", `@46.3<a href="#n1">1</a>`, "refused NoTable"},
	"percents with a change beside": {"@DOE price|LTL", "@5.599 (▼0.052)|46.32%<div>▼ 0.50</div>", "46.32 5.599 - -"},
	"percents with an addition":     {"@LTL", "@46.32% (+2.00%)", "refused NoTable"},
	"cents of something":            {"@LTL surcharge in cents", "@46.32", "refused NoTable"},
	"figures that say cents":        {"@LTL surcharge", "@46.32 cents", "refused NoTable"},
	"percents under cents":          {"@LTL surcharge (5 cents a step)", "@46.32%", "46.32 - - -"},
	"a figure of others among ours": {
		"Effective|LTL",
		"9/9/2026|92.64% TL; 9/2/2026|46.32%; 8/26/2026|46%",
		"unreadable 2026-09-09, 46.32 - - -, 46 - - -"},
	"dollars among percents": {
		"Effective|LTL",
		"9/9/2026|$51.20; 9/2/2026|46.32%; 8/26/2026|46%",
		"unreadable 2026-09-09, 46.32 - - -, 46 - - -"},
	"a percent among fractions": {
		"Effective|LTL",
		"9/9/2026|0.50%; 9/2/2026|0.4632; 8/26/2026|0.46",
		"unreadable 2026-09-09, 46.32 - - -, 46 - - -"},

	// Which column is the price of diesel.
	"points of an index beside the price": {
		"@DOE price|U.S. index|LTL", "@5.599|2100|46.32%", "46.32 5.599 - -"},
	"prices of a region":             {"@West Coast price|LTL", "@5.599|46.32%", "46.32 - - -"},
	"prices of some region":          {"@Regional average|LTL", "@5.599|46.32%", "46.32 - - -"},
	"localized prices":               {"@Localized diesel price|LTL", "@5.599|46.32%", "46.32 5.599 - -"},
	"percents of a regional service": {"@Regional LTL surcharge|Local price", "@46.32%|5.599", "46.32 - - -"},
	"rows of a region": {
		"<table><tr><th>Effective<th>LTL<tr><td colspan=2>Regional rates<tr><td>9/9/2026<td>46.32%</table>", "", "46.32 - - -"},
	"prices of a region beside": {
		"@Price|West Coast price|LTL", "@5.599|5.899|46.32%", "46.32 5.599 - -"},
	"numbers of rows":                     {"@Index|LTL", "@4|46.32%", "46.32 - - -"},
	"whole numbers of an index of prices": {"@Price index|LTL", "@5|46.32%", "46.32 5 - -"},
	"a rate in dollars":                   {"@Fuel rate|LTL", "@5.205|46.32%", "46.32 - - -"},
	"a bound of prices":                   {"@DOE above|LTL", "@5.580|46.32%", "46.32 - - -"},
	"amounts":                             {"@Amount|LTL", "@5.580|46.32%", "46.32 - - -"},
	"prices of something unknown beside": {
		"@Zorb price|DOE price|LTL", "@5.101|5.599|46.32%", "46.32 5.599 - -"},
	"prices of something unknown": {"@Zorb price|LTL", "@5.599|46.32%", "46.32 5.599 - -"},
	"a national price beside": {
		"@Price|National price|LTL", "@5.101|5.599|46.32%", "46.32 5.599 - -"},
	"two prices that differ": {
		"@Price|DOE price|LTL", "@5.101|5.599|46.32%", "46.32 - - -"},
	"two prices that agree": {
		"@Price|DOE price|LTL", "@$5.599|5.599|46.32%", "46.32 5.599 - -"},
	"prices without headings":                {"", "@5.599|46.32%", "46.32 5.599 - -"},
	"prices without headings beside figures": {"", "@5.599|46.325|46.32%", "46.32 5.599 - -"},
	"figures without headings":               {"", "@5.6|46.32%", "46.32 - - -"},
	"a lesser price behind":                  {"@DOE price|Zorb price|LTL", "@5.599|5.101|46.32%", "46.32 5.599 - -"},
	"a percent that could be a price":        {"@Fuel", "@12.5 LTL", "12.5 - - -"},
	"prices under no heading beside others":  {"@|LTL", "@5.599|46.32%", "46.32 - - -"},
	"prices in cents":                        {"@DOE price|LTL", "@559.9 cents|46.32%", "46.32 5.599 - -"},
	"prices of a few cents":                  {"@DOE price|LTL", "@5.6 cents|46.32%", "refused Implausible"},
	"prices of hundreds of dollars":          {"@DOE price|LTL", "@$559.90|46.32%", "refused Implausible"},
	"a price below a dollar": {
		"Effective|DOE price|LTL",
		"9/9/2026|0.559|46%; 9/2/2026|5.599|46%; 8/26/2026|5.599|46%", "46 - - -, 46 5.599 - -"},
	"percents under a price": {
		"@DOE average|LTL", "@5.10%|46.32%", "refused Implausible"},
	"dollars per mile under a price": {
		"@Fuel cost|LTL", "@$1.51 per mile|46.32%", "refused Implausible"},
	"another figure among prices": {
		"Effective|DOE price|LTL",
		"9/9/2026|5.1%|46%; 9/2/2026|5.599|45%; 8/26/2026|5.599|44%",
		"46 - - -, 45 5.599 - -, 44 5.599 - -"},
	"dollars per mile among prices": {
		"Effective|DOE price|LTL",
		"9/9/2026|$1.1 per mile|46%; 9/2/2026|5.599|45%; 8/26/2026|5.599|44%",
		"46 - - -, 45 5.599 - -, 44 5.599 - -"},
}
