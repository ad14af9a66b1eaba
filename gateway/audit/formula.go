package audit

import "fmt"

// bill is what a line should cost by a percent, or what it was billed. The amount is nil where it is not known.
type bill struct {
	percent Points
	amount  *Cents
}

// terms make a bill of the percent of their basis for a line, and say how.
type terms struct {
	line Line
	Term
	// name says which terms they are and what they are priced by.
	name string
}

// ownTerms are those that stand in the line itself. Nothing of them is rounded.
func (l Line) ownTerms() terms {
	return terms{l, Term{DiscountPoints: l.Discount, CapPct: l.Cap, MinAmount: l.MinAmount,
		Decimals: new(Count(pointDecimals))}, "published"}
}

func (t terms) expected(basis Points) bill {
	b := bill{percent: t.percent(basis)}
	if t.line.BaseAmount != nil {
		b.amount = new(max(t.line.BaseAmount.part(b.percent), or(t.MinAmount, 0)))
	}
	return b
}

// formula is what expected computes, in words that also stand in letters to carriers, such as
// "term 1 of acme, diesel 5.599 of 2026-09-07: 46.32 x 1.10 - 2.00 points = 48.95; 1000.00 x 48.95 / 100 = 489.50".
func (t terms) formula(basis Points, b bill) string {
	text := basis.String()
	if t.Multiplier != nil {
		text += " x " + t.Multiplier.String()
	}
	if t.DiscountPoints != nil {
		text += " - " + t.DiscountPoints.String() + " points"
	}
	switch {
	case t.FloorPct != nil:
		text = "max(" + text + ", floor " + t.FloorPct.String() + ")"
	case t.exact(basis) < 0:
		text = "max(" + text + ", 0)"
	}
	if t.CapPct != nil {
		text = "min(" + text + ", cap " + t.CapPct.String() + ")"
	}
	if d := or(t.Decimals, defaultDecimals); d < defaultDecimals {
		text = fmt.Sprintf("round(%s, %d)", text, d)
	}
	if text != b.percent.String() {
		text += " = " + b.percent.String()
	}
	if b.amount != nil {
		product := t.line.BaseAmount.String() + " x " + b.percent.String() + " / 100"
		if t.MinAmount != nil {
			product = "max(" + product + ", minimum " + t.MinAmount.String() + ")"
		}
		text += "; " + product + " = " + b.amount.String()
	}
	return t.name + ": " + text
}

// isBilled tells whether all that the line was billed equals b.
func (l Line) isBilled(b bill) bool {
	return (l.BilledPct == nil || *l.BilledPct == b.percent) && (l.BilledAmount == nil || *l.BilledAmount == *b.amount)
}
