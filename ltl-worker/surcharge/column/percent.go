package column

import (
	"fmt"
	"slices"

	"assay.dev/ltl-worker/document"
	"assay.dev/ltl-worker/document/cell"
	"assay.dev/ltl-worker/surcharge/meaning"
	"assay.dev/ltl-worker/surcharge/refusal"
)

// How surely a column is the LTL percent.
const (
	notHeaded = 1 // percents without a heading
	general   = 2 // headed surcharge, and nothing against it
	clearLTL  = 3 // headed LTL
)

// mode is LTL, truckload or both, as the heading says, or else the words beside the figures.
func (f facts) mode() meaning.Set {
	if f.heading.Mode != 0 {
		return f.heading.Mode
	}
	return f.shape.About & (meaning.LTL | meaning.Truckload)
}

func (f facts) isMarkedPercent() bool { return f.shape.Unit() == cell.Percent }

// percentRules say how surely a column is the LTL percent.
var percentRules = []rankRule{
	never("no percents", func(f facts) bool {
		return f.percentFactor == 0 || f.heading.Is(meaning.Cents) && !f.isMarkedPercent()
	}),
	never("another service or place", func(f facts) bool {
		return f.foreign || f.shape.About.Has(meaning.Service|meaning.Abroad|meaning.Region)
	}),
	never("truckload", func(f facts) bool { return f.mode().Has(meaning.Truckload) }),
	never("bounds of brackets", func(f facts) bool { return f.heading.Is(meaning.Bound) && f.mode() == 0 }),
	never("prices", func(f facts) bool {
		return f.saysPrice() && !f.isMarkedPercent() && f.shape.Median() <= mostDiesel
	}),
	never("points of an index", func(f facts) bool {
		return f.heading.Is(meaning.Index) && !f.heading.Is(meaning.Percent) && !f.isMarkedPercent()
	}),
	{"LTL", clearLTL, func(f facts) bool { return f.mode() == meaning.LTL }},
	{"percents of something unknown", rival, func(f facts) bool {
		return f.heading.Is(meaning.Unknown) && f.isMarkedPercent()
	}},
	never("something unknown", func(f facts) bool { return f.heading.Is(meaning.Unknown) }),
	{"a surcharge", general, func(f facts) bool {
		return f.heading.Is(meaning.Percent) && !f.heading.Is(meaning.Date)
	}},
	{"percents without a heading, or of the whole country", notHeaded, func(f facts) bool {
		saysCountry := f.heading.Is(meaning.US) && f.heading.Meanings.HasOnly(meaning.US|meaning.Neutral)
		return f.isMarkedPercent() && (f.heading.IsEmpty() || saysCountry)
	}},
}

// findPercent takes the LTL percent: the column that says so best, and only one.
func (c *Columns) findPercent() *refusal.Refusal {
	choice := c.choose(func(i int) int { return rankBy(percentRules, c.facts[i]) })
	switch {
	case choice.column == None:
		return notOurs("no column of LTL percents")
	case c.isUnclear(choice):
		return ambiguous("more than one column could hold the LTL percent")
	case !c.Sheet.IsJSON && !c.isAboutFuel() && !c.hasPrices():
		return notOurs("nothing says that the percents are fuel surcharges")
	}
	headedLTL := choice.rank == clearLTL
	if line := ForeignLine(c.Sheet, c.vocabulary, headedLTL); line != "" {
		return notOurs(fmt.Sprintf("stands under %q", line))
	}
	c.Percent, c.HeadedLTL = choice.column, headedLTL
	return c.checkTruckload()
}

func notOurs(detail string) *refusal.Refusal {
	return &refusal.Refusal{Reason: refusal.NoTable, Detail: detail}
}

// isUnclear tells whether another column could be the percent as well as the chosen one.
func (c *Columns) isUnclear(choice choice) bool {
	return choice.equals > 1 || choice.rivals > 0 && choice.rank <= general
}

// hasPrices tells whether a column is headed as prices and holds plausible diesel prices.
func (c *Columns) hasPrices() bool {
	return slices.ContainsFunc(c.facts, func(f facts) bool { return f.saysPrice() && f.dieselFactor != 0 })
}

// checkTruckload finds the truckload percents, and refuses a sheet whose LTL percents are the higher ones. A
// truckload pays more at every carrier, so the two columns were swapped.
func (c *Columns) checkTruckload() *refusal.Refusal {
	unit := c.facts[c.Percent].shape.Unit()
	for i, f := range c.facts {
		if f.heading.Mode.Has(meaning.Truckload) && !f.foreign && f.shape.IsNumeric() && f.shape.Unit() == unit {
			c.truckload = append(c.truckload, i)
		}
	}
	above := 0
	for _, r := range c.Sheet.Rows {
		if c.isAboveTruckload(r) {
			above++
		}
	}
	if 2*above > len(c.Sheet.Rows) {
		return &refusal.Refusal{Reason: refusal.Implausible, Detail: "LTL percents above those of truckloads"}
	}
	return nil
}

// isAboveTruckload tells whether the LTL percent of a row is higher than a truckload's.
func (c *Columns) isAboveTruckload(r document.Row) bool {
	if r.Broken {
		return false
	}
	ltl := r.Cells[c.Percent].Quantity.Value
	return slices.ContainsFunc(c.truckload, func(i int) bool {
		return r.Cells[i].Kind == cell.Figure && r.Cells[i].Quantity.Value < ltl
	})
}
