package audit

import (
	"fmt"
	"slices"
	"strings"

	"assay.dev/contracts"
)

// compare fills in what was expected and by how much the bill differs.
func (r Result) compare(l Line, due bill, formula string) Result {
	r.ExpectedPct, r.ExpectedAmount, r.Formula = &due.percent, due.amount, &formula
	if l.BilledPct != nil {
		r.VariancePoints = new(*l.BilledPct - due.percent)
	}
	if l.BilledAmount != nil {
		variance := *l.BilledAmount - *due.amount
		recoverable := max(variance, 0)
		r.VarianceAmount, r.RecoverableAmount = &variance, &recoverable
	}
	return r
}

// mistakes are how a bill may have come about: the weeks, or Mondays, before and after that make it, and the other
// service that does. isHeavy tells whether the truckload column of one of the three makes it within the tolerances.
type mistakes struct {
	weeks   []string
	other   Service
	isHeavy bool
}

// held is the verdict on a line that is held against what was due, with what may still be contested.
func (a *Auditor) held(l Line, r Result, due bill, formula string, m mistakes) Result {
	if l.mayBeFraction(due) {
		return r.end(Unresolved, "billed_pct %v may be a fraction, which is %v percent, where %v is right: write it in percent",
			*l.BilledPct, *l.BilledPct*100, due.percent)
	}
	r = a.verdict(l, r.compare(l, due, formula), due, m)
	contestability, withheld := r.Contestability(a.today), a.withheld(l, r, m)
	if r.RecoverableAmount != nil || withheld != "" {
		r.ContestableAmount, r.ExpiredAmount = new(Cents), new(Cents)
	}
	switch {
	case withheld != "":
		*r.Reason += "; " + withheld
	case r.RecoverableAmount == nil:
	case contestability == Contestable:
		*r.ContestableAmount = *r.RecoverableAmount
	case contestability == Expired:
		*r.ExpiredAmount = *r.RecoverableAmount
	}
	if why := a.receipt(l); contestability != "" && why != "" {
		*r.Reason += "; " + why
	} else if contestability == Undated {
		*r.Reason += "; whether its 180 days are over cannot be told without bill_received"
	}
	return r
}

// withheld says why a line that was billed above what is right is not contested; empty for nothing.
func (a *Auditor) withheld(l Line, r Result, m mistakes) string {
	if !r.IsDisputed() {
		return ""
	}
	if why := a.doubt(l); why != "" {
		return why
	}
	if pointsOff, amountOff := a.tolerance.exceeded(r); !pointsOff && !amountOff {
		return "it is within the tolerances, so it is not contested"
	}
	if m.isHeavy && !l.IsServiceSaid {
		return "the truckload column is right for heavy shipments, and the line names no service, so it is not contested; " +
			"service=ltl on the line contests it"
	}
	return ""
}

// receipt says why the day on which the bill is said to have come cannot be right; empty for nothing.
func (a *Auditor) receipt(l Line) string {
	switch {
	case l.BillReceived > a.today:
		return fmt.Sprintf("bill_received %s lies ahead and is not taken", l.BillReceived)
	case l.BillReceived != "" && l.BillReceived < l.ShipDate:
		return fmt.Sprintf("bill_received %s is before ship_date and is not taken", l.BillReceived)
	}
	return ""
}

// mayBeFraction tells whether a percent below 1 is nearer to what was due if it is a fraction, such as 0.4632. What was
// said of the file, and an amount that the percent makes, decide otherwise.
func (l Line) mayBeFraction(due bill) bool {
	p := l.BilledPct
	if p == nil || l.IsFormSaid || *p <= 0 || *p >= onePoint || *p*10 >= due.percent {
		return false
	}
	return l.BilledAmount == nil || magnitude(l.BaseAmount.part(*p)-*l.BilledAmount) > 1
}

// verdict takes the first verdict that holds for a line whose bill was compared.
func (a *Auditor) verdict(l Line, r Result, due bill, m mistakes) Result {
	if l.isBilled(due) {
		r.Verdict = Match
		return r
	}
	if len(m.weeks) > 0 {
		return r.end(WrongWeek, "billed as in the week that begins %s", strings.Join(m.weeks, " and in the one that begins "))
	}
	if m.other != "" {
		return r.end(WrongTable, "billed by the %s column", m.other)
	}
	pointsOff, amountOff := a.tolerance.exceeded(r)
	switch {
	case l.BilledPct != nil && *r.VariancePoints == 0 && amountOff:
		return r.end(Arithmetic, "the percent is right, the amount is not what it makes")
	case !pointsOff && !amountOff:
		return r.end(WithinTolerance, "within %s points and %s USD", a.tolerance.Points, a.tolerance.Amount)
	case amountOff && *r.VarianceAmount > 0 || !amountOff && *r.VariancePoints > 0:
		return r.end(Overbilled, "%s", r.difference())
	}
	return r.end(Underbilled, "%s", r.difference())
}

// exceeded tells of the percent and of the amount whether they are farther off than the tolerance.
func (t Tolerance) exceeded(r Result) (points, amount bool) {
	points = r.VariancePoints != nil && magnitude(*r.VariancePoints) > t.Points
	amount = r.VarianceAmount != nil && magnitude(*r.VarianceAmount) > t.Amount
	return points, amount
}

// covers tells whether the line was billed b within the tolerance.
func (t Tolerance) covers(l Line, b bill) bool {
	points, amount := t.exceeded(Result{}.compare(l, b, ""))
	return !points && !amount
}

// mistakes looks for the bill in the weeks around the i-th, and in the other service's column of it.
func (a *Auditor) mistakes(l Line, archive Archive, i int, t terms) (m mistakes) {
	neighbours := archive.neighbours(i)
	for _, week := range neighbours {
		published, ok := week.percent(l.Service)
		if ok && week.Confidence >= contracts.MinConfidence && l.isBilled(t.expected(published)) {
			m.weeks = append(m.weeks, string(week.Start))
		}
	}
	other := Truckload
	if l.Service == Truckload {
		other = LTL
	}
	if published, ok := archive.weeks[i].percent(other); ok && l.isBilled(t.expected(published)) {
		m.other = other
	}
	m.isHeavy = slices.ContainsFunc(append(neighbours, archive.weeks[i]), func(week Week) bool {
		heavy, ok := week.percent(Truckload)
		return ok && a.tolerance.covers(l, t.expected(heavy))
	})
	return m
}

// difference says how far the bill is above or below what was due.
func (r Result) difference() string {
	var parts []string
	if r.VariancePoints != nil && *r.VariancePoints != 0 {
		parts = append(parts, apart(*r.VariancePoints, "points"))
	}
	if r.VarianceAmount != nil && *r.VarianceAmount != 0 {
		parts = append(parts, apart(*r.VarianceAmount, "USD"))
	}
	return strings.Join(parts, ", ")
}

func apart[N Points | Cents](variance N, unit string) string {
	direction := "above"
	if variance < 0 {
		direction = "below"
	}
	return fmt.Sprintf("%v %s %s what is expected", magnitude(variance), unit, direction)
}
