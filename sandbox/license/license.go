// Package license invents the liquor licenses that the stand-in sites of the states show: thousands per state, the
// same in every run, in every status and with every oddity that the real registers are known for. No name in it is a
// real person's.
//
// Each license carries what a right reading of it must give, per path, so a test can compare what the system answers
// with what was put in. That expectation is written by the case that invents the oddity, not computed by the rules
// that the readers implement.
package license

import (
	"fmt"
	"iter"
	"math/rand/v2"
	"strings"
	"time"

	"assay.dev/contracts"
)

// License is the part that the licenses of all states have.
type License struct {
	State contracts.State
	// Number is the normal form of contracts.NormalLicenseNumber. Two licenses share one while a transfer is under way.
	Number string
	// Forms are other ways to write the number, all of which must find this license.
	Forms []string
	// Case names the oddity this license shows. The first licenses of a state show each of its cases once.
	Case     string
	Owner    string
	DBA      string
	Premises Place
	// Primary and Mirror are the records that the state's first and its fallback path must give. nil: that path must
	// not answer with this license, because it does not show it, or because it is no license.
	Primary, Mirror *contracts.LicenseRecord
	// PrimaryUnclear and MirrorUnclear tell that the path shows this license in a way that no reader can understand. It
	// must neither answer with it nor say that there is none.
	PrimaryUnclear, MirrorUnclear bool
	// Truth is what the regulator knows of this license, also what it does not publish. nil: this is not a license.
	Truth *contracts.LicenseRecord
}

// record is what all sources say of the license. The text of the address is each source's own.
func (l *License) record(kind string, expires contracts.Date, status contracts.Status) contracts.LicenseRecord {
	p := l.Premises
	return contracts.LicenseRecord{
		LicenseNumber: l.Number, LicenseTypeCode: kind, DBAName: l.DBA, OwnerName: l.Owner,
		ExpirationDate: expires, Status: status,
		Address:     contracts.Address{Street: p.Line(), City: p.City, State: p.State, ZipCode: p.Zip, County: p.County},
		Suspensions: []contracts.Suspension{},
	}
}

// named is an oddity of the names of an otherwise plain license.
func named[L any, P interface {
	*L
	core() *License
	plain()
}](owner, dba func(*draw) string) func(*draw, *L) {
	return func(d *draw, l *L) {
		c := P(l).core()
		c.Owner, c.DBA = owner(d), dba(d)
		P(l).plain()
	}
}

// Place is an address in the parts that the registers keep.
type Place struct {
	Street, Suite, City, State, Zip, County string
}

// Joined returns the fields of the place that a data set has, with commas between them.
func (p Place) Joined(zip string, street ...string) string {
	var kept []string
	for _, part := range append(street, p.City, p.State, zip) {
		if part != "" {
			kept = append(kept, part)
		}
	}
	return strings.Join(kept, ", ")
}

// Line returns the street and the suite in one line.
func (p Place) Line() string {
	if p.Suite == "" {
		return p.Street
	}
	return p.Street + " " + p.Suite
}

// Text returns the whole place in one text. The separator given stands between street and town.
func (p Place) Text(separator string) string {
	return fmt.Sprintf("%s%s%s, %s %s", p.Line(), separator, p.City, p.State, p.Zip)
}

// Path names one of the two ways to read a state: the first one or the fallback.
type Path string

// The paths.
const (
	Primary Path = "primary"
	Mirror  Path = "mirror"
)

// Register holds the licenses of all states. They are invented on first use, and [Register.Edit] changes them. It is
// safe for concurrent use.
type Register struct {
	california *stateLicenses[California]
	texas      *stateLicenses[Texas]
	newYork    *stateLicenses[NewYork]
	florida    *stateLicenses[Florida]
	illinois   *stateLicenses[Illinois]
	// states are the same, by their states.
	states map[contracts.State]anyState
}

// anyState is the licenses of any state.
type anyState interface {
	edit(time.Time, map[string]Edit) error
	edition() Edition
	cores() iter.Seq[*License]
}

// Sizes holds the number of licenses of each state. A state has at least each of its cases once, also with none.
type Sizes map[contracts.State]int

// Small returns sizes with which a sandbox starts within a second.
func Small() Sizes {
	return Sizes{contracts.CA: 2500, contracts.TX: 2500, contracts.NY: 2500, contracts.FL: 2500, contracts.IL: 2500}
}

// RealSize is the size of the real registers: 129,000 rows of the California export, 126,161 of the Texas one, 59,858
// active licenses and about half as many inactive ones in New York, 53,000 in Florida, 33,200 in Illinois.
func RealSize() Sizes {
	return Sizes{contracts.CA: 116_000, contracts.TX: 126_161, contracts.NY: 79_000, contracts.FL: 53_000,
		contracts.IL: 33_200}
}

