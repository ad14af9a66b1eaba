package license

import (
	"fmt"
	"strconv"

	"assay.dev/contracts"
)

// NewYork is a permit of the State Liquor Authority. Owner is the legal name.
type NewYork struct {
	License
	// Inactive permits are in a data set of their own, and not on the map. One that Lingers is in the active set still.
	Inactive, Lingers bool
	// Serial is the number before 2022, seven digits.
	Serial                                string
	Class, Type, Description              string
	Issued, LastIssued, Effective, Expiry contracts.Date
	Parent                                string
}

var newYorkTypes = []struct{ class, kind, description string }{
	{"340", "OP", "Restaurant Liquor"}, {"341", "OP", "Hotel Liquor"}, {"346", "OP", "Tavern Wine"}, {"240", "RW",
		"Restaurant Wine"},
	{"122", "AX", "Grocery Store Beer"}, {"222", "A", "Food and Beverage Business"}, {"345", "LL",
		"Liquor Store"}, {"101", "MI", "Micro-Brewer"},
}

var newYorkTowns = []town{
	{"NEW YORK", "New York", "10013"}, {"BROOKLYN", "Kings", "11201"}, {"BUFFALO", "Erie", "14202"}, {"ALBANY",
		"Albany", "12207"},
	{"ROCHESTER", "Monroe", "14604"}, {"ITHACA", "Tompkins", "14850"}, {"ASTORIA", "Queens", "11103"}, {"LAKE PLACID",
		"Essex", "12946"},
}

func newNewYork(d *draw, i int, name string) NewYork {
	kind := pick(d, newYorkTypes)
	l := NewYork{
		License: License{
			State: contracts.NY, Case: name, Number: fmt.Sprintf("0%s-%02d-%06d", kind.class, 21+i%5, 100_000+i),
			Owner: d.company(), DBA: d.trade(), Premises: d.place(contracts.NY, newYorkTowns),
		},
		Serial: strconv.Itoa(1_000_000 + i), Class: kind.class, Type: kind.kind, Description: kind.description,
		Issued: d.issued(), Effective: d.ago(), Expiry: d.ahead(),
	}
	l.LastIssued = l.Effective
	l.Forms = []string{l.Serial, l.Number[1:]}
	l.want(contracts.Active)
	return l
}

func (l *NewYork) want(status contracts.Status) {
	p, primary := l.Premises, l.record("0"+l.Class, l.Expiry, status)
	primary.LicenseTypeName = l.Description
	mirror := primary
	primary.Address.Raw = p.Joined(p.Zip, p.Line())
	mirror.ExpirationDate = ""
	mirror.Address.Raw = Place{City: p.City}.Joined(p.Zip, p.Line())
	l.Primary, l.Mirror = &primary, &mirror
	if l.Inactive {
		l.Mirror = nil
	}
}

func (l *NewYork) plain() { l.want(contracts.Active) }

// truly records what the authority knows and does not publish.
func (l *NewYork) truly(status contracts.Status, suspensions ...contracts.Suspension) {
	truth := *l.Primary
	truth.Status, truth.Suspensions = status, append([]contracts.Suspension{}, suspensions...)
	l.Truth = &truth
}

var newYorkCases = []oddity[NewYork]{
	{"plain", 600, func(*draw, *NewYork) {}},
	{"active past its date", 40, func(d *draw, l *NewYork) { l.Expiry = d.ago(); l.want(contracts.Active) }},
	{"inactive", 300, func(d *draw, l *NewYork) { l.Inactive, l.Expiry = true, d.ago(); l.want(contracts.Expired) }},
	{"inactive before its date", 30, func(_ *draw, l *NewYork) { l.Inactive = true; l.want(contracts.Expired) }},
	{"no dba", 200, func(_ *draw, l *NewYork) { l.DBA = ""; l.want(contracts.Active) }},
	{"no expiration", 5, func(_ *draw, l *NewYork) { l.Expiry = ""; l.want(contracts.Active) }},
	{"several trade names", 30, named[NewYork]((*draw).company, func(d *draw) string {
		return d.trade() + ", " + d.trade() + ", " + d.trade()
	})},
	{"two owners", 20, named[NewYork](func(d *draw) string { return d.surname() + " LLC & " + d.surname() + " LLC" },
		(*draw).trade)},
	{"angle brackets", 10, named[NewYork]((*draw).company, func(d *draw) string {
		return "ONE MORE " + pick(d, things) + " <RM>"
	})},
	{"apostrophe", 10, named[NewYork](func(d *draw) string { return "O'" + d.surname() + " INC" }, func(d *draw) string {
		return "O'" + d.surname() + "'S"
	})},
	{"accents", 10, named[NewYork]((*draw).company, func(d *draw) string { return "CAFÉ ZÜRLI " + pick(d, things) })},
	{"additional bar", 40, additionalBar},
	{"no legacy serial", 60, func(_ *draw, l *NewYork) { l.Serial = ""; l.Forms = l.Forms[1:] }},
	{"revoked", 8, func(d *draw, l *NewYork) {
		l.Inactive, l.Expiry = true, d.ahead()
		l.want(contracts.Expired) // as the inactive set is read
		l.truly(contracts.Revoked)
	}},
	{"revoked, and in the active set still", 0, func(d *draw, l *NewYork) {
		// A service that is asked for a search page by page counts both of its rows: these names are in no large search.
		l.Inactive, l.Lingers, l.Expiry, l.Owner, l.DBA = true, true, d.ahead(), "LUCKY CACTUS HOLDINGS LLC", "LUCKY CACTUS"
		l.want(contracts.Expired)
		l.truly(contracts.Revoked)
		l.Primary, l.PrimaryUnclear = nil, true
	}},
	{"suspended", 8, func(d *draw, l *NewYork) {
		begin := d.day(-20, -1)
		l.truly(contracts.Active, contracts.Suspension{StartDate: begin, EndDate: begin.AddDays(60),
			Reason: "SALE TO A MINOR"})
	}},
	// The next two stand together: the newer takes the serial of the older.
	{"serial of two permits, the older", 0, func(_ *draw, l *NewYork) { l.Forms = l.Forms[1:] }},
	{"serial of two permits, the newer", 0, func(_ *draw, l *NewYork) {
		n, _ := strconv.Atoi(l.Serial)
		l.Serial, l.Effective = strconv.Itoa(n-1), l.Effective.AddDays(700)
		l.LastIssued, l.Forms[0] = l.Effective, l.Serial
		l.want(contracts.Active)
	}},
}

func additionalBar(d *draw, l *NewYork) {
	l.Parent = l.Number
	l.Number += fmt.Sprintf("-%02d", 1+d.IntN(4))
	l.Description = "Additional Bar"
	l.Serial, l.Forms = "", nil
	l.want(contracts.Active)
}
