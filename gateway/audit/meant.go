package audit

import (
	"cmp"

	"assay.dev/gateway/lines"
)

// No percent of a fuel surcharge is above mostPercent, and no gallon of diesel costs more than mostDiesel.
const (
	mostPercent = 100 * onePoint
	mostDiesel  = 20 * onePoint
)

// given is a number of a term by its member.
type given struct {
	member string
	Points
}

// percents are those that a term names, and prices what it takes a gallon of diesel to cost.
func (t Term) percents() (percents, prices []given) {
	percents = []given{{"cap_pct", or(t.CapPct, 0)}, {"floor_pct", or(t.FloorPct, 0)},
		{"discount_points", or(t.DiscountPoints, 0)}}
	for _, b := range t.Brackets {
		percents, prices = append(percents, given{"brackets", b.Percent}), append(prices, given{"brackets", b.FromUSD})
	}
	if t.Peg != nil {
		percents = append(percents, given{"peg", t.Peg.BasePct})
		prices = append(prices, given{"peg", t.Peg.BaseUSD}, given{"peg", t.Peg.StepUSD})
	}
	return percents, prices
}

// meant refuses a term that no shipper can mean, such as a multiplier of 85 in place of 0.85: its numbers are none of
// percents and prices, or it makes none of a percent of whatever it goes by. discount_points may be small.
func (t Term) meant(i int) error {
	percents, prices := t.percents()
	fraction, areFractions := "", true
	for _, p := range percents {
		if p.Points > mostPercent {
			return Violation(i, p.member, "%v is above 100 percent; write 46.32 for 46.32 percent", p.Points)
		}
		if p.member != "discount_points" && p.Points > 0 {
			fraction, areFractions = cmp.Or(fraction, p.member), areFractions && lines.LooksLikeFraction(*p.number())
		}
	}
	if fraction != "" && areFractions {
		return Violation(i, fraction, "below 1.5 percent, which looks like a fraction; write 30 for 30 percent")
	}
	for _, p := range prices {
		if p.Points > mostDiesel {
			return Violation(i, p.member, "%v is no price of a gallon of diesel in USD; write 3.55", p.Points)
		}
	}
	reached, most := t.bases()
	switch exact := int64(onePoint); {
	case t.exact(reached) > int64(mostPercent)*exact && t.CapPct == nil:
		return Violation(i, "multiplier", "times %v makes %v percent of %v; write 0.85 for 85 percent", t.Multiplier,
			t.percent(reached), reached)
	case t.exact(most) < 0 && t.FloorPct == nil:
		return Violation(i, "discount_points", "%v points are more than all of the percent, which is %v at most",
			t.DiscountPoints, most)
	}
	return nil
}

// bases are a percent that the basis surely reaches, as carriers have published 10 percent for many years, and the
// highest that it may be.
func (t Term) bases() (reached, most Points) {
	switch t.Basis {
	case OwnBrackets:
		most = t.Brackets[len(t.Brackets)-1].Percent
		return most, most
	case Pegged:
		most, _ = t.atPrice(mostDiesel)
		return t.Peg.BasePct, most
	}
	return mostPercent / 10, mostPercent
}

// excess says why a percent that a term of a contract makes cannot be one of a fuel surcharge; empty for one that can.
func (t terms) excess(b bill) string {
	if b.percent <= mostPercent || t.Carrier == "" {
		return ""
	}
	return t.name + " makes " + b.percent.String() + " percent, and no fuel surcharge is above 100: correct the term"
}
