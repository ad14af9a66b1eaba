package contracts

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// DeliveryAsked is a delivery to the holder of a license in a state, as it is judged.
type DeliveryAsked struct {
	State   State
	License Judgement
	// Type is the license's type, as its source words it; empty where that is not known.
	Type string
	// On is the day of the delivery, and Beverages what is delivered: of several the strictest verdict holds.
	On        Date
	Beverages []Beverage
	// Ordered is when it was ordered; nil where that is not known. Now is when it is asked.
	Ordered *time.Time
	Now     time.Time
	Lists   []ReadList
}

// Judge is the verdict.
func (q DeliveryAsked) Judge() Delivery {
	today := min(q.On, q.State.Today(q.Now)) // nobody knows what the register and the lists will say on a later day
	d := Delivery{Verdict: Deliver, Holds: []Hold{}, HoldsChecked: []HoldsChecked{},
		ValidUntil: q.State.midnight(today.AddDays(1)).UTC()}
	for _, b := range q.Beverages {
		verdict, reasons := q.judge(b)
		switch order := slices.Index(DeliveryVerdicts, verdict) - slices.Index(DeliveryVerdicts, d.Verdict); {
		case order < 0 || d.Reasons == nil:
			d.Verdict, d.Reasons = verdict, reasons
		case order == 0:
			for _, r := range reasons {
				if !slices.Contains(d.Reasons, r) {
					d.Reasons = append(d.Reasons, r)
				}
			}
		}
	}
	if d.Verdict == CashOnly || d.Verdict == Deliver {
		d.Reasons = append(d.Reasons, q.typeNotLookedAt())
	}
	for _, r := range DeliveryRules {
		isAsked := slices.ContainsFunc(q.Beverages, func(b Beverage) bool { return slices.Contains(r.Beverages, b) })
		if i := q.listIndex(r); isAsked && i >= 0 && today == q.On && q.isOrderedBefore(r, q.Lists[i]) {
			d.ValidUntil = q.last(r).UTC()
		}
	}
	for _, l := range q.Lists {
		d.HoldsChecked = append(d.HoldsChecked,
			HoldsChecked{l.List, l.Date, l.age(q.On), append([]Evidence{}, l.Evidence...)})
		if l.IsNamed {
			d.Holds = append(d.Holds, Hold{l.List, l.Since, l.IsExempt})
		}
	}
	return d
}

// typeNotLookedAt says that nobody asked whether a license of this type may have what is delivered.
func (q DeliveryAsked) typeNotLookedAt() DeliveryReason {
	typed, what := strings.TrimSpace("type "+q.Type), "each beverage"
	if len(q.Beverages) == 1 {
		what = string(q.Beverages[0])
	}
	return DeliveryReason{TypeNotLookedAt,
		fmt.Sprintf("Whether the license's %s covers %s was not looked at.", typed, what)}
}

// reasons are what was found for a beverage, by the verdicts that they mean.
type reasons map[DeliveryVerdict][]DeliveryReason

func (f reasons) note(v DeliveryVerdict, code DeliveryCode, format string, args ...any) {
	f[v] = append(f[v], DeliveryReason{code, fmt.Sprintf(format, args...)})
}

// judge is the verdict for one beverage: the first that holds.
func (q DeliveryAsked) judge(b Beverage) (DeliveryVerdict, []DeliveryReason) {
	found, isRuled := reasons{}, false
	switch q.License.Verdict {
	case Fail, Conditional:
		found.note(Stop, LicenseNotGood, "The license is not good. %s", q.License.InWords())
	case Pass:
		if other := q.License.OtherType(); other != "" {
			found.note(DeliveryUnverified, LicenseNotProven,
				"Write the type that takes the delivery before the license's number. %s", other)
		}
	default:
		found.note(DeliveryUnverified, LicenseNotProven, "The license is not proven to be good. %s", q.License.InWords())
	}
	for _, r := range DeliveryRules {
		if r.State == q.State && slices.Contains(r.Beverages, b) {
			isRuled = true
			q.apply(r, found)
		}
	}
	if !isRuled {
		found.note(DeliveryUnverified, ListNotRead, "The law of %s is not known here.", q.State)
	}
	verdict := DeliveryVerdicts[slices.IndexFunc(DeliveryVerdicts,
		func(v DeliveryVerdict) bool { return v == Deliver || len(found[v]) > 0 })]
	if verdict == CashOnly || verdict == Deliver {
		for _, r := range q.License.Reasons {
			if r.Code == VerdictSuspensionsHidden {
				found.note(verdict, SuspensionsHidden, "%s", r.Message)
			}
		}
	}
	return verdict, append([]DeliveryReason{}, found[verdict]...)
}

