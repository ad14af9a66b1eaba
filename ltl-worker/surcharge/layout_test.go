package surcharge_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"assay.dev/contracts"
	"assay.dev/ltl-worker/surcharge"
	"assay.dev/ltl-worker/trust"
)

// built is a page that is put together from parts, and what it says.
type built struct {
	today contracts.Date
	weeks []contracts.SurchargeWeek
	dates []string // as the page writes them
	html  string
	plain string // the same without the scope
}

// layouts are the forms in which a page may show weeks. Each gets the texts of the dates and the weeks.
var layouts = map[string]func(b built) string{
	"table": func(b built) string {
		return "<table><tr><th>Effective</th><th>DOE Price</th><th>LTL</th></tr>" +
			b.each("<tr><td>%s</td><td>$%.3f</td><td>%.2f%%</td></tr>") + "</table>"
	},
	"roles": func(b built) string {
		return `<div role=table><div role=row><span role=columnheader>Effective</span><span role=columnheader>DOE Price</span>` +
			`<span role=columnheader>LTL</span></div>` +
			b.each(`<div role=row><span role=cell>%s</span><span role=cell>$%.3f</span><span role=cell>%.2f%%</span></div>`) + "</div>"
	},
	"cards": func(b built) string {
		return "<div class=row>" + b.each(`<div class=col><div class=card><div class=card-header>Effective %s</div>`+
			`<div class=card-body><p>Diesel $%.3f</p><p>%.2f%%</p></div></div></div>`) + "</div>"
	},
	"items": func(b built) string {
		return "<ul>" + b.each("<li>%s: diesel $%.3f, surcharge %.2f%%</li>") + "</ul>"
	},
	"lines": func(b built) string { return "<p>" + b.each("%s &ndash; diesel $%.3f &ndash; LTL %.2f%%<br>") + "</p>" },
	"sections": func(b built) string {
		return b.each("<h3>Week of %s</h3><p>Diesel: $%.3f</p><p>LTL surcharge: %.2f%%</p>")
	},
	"description lists": func(b built) string {
		return b.each("<dl><dt>Effective</dt><dd>%s</dd><dt>Diesel price</dt><dd>$%.3f</dd><dt>LTL surcharge</dt><dd>%.2f%%</dd></dl>")
	},
	"sentences": func(b built) string {
		return b.each("<p>Effective %s, with diesel at $%.3f, the LTL fuel surcharge is %.2f%%.</p>")
	},
	"groups of rows": func(b built) string {
		return "<table><tr><th>Service</th><th>Figure</th></tr>" +
			b.each("<tbody><tr><th colspan=2>Effective %s</th></tr><tr><td>Diesel price</td><td>$%.3f</td></tr><tr><td>LTL surcharge</td><td>%.2f%%</td></tr></tbody>") + "</table>"
	},
	"tables with captions": func(b built) string {
		return b.each("<table><caption>Effective %s</caption><tr><td>Diesel price</td><td>$%.3f</td></tr><tr><td>LTL surcharge</td><td>%.2f%%</td></tr></table>")
	},
	"dates over columns": func(b built) string {
		dates, prices, percents := "<th>Effective</th>", "<th>Diesel price</th>", "<th>LTL surcharge</th>"
		for i, w := range b.weeks {
			dates += "<th>" + b.dates[i] + "</th>"
			prices += fmt.Sprintf("<td>$%.3f</td>", *w.DieselUSD)
			percents += fmt.Sprintf("<td>%.2f%%</td>", w.Percent)
		}
		return "<table><tr>" + dates + "</tr><tr>" + prices + "</tr><tr>" + percents + "</tr></table>"
	},
	"lines with bold labels": func(b built) string {
		return b.each("<div><b>Effective:</b> %s <b>Diesel:</b> $%.3f <b>LTL:</b> %.2f%%</div>")
	},
	"accordion": func(b built) string {
		return b.each("<details><summary>Week of %s</summary><p>Diesel price: $%.3f</p><p>LTL: %.2f%%</p></details>")
	},
}

func (b built) each(format string) string {
	var s strings.Builder
	for i, w := range b.weeks {
		fmt.Fprintf(&s, format, b.dates[i], *w.DieselUSD, w.Percent)
	}
	return s.String()
}

