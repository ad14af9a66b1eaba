package audit

import (
	"fmt"
	"strings"

	"assay.dev/contracts"
)

// contestDays is the number of days within which a shipper may contest a bill after receiving it (49 USC 13710).
const contestDays = 180

// Tolerance is how far a bill may be off. Zero allows nothing.
type Tolerance struct {
	Points Points
	Amount Cents
}

// DefaultTolerance allows a cent.
var DefaultTolerance = Tolerance{Amount: 1}

// Auditor gives the lines of one file their verdicts. It remembers shipments, so each file needs its own.
type Auditor struct {
	archives  map[contracts.Carrier]Archive
	today     contracts.Date
	tolerance Tolerance
	seen      map[shipment]earlier
	// agreed is nil where lines are held against what the carriers published.
	agreed *Agreement
}

// Under makes the auditor hold lines against what was agreed.
func (a *Auditor) Under(agreed *Agreement) *Auditor {
	a.agreed = agreed
	return a
}

// shipment is one of a carrier's.
type shipment struct{ carrier, pro string }

// earlier is the first line of a shipment.
type earlier struct {
	number int
	id     string
}

// NewAuditor makes an auditor of what is archived, on a day in New York. It needs an archive of each carrier of the
// lines.
func NewAuditor(archives map[contracts.Carrier]Archive, today contracts.Date, t Tolerance) *Auditor {
	return &Auditor{archives: archives, today: today, tolerance: t, seen: map[shipment]earlier{}}
}

// Audit is the verdict on the next line.
func (a *Auditor) Audit(l Line) Result {
	r := Result{ID: l.ID, Carrier: l.Carrier, ShipDate: l.ShipDate, Errors: []string{}}
	if len(l.Errors) > 0 {
		r.Errors = l.Errors
		return r.end(Invalid, "%s", strings.Join(l.Errors, "; "))
	}
	if l.PRO != "" {
		r.PRO = &l.PRO
	}
	r.BilledPct, r.BaseAmount, r.BilledAmount = l.BilledPct, l.BaseAmount, l.BilledAmount
	if l.BillReceived != "" {
		r.ContestBy = l.BillReceived.AddDays(contestDays)
	}
	if first, isRepeated := a.remember(l); isRepeated {
		return r.end(Duplicate, "carrier and pro_number are those of line %d (id %s)", first.number, first.id)
	}
	if reason := a.cannotJudge(l); reason != "" {
		return r.end(Unresolved, "%s", reason)
	}
	if a.agreed != nil {
		return a.judgeAgreed(l, r)
	}
	if failure := a.archives[contracts.Carrier(l.Carrier)].Failure; failure != "" {
		return r.end(Unresolved, "%s", failure)
	}
	return a.judge(l, r, l.ShipDate, l.ownTerms())
}

// end gives the result its verdict and the reason.
func (r Result) end(v Verdict, format string, args ...any) Result {
	reason := fmt.Sprintf(format, args...)
	r.Verdict, r.Reason = v, &reason
	return r
}

// remember tells whether an earlier line had the same shipment.
func (a *Auditor) remember(l Line) (first earlier, isRepeated bool) {
	if l.PRO == "" {
		return earlier{}, false
	}
	of := shipment{strings.ToUpper(l.Carrier), strings.ToUpper(l.PRO)}
	if first, isRepeated = a.seen[of]; !isRepeated {
		a.seen[of] = earlier{l.Number, l.ID}
	}
	return first, isRepeated
}

// cannotJudge says what keeps a line from a verdict, before its week is looked up; empty for nothing.
func (a *Auditor) cannotJudge(l Line) string {
	switch {
	case !l.Known:
		return fmt.Sprintf("carrier %q is not supported; GET /v1/ltl/carriers lists the codes", contracts.Printable(l.Carrier))
	case l.ShipDate > a.today:
		return fmt.Sprintf("ship_date lies ahead: today is %s in New York", a.today)
	case l.BilledPct == nil && l.BilledAmount == nil:
		return "neither billed_pct nor billed_amount is given"
	case l.BilledAmount != nil && l.BaseAmount == nil:
		return "billed_amount is given without base_amount, so it cannot be checked"
	}
	return ""
}

// judge looks the week of a day up and compares.
func (a *Auditor) judge(l Line, r Result, day contracts.Date, t terms) Result {
	archive := a.archives[contracts.Carrier(l.Carrier)]
	i, ok := archive.on(day)
	if !ok {
		return r.end(Unresolved, "%s", archive.nearest(l.Carrier, day))
	}
	week := archive.weeks[i]
	r.EffectiveDate, r.EvidenceURL = week.Start, &week.EvidenceURL
	if !week.IsOpen {
		r.EndDate = week.End
	}
	published, ok := week.percent(l.Service)
	switch {
	case week.Confidence < contracts.MinConfidence:
		return r.end(Unresolved, "%s", week.why())
	case !ok:
		return r.end(Unresolved, "the truckload percent of %s is not known for this week", l.Carrier)
	}
	due := t.expected(published)
	if why := t.excess(due); why != "" {
		return r.end(Unresolved, "%s", why)
	}
	r = r.compare(l, due, t.formula(published, due))
	r.PublishedPct = &published
	return a.compared(l, r, due, l.mistakes(archive, i, t))
}

// nearest says which weeks there are instead of the one that is missing.
func (a Archive) nearest(carrier string, day contracts.Date) string {
	i := a.find(day)
	text := fmt.Sprintf("no week of %s is archived for %s", carrier, day)
	if i >= 0 {
		text += fmt.Sprintf("; the nearest before it begins %s", a.weeks[i].Start)
	}
	if i+1 < len(a.weeks) {
		text += fmt.Sprintf("; the nearest after it begins %s", a.weeks[i+1].Start)
	}
	return text
}

// compare fills in what was expected and by how much the bill differs.
func (r Result) compare(l Line, due bill, formula string) Result {
	r.ExpectedPct, r.ExpectedAmount, r.Formula = &due.percent, due.amount, &formula
	if l.BilledPct != nil {
		variance := *l.BilledPct - due.percent
		r.VariancePoints = &variance
	}
	if l.BilledAmount != nil {
		variance := *l.BilledAmount - *due.amount
		recoverable := max(variance, 0)
		r.VarianceAmount, r.RecoverableAmount = &variance, &recoverable
	}
	return r
}

// mistakes are how a bill may have come about: the weeks, or Mondays, before and after that make it, and the other service that does.
type mistakes struct {
	weeks []string
	other Service
}

// compared takes the first verdict that holds for a line whose bill was compared.
func (a *Auditor) compared(l Line, r Result, due bill, m mistakes) Result {
	if r.RecoverableAmount != nil {
		contestable, expired := *r.RecoverableAmount, Cents(0)
		if r.ContestBy != "" && r.ContestBy < a.today {
			contestable, expired = expired, contestable
		}
		r.ContestableAmount, r.ExpiredAmount = &contestable, &expired
	}
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

// mistakes looks for the bill in the weeks around the i-th, and in the other service's column of it.
func (l Line) mistakes(archive Archive, i int, t terms) (m mistakes) {
	for _, week := range archive.neighbours(i) {
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
