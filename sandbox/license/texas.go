package license

import (
	"fmt"
	"strconv"
	"strings"

	"assay.dev/contracts"
)

// Texas is a license of the Alcoholic Beverage Commission. Number is its license id.
type Texas struct {
	License
	// Legacy is the number of the system before 2021, such as BG571927; empty for newer licenses.
	Legacy                         string
	Type                           string
	PrimaryStatus, SecondaryStatus string
	Expires, StatusChanged, Issued contracts.Date
	Tier, MasterFile               string
	Phone                          string
	Violations                     []Violation
}

// Violation is one complaint with its outcome. End is filled for suspensions only.
type Violation struct {
	Complaint, Status    string
	Date                 contracts.Date
	Code, Description    string
	Docket, Disposition  string
	Fine, Paid           string
	PaidDate, Begin, End contracts.Date
}

var texasTypes = []string{"MB", "BG", "BQ", "BE", "P", "BF"}

var texasTowns = []town{
	{"AUSTIN", "Travis", "78751"}, {"HOUSTON", "Harris", "77002"}, {"DALLAS", "Dallas", "75201"}, {"SAN ANTONIO",
		"Bexar", "78205"},
	{"EL PASO", "El Paso", "79901"}, {"LUBBOCK", "Lubbock", "79401"}, {"CORPUS CHRISTI", "Nueces", "78401"}, {"MARFA",
		"Presidio", "79843"},
}

func newTexas(d *draw, i int, name string) Texas {
	l := Texas{
		License: License{
			State: contracts.TX, Number: fmt.Sprint(100_001_000 + 7*i), Case: name,
			Owner: d.company(), DBA: d.trade(), Premises: d.place(contracts.TX, texasTowns),
		},
		Type: pick(d,
			texasTypes), PrimaryStatus: "Active", Expires: d.ahead(), StatusChanged: d.ago(), Issued: d.issued(),
		Tier: "Retail", MasterFile: fmt.Sprint(200_000_000 + 11*i), Phone: "512555" + d.digits(4),
	}
	l.Forms = []string{l.Number + ".0"}
	if i%5 != 4 {
		l.legacy(500_000 + i%400_000)
	}
	if d.chance(20) {
		l.Owner = d.person(false)
	}
	l.want(contracts.Active)
	return l
}

// legacy gives the license its old number, which people write with a hyphen.
func (l *Texas) legacy(n int) {
	l.Legacy = fmt.Sprintf("%s%d", l.Type, n)
	l.Forms = []string{l.Number + ".0", l.Legacy, fmt.Sprintf("%s-%d", l.Type, n)}
}

func (l *Texas) want(status contracts.Status, suspensions ...contracts.Suspension) {
	p, mirror := l.Premises, l.record(l.Type, l.Expires, status)
	primary := mirror
	primary.Suspensions = append([]contracts.Suspension{}, suspensions...)
	primary.Address.Raw = p.Text(", ")
	mirror.Address.Raw = p.Joined(strings.ReplaceAll(p.Zip, "-", ""), p.Line())
	l.Primary, l.Mirror = &primary, &mirror
}

func (l *Texas) plain() { l.want(contracts.Active) }

