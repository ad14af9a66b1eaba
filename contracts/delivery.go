package contracts

import (
	"fmt"
	"slices"
	"time"
)

// Beverage is what is to be delivered, as the laws of delivery tell beverages apart.
type Beverage string

// The beverages.
const (
	Spirits Beverage = "spirits"
	Wine    Beverage = "wine"
	Malt    Beverage = "malt"
)

// Beverages lists all.
var Beverages = []Beverage{Spirits, Wine, Malt}

// DeliveryVerdict says whether a seller may deliver to the holder of a license (contract §4.19).
type DeliveryVerdict string

// The verdicts.
const (
	Stop               DeliveryVerdict = "STOP"
	DeliveryUnverified DeliveryVerdict = "UNVERIFIED"
	CashOnly           DeliveryVerdict = "CASH_ONLY"
	Deliver            DeliveryVerdict = "DELIVER"
)

// DeliveryVerdicts lists all, the strictest first.
var DeliveryVerdicts = []DeliveryVerdict{Stop, DeliveryUnverified, CashOnly, Deliver}

// DeliveryCode is one of the closed set of things that a verdict on a delivery rests on.
type DeliveryCode string

// What verdicts on deliveries rest on.
const (
	LicenseNotGood   DeliveryCode = "LICENSE_NOT_GOOD"
	OnList           DeliveryCode = "ON_LIST"
	LicenseNotProven DeliveryCode = "LICENSE_UNVERIFIED"
	ListNotRead      DeliveryCode = "LIST_NOT_READ"
	ListTooOld       DeliveryCode = "LIST_TOO_OLD"
	CashLaw          DeliveryCode = "CASH_LAW"
	HoldsNotReported DeliveryCode = "HOLDS_NOT_REPORTED"
)

// DeliveryCodes lists all.
var DeliveryCodes = []DeliveryCode{LicenseNotGood, OnList, LicenseNotProven, ListNotRead, ListTooOld, CashLaw, HoldsNotReported}

// DeliveryRule is what a state's law makes of a delivery of some beverages.
type DeliveryRule struct {
	State     State
	Beverages []Beverage
	// List is the delinquent list that the rule goes by; empty for a law without a list.
	List string
	// Means is what it means to be on the list, or what the law means for everybody.
	Means DeliveryVerdict
	// Days is for how long a list is good. Uploaded lists are those that a tenant puts here; no other list is read yet.
	Days     int
	Uploaded bool
	// Law and Source are the statute or rule, and where it can be read.
	Law, Source string
}

// DeliveryRules is the table of the laws, and the only place that knows them.
var DeliveryRules = []DeliveryRule{
	{
		State: TX, Beverages: []Beverage{Spirits, Wine}, List: "102.32", Means: Stop,
		Law: "Alcoholic Beverage Code §102.32; 16 TAC §45.121", Source: "https://www.tabc.texas.gov/texas-alcohol-laws-regulations/cash-credit-law/",
	}, {
		State: TX, Beverages: []Beverage{Malt}, Means: CashOnly,
		Law: "Alcoholic Beverage Code §102.31", Source: "https://www.tabc.texas.gov/texas-alcohol-laws-regulations/cash-credit-law/",
	}, {
		State: NY, Beverages: []Beverage{Spirits, Wine}, List: "101-aa", Means: CashOnly, Days: 8, Uploaded: true,
		Law: "Alcoholic Beverage Control Law §101-aa", Source: "https://www.sla.ny.gov/sla-sends-delinquent-cod-list-reminder-letter-to-wholesalers",
	}, {
		State: NY, Beverages: []Beverage{Malt}, List: "101-aaa", Means: CashOnly, Days: 8, Uploaded: true,
		Law: "Alcoholic Beverage Control Law §101-aaa", Source: "https://www.sla.ny.gov/sla-sends-delinquent-cod-list-reminder-letter-to-wholesalers",
	}, {
		State: FL, Beverages: Beverages, List: "561.42", Means: Stop, Days: 20, Uploaded: true,
		Law: "Florida Statutes §561.42; Rule 61A-3.035, F.A.C.", Source: "https://www.flsenate.gov/Laws/Statutes/2024/561.42",
	}, {
		State: IL, Beverages: Beverages, List: "100.90", Means: Stop, Days: 20, Uploaded: true,
		Law: "235 ILCS 5/6-5; 11 Ill. Adm. Code 100.90", Source: "https://www.ilga.gov/commission/jcar/admincode/011/011001000000900R.html",
	}, {
		State: CA, Beverages: Beverages, Means: Deliver,
		Law: "Business and Professions Code §25509: each seller counts 30 days itself; there is no list", Source: "https://leginfo.legislature.ca.gov/faces/codes_displaySection.xhtml?lawCode=BPC&sectionNum=25509",
	},
}

// ReadList is a delinquent list that was read, and what it says of one license.
type ReadList struct {
	List string
	// Date is the list's own.
	Date Date
	// IsNamed: the license is on it, since Since; empty when the list does not say.
	IsNamed bool
	Since   Date
}

