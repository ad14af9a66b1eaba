// Package column finds out which column of a sheet is what: the effective date, the LTL percent and the national
// diesel price. A column must satisfy both by its heading and by the shape of its values.
package column

import (
	"fmt"
	"slices"

	"assay.dev/ltl-worker/document"
	"assay.dev/ltl-worker/surcharge/calendar"
	"assay.dev/ltl-worker/surcharge/meaning"
	"assay.dev/ltl-worker/surcharge/refusal"
)

// None is the index of a column that the sheet does not have.
const None = -1

// Columns says which column of a sheet is what.
type Columns struct {
	// Sheet is what the columns were found in.
	Sheet document.List
	// Date, Percent and Diesel are indexes of columns. Diesel may be [None].
	Date, Percent, Diesel int
	// HeadedLTL is set when the heading of the percent names LTL, and not just a surcharge.
	HeadedLTL bool
	// Effective is the effective date of each row; 0 where it cannot be read.
	Effective []calendar.Day

	vocabulary *meaning.Vocabulary
	carrier    calendar.Carrier
	facts      []facts // of each column
	truckload  []int   // columns of the percents that a truckload pays
	// plainTruckload is the one of them that is surely that; None where there is none.
	plainTruckload int
}

// facts are what the rules know of one column.
type facts struct {
	heading meaning.Heading
	shape   *Shape
	// foreign is set for another figure, or a figure of another service or place, by the heading.
	foreign bool
	// percentFactor and dieselFactor make percents or dollars per gallon of the figures: 1, 100 for fractions, 0.01 for
	// cents. They are 0 when the figures are no such values.
	percentFactor, dieselFactor float64
}

func (f facts) saysRate() bool {
	return f.heading.Is(meaning.Percent | meaning.LTL | meaning.Truckload)
}
func (f facts) saysPrice() bool { return f.heading.Is(meaning.Price | meaning.Index) }

func (f facts) saysDay() bool {
	return f.heading.Is(meaning.Effective | meaning.Begin | meaning.Date | meaning.End | meaning.Posted)
}

// checkHeadings refuses a sheet with dates under what names a figure or a remark, or figures under what names a day, a
// remark or, where they are no prices, a price: columns were moved without their headings, and then no other heading
// can be trusted either.
func (c *Columns) checkHeadings() *refusal.Refusal {
	if c.hasSlipped() {
		return ambiguous("the last figures have no heading")
	}
	for _, f := range c.facts {
		isRemark := f.heading.Is(meaning.Remark) && !c.Sheet.IsJSON
		isDate := f.shape.IsDated() && !f.saysDay() &&
			(f.saysRate() || f.foreign || isRemark || f.heading.Is(meaning.Price|meaning.Bound))
		isFigure := f.shape.IsNumeric() && !f.saysRate() && !f.foreign && (isRemark ||
			f.saysDay() && (f.isMarkedPercent() || f.shape.Fine > 0 && !f.saysPrice()) ||
			f.dieselFactor == 0 && f.heading.Is(meaning.Price|meaning.Bound))
		if isDate || isFigure {
			detail := fmt.Sprintf("the values under %q are not what it says", f.heading)
			return &refusal.Refusal{Reason: refusal.Implausible, Detail: detail}
		}
	}
	return nil
}

// hasSlipped tells whether the last figures of a table with headings have none: the headings may have moved by one.
func (c *Columns) hasSlipped() bool {
	for _, f := range slices.Backward(c.facts) {
		if !f.shape.IsEmpty() {
			return c.Sheet.Headed && !c.Sheet.Loose && f.heading.IsEmpty() && f.shape.IsNumeric()
		}
	}
	return false
}

