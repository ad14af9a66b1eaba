// Package bracket finds a carrier's table of brackets in an HTML page: which percent applies while diesel costs at
// least one price and less than another. Such a table stands beside the history that package surcharge reads, and the
// same rooms read its cells and headings. A table that can be read in two ways is refused.
package bracket

import (
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"slices"

	"assay.dev/contracts"
	"assay.dev/ltl-worker/document"
	"assay.dev/ltl-worker/document/cell"
	"assay.dev/ltl-worker/surcharge/column"
	"assay.dev/ltl-worker/surcharge/meaning"
)

// Table is what a page says: rows in the order of their prices, without a gap.
type Table struct {
	Rows []contracts.Bracket
	// Tally counts the rows, and as clean those that were read.
	contracts.Tally
}

// minRows is how many rows make a table.
const minRows = 3

// Read finds the table of a page in UTF-8. The error says why there is none, or none that is sure.
func Read(page []byte) (Table, error) {
	vocabulary := meaning.NewVocabulary()
	root, err := document.FromHTML(page)
	if err != nil {
		return Table{}, err
	}
	var found *Table
	refused := errors.New("no table of brackets")
	for _, s := range document.Lists(root, vocabulary) {
		columns, ok := findColumns(s, vocabulary)
		if !ok {
			continue
		}
		t, err := columns.readTable(s)
		switch {
		case err != nil:
			refused = fmt.Errorf("%s: %w", s.Name, err)
		case found != nil && !reflect.DeepEqual(found.Rows, t.Rows):
			return Table{}, fmt.Errorf("%s: another table of brackets says something else", s.Name)
		default:
			found = &t
		}
	}
	if found == nil {
		return Table{}, refused
	}
	return *found, nil
}

// columns are the indexes of what a row says; none where the sheet does not have it.
type columns struct {
	low, high      int // equal where one cell has both prices, such as "$3.000 - $3.039"
	ltl, truckload int
}

const none = -1

// findColumns tells which columns are what. It is false for a sheet that is no table of brackets, such as a history,
// or where more than one column could be the LTL percent.
func findColumns(s document.List, v *meaning.Vocabulary) (columns, bool) {
	c := columns{none, none, none, none}
	if !s.Headed || s.Hidden || s.Cut || len(s.Rows) < minRows || column.ForeignLine(s, v, true) != "" {
		return c, false
	}
	for i, levels := range s.Labels {
		heading := v.Heading(levels)
		shape := column.ShapeOf(s.Rows, i)
		isForeign := column.IsForeign(heading)
		switch {
		case shape.IsDated():
			return c, false
		case isForeign:
		case isRange(s.Rows, i) && c.low == none:
			c.low, c.high = i, i
		case shape.IsNumeric() && isPercents(shape) && heading.Mode != 0:
			if !c.takePercent(i, heading.Mode) {
				return c, false
			}
		case shape.IsNumeric() && isPrices(shape):
			c.takePrice(i)
		}
	}
	return c, c.low != none && c.high != none && c.ltl != none
}

// takePercent takes a column of percents. It is false for a second one of the same service.
func (c *columns) takePercent(i int, mode meaning.Set) bool {
	at := &c.ltl
	if mode.Has(meaning.Truckload) {
		at = &c.truckload
	}
	isFirst := *at == none
	*at = i
	return isFirst
}

func (c *columns) takePrice(i int) {
	if c.low == none {
		c.low = i
	} else if c.high == none {
		c.high = i
	}
}

func isPercents(s column.Shape) bool { return s.Unit() == cell.Percent }

func isPrices(s column.Shape) bool {
	return (s.Unit() == cell.Dollars || s.Unit() == cell.Bare) && s.IsWithin(0, mostPrice)
}

// readTable reads the rows in the order of their prices.
func (c columns) readTable(s document.List) (Table, error) {
	var t Table
	for _, r := range s.Rows {
		b, ok := c.bracket(r)
		t.Tally = t.Add(contracts.TallyOf(ok))
		if ok {
			t.Rows = append(t.Rows, b)
		}
	}
	slices.SortFunc(t.Rows, func(a, b contracts.Bracket) int { return cmp.Compare(a.AtLeastUSD, b.AtLeastUSD) })
	return t, settle(t.Rows)
}
