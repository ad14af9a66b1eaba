package audit

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"assay.dev/contracts"
	"assay.dev/gateway/sheet"
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
	seen      map[shipment][]earlier
	// alike has the shipments by what is left of their numbers in any spelling, with all that was billed.
	alike map[billing]earlier
	// others are the lines of the whole file by the numbers of their shipments in any spelling, and credits by their ids.
	others map[string][]*Line
	// agreed is nil where lines are held against what the carriers published.
	agreed *PricedContract
}

// Under makes the auditor hold lines against what was agreed.
func (a *Auditor) Under(agreed *PricedContract) *Auditor {
	a.agreed = agreed
	return a
}

// shipment is one of a carrier's.
type shipment struct{ carrier, pro string }

// billing is a bill of a shipment whose number may be written in several ways. What was not billed is below zero.
type billing struct {
	shipment
	day contracts.Date
	billed
}

// billed is all that a line bills.
type billed struct {
	percent      Points
	base, amount Cents
}

// earlier is the first line of a shipment.
type earlier struct {
	number int
	id     string
	day    contracts.Date
}

// isNear tells whether shipments of two days may be the same: carriers use their numbers again after years. A day that
// is not known may be any.
func isNear(one, other contracts.Date) bool {
	const year = 365
	return one == "" || max(one, other) <= min(one, other).AddDays(year)
}

// NewAuditor makes an auditor of what is archived, on a day in New York. It needs an archive of each carrier of the
// lines.
func NewAuditor(archives map[contracts.Carrier]Archive, today contracts.Date, t Tolerance) *Auditor {
	return &Auditor{archives: archives, today: today, tolerance: t, seen: map[shipment][]earlier{},
		alike: map[billing]earlier{}}
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
	if a.receipt(l) == "" && l.BillReceived != "" {
		r.ContestBy = l.BillReceived.AddDays(contestDays)
	}
	if what, first := a.remember(l); what != "" {
		return r.end(Duplicate, "%s those of line %d (id %s)", what, first.number, first.id)
	}
	if reason := a.cannotJudge(l); reason != "" {
		return r.end(Unresolved, "%s", reason)
	}
	if a.agreed != nil {
		return a.judgeAgreed(l, r)
	}
	return a.judge(l, r, l.ShipDate, l.ownTerms())
}

// end gives the result its verdict and the reason.
func (r Result) end(v Verdict, format string, args ...any) Result {
	r.Verdict, r.Reason = v, new(fmt.Sprintf(format, args...))
	return r
}

// remember says what of the line an earlier one had too that makes it the same bill; empty for none. A number that is
// only written otherwise is the same where the day and what was billed are the same too. A line of another charge bills
// no fuel: it is no bill of it.
func (a *Auditor) remember(l Line) (what string, first earlier) {
	if !isNumber(l.PRO) || !l.billsFuel() {
		return "", earlier{}
	}
	of := shipment{strings.ToUpper(l.Carrier), strings.ToUpper(l.PRO)}
	bill := billing{l.shipment(), l.ShipDate, l.billed()}
	same := func(e earlier) bool { return isNear(e.day, l.ShipDate) }
	if i := slices.IndexFunc(a.seen[of], same); i >= 0 {
		return "carrier and pro_number are", a.seen[of][i]
	}
	if first, isThere := a.alike[bill]; isThere {
		return "carrier, ship_date, what was billed and, but for spaces, signs and leading zeros, pro_number are", first
	}
	first = earlier{l.Number, l.ID, l.ShipDate}
	a.seen[of], a.alike[bill] = append(a.seen[of], first), first
	return "", earlier{}
}

// exponents are how spreadsheets write long numbers, such as 1.23457E+11.
var exponents = regexp.MustCompile(`(?i)^\d+([.,]\d+)?E\+\d+$`)

// isNumber tells whether a text is the number of a shipment, which N/A, 0 and TBD are not. A number with an exponent
// may be that of many.
func isNumber(pro string) bool { return hasNumber(pro) && !exponents.MatchString(pro) }

func hasNumber(text string) bool { return strings.ContainsAny(text, "123456789") }

// shipment is the line's, with its number in any spelling.
func (l Line) shipment() shipment { return shipment{strings.ToUpper(l.Carrier), plainNumber(l.PRO)} }

// billed is what the line bills.
func (l Line) billed() billed {
	return billed{or(l.BilledPct, -1), or(l.BaseAmount, -1), or(l.BilledAmount, -1)}
}

