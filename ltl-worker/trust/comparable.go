package trust

import (
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
	c := compare(l, weeks)
	return c.form, c.asIs
}

// comparable is a line as it is looked up, and its shape: the line without its dates and numbers, which the cells of one column share.
type comparable struct{ form, asIs, shape string }

func compare(l Line, weeks []contracts.SurchargeWeek) comparable {
	text := strings.ToLower(strings.Join(strings.Fields(l.Text), " "))
	of := reference(l, weeks)
	ref := contracts.Date("2000-01-01")
	if len(of) > 0 {
		ref = of[0].EffectiveDate
	}
	marks := scan(text, ref)
	if len(marks) == 0 {
		return comparable{text, text, text}
	}
	var form, asIs, shape strings.Builder
	end := 0
	for _, m := range marks {
		between, own := text[end:m.from], text[m.from:m.to]
		end = m.to
		date := own
		var number string
		if m.date != "" {
			date = kindOfDate(m.date, of, own)
			number = date
		} else {
			rest := strings.TrimLeft(text[m.to:], " ")
			isPercent := strings.HasPrefix(rest, "%") || strings.HasPrefix(rest, "percent") || strings.HasPrefix(rest, "pct")
			number = kindOfNumber(m.value, m.isDecimal || l.Week != "", isPercent, of, own)
		}
		form.WriteString(between + number)
		asIs.WriteString(between + date)
		shape.WriteString(between + "#")
	}
	rest := text[end:]
	return comparable{form.String() + rest, asIs.String() + rest, shape.String() + rest}
}

// reference are the weeks against which a line is made comparable: its own record's, or else the newest two.
func reference(l Line, weeks []contracts.SurchargeWeek) []contracts.SurchargeWeek {
	if i := slices.IndexFunc(weeks, func(w contracts.SurchargeWeek) bool { return l.Week != "" && w.EffectiveDate == l.Week }); i >= 0 {
		return weeks[i : i+1]
	}
	return weeks[:min(len(weeks), 2)]
}

// kindOfDate is a date as it is compared; as it stands where there is no week to compare it with.
func kindOfDate(d contracts.Date, of []contracts.SurchargeWeek, own string) string {
	if len(of) == 0 {
		return own
	}
	switch days := d.DaysSince(of[0].EffectiveDate); {
	case days < -about:
		return "@past"
	case days > about:
		return "@later"
	}
	return "@current"
}

// kindOfNumber is a number as it is compared; as it stands where the reading did not take it. Outside of a record one without decimals is taken only as a percent that says
// so: "48 states" stays where the percent is 48.
func kindOfNumber(value float64, isPlain, isPercent bool, of []contracts.SurchargeWeek, own string) string {
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
	return own
}

func near(a, b float64) bool { return a-b < 0.0005 && b-a < 0.0005 }

// units are the words that a figure may have beside it.
var units = []string{"usd", "percent", "pct", "per", "gal", "gallon", "mile", "cent", "cents", "to", "thru", "through", "and", "lb", "lbs"}

// isFigure tells whether a text is a date or a figure and nothing else, such as "$.498 per mile": that is a value, and no line. "Cents per
// mile" tells what figures are of.
func isFigure(text, shape string) bool {
	for _, word := range strings.FieldsFunc(shape, func(r rune) bool { return r <= 0x7f && !unicode.IsLetter(r) || r == '–' || r == '—' || r == '¢' }) {
		if !slices.Contains(units, word) {
			return false
		}
	}
	return strings.IndexFunc(text, unicode.IsLetter) < 0 || strings.ContainsAny(text, "0123456789")
}
