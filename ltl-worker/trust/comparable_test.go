package trust_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"assay.dev/contracts"
	"assay.dev/ltl-worker/document"
	"assay.dev/ltl-worker/trust"
)

func usd(x float64) *float64 { return &x }

var twoWeeks = []contracts.SurchargeWeek{
	{EffectiveDate: "2026-09-09", Percent: 50.12, DieselUSD: usd(5.599)}, {EffectiveDate: "2026-09-02", Percent: 48, DieselUSD: usd(5.450)},
}

func TestLinesAreMadeComparable(t *testing.T) {
	cases := []struct{ line, want string }{
		{"Current  surcharge:\n50.12% (from September 9, 2026)", "current surcharge: @percent% (from @current)"},
		{"last week 48% at $5.450", "last week @percent% at $@price"},
		{"capped at 60%; valid until 12/31/2026", "capped at 60%; valid until @later"},
		{"valid until December 31", "valid until @later"},
		{"valid until August 31", "valid until @past"},
		{"the 48 contiguous states", "the 48 contiguous states"},
		{"updated Tuesday, Sept. 8, 2026 at 10:15 a.m. ET", "updated @current"},
		{"DOE index of 20260907", "doe index of @current"},
		{"as of 2026-09-09T14:02:11Z", "as of @current"},
		{"9 September 2026 – 15 Sep 2026", "@current – @current"},
		{"ITEM 99/99/2026", "item 99/99/2026"},
	}
	for _, c := range cases {
		if got, _ := trust.Comparable(trust.Line{Text: c.line}, twoWeeks); got != c.want {
			t.Errorf("%q\n got %q\nwant %q", c.line, got, c.want)
		}
	}
	older, _ := trust.Comparable(trust.Line{Text: "week of 9/2/2026: 48.00%", Week: "2026-09-02"}, twoWeeks)
	if older != "week of @current: @percent%" {
		t.Errorf("a line of a record is compared with its own week: %q", older)
	}
}

func TestLinesOfAPage(t *testing.T) {
	const page = `<html><head><title>Fuel</title><style>b{}</style></head><body><nav><a href=/>Home</a></nav><p>Welcome</p>
<div role=alert>Suspended</div><main><h1>Fuel surcharge</h1><p>Lead</p><section><h2>History</h2><p>One<br>Two</p>
<table><caption>LTL</caption><tr><th>Effective</th><th>LTL</th><th>Volume</th></tr>
<tr><td>9/9/2026</td><td>50.12% <b title="not final">draft</b></td><td>45.10</td></tr><tr><td>9/2/2026</td><td>48.00%</td><td>43.20</td></tr></table>
<aside>Of ships</aside><p hidden>Hidden</p></section></main><aside>More of ships</aside><section><p>News</p><p>Our fuel surcharge is suspended in Canada.</p></section><footer>© 2026</footer></body></html>`
	root, err := document.FromHTML([]byte(page))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, l := range trust.Lines(root, twoWeeks) {
		text := l.Text
		if !l.Near {
			text = "far: " + text
		}
		if l.Week != "" {
			text = string(l.Week) + ": " + text
		}
		got = append(got, text)
	}
	want := []string{"Fuel", "Suspended", "Fuel surcharge", "Lead", "History", "One", "Two", "LTL", "Effective | LTL | Volume",
		"2026-09-09: not final", "2026-09-09: draft", "Of ships", "far: Our fuel surcharge is suspended in Canada."}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// Of a page with too many lines none is left out unsaid.
func TestTooManyLines(t *testing.T) {
	page := "<h1>Fuel surcharge</h1><table><tr><th>Effective<th>LTL<tr><td>9/9/2026<td>50.12%<tr><td>9/2/2026<td>48%</table>"
	for n := range 5000 {
		page += fmt.Sprintf("<p>%c%c%c", 'a'+n%20, 'a'+n/20%20, 'a'+n/400)
	}
	doc, err := document.FromHTML([]byte(page))
	if err != nil {
		t.Fatal(err)
	}
	lines := trust.Lines(doc, twoWeeks)
	if last := lines[len(lines)-1]; len(lines) != 4001 || last.Text != "there are more lines" || !last.Near {
		t.Errorf("%d lines, the last is %+v", len(lines), last)
	}
}

// A row whose date cannot be read is that of the newest week where it has its percent alone.
func TestARemarkBesideTheNewestPercent(t *testing.T) {
	const page = `<h1>Fuel surcharge</h1><table><tr><th>Effective</th><th>LTL</th><th>Note</th></tr>
<tr><td>99/9/2026</td><td>50.12%</td><td>Monday</td></tr><tr><td>9/9/2026</td><td>50.12%</td><td></td></tr>
<tr><td>9/2/2026</td><td>48.00%</td><td></td></tr><tr><td>Last two</td><td>48.00%</td><td>50.12%</td></tr></table>`
	doc, err := document.FromHTML([]byte(page))
	if err != nil {
		t.Fatal(err)
	}
	weeks := map[string]contracts.Date{}
	for _, l := range trust.Lines(doc, twoWeeks) {
		weeks[l.Text] = l.Week
	}
	if weeks["99/9/2026 | 50.12% | Monday"] != "2026-09-09" || weeks["Last two | 48.00% | 50.12%"] != "" {
		t.Error(weeks)
	}
}

// What is learned is bounded, and forgotten when nobody has seen it for 90 days.
func TestWhatIsLearned(t *testing.T) {
	at := time.Date(2026, 9, 9, 12, 0, 0, 0, time.UTC)
	line := func(n int) trust.Line { return trust.Line{Text: strings.Repeat("very ", n) + "new", Near: true} }
	var lines []trust.Line
	for n := range 30 {
		lines = append(lines, line(n))
	}
	r := trust.Reading{Path: "page", Weeks: twoWeeks, Lines: lines}
	w := trust.Wording{}.Learn(r, lines, at)
	if len(w.Learned) != trust.MaxLearnedAtOnce {
		t.Errorf("%d lines learned at once", len(w.Learned))
	}
	unknown := func(at time.Time) int { return len(w.Known("page", at).Unknown(r)) }
	if unknown(at) != 10 || len(w.Known("api", at).Unknown(r)) != 30 {
		t.Errorf("%d lines are unknown", unknown(at))
	}
	seen := trust.Reading{Path: "page", Weeks: twoWeeks, Lines: lines[:5]}
	w = w.Learn(seen, nil, at.AddDate(0, 0, 60))
	if got := unknown(at.AddDate(0, 0, 100)); got != 25 {
		t.Errorf("after 100 days %d lines are unknown: five were seen on the way", got)
	}
}
