package audit

import (
	"fmt"
	"strings"
)

// bill is what a line should cost by a published percent, or what it was billed. The amount is nil where it is not
// known.
type bill struct {
	percent Points
	amount  *Cents
}

// terms make a bill of the percent of their basis, and say how.
type terms interface {
	expected(basis Points) bill
	formula(basis Points, b bill) string
}

// ownTerms are those that stand in the line itself.
type ownTerms struct{ Line }

// expected applies the formula to a published percent. There is an amount where the line has a base amount.
func (l ownTerms) expected(published Points) bill {
	b := bill{percent: published}
	if l.Discount != nil {
		b.percent -= *l.Discount
	}
	if l.Cap != nil {
		b.percent = min(b.percent, *l.Cap)
	}
	b.percent = max(b.percent, 0)
	if l.BaseAmount == nil {
		return b
	}
	amount := l.BaseAmount.part(b.percent)
	if l.MinAmount != nil {
		amount = max(amount, *l.MinAmount)
	}
	b.amount = &amount
	return b
}

// formula writes what expected computes, such as "46.32 - 2.00 = 44.32; 1200.00 x 44.32 / 100 = 531.84".
func (l ownTerms) formula(published Points, b bill) string {
	var text strings.Builder
	terms := published.String()
	if l.Discount != nil {
		terms += " - " + l.Discount.String()
	}
	if l.Cap != nil {
		terms = "min(" + terms + ", " + l.Cap.String() + ")"
	}
	if l.Discount != nil && published < *l.Discount {
		terms = "max(" + terms + ", 0)"
	}
	text.WriteString(terms)
	if l.Discount != nil || l.Cap != nil {
		fmt.Fprintf(&text, " = %s", b.percent)
	}
	if b.amount == nil {
		return text.String()
	}
	product := l.BaseAmount.String() + " x " + b.percent.String() + " / 100"
	if l.MinAmount != nil {
		product = "max(" + product + ", " + l.MinAmount.String() + ")"
	}
	fmt.Fprintf(&text, "; %s = %s", product, b.amount)
	return text.String()
}

// isBilled tells whether all that the line was billed equals b.
func (l Line) isBilled(b bill) bool {
	return (l.BilledPct == nil || *l.BilledPct == b.percent) && (l.BilledAmount == nil || *l.BilledAmount == *b.amount)
}
