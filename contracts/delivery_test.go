package contracts

import (
	"slices"
	"strings"
	"testing"
	"time"
)

// listCase is a list of a rule in one of its conditions: not read, or of an age without the license on it, or with it since some days ago, of
// which none is not known.
type listCase struct {
	isRead, isNamed, isExempt bool
	age                       int
	since                     *int
}

// orderCase is when it was ordered, and when it is asked.
type orderCase struct{ ordered, now string }

// All combinations of license, state, beverage, list and order: each verdict is the first that holds, and nothing is delivered where a list that
// applies was not read or is too old, nor to a license that is not proven good.
func TestEveryDelivery(t *testing.T) {
	const on = Date("2026-11-22")
	cases := []listCase{{}}
	for _, age := range []int{-1, 0, 8, 9, 20, 21, 400} {
		cases = append(cases, listCase{isRead: true, age: age}, listCase{isRead: true, isNamed: true, age: age}, listCase{isRead: true, isNamed: true, isExempt: true, age: age})
		for _, since := range []int{-1, 0, 1, 30} {
			cases = append(cases, listCase{isRead: true, isNamed: true, age: age, since: &since}, listCase{isRead: true, isNamed: true, isExempt: true, age: age, since: &since})
		}
	}
	// In TX the day begins at 06:00 UTC, and 1 p.m. is 19:00.
	orders := []orderCase{
		{"", "2026-11-22T15:00:00Z"}, {"2026-11-21T20:00:00Z", "2026-11-22T15:00:00Z"}, {"2026-11-22T06:00:00Z", "2026-11-22T18:59:59Z"},
		{"2026-11-22T06:00:01Z", "2026-11-22T15:00:00Z"}, {"2026-11-21T20:00:00Z", "2026-11-22T19:00:00Z"}, {"2026-11-21T20:00:00Z", "2026-11-30T00:00:00Z"},
	}
	count := map[DeliveryVerdict]int{}
	for _, state := range States {
		for _, b := range Beverages {
			rules := slices.DeleteFunc(slices.Clone(DeliveryRules), func(r DeliveryRule) bool { return r.State != state || !slices.Contains(r.Beverages, b) })
			if len(rules) == 0 || slices.ContainsFunc(rules[1:], func(r DeliveryRule) bool { return r.List != "" }) {
				t.Fatalf("%s %s: %d rules, want one, and then laws without a list", state, b, len(rules))
			}
			r := rules[0]
			for _, verdict := range LicenseVerdicts {
				for _, c := range cases {
					for _, o := range orders {
						license := Judgement{verdict, []VerdictReason{{VerdictSuspensionsHidden, "Not looked for."}}}
						q := DeliveryAsked{State: state, License: license, On: on, Beverages: []Beverage{b}, Lists: c.lists(r, on)}
						q.Ordered, q.Now = o.moments(t)
						got := q.Judge()
						count[got.Verdict]++
						want, before := wantDelivery(r, verdict, c, o == orders[1] || o == orders[2])
						for _, law := range rules[1:] {
							w, _ := wantDelivery(law, verdict, c, false)
							want = DeliveryVerdicts[min(slices.Index(DeliveryVerdicts, w), slices.Index(DeliveryVerdicts, want))]
						}
						if got.Verdict != want {
							t.Errorf("%s %s, license %s, list %+v, order %v: %s, want %s: %+v", state, b, verdict, c, o, got.Verdict, want, got.Reasons)
						}
						if got.Verdict != Deliver && len(got.Reasons) == 0 || c.isNamed && r.List != "" && len(got.Holds) != 1 {
							t.Errorf("%s %s, license %s, list %+v: %+v", state, b, verdict, c, got)
						}
						if isSold := got.Verdict == CashOnly || got.Verdict == Deliver; isSold != slices.Contains(got.Reasons, DeliveryReason{SuspensionsHidden, "Not looked for."}) {
							t.Errorf("%s %s, license %s, list %+v: suspensions were not looked for, and the reasons are %+v", state, b, verdict, c, got.Reasons)
						}
						if until := got.ValidUntil.Format("2T15"); before != (until == "22T19") {
							t.Errorf("%s %s, list %+v, order %v: valid until %s", state, b, c, o, until)
						}
					}
				}
			}
		}
	}
	t.Log(count)
	for _, v := range DeliveryVerdicts {
		if count[v] == 0 {
			t.Errorf("nothing is %s", v)
		}
	}
}

func (c listCase) lists(r DeliveryRule, on Date) []ReadList {
	if !c.isRead || r.List == "" {
		return nil
	}
	l := ReadList{List: r.List, Date: on.AddDays(-c.age), IsNamed: c.isNamed, ListEntry: ListEntry{IsExempt: c.isExempt}}
	if c.since != nil {
		l.Since = on.AddDays(-*c.since)
	}
	return []ReadList{l}
}

func (o orderCase) moments(t *testing.T) (ordered *time.Time, now time.Time) {
	t.Helper()
	now, err := time.Parse(time.RFC3339, o.now)
	if err != nil {
		t.Fatal(err)
	}
	if at, err := time.Parse(time.RFC3339, o.ordered); err == nil {
		ordered = &at
	}
	return ordered, now
}

