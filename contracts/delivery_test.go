package contracts

import (
	"slices"
	"strings"
	"testing"
)

// list is a list of a rule in one of its conditions: not read, or of an age with or without the license on it.
type listCase struct {
	isRead, isNamed bool
	age             int
}

// All combinations of license, state, beverage and list: each verdict is the first that holds, and nothing is delivered where a list that
// applies was not read or is too old, nor to a license that is not proven good.
func TestEveryDelivery(t *testing.T) {
	const on = Date("2026-11-22")
	cases := []listCase{{}}
	for _, age := range []int{-1, 0, 8, 9, 20, 21, 400} {
		cases = append(cases, listCase{true, false, age}, listCase{true, true, age})
	}
	count := map[DeliveryVerdict]int{}
	for _, state := range States {
		for _, b := range Beverages {
			rules := slices.DeleteFunc(slices.Clone(DeliveryRules), func(r DeliveryRule) bool { return r.State != state || !slices.Contains(r.Beverages, b) })
			if len(rules) != 1 {
				t.Fatalf("%s %s: %d rules, want one", state, b, len(rules))
			}
			r := rules[0]
			for _, verdict := range LicenseVerdicts {
				for _, c := range cases {
					var lists []ReadList
					if c.isRead && r.List != "" {
						lists = []ReadList{{List: r.List, Date: on.AddDays(-c.age), IsNamed: c.isNamed}}
					}
					got := DeliveryOn(state, Judgement{Verdict: verdict}, on, []Beverage{b}, lists)
					count[got.Verdict]++
					if want := wantDelivery(r, verdict, c); got.Verdict != want {
						t.Errorf("%s %s, license %s, list %+v: %s, want %s: %+v", state, b, verdict, c, got.Verdict, want, got.Reasons)
					}
					if got.Verdict != Deliver && len(got.Reasons) == 0 || c.isNamed && r.List != "" && len(got.Holds) != 1 {
						t.Errorf("%s %s, license %s, list %+v: %+v", state, b, verdict, c, got)
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

// wantDelivery is the contract's order, written down without the code of the table.
func wantDelivery(r DeliveryRule, license LicenseVerdict, c listCase) DeliveryVerdict {
	onList := r.List != "" && c.isRead && c.isNamed
	missing := r.List != "" && (!c.isRead || c.age > r.Days || c.age < 0)
	switch {
	case license == Fail || license == Conditional, onList && r.Means == Stop:
		return Stop
	case license != Pass || missing:
		return DeliveryUnverified
	case onList && r.Means == CashOnly || r.List == "" && r.Means == CashOnly:
		return CashOnly
	}
	return Deliver
}

// Of several beverages the strictest holds, and a state without a rule is never delivered to.
func TestTheStrictestDelivery(t *testing.T) {
	const on = Date("2026-11-22")
	pass := Judgement{Verdict: Pass}
	if d := DeliveryOn(TX, pass, on, Beverages, nil); d.Verdict != DeliveryUnverified || d.Reasons[0].Code != ListNotRead {
		t.Errorf("TX: %+v", d)
	}
	if d := DeliveryOn(TX, pass, on, []Beverage{Malt}, nil); d.Verdict != CashOnly {
		t.Errorf("TX malt: %+v", d)
	}
	if d := DeliveryOn(CA, pass, on, Beverages, nil); d.Verdict != Deliver || len(d.Reasons) != 1 || d.Reasons[0].Code != HoldsNotReported {
		t.Errorf("CA: %+v", d)
	}
	wine := []ReadList{{List: "101-aa", Date: on, IsNamed: true, Since: "2026-11-01"}}
	if d := DeliveryOn(NY, pass, on, Beverages, wine); d.Verdict != DeliveryUnverified || len(d.Holds) != 1 {
		t.Errorf("NY without its list of beer: %+v", d)
	}
	if d := DeliveryOn(NY, pass, on, Beverages, append(wine, ReadList{List: "101-aaa", Date: on})); d.Verdict != CashOnly || d.HoldsChecked[0].AgeDays != 0 {
		t.Errorf("NY: %+v", d)
	}
	if d := DeliveryOn("QQ", pass, on, Beverages, nil); d.Verdict != DeliveryUnverified {
		t.Errorf("a state without a rule: %+v", d)
	}
	for _, r := range DeliveryRules {
		if r.Law == "" || !strings.HasPrefix(r.Source, "https://") || (r.Days > 0) != r.Uploaded {
			t.Errorf("%+v", r)
		}
	}
}