// Delivery is the verdict on deliveries to the holder of a license on a day.
type Delivery struct {
	Verdict      DeliveryVerdict  `json:"verdict" jsonschema:"STOP, UNVERIFIED, CASH_ONLY or DELIVER; of several beverages the strictest."`
	Reasons      []DeliveryReason `json:"reasons" jsonschema:"What the verdict rests on."`
	Holds        []Hold           `json:"holds" jsonschema:"Every entry that was found on a list, whatever the verdict."`
	HoldsChecked []HoldsChecked   `json:"holds_checked" jsonschema:"The lists that were looked at."`
	ValidUntil   time.Time        `json:"valid_until" jsonschema:"The end of the day in the state, UTC. Ask again then."`
}

// DeliveryReason is one thing that a verdict on a delivery rests on. Message is a sentence for people.
type DeliveryReason struct {
	Code    DeliveryCode `json:"code"`
	Message string       `json:"message"`
}

// Hold is an entry of a list.
type Hold struct {
	List  string `json:"list"`
	Since Date   `json:"since" jsonschema:"null where the list does not say."`
}

// HoldsChecked is a list that was looked at.
type HoldsChecked struct {
	List    string `json:"list"`
	Edition Date   `json:"edition" jsonschema:"The list's own date."`
	AgeDays int    `json:"age_days"`
}

// DeliveryOn judges a delivery of beverages to the holder of a license in a state on a day. Of several beverages the strictest verdict holds.
func DeliveryOn(s State, license Judgement, on Date, beverages []Beverage, lists []ReadList) Delivery {
	d := Delivery{Verdict: Deliver, Holds: []Hold{}, HoldsChecked: []HoldsChecked{}, ValidUntil: s.midnight(on.AddDays(1)).UTC()}
	for _, b := range beverages {
		verdict, reasons := deliveryOf(s, license, on, b, lists)
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
	for _, l := range lists {
		d.HoldsChecked = append(d.HoldsChecked, HoldsChecked{l.List, l.Date, l.age(on)})
		if l.IsNamed {
			d.Holds = append(d.Holds, Hold{l.List, l.Since})
		}
	}
	return d
}

// deliveryOf is the verdict for one beverage: the first that holds.
func deliveryOf(s State, license Judgement, on Date, b Beverage, lists []ReadList) (DeliveryVerdict, []DeliveryReason) {
	var rules []DeliveryRule
	for _, r := range DeliveryRules {
		if r.State == s && slices.Contains(r.Beverages, b) {
			rules = append(rules, r)
		}
	}
	found := map[DeliveryVerdict][]DeliveryReason{}
	note := func(v DeliveryVerdict, code DeliveryCode, format string, args ...any) {
		found[v] = append(found[v], DeliveryReason{code, fmt.Sprintf(format, args...)})
	}
	switch license.Verdict {
	case Fail, Conditional:
		note(Stop, LicenseNotGood, "The license is not good. %s", license.InWords())
	case Pass:
	default:
		note(DeliveryUnverified, LicenseNotProven, "The license is not proven to be good. %s", license.InWords())
	}
	for _, r := range rules {
		r.judge(on, lists, note)
	}
	if len(rules) == 0 {
		note(DeliveryUnverified, ListNotRead, "The law of %s is not known here.", s)
	}
	for _, v := range DeliveryVerdicts[:3] {
		if len(found[v]) > 0 {
			return v, found[v]
		}
	}
	return Deliver, append([]DeliveryReason{}, found[Deliver]...)
}

// judge notes what the rule makes of a delivery.
func (r DeliveryRule) judge(on Date, lists []ReadList, note func(DeliveryVerdict, DeliveryCode, string, ...any)) {
	if r.List == "" {
		switch r.Means {
		case CashOnly:
			note(CashOnly, CashLaw, "%s: no credit to anybody.", r.Law)
		case Deliver:
			note(Deliver, HoldsNotReported, "%s publishes no delinquent list. %s.", r.State, r.Law)
		}
		return
	}
	i := slices.IndexFunc(lists, func(l ReadList) bool { return l.List == r.List })
	if i < 0 {
		how := "put it with PUT /v1/abc/holds/" + string(r.State) + "-" + r.List
		if !r.Uploaded {
			how = "it is not read here"
		}
		note(DeliveryUnverified, ListNotRead, "The delinquent list %s (%s) was not looked at: %s.", r.List, r.Law, how)
		return
	}
	l := lists[i]
	if l.IsNamed {
		since := ""
		if l.Since != "" {
			since = " since " + string(l.Since)
		}
		note(r.Means, OnList, "It is on the delinquent list %s of %s%s (%s).", r.List, l.Date, since, r.Law)
	}
	if age := l.age(on); age > r.Days || age < 0 {
		note(DeliveryUnverified, ListTooOld, "The delinquent list %s is of %s and good for %d days.", r.List, l.Date, r.Days)
	}
}

// age is how many days old the list is.
func (l ReadList) age(on Date) int { return on.DaysSince(l.Date) }
