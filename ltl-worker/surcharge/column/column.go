// Package column finds out which column of a sheet is what: the effective date, the LTL percent and the national
// diesel price. A column must satisfy both by its heading and by the shape of its values.
package column

import (
	"strings"

	"assay.dev/ltl-worker/surcharge/calendar"
	"assay.dev/ltl-worker/surcharge/cell"
	"assay.dev/ltl-worker/surcharge/meaning"
	"assay.dev/ltl-worker/surcharge/refusal"
	"assay.dev/ltl-worker/surcharge/scope"
	"assay.dev/ltl-worker/surcharge/sheet"
)

// None is the index of a column that the sheet does not have.
const None = -1

// Columns says which column of a sheet is what.
type Columns struct {
	// Sheet is what the columns were found in.
	Sheet sheet.Sheet
	// Date, Percent and Diesel are indexes of columns. Diesel may be [None].
	Date, Percent, Diesel int
	// HeadedLTL is set when the heading of the percent names LTL, and not just a surcharge.
	HeadedLTL bool
	// Effective is the effective date of each row; 0 where it cannot be read.
	Effective []calendar.Day

	vocabulary *meaning.Vocabulary
	carrier    calendar.Carrier
	facts      []facts    // of each column
	order      cell.Order // of day and month in the dates
	truckload  []int      // columns of the percents that a truckload pays
	// plainTruckload is the one of them that is surely that; None where there is none.
	plainTruckload int
}

// facts are what the rules know of one column.
type facts struct {
	heading meaning.Heading
	shape   *sheet.Shape
	// foreign is set for another figure, or a figure of another service or place, by the heading.
	foreign bool
	// percentFactor and dieselFactor make percents or dollars per gallon of the figures: 1, 100 for fractions, 0.01 for
	// cents. They are 0 when the figures are no such values.
	percentFactor, dieselFactor float64
}

// Find finds the columns; with withDiesel also that of the diesel price. A refusal says what is wrong with the sheet.
func Find(s sheet.Sheet, v *meaning.Vocabulary, carrier calendar.Carrier, withDiesel bool) (*Columns, *refusal.Refusal) {
	c := &Columns{Sheet: s, vocabulary: v, carrier: carrier, Date: None, Percent: None, Diesel: None, plainTruckload: None}
	c.facts = factsOf(s)
	for _, step := range []func() *refusal.Refusal{c.checkHeadings, c.findDate, c.findPercent} {
		if refused := step(); refused != nil {
			return nil, refused
		}
	}
	c.findPlainTruckload()
	if withDiesel {
		c.findDiesel()
	}
	if refused := c.checkRatio(); refused != nil {
		return nil, refused
	}
	return c, nil
}

func factsOf(s sheet.Sheet) []facts {
	inCents := strings.Contains(strings.Join(s.Context, " "), "cents")
	shapes := make([]sheet.Shape, len(s.Columns))
	all := make([]facts, len(s.Columns))
	for i, h := range s.Columns {
		shapes[i] = sheet.ShapeOf(s.Rows, i)
		shape := &shapes[i]
		all[i] = facts{
			heading: h, shape: shape, foreign: scope.HeadingIsForeign(h) || 2*shape.Changes > shape.Rows,
			percentFactor: percentFactor(shape), dieselFactor: dieselFactor(shape, inCents || h.Is(meaning.Cents)),
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

// Meanings are what the words of a text mean.
func (c *Columns) Meanings(text string) meaning.Set { return c.vocabulary.Of(text) }

// sameValues tells whether two columns say the same in every row, be it in other words.
func (c *Columns) sameValues(a, b int) bool {
	for i := range c.Sheet.Rows {
		if r := &c.Sheet.Rows[i]; !r.Broken && !r.Cells[a].Equals(&r.Cells[b]) {
			return false
		}
	}
	return true
}

// withoutHeading counts the columns that say something under no heading. In a table with headings, what one such
// column is can be told from the others; what two are cannot.
func (c *Columns) withoutHeading() int {
	n := 0
	for _, f := range c.facts {
		if f.heading.IsEmpty() && !f.shape.IsEmpty() {
			n++
		}
	}
	return n
}