// wantDelivery is the contract's order, written down without the code of the table. orderedBefore: what is delivered was ordered before the day
// began, and it is not yet 1 p.m.; before tells whether only that lets it be delivered.
func wantDelivery(r DeliveryRule, license LicenseVerdict, c listCase, orderedBefore bool) (want DeliveryVerdict, before bool) {
	onList := r.List != "" && c.isRead && c.isNamed && !c.isExempt
	missing := r.List != "" && (!c.isRead || c.age > r.Days || c.age < 0)
	if r.State == TX && onList && c.since != nil {
		before = *c.since == 0 && orderedBefore
		onList = *c.since >= 0 && !before
	}
	switch {
	case license == Fail || license == Conditional, onList && r.Means == Stop:
		return Stop, before
	case license != Pass || missing:
		return DeliveryUnverified, before
	case onList && r.Means == CashOnly || r.List == "" && r.Means == CashOnly:
		return CashOnly, before
	}
	return Deliver, before
}

// Of several beverages the strictest holds, and a state without a rule is never delivered to.
func TestTheStrictestDelivery(t *testing.T) {
	const on = Date("2026-11-22")
	judge := func(s State, all []Beverage, lists ...ReadList) Delivery {
		return DeliveryAsked{State: s, License: Judgement{Verdict: Pass}, On: on, Beverages: all, Lists: lists}.Judge()
	}
	if d := judge(TX, Beverages); d.Verdict != DeliveryUnverified || d.Reasons[0].Code != ListNotRead {
		t.Errorf("TX: %+v", d)
	}
	if d := judge(TX, []Beverage{Malt}); d.Verdict != CashOnly {
		t.Errorf("TX malt: %+v", d)
	}
	if d := judge(CA, Beverages); d.Verdict != Deliver || len(d.Reasons) != 2 || d.Reasons[0].Code != HoldsNotReported {
		t.Errorf("CA: %+v", d)
	}
	wine := ReadList{List: "101-aa", Date: on, IsNamed: true, ListEntry: ListEntry{Since: "2026-11-01"}}
	if d := judge(NY, Beverages, wine); d.Verdict != DeliveryUnverified || len(d.Holds) != 1 {
		t.Errorf("NY without its list of beer: %+v", d)
	}
	if d := judge(NY, Beverages, wine, ReadList{List: "101-aaa", Date: on}); d.Verdict != CashOnly || d.HoldsChecked[0].AgeDays != 0 {
		t.Errorf("NY: %+v", d)
	}
	if d := judge("QQ", Beverages); d.Verdict != DeliveryUnverified {
		t.Errorf("a state without a rule: %+v", d)
	}
	for _, r := range DeliveryRules {
		if r.Law == "" || !strings.HasPrefix(r.Source, "https://") || (r.Days > 0) != (r.List != "") || r.Uploaded && r.List == "" {
			t.Errorf("%+v", r)
		}
	}
}

// A license may be of a type without the beverage: who may deliver one is told that nobody looked, and what the type is called.
func TestADeliveryTellsThatTheTypeIsNotLookedAt(t *testing.T) {
	judge := func(s State, license LicenseVerdict, typed string, all ...Beverage) []DeliveryReason {
		return DeliveryAsked{State: s, License: Judgement{Verdict: license}, Type: typed, On: "2026-11-22", Beverages: all}.Judge().Reasons
	}
	const of = "Whether the license's type 41 On-Sale Beer & Wine covers spirits was not looked at."
	if got := judge(CA, Pass, "41 On-Sale Beer & Wine", Spirits); got[len(got)-1] != (DeliveryReason{TypeNotLookedAt, of}) {
		t.Errorf("DELIVER: %+v", got)
	}
	if got := judge(TX, Pass, "", Malt); got[len(got)-1] != (DeliveryReason{TypeNotLookedAt, "Whether the license's type covers malt was not looked at."}) {
		t.Errorf("CASH_ONLY: %+v", got)
	}
	if got := judge(CA, Pass, "41", Beverages...); got[len(got)-1] != (DeliveryReason{TypeNotLookedAt, "Whether the license's type 41 covers each beverage was not looked at."}) {
		t.Errorf("no beverage: %+v", got)
	}
	if got := judge(CA, Fail, "41", Spirits); slices.ContainsFunc(got, func(r DeliveryReason) bool { return r.Code == TypeNotLookedAt }) {
		t.Errorf("STOP: %+v", got)
	}
}

// A license that is good is not one to deliver to, where its number stands for another type too that is not.
func TestNoDeliveryToOneOfTwoTypes(t *testing.T) {
	license := Judgement{Pass, []VerdictReason{{VerdictOtherTypeNotGood, "Type 48 (SUSPEN) is not active."}}}
	d := DeliveryAsked{State: CA, License: license, On: "2026-11-22", Beverages: Beverages}.Judge()
	if d.Verdict != DeliveryUnverified || len(d.Reasons) != 1 || d.Reasons[0].Code != LicenseNotProven ||
		!strings.Contains(d.Reasons[0].Message, "48 (SUSPEN)") {
		t.Errorf("%+v", d)
	}
}

// A verdict is valid until the end of today, also where the delivery is on a later day: a register and a list may say something else tomorrow.
func TestAVerdictOnALaterDayIsOfToday(t *testing.T) {
	const today = Date("2026-11-27")
	now := TX.midnight(today).Add(12 * time.Hour)
	for on, want := range map[Date]string{today: "2026-11-27T19:00:00Z", "2026-11-28": "2026-11-28T06:00:00Z", "2027-03-10": "2026-11-28T06:00:00Z"} {
		list := ReadList{List: "102.32", Date: today, IsNamed: true, ListEntry: ListEntry{Since: on}}
		d := DeliveryAsked{State: TX, License: Judgement{Verdict: Pass}, On: on, Beverages: []Beverage{Wine}, Ordered: new(now.AddDate(0, 0, -1)), Now: now, Lists: []ReadList{list}}.Judge()
		if got := d.ValidUntil.Format(time.RFC3339); got != want {
			t.Errorf("on %s valid until %s, want %s", on, got, want)
		}
	}
}