// Find finds the columns; with withDiesel also that of the diesel price. A refusal says what is wrong with the sheet.
func Find(s document.List, v *meaning.Vocabulary, carrier calendar.Carrier, withDiesel bool) (*Columns,
	*refusal.Refusal) {
	c := &Columns{Sheet: s, vocabulary: v, carrier: carrier, Date: None, Percent: None, Diesel: None, plainTruckload: None}
	c.facts = factsOf(s, v)
	for _, step := range []func() *refusal.Refusal{c.checkHeadings, c.findDate, c.findPercent} {
		if refused := step(); refused != nil {
			return nil, refused
		}
	}
	c.findPlainTruckload()
	if withDiesel {
		c.findDiesel()
	}
	return c, nil
}

func factsOf(s document.List, v *meaning.Vocabulary) []facts {
	shapes := make([]Shape, len(s.Labels))
	all := make([]facts, len(s.Labels))
	for i, levels := range s.Labels {
		shapes[i] = ShapeOf(s.Rows, i)
		h, isOther := v.Heading(levels), false
		if s.IsJSON && shapes[i].IsNumeric() &&
			(h.Mode != 0 && h.Is(meaning.Unknown) || h.Meanings.HasOnly(meaning.Neutral)) {
			h = v.Heading(slices.Concat(s.Context, levels)) // {"ltl": {"2026-09-09": 50.32}}
		}
		if (s.Loose || s.IsJSON) && !shapes[i].IsDated() {
			h.Meanings &^= meaning.Date | meaning.Effective | meaning.Begin | meaning.End | meaning.Posted // of the whole record
		}
		if s.Loose {
			// "LTL tons per day up 3.4%"
			isOther = h.Mode == meaning.LTL && h.Is(meaning.Unknown) && !h.Is(meaning.Percent|meaning.Fuel) &&
				!shapes[i].IsDated()
			if h.Is(meaning.LTL | meaning.Percent | meaning.Price) {
				h.Meanings &^= meaning.Unknown // they are words of sentences
			}
			if shapes[i].IsDated() {
				h.Meanings &^= meaning.Other // "upcoming"
			}
		}
		shape := &shapes[i]
		all[i] = facts{
			heading: h, shape: shape, foreign: isOther || IsForeign(h),
			percentFactor: percentFactor(shape), dieselFactor: dieselFactor(shape),
		}
	}
	return all
}

// rankRule says how surely a column is what it is looked for. The first rule of a table that applies decides; a
// column to which none applies has rank 0.
type rankRule struct {
	name    string
	rank    int
	applies func(f facts) bool
}

func rankBy(rules []rankRule, f facts) int {
	for i := range rules {
		if rules[i].applies(f) {
			return rules[i].rank
		}
	}
	return 0
}

// never is a rule that leaves a column out.
func never(why string, applies func(f facts) bool) rankRule { return rankRule{why, 0, applies} }

// rival is the rank of a column of something unknown: one that does not say what it is could as well be this.
const rival = -1

// choice is the column that is most surely what is looked for, and what speaks against it.
type choice struct {
	column, rank int
	equals       int // columns of that rank with other values, the chosen one included
	rivals       int // other columns that could be it
}

func (c *Columns) choose(rankOf func(column int) int) choice {
	best := choice{column: None}
	for i := range c.facts {
		switch rank := rankOf(i); {
		case rank == rival:
			best.rivals++
		case rank > best.rank:
			best.rivals += best.equals
			best.column, best.rank, best.equals = i, rank, 1
		case rank > 0 && c.sameValues(best.column, i):
		case rank > 0 && rank == best.rank:
			best.equals++
		case rank > 0:
			best.rivals++
		}
	}
	return best
}

// sameValues tells whether two columns say the same in every row, be it in other words.
func (c *Columns) sameValues(a, b int) bool {
	for i := range c.Sheet.Rows {
		if r := &c.Sheet.Rows[i]; !r.Broken && !r.Cells[a].Equals(r.Cells[b]) {
			return false
		}
	}
	return true
}

// Heading is what stands over a column.
func (c *Columns) Heading(column int) meaning.Heading { return c.facts[column].heading }
