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
	{EffectiveDate: "2026-09-09", Percent: 50.12, DieselUSD: usd(5.599), TruckloadPercent: usd(100.24)},
	{EffectiveDate: "2026-09-02", Percent: 48, DieselUSD: usd(5.450), TruckloadPercent: usd(96)},
}

func TestLinesAreMadeComparable(t *testing.T) {
	cases := []struct{ line, want string }{
		{"Current  surcharge:\n50.12% (from September 9, 2026)", "current surcharge: @percent% (from @current)"},
		{"last week 48% at $5.450", "last week @percent% at $@price"},
		{"capped at 60%; valid until 12/31/2026", "capped at 60%; valid until @later"},
		{"valid until December 31", "valid until @later"},
		{"next fuel surcharge: September 17, 2026", "next fuel surcharge: @current"}, // moved by a holiday
		{"next fuel surcharge: September 18, 2026", "next fuel surcharge: @later"},
		{"valid until August 31", "valid until @past"},
		{"the 48 contiguous states", "the 48 contiguous states"},
		{"48 percent, 48 pct or 50.12", "@percent percent, @percent pct or @percent"},
		{"truckload 96% or 100.24, not 96 states", "truckload @truckload% or @truckload, not 96 states"},
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
	for _, c := range []struct {
		newest     contracts.Date
		line, want string
		week       contracts.Date
	}{
		{"2026-01-07", "valid until December 10", "valid until @past", ""},
		{"2026-12-09", "valid until January 31", "valid until @later", ""},
		{"2026-09-09", "week of 6/3/2026: 40.00%", "week of @current: @percent%", "2026-06-03"}, // its own
		{"2026-09-09", "week of 6/3/2026: 40.00%", "week of @past: @percent%", ""},
	} {
		weeks := []contracts.SurchargeWeek{{EffectiveDate: c.newest, Percent: 48}, {EffectiveDate: "2026-06-03", Percent: 40}}
		if got, _ := trust.Comparable(trust.Line{Text: c.line, Week: c.week}, weeks); got != c.want {
			t.Errorf("%q\n got %q\nwant %q", c.line, got, c.want)
		}
	}
	if got, _ := trust.Comparable(trust.Line{Text: "valid until 12/31/2026"}, nil); got != "valid until 12/31/2026" {
		t.Errorf("without weeks: %q", got)
	}
}

func TestLinesOfAPage(t *testing.T) {
	const page = `<html><head><title>Fuel</title><style>b{}</style></head><body><nav><a href=/>Home</a></nav><p>Welcome</p>
<div role=alert>Suspended</div><main><h1>Fuel surcharge</h1><p>Lead</p><section><h2>History</h2><p>One<br>Two<br>Cents per Mile<br>–</p>
<table><caption>LTL</caption><tr><th>Effective</th><th>LTL</th><th>Volume</th></tr>
<tr><td>9/9/2026</td><td>50.12% <b title="not final">draft</b></td><td>$.498 Per mile – 12 ¢</td></tr><tr><td>9/2/2026</td><td>48.00%</td><td>43.20</td></tr></table>
<aside>Of ships</aside><p hidden>Hidden</p></section></main><aside>More of ships</aside><section><p>News</p><p>Our fuel surcharge is suspended in Canada.</p></section><ul><li><a href=/c>Canada fuel surcharge</a><li><a href=/m>Mexico fuel surcharge</a></ul>
<p><a href=/a>Alaska</a> <a href=/f>fuel surcharge</a></p><p><b>News:</b></p><p><a href=/n>The percentages are withdrawn</a></p><footer><a href=/h>Hawaii fuel surcharge</a><p>© 2026</footer></body></html>`
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
	want := []string{"Fuel", "Suspended", "Fuel surcharge", "Lead", "History", "One", "Two", "Cents per Mile", "LTL", "Effective | LTL | Volume",
		"2026-09-09: not final", "2026-09-09: draft", "Of ships", "far: Our fuel surcharge is suspended in Canada.",
		"far: The percentages are withdrawn"}
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
	w = w.Learn(trust.Reading{Path: "api", Weeks: twoWeeks, Lines: lines}, lines, at)
	w = w.Learn(seen, nil, at.AddDate(0, 0, 60))
	if got := len(w.Known("api", at.AddDate(0, 0, 100)).Unknown(seen)); got != 5 {
		t.Errorf("%d lines of another path are unknown: nobody has seen them there", got)
	}
	if got := unknown(at.AddDate(0, 0, 100)); got != 25 {
		t.Errorf("after 100 days %d lines are unknown: five were seen on the way", got)
	}
}

// A note quotes three lines at most, and no line at length.
func TestNotesAreShort(t *testing.T) {
	r := trust.Reading{Path: "page", Weeks: twoWeeks}
	accepted := trust.Wording{Editions: []trust.Edition{trust.NewEdition(r, "a person", editionAt(0), "", false)}}
	for n, want := range map[int]string{1: `…".`, 3: `…".`, 4: `…" and 1 more.`} {
		r.Lines = nil
		for i := range n {
			r.Lines = append(r.Lines, trust.Line{Text: strings.Repeat(string(rune('a'+i)), 500), Near: true})
		}
		v := trust.Judge(r, accepted.Known("page", editionAt(0)), trust.Past{})
		if message := v.Notes[0].Message; !strings.HasSuffix(message, want) || len(message) > 700 {
			t.Errorf("%d lines: %s", n, message)
		}
	}
}

// A line that has about the percent of the week, each time that it was accepted, is no count: it may not say another one.
func TestARoundedPercentIsNoCount(t *testing.T) {
	for words, isCount := range map[string]bool{"Now: ": false, "Entries: 1": true} {
		reading := func(shown string, percent float64) trust.Reading {
			return trust.Reading{
				Path: "page", Lines: []trust.Line{{Text: words + shown, Near: true}},
				Weeks: []contracts.SurchargeWeek{{EffectiveDate: "2026-09-09", Percent: percent}},
			}
		}
		var w trust.Wording
		for shown, percent := range map[string]float64{"48": 47.85, "50": 49.90} {
			w.Editions = append(w.Editions, trust.NewEdition(reading(shown, percent), "anna", time.Now(), "", false))
		}
		if unknown := w.Known("page", time.Now()).Unknown(reading("41", 49.90)); len(unknown) == 0 != isCount {
			t.Errorf("%s: unknown %v", words, unknown)
		}
	}
}
