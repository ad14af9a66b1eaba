package license

import (
	"fmt"
	"strconv"

	"assay.dev/contracts"
)

// California is a license of the Department of Alcoholic Beverage Control.
type California struct {
	License
	District, Tract string
	// Officers are lines such as OFFICER: NAME (TITLE).
	Officers   []string
	Blocks     []Block
	Discipline []Proceeding
	Mailing    Place
	// Colons tells that the headings of its page end with one.
	Colons bool
	// Restrictions are the operating restrictions.
	Restrictions []string
}

// Block is one license type under a number: the page has a block, and the export a row, per type and master or
// duplicate.
type Block struct {
	Type, TypeName, Status     string
	StatusDate, Issued, Expiry contracts.Date
	Term                       int
	Master                     bool
	Duplicates                 int
	FeeCode, Transfers         string
	// Application tells an APP row of the export from a LIC row.
	Application bool
	// Exported tells whether the export has a row for this block: dead licenses are absent.
	Exported bool
}

// Proceeding is one block of the disciplinary history. Empty members are printed empty.
type Proceeding struct {
	Registration     string
	Sections         []string
	Status, Decision string
	Days, Stayed     string
	Start, End       contracts.Date
	Indefinite       bool
	POICFine         string
}

var californiaTypes = []struct{ code, name string }{
	{"20", "OFF-SALE BEER AND WINE"}, {"21", "OFF-SALE GENERAL"}, {"41", "ON-SALE BEER AND WINE - EATING PLACE"},
	{"47", "ON-SALE GENERAL EATING PLACE"}, {"48", "ON-SALE GENERAL PUBLIC PREMISES"}, {"58", "CATERER'S PERMIT"},
	{"75", "ON-SALE GENERAL - BREWPUB"},
}

var californiaTowns = []town{
	{"BLOOMINGTON", "SAN BERNARDINO", "92316"}, {"LOS ANGELES", "LOS ANGELES", "90012"}, {"SAN DIEGO", "SAN DIEGO",
		"92101"},
	{"FRESNO", "FRESNO", "93721"}, {"OAKLAND", "ALAMEDA", "94607"}, {"SAN JOSE", "SANTA CLARA", "95113"},
	{"SACRAMENTO", "SACRAMENTO", "95814"}, {"EUREKA", "HUMBOLDT", "95501"}, {"PASO ROBLES", "SAN LUIS OBISPO", "93446"},
}

func newCalifornia(d *draw, i int, name string) California {
	number := 400_000 + 3*i
	if i%20 == 7 {
		number = 30_000 + i
	}
	l := California{
		License: License{
			State: contracts.CA, Number: strconv.Itoa(number), Case: name,
			Owner: d.company(), DBA: d.trade(), Premises: d.place(contracts.CA, californiaTowns),
		},
		District: pick(d, []string{"RIVERSIDE", "LA/METRO", "SAN DIEGO", "OAKLAND", "FRESNO"}),
		Tract:    fmt.Sprintf("%04d.%02d", d.IntN(9999), d.IntN(99)),
		Blocks:   []Block{californiaBlock(d, "ACTIVE")},
	}
	l.Mailing = l.Premises
	if i%10 == 4 {
		l.Restrictions = []string{"SALES END AT 11 PM ON THE PATIO", "NO LIVE MUSIC AFTER 10 PM"}
	}
	if d.chance(25) {
		l.Owner = d.person(true)
	} else {
		l.Officers = []string{
			"OFFICER: " + d.person(true) + " (PRESIDENT)",
			"OFFICER: " + d.person(true) + " (SECRETARY/ASST SEC)",
		}
	}
	l.Forms = []string{fmt.Sprintf("%08d", number), l.Blocks[0].Type + "-" + l.Number}
	l.want(contracts.Active, true)
	return l
}

func californiaBlock(d *draw, status string) Block {
	kind := pick(d, californiaTypes)
	return Block{
		Type: kind.code, TypeName: kind.name, Status: status, StatusDate: d.ago(), Issued: d.issued(), Expiry: d.ahead(),
		Term: 12, Master: true, FeeCode: "P" + d.digits(2), Exported: true,
	}
}

// want writes down the record that the first block must give.
func (l *California) want(status contracts.Status, exported bool, suspensions ...contracts.Suspension) {
	l.record(l.Blocks[0], status, exported, suspensions)
}

func (l *California) record(b Block, status contracts.Status, exported bool, suspensions []contracts.Suspension) {
	p, record := l.Premises, l.License.record(b.Type, b.Expiry, status)
	l.Mirror = nil
	if exported {
		mirror := record
		mirror.Address.Raw = p.Joined(p.Zip, p.Street, p.Suite)
		l.Mirror = &mirror
	} else {
		for i := range l.Blocks {
			l.Blocks[i].Exported = false
		}
	}
	record.Address.Raw, record.LicenseTypeName, record.StatusDate = l.AddressText(), b.TypeName, b.StatusDate
	record.OperatingRestrictions = append([]string{}, l.Restrictions...)
	record.Suspensions = append(record.Suspensions, suspensions...)
	l.Primary = &record
}

func (l *California) plain() { l.want(contracts.Active, true) }

// AddressText is the premises as the license page prints them: the blank before the comma stays when there is no suite.
func (l *California) AddressText() string {
	p := l.Premises
	return fmt.Sprintf("%s %s, %s, %s, %s", p.Street, p.Suite, p.City, p.State, p.Zip)
}

// noLicense marks a page that shows no license.
func (l *California) noLicense() { l.Primary, l.Mirror = nil, nil }

func californiaStatus(
	word string, expiry func(*draw) contracts.Date, want contracts.Status, exported bool,
) func(*draw, *California) {
	return func(d *draw, l *California) {
		l.Blocks[0].Status = word
		l.Blocks[0].Expiry = expiry(d)
		l.want(want, exported)
	}
}

// notLicense is a number under which only an application is on file.
func notLicense(word string) func(*draw, *California) {
	return func(_ *draw, l *California) {
		b := &l.Blocks[0]
		b.Status, b.Application, b.Issued, b.Expiry = word, true, "", ""
		b.Exported = word == "PEND"
		l.noLicense()
	}
}
