package license

import (
	"fmt"
	"strconv"

	"assay.dev/contracts"
)

// Florida is a license of the Division of Alcoholic Beverages & Tobacco.
type Florida struct {
	License
	// ID is the portal's key of the detail page, 32 hex digits.
	ID               string
	Series, Modifier string
	// NullModifier tells that the extract prints NULL where there is no modifier.
	NullModifier bool
	// Word is the status in the portal; empty for what the portal does not show. Code is the status in the extract.
	Word, Code string
	// Revoked licenses are in an extract of their own.
	Revoked                     bool
	Licensed, Effective, Expiry contracts.Date
	CountyCode                  string
	Mailing                     Place
}

// floridaTowns name the county as people do; code is its place in the alphabet plus 10.
var floridaTowns = []struct {
	town
	code string
}{
	{town{"ARCHER", "Alachua", "32618"}, "11"}, {town{"FORT LAUDERDALE", "Broward", "33301"},
		"16"}, {town{"MIAMI", "Miami-Dade", "33130"}, "23"},
	{town{"JACKSONVILLE", "Duval", "32202"}, "26"}, {town{"TAMPA", "Hillsborough", "33602"},
		"39"}, {town{"TALLAHASSEE", "Leon", "32301"}, "47"},
	{town{"ORLANDO", "Orange", "32801"}, "58"}, {town{"CLEARWATER", "Pinellas", "33755"}, "62"},
}

var floridaTypes = []struct{ series, modifier string }{
	{"1APS", ""}, {"2APS", ""}, {"2COP", ""}, {"3PS", ""}, {"4COP", ""}, {"4COP", "SFS"}, {"4COP", "SRX"}, {"11C", ""},
}

func newFlorida(d *draw, i int, name string) Florida {
	kind, t := pick(d, floridaTypes), pick(d, floridaTowns)
	l := Florida{
		License: License{
			State: contracts.FL, Case: name, Number: fmt.Sprintf("BEV%s%05d", t.code, 10_000+i),
			Owner: d.company(), DBA: d.trade(), Premises: d.place(contracts.FL, []town{t.town}),
		},
		ID: fmt.Sprintf("%016X%016X", d.Uint64(), d.Uint64()), Series: kind.series, Modifier: kind.modifier,
		Word: "Current, Active", Code: "20", Licensed: d.issued(), Effective: d.ago(), Expiry: d.ahead(), CountyCode: t.code,
	}
	if d.chance(20) {
		l.Owner = d.surname() + ", " + pick(d, givenNames)
	}
	l.Mailing = l.Premises
	l.forms()
	l.want(contracts.Active, contracts.Active)
	return l
}

func (l *Florida) forms() { l.Forms = []string{l.Number[3:], l.Number[3:5] + "-" + l.Number[5:]} }

// TypeCode is the series with its modifier.
func (l *Florida) TypeCode() string {
	if l.Modifier == "" {
		return l.Series
	}
	return l.Series + "-" + l.Modifier
}

func (l *Florida) want(primary, mirror contracts.Status) {
	p, record := l.Premises, l.record(l.TypeCode(), l.Expiry, mirror)
	inExtract := record
	inExtract.Address.Raw = p.Joined(p.Zip, p.Street, p.Suite)
	l.Mirror, l.Primary = &inExtract, nil
	if l.Word == "" {
		return
	}
	record.Status, record.Address.Raw = primary, p.Text("  ")
	l.Primary = &record
}

func (l *Florida) plain() { l.want(contracts.Active, contracts.Active) }

