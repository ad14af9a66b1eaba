package column

import (
	"slices"

	"assay.dev/ltl-worker/document"
	"assay.dev/ltl-worker/document/cell"
	"assay.dev/ltl-worker/surcharge/meaning"
)

// IsRecord tells whether a row holds a date or a figure, and is no remark.
func (c *Columns) IsRecord(r document.Row) bool {
	return slices.ContainsFunc(r.Cells, func(v *cell.Value) bool { return v.Kind == cell.Dates || v.Kind == cell.Figure })
}

// mostJump is by how much a percent may differ from the usual one of its column. Beyond it is another figure.
const mostJump = 8

// PercentIn is the LTL percent of a row; 0 when the row has none that is plausible.
func (c *Columns) PercentIn(r document.Row) float64 {
	if r.Broken {
		return 0
	}
	factor, v := c.facts[c.Percent].percentFactor, r.Cells[c.Percent]
	if v.Quantity.About.Has(meaning.Others|meaning.Other) || !isPercent(v.Quantity, factor) {
		return 0
	}
	p, usual := rounded(v.Quantity.Value*factor), c.usualPercent()
	plausible := p <= mostPercent && p < usual*mostJump && p > usual/mostJump
	if !plausible || c.isAboveTruckload(r) {
		return 0
	}
	return p
}

// isPercent tells whether the unit of a figure fits a column of percents. A figure with a percent sign is no
// fraction.
func isPercent(q cell.Quantity, factor float64) bool {
	return q.Unit == cell.Bare || q.Unit == cell.Percent && factor == 1
}

// DieselIn is the diesel price of a row in US dollars per gallon; nil when the row has none that is plausible.
func (c *Columns) DieselIn(r document.Row) *float64 {
	if r.Broken || c.Diesel == None {
		return nil
	}
	v := r.Cells[c.Diesel]
	if v.Quantity.Unit == cell.Percent || v.Quantity.Unit == cell.PerMile {
		return nil
	}
	price := rounded(v.Quantity.Value * c.facts[c.Diesel].dieselFactor)
	if price < leastDiesel || price > mostDiesel {
		return nil
	}
	return &price
}

// mostTimes is how many times the LTL percent a truckload's percent may be. Carriers charge about twice as much.
const mostTimes = 4

// TruckloadIn is the percent for truckloads of a row whose LTL percent can be read. It is nil where it is not plain: no
// column or several say so, or the figure does not fit beside the LTL percent.
func (c *Columns) TruckloadIn(r document.Row, ltl float64) *float64 {
	if ltl == 0 || c.plainTruckload == None {
		return nil
	}
	factor, v := c.facts[c.Percent].percentFactor, r.Cells[c.plainTruckload]
	if v.Kind != cell.Figure || v.Quantity.About.Has(meaning.LTL|meaning.Service) || !isPercent(v.Quantity, factor) {
		return nil
	}
	p := rounded(v.Quantity.Value * factor)
	if p > ltl*mostTimes {
		return nil
	}
	return &p
}

// findPlainTruckload takes the percents for truckloads, where one column or several with the same values hold them and
// no word of their headings is unknown.
func (c *Columns) findPlainTruckload() {
	for _, i := range c.truckload {
		if c.facts[i].heading.Is(meaning.Unknown) || !c.sameValues(c.truckload[0], i) {
			return
		}
	}
	if len(c.truckload) > 0 {
		c.plainTruckload = c.truckload[0]
	}
}