var texasCases = []oddity[Texas]{
	{"plain", 600, func(*draw, *Texas) {}},
	{"renewal pending", 60, texasStatus("Active - Renewal Pending", (*draw).ago, contracts.Active)},
	{"suspended", 10, texasStatus("Suspended", (*draw).ahead, contracts.Suspended)},
	{"temporarily surrendered", 8, texasStatus("Temporarily Surrendered", (*draw).ahead, contracts.Suspended)},
	{"expired", 60, texasStatus("Expired", (*draw).ago, contracts.Expired)},
	{"expired, renewal pending", 10, texasStatus("Expired - Renewal Pending", (*draw).ago, contracts.Expired)},
	{"surrendered", 20, texasStatus("Surrendered", (*draw).ago, contracts.Expired)},
	{"cancelled", 10, texasStatus("Cancelled", (*draw).ago, contracts.Revoked)},
	{"no trade name", 110, func(_ *draw, l *Texas) { l.DBA = ""; l.want(contracts.Active) }},
	{"no county", 30, func(_ *draw, l *Texas) { l.Premises.County = ""; l.want(contracts.Active) }},
	{"no expiration", 10, func(_ *draw, l *Texas) { l.Expires = ""; l.want(contracts.Active) }},
	{"seven digits in the legacy number", 30, sevenDigits},
	{"apostrophe", 10, named[Texas](func(d *draw) string { return pick(d, givenNames) + " O'" + d.surname() },
		func(d *draw) string { return "O'" + d.surname() + "'S ICE HOUSE" })},
	{"ampersand", 10, named[Texas](func(d *draw) string { return pick(d, things) + " & " + pick(d, things) + ", LP" },
		func(d *draw) string { return pick(d, things) + " & SMOKE" })},
	{"percent sign", 4, named[Texas]((*draw).company, func(d *draw) string { return "100% " + pick(d, things) + "_BAR" })},
	{"accents", 10, named[Texas]((*draw).company, func(d *draw) string {
		return "CAFÉ " + pick(d, []string{"PIÑATÓN", "NIÑEZA", "ÁRBOLITO"}) + " " + pick(d, things)
	})},
	{"shake", 4, named[Texas]((*draw).company, func(d *draw) string { return "SHAKE " + pick(d, things) })},
	{"suspension served", 10, func(d *draw, l *Texas) {
		v := texasViolation(d)
		v.End = v.Begin.AddDays(5 + d.IntN(20))
		l.Violations = []Violation{v}
		l.want(contracts.Active, v.suspension())
	}},
	{"suspension under way", 4, func(d *draw, l *Texas) {
		v := texasViolation(d)
		v.Begin = d.day(-20, -1)
		v.End = v.Begin.AddDays(90)
		l.PrimaryStatus, l.Violations = "Suspended", []Violation{v}
		l.want(contracts.Suspended, v.suspension())
	}},
	{"civil penalty instead of suspension", 10, func(d *draw, l *Texas) {
		l.Violations = []Violation{texasPenalty(d)}
		l.want(contracts.Active)
	}},
	{"two suspensions and a penalty", 4, func(d *draw, l *Texas) {
		first, second := texasViolation(d), texasViolation(d)
		first.Begin = first.Begin.AddDays(-900)
		first.End, second.End = first.Begin.AddDays(10), second.Begin.AddDays(7)
		l.Violations = []Violation{first, texasPenalty(d), second}
		l.want(contracts.Active, first.suspension(), second.suspension())
	}},
	{"unknown status word", 1, func(_ *draw, l *Texas) {
		l.want(contracts.Suspended)
		l.Truth, l.PrimaryStatus = l.Primary, "Under Review"
		l.Primary, l.Mirror, l.PrimaryUnclear, l.MirrorUnclear = nil, nil, true, true
	}},
}

func sevenDigits(_ *draw, l *Texas) {
	n, _ := strconv.Atoi(l.Number)
	l.legacy(1_000_000 + (n-100_001_000)/7)
	l.want(contracts.Active)
}

func texasStatus(word string, expires func(*draw) contracts.Date, want contracts.Status) func(*draw, *Texas) {
	return func(d *draw, l *Texas) {
		l.PrimaryStatus, l.Expires = word, expires(d)
		l.want(want)
	}
}

func texasViolation(d *draw) Violation {
	begin := d.ago()
	return Violation{
		Complaint: d.digits(6), Status: "Closed", Date: begin.AddDays(-120), Code: "106.13",
		Description: pick(d, []string{"SALE TO A MINOR", "SALE DURING PROHIBITED HOURS", "BREACH OF THE PEACE",
			"PERMIT INTOXICATED PERSON ON PREMISES"}),
		Docket: "DK-" + d.digits(6), Disposition: "Suspension", Begin: begin,
	}
}

func texasPenalty(d *draw) Violation {
	v := texasViolation(d)
	v.Disposition, v.Fine, v.Paid, v.PaidDate, v.Begin = "Civil Penalty", "3000.00", "3000.00", v.Begin, ""
	return v
}

func (v Violation) suspension() contracts.Suspension {
	return contracts.Suspension{StartDate: v.Begin, EndDate: v.End, Reason: v.Description}
}