var (
	builtDates = []string{
		"1/2/2006", "01/02/2006", "January 2, 2006", "Jan 2, 2006", "2006-01-02", "02-Jan-2006", "1/2/06", "Jan. 2, 2006",
		"1/2/'06", "January 2", "1/2", "Monday, January 2, 2006",
	}
	builtTitles = []string{
		"Fuel Surcharge", "LTL Fuel Surcharge", "Weekly Fuel Surcharge | Ridgeway Motor Lines", "Current Fuel Surcharge Rates",
		"Fuel Surcharge Information - Halden Freight Lines, Inc.", "Fuel Surcharge Table", "LTL Fuel Surcharge History",
	}
	neutralLines = []string{
		"", "<p>Our fuel surcharge is based on the U.S. national average diesel price.</p>",
		"<p>The surcharge changes every Wednesday and applies to all LTL shipments.</p>",
		"<p>For questions, please contact customer service at 1-800-555-0100.</p>",
		"<p>All percentages are of the net linehaul charge.</p>", "<p>Updated weekly</p>",
		"<p>Subject to change without notice. See our rules tariff for details.</p>",
		"<p>For shipments to Canada or Alaska, please contact your representative.</p>",
		`<div class="cta"><h4>Ship with us</h4><p>Request a quote today.</p></div>`,
	}
	scopes = []string{
		"Alaska and Hawaii", "Canada", "Texas Intrastate", "Guaranteed Service", "Expedited", "Volume", "Refrigerated LTL", "Truckload",
		"Brokered Freight", "Partner Carriers", "Contract Customers", "Peak Season", "Zone 2", "Estimated", "Zorbex",
	}
	// scopedBy puts a scope over the weeks.
	scopedBy = []string{
		"<h2>%s</h2>{}", "<section aria-label='%s'>{}</section>", "<details open><summary>%s</summary>{}</details>",
		"<fieldset><legend>%s</legend>{}</fieldset>", "<figure>{}<figcaption>%s</figcaption></figure>", "<p><b>%s</b></p>{}",
		"<select><option>National<option selected>%s</select>{}",
	}
)

func build(t *rapid.T, scope string) built {
	today := contracts.Date("2024-01-01").AddDays(rapid.IntRange(0, 1100).Draw(t, "today"))
	first := today
	for first.Time().Weekday() != time.Wednesday {
		first = first.AddDays(-1)
	}
	form := rapid.SampledFrom(builtDates).Draw(t, "date form")
	b := built{today: today}
	for i := range rapid.IntRange(3, 9).Draw(t, "weeks") {
		price := float64(rapid.IntRange(3000, 5999).Draw(t, "price")) / 1000
		day := first.AddDays(-7 * i)
		percent := float64(rapid.IntRange(2500, 5800).Draw(t, "percent")) / 100
		b.weeks = append(b.weeks, contracts.SurchargeWeek{EffectiveDate: day, Percent: percent, DieselUSD: &price})
		b.dates = append(b.dates, day.Time().Format(form))
	}
	layout := rapid.SampledFrom(slices.Sorted(maps.Keys(layouts))).Draw(t, "layout")
	weeks := layouts[layout](b)
	unscoped := weeks
	if scope != "" {
		weeks = strings.ReplaceAll(fmt.Sprintf(strings.ReplaceAll(
			rapid.SampledFrom(scopedBy).Draw(t, "scoped by"), "{}", "\x00"), scope), "\x00", weeks)
	}
	title := rapid.SampledFrom(builtTitles).Draw(t, "title")
	heading := rapid.SampledFrom([]string{"LTL Fuel Surcharge", "Fuel Surcharge"}).Draw(t, "heading")
	line := func(name string) string { return rapid.SampledFrom(neutralLines).Draw(t, name) }
	page := "<!doctype html><html><head><title>" + title + "</title></head><body><nav><a href=/>Home</a><a href=/canada>Canada</a></nav><main><h1>" +
		heading + "</h1>" + line("above") + "{}" + line("below") + "</main><footer>All rights reserved. Guaranteed.</footer></body></html>"
	b.html, b.plain = strings.Replace(page, "{}", weeks, 1), strings.Replace(page, "{}", unscoped, 1)
	return b
}

func (b built) read() (surcharge.Reading, error) {
	day := time.Wednesday
	return surcharge.Read([]byte(b.html), surcharge.Rule{Weekday: &day}, b.today)
}

// A plain page is read whatever its layout, its wording and its dates are, also around New Year.
func TestAnyLayoutIsRead(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := build(t, "")
		r, err := b.read()
		if err != nil || len(r.Weeks) != len(b.weeks) || r.Tally().Confidence() != 1 {
			t.Fatalf("%v: %d of %d weeks, %v\n%s\n%s", err, len(r.Weeks), len(b.weeks), r.Tally(), strings.Join(r.Notes, "\n"), b.html)
		}
		for i, w := range r.Weeks {
			want := b.weeks[i]
			if w.EffectiveDate != want.EffectiveDate || w.Percent != want.Percent || w.DieselUSD == nil || *w.DieselUSD != *want.DieselUSD {
				t.Fatalf("week %d: %+v, want %+v\n%s\n%s", i, w.SurchargeWeek, want, strings.Join(r.Notes, "\n"), b.html)
			}
		}
	})
}

// The same pages with a foreign or unknown scope over the weeks are refused, or other words than those that were accepted.
func TestAnyForeignScopeIsDoubted(t *testing.T) {
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	rapid.Check(t, func(r *rapid.T) {
		scope := rapid.SampledFrom(scopes).Draw(r, "scope")
		b := build(r, scope)
		scoped, err := b.read()
		if err != nil {
			return
		}
		b.html, b.plain = b.plain, b.html
		plain, err := b.read()
		if err != nil {
			r.Fatal(err)
		}
		accepted := trust.Wording{Editions: []trust.Edition{trust.NewEdition(lines(plain), "a person", now, "", false)}}
		if trust.Judge(lines(scoped), accepted.Known("page", now), trust.Past{}).IsClean() {
			r.Fatalf("%s\n%s\n%s", scope, strings.Join(scoped.Notes, "\n"), b.plain)
		}
	})
}