// listIndex is the place of the rule's list among those that were read.
func (q DeliveryAsked) listIndex(r DeliveryRule) int {
	if r.State != q.State || r.List == "" {
		return -1
	}
	return slices.IndexFunc(q.Lists, func(l ReadList) bool { return l.List == r.List })
}

// apply notes what a rule makes of the delivery.
func (q DeliveryAsked) apply(r DeliveryRule, found reasons) {
	switch {
	case r.List == "" && r.Means == CashOnly:
		found.note(CashOnly, CashLaw, "%s: no credit to anybody.", r.Law)
		return
	case r.List == "":
		found.note(Deliver, HoldsNotReported, "%s publishes no delinquent list. %s.", r.State, r.Law)
		return
	}
	i := q.listIndex(r)
	if i < 0 {
		how := "put it with PUT /v1/abc/holds/" + string(r.State) + "-" + r.List
		if !r.Uploaded {
			how = "it cannot be read just now, or not for this license"
		}
		found.note(DeliveryUnverified, ListNotRead, "The delinquent list %s (%s) was not looked at: %s.", r.List, r.Law, how)
		return
	}
	l := q.Lists[i]
	if l.IsNamed {
		q.named(r, l, found)
	}
	if age := l.age(q.On); age > r.Days || age < 0 {
		names := map[bool]string{true: " It names the license."}[l.IsNamed]
		found.note(DeliveryUnverified, ListTooOld, "The delinquent list %s is of %s and good for %d days.%s", r.List,
			l.Date, r.Days, names)
	}
}

// named notes what it means that a list names the license.
func (q DeliveryAsked) named(r DeliveryRule, l ReadList, found reasons) {
	since := ""
	if l.Since != "" {
		since = " since " + string(l.Since)
	}
	is := fmt.Sprintf("It is on the delinquent list %s of %s%s (%s)", r.List, l.Date, since, r.Law)
	switch {
	case l.IsExempt:
		found.note(Deliver, HoldExempt, "%s, which says that it is exempt, as in bankruptcy.", is)
	case r.Until > 0 && l.Since > q.On:
		found.note(Deliver, OnList, "%s, a day that is still to come.", is)
	case q.isOrderedBefore(r, l):
		found.note(Deliver, OrderedBefore,
			"%s: what was ordered and billed before may be delivered until %d:00 that day.", is, r.Until)
	default:
		found.note(r.Means, OnList, "%s.", is)
	}
}

// isOrderedBefore tells whether the delivery is on the license's first day on the list, of what was ordered before, and
// still in time.
func (q DeliveryAsked) isOrderedBefore(r DeliveryRule, l ReadList) bool {
	isFirstDay := r.Until > 0 && l.IsNamed && !l.IsExempt && l.Since == q.On
	return isFirstDay && q.Ordered != nil && !q.Ordered.After(q.State.midnight(q.On)) && q.Now.Before(q.last(r))
}

// last is the end of the time in which may still be delivered.
func (q DeliveryAsked) last(r DeliveryRule) time.Time {
	y, m, d := q.On.Time().Date()
	return time.Date(y, m, d, r.Until, 0, 0, 0, q.State.Zone())
}

// age is how many days old the list is.
func (l ReadList) age(on Date) int { return on.DaysSince(l.Date) }