// New returns the register as it is on a day. It counts all dates from the first day of that month, so that the data
// are the same for a month. A date that must be past or future is more than a month away, so that it stays so.
func New(today contracts.Date, sizes Sizes) *Register {
	anchor := today[:8] + "01"
	r := &Register{
		california: newShelf(func() []California {
			return invent(contracts.CA, anchor, sizes, newCalifornia, californiaCases)
		}),
		texas: newShelf(func() []Texas {
			return invent(contracts.TX, anchor, sizes, newTexas, texasCases)
		}),
		newYork: newShelf(func() []NewYork {
			return invent(contracts.NY, anchor, sizes, newNewYork, newYorkCases)
		}),
		florida: newShelf(func() []Florida {
			return invent(contracts.FL, anchor, sizes, newFlorida, floridaCases)
		}),
		illinois: newShelf(func() []Illinois {
			return invent(contracts.IL, anchor, sizes, newIllinois, illinoisCases)
		}),
	}
	r.states = map[contracts.State]anyState{
		contracts.CA: r.california, contracts.TX: r.texas, contracts.NY: r.newYork, contracts.FL: r.florida,
		contracts.IL: r.illinois,
	}
	return r
}

// California returns the licenses of California with the fields that its register shows. Callers must not change them.
func (r *Register) California() []California { return r.california.all() }

// Texas returns the licenses of Texas, as [Register.California] does for its state.
func (r *Register) Texas() []Texas { return r.texas.all() }

// NewYork returns the licenses of New York, as [Register.California] does for its state.
func (r *Register) NewYork() []NewYork { return r.newYork.all() }

// Florida returns the licenses of Florida, as [Register.California] does for its state.
func (r *Register) Florida() []Florida { return r.florida.all() }

// Illinois returns the licenses of Illinois, as [Register.California] does for its state.
func (r *Register) Illinois() []Illinois { return r.illinois.all() }

// Of returns the common part of a state's licenses, in the order of the register.
func (r *Register) Of(state contracts.State) []License {
	var licenses []License
	for l := range r.all(state) {
		licenses = append(licenses, *l)
	}
	return licenses
}

// all yields what Of returns without copying it.
func (r *Register) all(state contracts.State) iter.Seq[*License] {
	if s, ok := r.states[state]; ok {
		return s.cores()
	}
	return func(func(*License) bool) {}
}

func (s *stateLicenses[L]) cores() iter.Seq[*License] {
	return func(yield func(*License) bool) {
		all := s.whole()
		for i := range all {
			if !yield(s.common(&all[i])) {
				return
			}
		}
	}
}

// Golden yields each record that a path of a state must be able to give, with its number in normal form. A record has
// Raw when the source prints the address as one text. A ZIP+4 has its hyphen.
func (r *Register) Golden(state contracts.State, path Path) map[string]contracts.LicenseRecord {
	golden := map[string]contracts.LicenseRecord{}
	for l := range r.all(state) {
		if record := l.Record(path); record != nil {
			golden[l.Number] = *record
		}
	}
	return golden
}

// Record returns the record that a path must give for this license, or nil when the path must not answer with it.
func (l *License) Record(path Path) *contracts.LicenseRecord {
	if path == Primary {
		return l.Primary
	}
	return l.Mirror
}

// IsUnclear tells whether a path shows the license in a way that no reader can understand.
func (l *License) IsUnclear(path Path) bool {
	return path == Primary && l.PrimaryUnclear || path == Mirror && l.MirrorUnclear
}

// Case returns the first license of a state that shows the named case, and false when no case has that name.
func (r *Register) Case(state contracts.State, name string) (License, bool) {
	for l := range r.all(state) {
		if l.Case == name {
			return *l, true
		}
	}
	return License{}, false
}

// oddity is one way in which a license differs from an ordinary one, such as a missing expiration date. weight is its
// share among all licenses.
type oddity[L any] struct {
	name   string
	weight int
	apply  func(*draw, *L)
}

// invent makes the licenses of a state. License i depends on the state, on i and on the anchor alone, so that all runs
// agree.
func invent[L any, P interface {
	*L
	core() *License
}](state contracts.State, anchor contracts.Date, sizes Sizes, plain func(*draw, int, string) L, cases []oddity[L]) []L {
	total := 0
	for _, c := range cases {
		total += c.weight
	}
	all := make([]L, max(sizes[state], len(cases)))
	for i := range all {
		seed := uint64(state[0])<<8 | uint64(state[1])
		d := &draw{Rand: rand.New(rand.NewPCG(seed, uint64(i))), anchor: anchor}
		chosen := cases[min(i, len(cases)-1)]
		if i >= len(cases) {
			chosen = weighted(d, cases, total)
		}
		all[i] = plain(d, i, chosen.name)
		chosen.apply(d, &all[i])
		if c := P(&all[i]).core(); c.Truth == nil {
			c.Truth = c.truth()
		}
	}
	return all
}

// core returns the common part of the license.
func (l *License) core() *License { return l }

// truth returns what the path shows that shows most of a license.
func (l *License) truth() *contracts.LicenseRecord {
	if l.Primary != nil {
		return l.Primary
	}
	return l.Mirror
}

func weighted[L any](d *draw, cases []oddity[L], total int) oddity[L] {
	n := d.IntN(total)
	for _, c := range cases {
		if n -= c.weight; n < 0 {
			return c
		}
	}
	return cases[0]
}