// billsFuel tells whether the line bills anything: files of a row per charge have zeros in the other rows.
func (l Line) billsFuel() bool { return or(l.BilledPct, 0) != 0 || or(l.BilledAmount, 0) != 0 }

// othersOf finds the lines of each shipment. What corrects a line may stand behind it.
func othersOf(lines []Line) map[string][]*Line {
	all := map[string][]*Line{}
	for i := range lines {
		l := &lines[i]
		if pro := plainNumber(l.PRO); hasNumber(pro) {
			all[pro] = append(all[pro], l)
		}
		if id := "id " + plainNumber(l.ID); l.IsCredit && hasNumber(id) {
			all[id] = append(all[id], l)
		}
	}
	return all
}

// doubt says why another line of the file keeps the line from being contested; empty for nothing.
func (a *Auditor) doubt(l Line) string {
	for _, other := range a.others[plainNumber(l.PRO)] {
		if why := l.doubt(other); why != "" {
			return why
		}
	}
	for _, other := range a.others["id "+plainNumber(l.ID)] {
		if hasNumber(l.PRO) && hasNumber(other.PRO) {
			continue
		}
		if why := l.doubt(other); why != "" {
			return why
		}
	}
	return ""
}

// doubt says why another line keeps the line from being contested, which has its number or, of a credit, its id. A
// credit needs less: its number may be ambiguous, and its carrier unknown. A line whose amounts cannot be read may be a
// credit.
func (l Line) doubt(other *Line) (why string) {
	isUnread := len(other.Errors) > 0
	isSame := other.Carrier == l.Carrier && isNumber(l.PRO) && isNumber(other.PRO)
	switch {
	case other.IsCredit && (other.Carrier == l.Carrier || !other.Known):
		why = "is a credit of this shipment"
	case isSame && isUnread && (other.BaseAmount == nil || other.BilledAmount == nil):
		why = "of this shipment cannot be read"
	case isSame && !isUnread && other.billsFuel() && other.billed() != l.billed():
		why = "bills this shipment otherwise"
	}
	if why == "" || !isNear(other.ShipDate, l.ShipDate) {
		return ""
	}
	return fmt.Sprintf("line %d %s, so it is not contested", other.Number, why)
}

// plainNumber is a number of a shipment without what programs add and drop: spaces, signs, and zeros before it.
func plainNumber(pro string) string { return strings.TrimLeft(sheet.Squashed(pro), "0") }

// cannotJudge says what keeps a line from a verdict, before its week is looked up; empty for nothing.
func (a *Auditor) cannotJudge(l Line) string {
	switch {
	case !l.Known:
		if near, ok := contracts.NearestCarrier(l.Carrier); ok {
			return fmt.Sprintf("carrier %q is not supported; did you mean %s?", contracts.Printable(l.Carrier), near)
		}
		return fmt.Sprintf("carrier %q is not supported; the codes are %v", contracts.Printable(l.Carrier),
			contracts.Carriers)
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
	if archive.Failure != "" && day >= archive.UnreadFrom {
		return r.end(Unresolved, "%s", archive.Failure)
	}
	i, ok := archive.on(day)
	if !ok {
		return r.end(Unresolved, "%s", archive.nearest(l.Carrier, day))
	}
	week := archive.weeks[i]
	r.EffectiveDate = week.Start
	if week.EvidenceURL != "" {
		r.EvidenceURL = &week.EvidenceURL
	}
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
	r.PublishedPct = &published
	r = a.held(l, r, due, t.formula(published, due), a.mistakes(l, archive, i, t))
	if week.Revised != "" && l.Service == LTL && r.Reason != nil {
		*r.Reason += fmt.Sprintf("; %s had published another percent for this week, and this one was first seen on %s",
			l.Carrier, week.Revised)
	}
	if week.Imported != "" && r.Reason != nil {
		*r.Reason += "; the week was not seen by us: an operator imported it from " + week.Imported
	}
	return r
}

// nearest says which weeks there are instead of the one that is missing.
func (a Archive) nearest(carrier string, day contracts.Date) string {
	i := a.weekIndex(day)
	text := fmt.Sprintf("no week of %s is archived for %s", carrier, day)
	if i >= 0 {
		text += fmt.Sprintf("; the nearest before it begins %s", a.weeks[i].Start)
	}
	if i+1 < len(a.weeks) {
		text += fmt.Sprintf("; the nearest after it begins %s", a.weeks[i+1].Start)
	}
	return text
}