var floridaCases = []oddity[Florida]{
	{"plain", 600, func(*draw, *Florida) {}},
	{"status 21", 20, floridaStatus("Current, Active", "21", (*draw).ahead, contracts.Active)},
	{"status 22", 20, floridaStatus("Current, Active", "22", (*draw).ahead, contracts.Active)},
	{"status 30", 10, floridaStatus("Current, Active", "30", (*draw).ahead, contracts.Active)},
	{"status 31", 10, floridaStatus("Current, Active", "31", (*draw).ahead, contracts.Active)},
	{"status 32", 10, floridaStatus("Current, Active", "32", (*draw).ahead, contracts.Active)},
	{"active past its date", 30, floridaStatus("Current, Active", "20", (*draw).ago, contracts.Active)},
	{"delinquent", 40, floridaStatus("Delinquent, Active", "45", (*draw).ago, contracts.Expired)},
	{"suspended", 8, func(d *draw, l *Florida) {
		floridaStatus("Suspended", "42", (*draw).ahead, contracts.Suspended)(d, l)
		l.servedSuspension(d)
	}},
	{"escrow", 8, floridaStatus("Escrow", "41", (*draw).ahead, contracts.Suspended)},
	{"status 46", 4, floridaStatus("Null and Void", "46", (*draw).ago, contracts.Expired)},
	{"null and void", 10, floridaStatus("Null and Void", "60", (*draw).ago, contracts.Expired)},
	{"status 80", 4, floridaStatus("Null and Void", "80", (*draw).ago, contracts.Expired)},
	{"revoked", 8, floridaRevoked("61")},
	{"revoked, status 47", 3, floridaRevoked("47")},
	{"revoked, status 64", 3, floridaRevoked("64")},
	{"application", 10, floridaApplication("10")},
	{"status 98", 3, floridaApplication("98")},
	{"no dba", 80, func(_ *draw, l *Florida) { l.DBA = ""; l.want(contracts.Active, contracts.Active) }},
	{"no expiration", 5, func(_ *draw, l *Florida) { l.Expiry = ""; l.want(contracts.Active, contracts.Active) }},
	{"county unknown", 5, func(_ *draw, l *Florida) {
		l.CountyCode = "78"
		l.Mirror.Address.County = ""
		l.Truth = l.Mirror
	}},
	{"application in progress", 3, func(d *draw, l *Florida) {
		floridaApplication("10")(d, l)
		l.Word = "Application in Progress"
	}},
	{"modifier printed as NULL", 10, func(_ *draw, l *Florida) {
		l.Series, l.Modifier, l.NullModifier = "2COP", "", true
		l.want(contracts.Active, contracts.Active)
	}},
	{"status 90", 3, func(_ *draw, l *Florida) {
		l.want(contracts.Suspended, contracts.Suspended)
		l.Truth, l.Word, l.Code = l.Primary, "Pending Disposition", "90"
		l.Primary, l.Mirror, l.PrimaryUnclear, l.MirrorUnclear = nil, nil, true, true
	}},
	{"mailed out of state", 20, func(_ *draw, l *Florida) {
		l.Mailing = Place{Street: "1 UNION ST", City: "ATLANTA", State: "GA", Zip: "30303", County: "79"}
	}},
	{"accents", 10, named[Florida](func(d *draw) string { return "PEÑALBA " + pick(d, companies) }, func(d *draw) string {
		return "CAFÉ " + pick(d, things) + " JALAPEÑERO"
	})},
	{"apostrophe", 10, named[Florida](func(d *draw) string { return "O'" + d.surname() + ", " + pick(d, givenNames) },
		func(d *draw) string { return "O'" + d.surname() + "'S DOCK" })},
	{"ampersand", 10, named[Florida](func(d *draw) string { return pick(d, things) + " & " + pick(d, things) + ", LLC" },
		func(d *draw) string { return pick(d, things) + " & REEF" })},
	{"quotes", 4, named[Florida]((*draw).company, func(d *draw) string {
		return `THE "` + pick(d, adjectives) + `" ROOM`
	})},
	// The next two stand together: a transfer in progress, one number under the old owner and the new one.
	{"transfer, the old owner", 0, func(_ *draw, l *Florida) { l.transfer(0); l.Primary, l.Mirror = nil, nil }},
	{"transfer, the new owner", 0, func(d *draw, l *Florida) { l.Licensed = d.day(-50, -5); l.transfer(1) }},
}

func floridaStatus(word, code string, expires func(*draw) contracts.Date, want contracts.Status) func(*draw, *Florida) {
	return func(d *draw, l *Florida) {
		l.Word, l.Code, l.Expiry = word, code, expires(d)
		l.want(want, want)
	}
}

// servedSuspension is known to the division and published nowhere.
func (l *Florida) servedSuspension(d *draw) {
	truth, begin := *l.Primary, d.day(-20, -1)
	truth.Suspensions = []contracts.Suspension{{StartDate: begin, EndDate: begin.AddDays(60),
		Reason: "SALE TO A MINOR"}}
	l.Truth = &truth
}

func floridaRevoked(code string) func(*draw, *Florida) {
	return func(d *draw, l *Florida) {
		l.Revoked = true
		floridaStatus("Revoked", code, (*draw).ago, contracts.Revoked)(d, l)
	}
}

// transfer puts a license into the premises whose number is that of the license `back` places before it.
func (l *Florida) transfer(back int) {
	n, _ := strconv.Atoi(l.Number[5:])
	l.Number, l.CountyCode = fmt.Sprintf("BEV39%05d", n-back), "39"
	l.Premises = Place{Street: "410 HARBOR ST", City: "TAMPA", State: "FL", Zip: "33602", County: "Hillsborough"}
	l.forms()
	l.want(contracts.Active, contracts.Active)
}

// floridaApplication is a row of the extract that is no license yet.
func floridaApplication(code string) func(*draw, *Florida) {
	return func(_ *draw, l *Florida) {
		l.Word, l.Code, l.Licensed, l.Expiry = "", code, "", ""
		l.Primary, l.Mirror = nil, nil
	}
}
