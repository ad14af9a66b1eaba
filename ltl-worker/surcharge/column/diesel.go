package column

import (
	"regexp"

	"assay.dev/ltl-worker/surcharge/meaning"
)

var ofRegion = regexp.MustCompile(`(?i)\b(?:regional|local)\b`)

// dieselRules say how surely a column with plausible prices is the national diesel price, in a table with headings.
var dieselRules = []rankRule{
	never("no diesel prices", func(f facts) bool { return f.dieselFactor == 0 }),
	never("another service or place", func(f facts) bool { return f.foreign }),
	never("a price of some region", func(f facts) bool {
		// The lexicon does not have these words: a regional carrier heads its percents so, too.
		return ofRegion.MatchString(f.heading.String())
	}),
	never("numbers of the rows", func(f facts) bool {
		return !f.heading.Is(meaning.Price|meaning.Fuel) && 2*f.shape.Whole > f.shape.Figures
	}),
	never("percents or bounds", func(f facts) bool { return f.saysRate() || f.heading.Is(meaning.Bound) }),
	never("not headed as a price", func(f facts) bool {
		return !f.heading.Is(meaning.Price | meaning.Index | meaning.Fuel | meaning.US)
	}),
	{"a price and an unknown word", 1, func(f facts) bool { return f.heading.Is(meaning.Unknown) }},
	{"a national price", 3, func(f facts) bool { return f.heading.Is(meaning.US) }},
	{"a price", 2, func(facts) bool { return true }},
}

// unheadedDieselRules are for a table without headings.
var unheadedDieselRules = []rankRule{
	never("no diesel prices", func(f facts) bool { return f.dieselFactor == 0 }),
	{"printed to a tenth of a cent, as the EIA does", 1, func(f facts) bool {
		return 2*f.shape.Thousandths > f.shape.Figures
	}},
}

// findDiesel takes the national diesel price. Where several columns could be it, none is.
func (c *Columns) findDiesel() {
	if choice := c.choose(c.dieselRank); choice.equals == 1 {
		c.Diesel = choice.column
	}
}

func (c *Columns) dieselRank(i int) int {
	switch f := c.facts[i]; {
	case i == c.Percent:
		return 0
	case !c.Sheet.Headed && f.heading.IsEmpty():
		return rankBy(unheadedDieselRules, f)
	default:
		return rankBy(dieselRules, f)
	}
}

// usualPercent is the percent in the middle of the column.
func (c *Columns) usualPercent() float64 {
	f := c.facts[c.Percent]
	return f.shape.Median() * f.percentFactor
}
