package audit

import (
	"cmp"
	"fmt"
	"slices"

	"assay.dev/contracts"
	"assay.dev/gateway/sheet"
)

// PricedContract is a contract with what its terms are priced by.
type PricedContract struct {
	Contract
	// Prices are the national prices of diesel, by their Mondays, in USD a gallon. PriceFailure says why they cannot be
	// read; empty when they can.
	Prices       map[contracts.Date]float64
	PriceFailure string
	// Tables are the bracket tables of carriers as they stood on days.
	Tables map[TableOf]Table
	// Read are what the prices and the tables were read from.
	Read []Ground
}

// TableOf is a carrier's table on a day.
type TableOf struct {
	Carrier contracts.Carrier
	AsOf    contracts.Date
}

// Table is a bracket table, or why it cannot be read.
type Table struct {
	contracts.FuelTableAnswer
	Failure string
}

// Needs is what a file of lines is priced by under a contract.
type Needs struct {
	// Days are those whose published weeks are needed, of each carrier, first and last.
	Days map[contracts.Carrier][2]contracts.Date
	// Mondays are the first and the last whose price is needed; empty for none. Those before and after are needed too.
	Mondays [2]contracts.Date
	Tables  []TableOf
}

// Needs finds what the lines need that can be read.
func (c Contract) Needs(lines []Line, today contracts.Date) Needs {
	n := Needs{Days: map[contracts.Carrier][2]contracts.Date{}}
	seen := map[TableOf]bool{}
	for _, l := range lines {
		carrier := contracts.Carrier(l.Carrier)
		i, ok := c.on(carrier, l.ShipDate)
		if !ok || !l.Known || len(l.Errors) > 0 {
			continue
		}
		t := c.Terms[i]
		day := t.priced(l)
		switch {
		case day == "" || day > today:
		case t.Basis == Published:
			n.Days[carrier] = spanning(n.Days[carrier], day)
		default:
			n.Mondays = spanning(n.Mondays, t.monday(day))
			if of := (TableOf{carrier, t.AsOf}); t.Basis == TableAsOf && !seen[of] {
				seen[of] = true
				n.Tables = append(n.Tables, of)
			}
		}
	}
	return n
}

func spanning(days [2]contracts.Date, day contracts.Date) [2]contracts.Date {
	if days[0] == "" {
		return [2]contracts.Date{day, day}
	}
	return [2]contracts.Date{min(days[0], day), max(days[1], day)}
}

// ownTermsGiven is the member of a term that the line has of its own; empty for none.
func (l Line) ownTermsGiven() string {
	for name, isGiven := range map[string]bool{"discount_points": l.Discount != nil, "cap_pct": l.Cap != nil,
		"min_amount": l.MinAmount != nil} {
		if isGiven {
			return name
		}
	}
	return ""
}

// CheckLines refuses lines with terms of their own that a term is for: two contracts cannot hold for one line.
func (c Contract) CheckLines(lines []Line) error {
	for _, l := range lines {
		name := l.ownTermsGiven()
		if name == "" {
			continue
		}
		if i, ok := c.on(contracts.Carrier(l.Carrier), l.ShipDate); ok {
			return sheet.Unreadable("line %d has %s of its own, and term %d of the contract is for it: leave one of both out",
				l.Number, name, i+1)
		}
	}
	return nil
}

// judgeAgreed holds a line against the term that is for its ship date.
func (a *Auditor) judgeAgreed(l Line, r Result) Result {
	i, ok := a.agreed.on(contracts.Carrier(l.Carrier), l.ShipDate)
	if !ok {
		return r.end(Unresolved, "the contract %s has no term of %[2]s for %s; add one, of the basis published for what "+
			"%[2]s publishes, or audit %[2]s without it",
			a.agreed.Name, l.Carrier, l.ShipDate)
	}
	t := terms{l, a.agreed.Terms[i], fmt.Sprintf("term %d of %s", i+1, a.agreed.Name)}
	day := t.priced(l)
	switch {
	case day == "":
		return r.end(Unresolved, "term %d goes by %s_date, which the line does not have", i+1, t.DateBasis)
	case day > a.today:
		return r.end(Unresolved, "%s, by which term %d goes, lies ahead: today is %s in New York", day, i+1, a.today)
	}
	if by := cmp.Or(t.DateBasis, ByShipDate); by != ByShipDate { // nothing else in the result tells this day
		t.name += fmt.Sprintf(" by %s_date %s", by, day)
	}
	if t.Basis != Published {
		return a.judgePriced(l, r, t, day)
	}
	t.name += ", published"
	return a.judge(l, r, day, t)
}

// judgePriced holds a line against a term that goes by the price of diesel.
func (a *Auditor) judgePriced(l Line, r Result, t terms, day contracts.Date) Result {
	monday := t.monday(day)
	basis, reason := a.agreed.basis(t, monday)
	if reason != "" {
		return r.end(Unresolved, "%s", reason)
	}
	t.name += fmt.Sprintf(", diesel %.3f of %s", a.agreed.Prices[monday], monday)
	due := t.expected(basis)
	if why := t.excess(due); why != "" {
		return r.end(Unresolved, "%s", why)
	}
	m := mistakes{isHeavy: a.isHeavy(t, monday)}
	for _, other := range []contracts.Date{monday.AddDays(-7), monday.AddDays(7)} {
		if near, reason := a.agreed.basis(t, other); reason == "" && l.isBilled(t.expected(near)) {
			m.weeks = append(m.weeks, string(other))
		}
	}
	return a.held(l, r, due, t.formula(basis, due), m)
}

// isHeavy tells whether the truckload column of a carrier's bracket table makes the bill of a line, by the price of a
// Monday, or of the one before or after.
func (a *Auditor) isHeavy(t terms, monday contracts.Date) bool {
	if t.Basis != TableAsOf {
		return false
	}
	heavy := t
	heavy.line.Service = Truckload
	return slices.ContainsFunc([]int{-7, 0, 7}, func(days int) bool {
		percent, reason := a.agreed.basis(heavy, monday.AddDays(days))
		return reason == "" && a.tolerance.covers(t.line, t.expected(percent))
	})
}

// basis is the percent of a term's basis for its line at the price of a Monday, or the reason why it is not known. Of
// both services, only the bracket table of a carrier tells them apart.
func (g *PricedContract) basis(t terms, monday contracts.Date) (percent Points, reason string) {
	price, ok := g.Prices[monday]
	switch {
	case g.PriceFailure != "":
		return 0, g.PriceFailure
	case !ok:
		return 0, fmt.Sprintf("the national price of diesel of %s is not known", monday)
	case t.Basis != TableAsOf:
		percent, ok = t.atPrice(PublishedPoints(price))
	default:
		table, isThere := g.Tables[TableOf{t.Carrier, t.AsOf}]
		switch {
		case !isThere:
			return 0, fmt.Sprintf("the bracket table of %s as it stood on %s is not known", t.Carrier, t.AsOf)
		case table.Failure != "":
			return 0, table.Failure
		}
		at := table.PercentAt
		if t.line.Service == Truckload {
			at = table.TruckloadPercentAt
		}
		var of float64
		if of, ok = at(price); !ok && t.line.Service == Truckload {
			return 0, fmt.Sprintf("the bracket table of %s as it stood on %s has no truckload percent for the price of diesel "+
				"of %s, %.3f", t.Carrier, t.AsOf, monday, price)
		}
		percent = PublishedPoints(of)
	}
	if !ok {
		return 0, fmt.Sprintf("no bracket holds the price of diesel of %s, %.3f", monday, price)
	}
	return percent, ""
}
