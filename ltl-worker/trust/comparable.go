package trust

import (
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"assay.dev/contracts"
	"assay.dev/ltl-worker/document/cell"
	"assay.dev/ltl-worker/surcharge/calendar"
)

// A date is @current from a week before the newest week, such as that of an update or of an index, to the next change,
// which a holiday may move by a day.
const (
	daysBefore = 7
	daysAhead  = 8
)

// Comparable is a line as it is looked up: see the package comment. asIs is the same with all its numbers: where 98.5 %
// is the percent of this week by chance, "98.5% of our visitors accept" is known as it is.
func Comparable(l Line, weeks []contracts.SurchargeWeek) (form, asIs string) {
	s := scan(l.Text)
	of := reference(l.Week, weeks)
	asIs = s.with(dayOf(of), func(m *cell.Mark) string {
		if m.IsDate {
			return kindOfDate(m, of, s.own(m))
		}
		return s.own(m)
	})
	return s.form(l.Week, of), asIs
}

// form is a line as it is looked up.
func (s scanned) form(week contracts.Date, of []contracts.SurchargeWeek) string {
	return s.with(dayOf(of), func(m *cell.Mark) string {
		if m.IsDate {
			return kindOfDate(m, of, s.own(m))
		}
		rest := strings.TrimLeft(s.text[m.To:], " ")
		isPercent := strings.HasPrefix(rest, "%") || strings.HasPrefix(rest, "percent") || strings.HasPrefix(rest, "pct")
		return kindOfNumber(m.Value, m.IsDecimal || week != "", isPercent, of, s.own(m))
	})
}

// shape is a line without its dates and numbers, which the cells of one column share.
func (s scanned) shape(ref calendar.Day) string {
	return s.with(ref, func(*cell.Mark) string { return "#" })
}

func (s scanned) own(m *cell.Mark) string { return s.text[m.From:m.To] }

// reference are the weeks against which a line is made comparable: its own record's, or else the newest two.
func reference(week contracts.Date, weeks []contracts.SurchargeWeek) []contracts.SurchargeWeek {
	if i := slices.IndexFunc(weeks, func(w contracts.SurchargeWeek) bool { return w.EffectiveDate == week }); i >= 0 {
		return weeks[i : i+1]
	}
	return weeks[:min(len(weeks), 2)]
}

// kindOfDate is a date as it is compared; as it stands where there is no week to compare it with.
func kindOfDate(m *cell.Mark, of []contracts.SurchargeWeek, own string) string {
	if len(of) == 0 {
		return own
	}
	ref := dayOf(of)
	day, _ := dayIn(m, ref)
	switch days := day - ref; {
	case days < -daysBefore:
		return "@past"
	case days > daysAhead:
		return "@later"
	}
	return "@current"
}

// kindOfNumber is a number as it is compared; as it stands where the reading did not take it. Outside of a record one
// without decimals is taken only as a percent that says so: "48 states" stays where the percent is 48.
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

var aNumber = regexp.MustCompile(`\d+(?:\.\d+)?`)

// isNearFigure tells whether a number of a line may be a rounded figure of the weeks, such as 48 for 47.85 %.
func isNearFigure(line string, weeks []contracts.SurchargeWeek) bool {
	for _, text := range aNumber.FindAllString(line, -1) {
		number, _ := strconv.ParseFloat(text, 64) // as the expression says
		within := func(figure *float64, distance float64) bool {
			return figure != nil && math.Abs(number-*figure) <= distance
		}
		isNear := func(w contracts.SurchargeWeek) bool {
			return within(&w.Percent, 0.5) || within(w.TruckloadPercent, 0.5) || within(w.DieselUSD, 0.05)
		}
		if slices.ContainsFunc(weeks, isNear) {
			return true
		}
	}
	return false
}

// units are the words that a figure may have beside it.
var units = []string{"usd", "percent", "pct", "per", "gal", "gallon", "mile", "cent", "cents", "to", "thru", "through",
	"and", "lb", "lbs"}

// areFigures tells whether texts side by side are dates and figures and nothing else, such as "$.498 per mile": those
// are values, and no line. "Cents per mile" tells what figures are of.
func areFigures(leaves []leaf, ref calendar.Day) bool {
	hasDigits, hasLetters := false, false
	for i := range leaves {
		s := scanned{leaves[i].Text.Text, leaves[i].Marks}
		for between := range s.each(ref) {
			for word := range strings.FieldsFuncSeq(between, isBesideUnit) {
				if !slices.ContainsFunc(units, func(u string) bool { return strings.EqualFold(u, word) }) {
					return false
				}
			}
		}
		hasDigits = hasDigits || len(s.marks) > 0
		hasLetters = hasLetters || !hasDigits && strings.ContainsFunc(s.text, unicode.IsLetter)
	}
	return hasDigits || !hasLetters
}

func isBesideUnit(r rune) bool {
	return r <= 0x7f && !unicode.IsLetter(r) || strings.ContainsRune("–—−¢▲▼↑↓", r) || unicode.IsSpace(r)
}
