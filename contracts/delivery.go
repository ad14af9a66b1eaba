package contracts

import (
	"errors"
	"fmt"
	"slices"
	"strings"
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

// ParseBeverage reads a beverage in any case, also by the words of the trade: beer is malt, and liquor is spirits.
func ParseBeverage(text string) (Beverage, error) {
	word := strings.ToLower(strings.TrimSpace(text))
	switch b := Beverage(word); {
	case slices.Contains(Beverages, b):
		return b, nil
	case word == "beer":
		return Malt, nil
	case word == "liquor":
		return Spirits, nil
	}
	return "", errors.New("want spirits (or liquor), wine, or malt (or beer); leave it out for the strictest of all")
}

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

// CheckDeliveryDay refuses a day that has passed in each of the states: a register says what a license is now, and not
// what it was.
func CheckDeliveryDay(d Date, now time.Time, in ...State) error {
	for _, s := range in {
		if d >= s.Today(now) {
			return nil
		}
	}
	return fmt.Errorf("%s has passed, and a register says what a license is now, not what it was; what was answered on "+
		"that day stands in the answer that you kept", d)
}

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
	OrderedBefore    DeliveryCode = "ORDERED_BEFORE"
	HoldExempt       DeliveryCode = "HOLD_EXEMPT"
	HoldsNotReported DeliveryCode = "HOLDS_NOT_REPORTED"
	// SuspensionsHidden goes with a PASS that says so itself: the license may be suspended all the same.
	SuspensionsHidden DeliveryCode = "SUSPENSIONS_NOT_REPORTED"
	// TypeNotLookedAt goes with what may be delivered of a beverage: the license may be of a type without it.
	TypeNotLookedAt DeliveryCode = "TYPE_NOT_LOOKED_AT"
)

// DeliveryCodes lists all.
var DeliveryCodes = []DeliveryCode{LicenseNotGood, OnList, LicenseNotProven, ListNotRead, ListTooOld, CashLaw,
	OrderedBefore, HoldExempt, HoldsNotReported, SuspensionsHidden, TypeNotLookedAt}

// ReadList is a delinquent list that was read, and what it says of one license.
type ReadList struct {
	List string
	// Date is the list's own.
	Date Date
	// Evidence is where the list is kept; none of one that a tenant put here.
	Evidence []Evidence
	// IsNamed: the license is on it.
	IsNamed bool
	ListEntry
}

// ListEntry is what a list says of a license that it names.
type ListEntry struct {
	// Since is since when; empty when the list does not say.
	Since Date `json:"since,omitempty"`
	// IsExempt: the list says that its law is not enforced against the license, such as in bankruptcy.
	IsExempt bool `json:"exempt,omitempty"`
}

// Delivery is the verdict on deliveries to the holder of a license on a day.
type Delivery struct {
	Verdict      DeliveryVerdict  `json:"verdict" jsonschema:"STOP, UNVERIFIED, CASH_ONLY or DELIVER; of several beverages the strictest."`
	Reasons      []DeliveryReason `json:"reasons" csv:"message" jsonschema:"What the verdict rests on."`
	Holds        []Hold           `json:"holds" csv:"list since" jsonschema:"Every entry that was found on a list, whatever the verdict."`
	HoldsChecked []HoldsChecked   `json:"holds_checked" csv:"list edition" jsonschema:"The lists that were looked at."`
	ValidUntil   time.Time        `json:"valid_until" jsonschema:"The end of today in the state, or the hour up to which may be delivered, UTC. Ask again then."`
}

// CheckedDelivery is the body of the verdict on one delivery, by a lookup of the license.
type CheckedDelivery struct {
	State         State    `json:"state"`
	LicenseNumber string   `json:"license_number"`
	On            Date     `json:"on" jsonschema:"The day of the delivery."`
	Beverage      Beverage `json:"beverage,omitempty" jsonschema:"Absent for the strictest of all."`
	Delivery
	Record        LicenseRecord `json:"record"`
	Verifiability Verifiability `json:"_verifiability"`
}

// DeliveryReason is one thing that a verdict on a delivery rests on. Message is a sentence for people.
type DeliveryReason struct {
	Code    DeliveryCode `json:"code"`
	Message string       `json:"message"`
}

// Hold is an entry of a list.
type Hold struct {
	List   string `json:"list"`
	Since  Date   `json:"since" jsonschema:"null where the list does not say."`
	Exempt bool   `json:"exempt" jsonschema:"The list says that its law is not enforced against the license, such as in bankruptcy."`
}

// HoldsChecked is a list that was looked at.
type HoldsChecked struct {
	List     string     `json:"list"`
	Edition  Date       `json:"edition" jsonschema:"The list's own date."`
	AgeDays  int        `json:"age_days"`
	Evidence []Evidence `json:"evidence" jsonschema:"Where the list is kept; none of one that you put here."`
}
