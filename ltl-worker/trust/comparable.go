package trust

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"assay.dev/contracts"
)

// about is how many days a date may lie from the newest week to be @current: an update of the page, the index of that week, the next change.
const about = 7

// Comparable is a line as it is looked up: see the package comment. asIs is the same with all its numbers: where 98.5 % is the percent of
// this week by chance, "98.5% of our visitors accept" is known as it is.
func Comparable(l Line, weeks []contracts.SurchargeWeek) (form, asIs string) {
	write := func(withValues bool) string {
		return replace(l.Text, reference(l, weeks), func(t token, isPercent bool, of []contracts.SurchargeWeek) string {
			switch {
			case t.date != "":
				return kindOfDate(t.date, of)
			case withValues:
				return kindOfNumber(t.value, t.isDecimal || l.Week != "", isPercent, of)
			}
			return ""
		})
	}
	return write(true), write(false)
}

// reference are the weeks against which a line is made comparable: its own record's, or else the newest two.
func reference(l Line, weeks []contracts.SurchargeWeek) []contracts.SurchargeWeek {
	if i := slices.IndexFunc(weeks, func(w contracts.SurchargeWeek) bool { return l.Week != "" && w.EffectiveDate == l.Week }); i >= 0 {
		return weeks[i : i+1]
	}
	return weeks[:min(len(weeks), 2)]
}

// shape is a text without its dates and numbers: what the cells of one column have in common.
func shape(text string) string {
	return replace(text, nil, func(token, bool, []contracts.SurchargeWeek) string { return "#" })
}

func replace(text string, of []contracts.SurchargeWeek, kind func(token, bool, []contracts.SurchargeWeek) string) string {
	text = strings.ToLower(strings.Join(strings.Fields(text), " "))
	ref := contracts.Date("2000-01-01")
	if len(of) > 0 {
		ref = of[0].EffectiveDate
	}
	var b strings.Builder
	end := 0
	for _, t := range scan(text, ref) {
		b.WriteString(text[end:t.from])
		rest := strings.TrimLeft(text[t.to:], " ")
		isPercent := strings.HasPrefix(rest, "%") || strings.HasPrefix(rest, "percent") || strings.HasPrefix(rest, "pct")
		if said := kind(t, isPercent, of); said != "" {
			b.WriteString(said)
		} else {
			b.WriteString(text[t.from:t.to])
		}
		end = t.to
	}
	b.WriteString(text[end:])
	return b.String()
}

func kindOfDate(d contracts.Date, of []contracts.SurchargeWeek) string {
	if len(of) == 0 {
		return ""
	}
	switch days := d.DaysSince(of[0].EffectiveDate); {
	case days < -about:
		return "@past"
	case days > about:
		return "@later"
	}
	return "@current"
}

// kindOfNumber is "" for a number that the reading did not take. Outside of a record one without decimals is taken only as a percent that says
// so: "48 states" stays where the percent is 48.
func kindOfNumber(value float64, isPlain, isPercent bool, of []contracts.SurchargeWeek) string {
	for i := range of {
		w := &of[i]
		switch {
		case (isPlain || isPercent) && near(value, w.Percent):
			return "@percent"
		case isPlain && w.DieselUSD != nil && near(value, *w.DieselUSD):
			return "@price"
		case (isPlain || isPercent) && w.TruckloadPercent != nil && near(value, *w.TruckloadPercent):
			return "@truckload"
		}
	}
	return ""
}

func near(a, b float64) bool { return a-b < 0.0005 && b-a < 0.0005 }

// units are the words that a figure may have beside it.
var units = regexp.MustCompile(`\b(?:usd|percent|pct|per|gal|gallon|mile|cents?|to|thru|through|and|lbs?)\b`)

// isFigure tells whether a text is a date or a figure and nothing else, such as "$.498 per mile": that is a value, and no line.
func isFigure(text string) bool {
	if strings.IndexFunc(text, unicode.IsLetter) >= 0 && !strings.ContainsAny(text, "0123456789") {
		return false // "Cents per mile" tells what figures are of
	}
	rest := units.ReplaceAllString(strings.ReplaceAll(shape(text), "#", " "), "")
	return strings.IndexFunc(rest, func(r rune) bool { return r >= 'a' && r <= 'z' || r > 0x7f && r != '–' && r != '—' && r != '¢' }) < 0
}
