package column

import (
	"fmt"
	"regexp"
	"slices"

	"assay.dev/ltl-worker/document"
	"assay.dev/ltl-worker/document/cell"
	"assay.dev/ltl-worker/surcharge/meaning"
	"assay.dev/ltl-worker/surcharge/refusal"
)

// checkHeadings refuses a sheet with a column whose values are not what its heading says: columns were moved without
// their headings, and then no other heading can be trusted either.
func (c *Columns) checkHeadings() *refusal.Refusal {
	for i, f := range c.facts {
		isRange := contentsOf(f) == holdsFigures && f.heading.Is(meaning.Begin|meaning.End) && !f.heading.Is(meaning.Date|meaning.Effective)
		isNumbered := f.heading.Is(meaning.Remark) && contentsOf(f) == holdsFigures
		if c.Sheet.IsJSON && (c.holdsFlags(i) || isRange || isNumbered) { // {"bracketFrom": 5.87}
			continue
		}
		if !f.heading.IsEmpty() && (contradictionIn(f) != "" || c.hasSlipped(f)) {
			detail := fmt.Sprintf("the values under %q are not what it says", f.heading)
			return &refusal.Refusal{Reason: refusal.Implausible, Detail: detail}
		}
	}
	return nil
}

// flag is what a member holds that says yes or no, or at what time of the day: {"isValid": true}, {"effectiveTime": "00:01"}.
var flag = regexp.MustCompile(`^(?:true|false|[YN]|\d\d:\d\d(?::\d\d)?)$`)

// holdsFlags tells whether all values of a column are flags. They never part from their names in JSON.
func (c *Columns) holdsFlags(column int) bool {
	return !slices.ContainsFunc(c.Sheet.Rows, func(r document.Row) bool { return r.Broken || !flag.MatchString(r.Cells[column].Text) })
}

// hasSlipped tells whether percents stand under the heading of dates, and the dates under none: "Surcharge Date" over 40.02%.
func (c *Columns) hasSlipped(f facts) bool {
	if !f.heading.Is(meaning.Date) || contentsOf(f) != holdsPercents {
		return false
	}
	for _, other := range c.facts {
		if other.heading.IsEmpty() && contentsOf(other) == holdsDates {
			return true
		}
	}
	return false
}

// contents is what most values of a column are.
type contents uint8

const (
	holdsMixed contents = iota
	holdsDates
	holdsPercents // figures marked as percents
	holdsFigures  // other figures
	holdsTexts
)

func contentsOf(f facts) contents {
	switch {
	case f.shape.IsDated():
		return holdsDates
	case f.shape.IsNumeric() && f.shape.Unit() == cell.Percent:
		return holdsPercents
	case f.shape.IsNumeric():
		return holdsFigures
	case f.shape.IsText():
		return holdsTexts
	}
	return holdsMixed
}

// What a heading says.

func (f facts) saysRate() bool {
	return f.heading.Is(meaning.Percent | meaning.LTL | meaning.Truckload)
}
func (f facts) saysPrice() bool   { return f.heading.Is(meaning.Price | meaning.Index) }
func (f facts) saysBound() bool   { return f.heading.Is(meaning.Bound) && !f.saysRate() }
func (f facts) saysFirst() bool   { return f.heading.Is(meaning.Effective | meaning.Begin) }
func (f facts) saysLTLOnly() bool { return f.heading.Mode == meaning.LTL }

func (f facts) saysDay() bool {
	return f.saysFirst() || f.heading.Is(meaning.Date|meaning.End|meaning.Posted)
}

// contradictions are what must not stand under what a heading says.
var contradictions = []struct {
	name  string
	below contents
	says  func(f facts) bool
}{
	{"dates under a figure, a remark or another service", holdsDates, func(f facts) bool {
		return !f.saysDay() &&
			(f.saysRate() || f.saysBound() || f.foreign || f.heading.Is(meaning.Price|meaning.Remark))
	}},
	{"percents under a price, a day, a bound or a remark", holdsPercents, func(f facts) bool {
		return !f.saysRate() &&
			(f.saysPrice() || f.saysDay() || f.saysBound() || f.heading.Is(meaning.Remark))
	}},
	{"percents under an effective date", holdsPercents, func(f facts) bool {
		return f.saysFirst() && f.heading.Is(meaning.Date)
	}},
	{"no prices under a price or a bound", holdsFigures, func(f facts) bool {
		price := f.heading.Is(meaning.Price) || f.saysPrice() && f.shape.Fine > 0
		return f.dieselFactor == 0 && !f.saysRate() && (price || f.saysBound())
	}},
	{"figures under a remark", holdsFigures, func(f facts) bool {
		return f.heading.Meanings.HasOnly(meaning.Remark|meaning.Neutral) && f.heading.Is(meaning.Remark)
	}},
	{"no percents under LTL", holdsFigures, func(f facts) bool {
		return f.saysLTLOnly() && !f.saysPrice() && (f.shape.Unit() == cell.Dollars || f.percentFactor == 0)
	}},
	{"decimals under a day", holdsFigures, func(f facts) bool {
		return f.saysDay() && !f.saysRate() && !f.heading.Is(meaning.Price) && f.shape.Fine > 0
	}},
	{"numbers under a first or last day", holdsFigures, facts.saysRangeOnly},
	{"text under LTL", holdsTexts, facts.saysLTLOnly},
	{"text under a first or last day", holdsTexts, facts.saysRangeOnly},
}

// saysRangeOnly tells whether the heading is that of a first or last day and of nothing else.
func (f facts) saysRangeOnly() bool {
	return (f.saysFirst() || f.heading.Is(meaning.End)) && !f.saysRate() && !f.saysPrice() && !f.saysBound()
}

// contradictionIn names the contradiction between the heading and the values of a column; "" when there is none. A
// column that is not ours may hold anything but dates.
func contradictionIn(f facts) string {
	below := contentsOf(f)
	if f.foreign && below != holdsDates && !f.heading.Is(meaning.Remark) {
		return ""
	}
	for _, rule := range contradictions {
		if rule.below == below && rule.says(f) {
			return rule.name
		}
	}
	return ""
}
