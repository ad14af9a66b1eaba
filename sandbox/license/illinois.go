package license

import (
	"fmt"
	"strings"

	"assay.dev/contracts"
)

// Illinois is a license of the Liquor Control Commission.
type Illinois struct {
	License
	// Class is as printed: code, hyphen, name.
	Class, RetailType, BusinessType string
	Effective, Issued, Expiry       contracts.Date
	// Word is the license status in the lookup; the export has none.
	Word         string
	Renewal, IBT string
	Owners       []string
	// AccountName is the trade name as the export spells it, which may hold a line break.
	AccountName string
}

var illinoisClasses = []struct{ code, name, retail string }{
	{"1A", "Retailer On Premises Consumption", "On Premises"}, {"1B", "Retailer Off Premises Consumption",
		"Off Premises"},
	{"2", "Wholesaler", ""}, {"3", "Importing Distributor", ""}, {"4", "Manufacturer", ""}, {"5", "Non-Resident Dealer",
		""},
	{"9", "Special Event Retailer", "Special Event"},
}

var illinoisTowns = []town{
	{"CHICAGO", "COOK", "60601"}, {"SPRINGFIELD", "SANGAMON", "62701"}, {"PEORIA", "PEORIA", "61602"}, {"ROCKFORD",
		"WINNEBAGO", "61101"},
	{"EAST ST LOUIS", "ST. CLAIR", "62201"}, {"NAPERVILLE", "DUPAGE", "60540"}, {"CARBONDALE", "JACKSON",
		"62901"}, {"ST CHARLES", "KANE", "60174"},
}

func newIllinois(d *draw, i int, name string) Illinois {
	class := illinoisClasses[0]
	if d.chance(60) {
		class = pick(d, illinoisClasses)
	}
	l := Illinois{
		License: License{
			State: contracts.IL, Case: name, Number: fmt.Sprintf("%s-%07d", class.code, 1_100_000+i),
			Owner: d.company(), DBA: d.trade(), Premises: d.place(contracts.IL, illinoisTowns),
		},
		Class: class.code + " - " + class.name, RetailType: class.retail, BusinessType: pick(d,
			[]string{"Corporation", "LLC", "Sole Proprietor"}),
		Effective: d.ago(), Issued: d.ago(), Expiry: d.ahead(), Word: "Active", Renewal: "Y", IBT: d.digits(4) + "-" +
			d.digits(4),
		Owners: []string{d.person(false), d.person(false)},
	}
	l.Forms = []string{strings.ToLower(l.Number), strings.Replace(l.Number, "-", " ", 1)}
	l.AccountName = l.DBA
	l.want(contracts.Active, contracts.Active)
	return l
}

// AddressText is the address of the export: street, two blanks, town and state, and the ZIP code without hyphen.
func (l Illinois) AddressText() string {
	p := l.Premises
	return fmt.Sprintf("%s  %s %s, %s", p.Line(), p.City, p.State, strings.ReplaceAll(p.Zip, "-", ""))
}

func (l *Illinois) want(primary, mirror contracts.Status) {
	code, name, _ := strings.Cut(l.Class, " - ")
	record := l.record(code, l.Expiry, primary)
	record.LicenseTypeName, record.Address.Raw = name, l.AddressText()
	exported := record
	exported.Status = mirror
	l.Primary, l.Mirror = &record, &exported
}

func (l *Illinois) plain() {
	l.AccountName = l.DBA
	l.want(contracts.Active, contracts.Active)
}

var illinoisCases = []oddity[Illinois]{
	{"plain", 300, func(*draw, *Illinois) {}},
	{"expired", 300, illinoisStatus("Expired", (*draw).ago, contracts.Expired, contracts.Expired)},
	{"suspended", 8, illinoisStatus("Suspended", (*draw).ahead, contracts.Suspended, contracts.Active)},
	{"revoked", 8, illinoisStatus("Revoked", (*draw).ahead, contracts.Revoked, contracts.Active)},
	{"no dba", 30, func(_ *draw, l *Illinois) {
		l.DBA, l.AccountName = "", ""
		l.want(contracts.Active, contracts.Active)
	}},
	{"line break in the name", 10, func(d *draw, l *Illinois) {
		l.DBA = pick(d, adjectives) + " " + pick(d, things) + " TAVERN"
		l.AccountName = strings.Replace(l.DBA, " TAVERN", "\nTAVERN", 1)
		l.want(contracts.Active, contracts.Active)
	}},
	{"comma in the name", 10, named[Illinois](func(d *draw) string {
		return pick(d, things) + ", " + pick(d, things) + " & SONS, INC."
	}, (*draw).trade)},
	{"quotes", 5, named[Illinois]((*draw).company, func(d *draw) string {
		return `THE "` + pick(d, adjectives) + `" TAP, INC`
	})},
	{"accents", 10, named[Illinois]((*draw).company, func(d *draw) string { return "CAFÉ CIGÜEÑA " + pick(d, things) })},
	{"apostrophe", 10, named[Illinois](func(d *draw) string { return pick(d, givenNames) + " O'" + d.surname() },
		func(d *draw) string { return "O'" + d.surname() + "'S TAP" })},
	{"out of state", 20, func(_ *draw, l *Illinois) {
		l.Premises = Place{Street: "4400 MILL RD", City: "MILWAUKEE", State: "WI", Zip: "53202-1701",
			County: "OUT OF STATE"}
		l.want(contracts.Active, contracts.Active)
	}},
	{"no owners", 10, func(_ *draw, l *Illinois) { l.Owners = nil }},
	{"no expiration", 3, func(_ *draw, l *Illinois) {
		l.Expiry = ""
		l.want(contracts.Active, contracts.Active)
		l.Mirror, l.MirrorUnclear = nil, true // its status cannot be inferred
	}},
}

func illinoisStatus(
	word string, expires func(*draw) contracts.Date, primary, mirror contracts.Status,
) func(*draw, *Illinois) {
	return func(d *draw, l *Illinois) {
		l.Word, l.Expiry = word, expires(d)
		l.want(primary, mirror)
	}
}
