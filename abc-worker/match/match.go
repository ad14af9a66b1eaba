package match

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"unicode"

	"assay.dev/abc-worker/mirror"
	"assay.dev/contracts"
)

// customer is a customer, taken apart.
type customer struct {
	names [][]string
	address
	// number is the license number in its normal form, kind the license type that stood before it.
	number, kind string
	// isFormer tells that what was given is a former number of the license that has number now.
	isFormer bool
	// unused is a number that was given and is none of the state, in words. It is a mistake where it has a digit, and else
	// a blank, such as N/A.
	unused finding
}

// candidate is a license that may be a customer's.
type candidate struct {
	*mirror.Entry
	name, address finding
	// number is same where it is the one that was given, nearly where it differs by a slip, and partly where its license
	// type is another one.
	number finding
}

// fits tells whether name and address both fit, one of them without a slip.
func (c *candidate) fits() bool {
	return min(c.name.grade, c.address.grade) >= nearly && max(c.name.grade, c.address.grade) == same
}

// isAlike tells whether name and address both fit, also with slips, or with words that one name has besides.
func (c *candidate) isAlike() bool { return c.name.grade >= akin && c.address.grade >= nearly }

// isLikely tells whether a person should look at it.
func (c *candidate) isLikely() bool {
	isNamed := c.name.grade >= nearly && c.address.grade > differs || c.name.grade == akin && c.address.grade > elsewhere
	return c.number.grade == same || c.number.grade == partly || c.address.grade >= nearly || isNamed
}

func (c *candidate) score() float64 {
	score := points[c.name.grade] + points[c.address.grade]
	if c.number.grade == same {
		score = (1 + score) / 2
	}
	return float64(int(score*100+0.5)) / 100
}

// All finds the licenses of customers of one state, in their order, unless ctx ends.
func All(ctx context.Context, c *mirror.Copy, state contracts.State, customers []contracts.Customer) (
	[]contracts.Match, error) {
	all := make([]customer, len(customers))
	for i, given := range customers {
		all[i] = newCustomer(state, given)
	}
	s := newSearch(c, all)
	found := make([]contracts.Match, len(all))
	for i := range all {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		found[i] = s.match(&all[i])
	}
	return found, nil
}

func newCustomer(state contracts.State, given contracts.Customer) customer {
	c := customer{names: namesOf(given.Name),
		address: newAddress(given.Street, given.City, strings.TrimSpace(given.ZipCode))}
	number, err := contracts.NormalLicenseNumber(state, given.LicenseNumber)
	switch {
	case err == nil:
		c.kind, c.number = contracts.SplitLicenseType(state, number)
	case strings.ContainsFunc(given.LicenseNumber, unicode.IsDigit):
		c.unused = finding{differs,
			"what was given as the number is not in a form that " + string(state) + " issues, and was not used"}
	case strings.TrimSpace(given.LicenseNumber) != "":
		c.unused = finding{unknown, "what was given as the number has no digit, and was not used"}
	default:
		c.unused.grade = unknown
	}
	return c
}

// match decides on one customer.
func (s *search) match(c *customer) contracts.Match {
	places, isCut := s.places(c)
	var candidates []candidate
	for _, e := range s.numbered(c) {
		c.isFormer, c.number = e.Record.LicenseNumber != c.number, e.Record.LicenseNumber
		candidates = append(candidates, c.compare(&e))
	}
	byNumber := len(candidates)
	for _, i := range places {
		e, leads := s.copy.At(i)
		if leads && (byNumber == 0 || e.Record.LicenseNumber != c.number) {
			candidates = append(candidates, c.compare(&e))
		}
	}
	var about string
	switch {
	case c.unused.reason != "":
		about = "W" + c.unused.reason[1:] + ". "
	case c.number != "" && byNumber == 0:
		about = "The copy of the register has no license of the number that was given. "
	case byNumber > 0 && candidates[0].number.grade == partly:
		about = "The license of the number that was given is not of type " + c.kind + ". "
	}
	m := c.decide(candidates, isCut)
	if m.Outcome != contracts.Matched {
		m.Reason = about + m.Reason
	}
	return m
}

func (c *customer) compare(e *mirror.Entry) candidate {
	r := &e.Record
	theirs := newAddress(r.Address.Street, r.Address.City, r.Address.ZipCode)
	of := candidate{Entry: e, address: compareAddresses(&c.address, &theirs),
		name: compareNames(c.names, map[string][][]string{
			"trade name": namesOf(r.DBAName), "holder's name": namesOf(r.OwnerName),
		})}
	switch {
	case c.number == "":
		of.number = c.unused
	case c.number == r.LicenseNumber && c.kind != "" && c.kind != r.LicenseTypeCode:
		of.number = finding{partly, "the number is the one that was given, the license type is not"}
	case c.number == r.LicenseNumber && c.isFormer:
		of.number = finding{same, "the number that was given is its former one"}
	case c.number == r.LicenseNumber:
		of.number = finding{same, "the number is the one that was given"}
	case contracts.IsSlip(c.number, r.LicenseNumber):
		of.number = finding{nearly, "the number differs from the given one by a slip"}
	default:
		of.number = finding{differs, "another number was given"}
	}
	return of
}

const notUnderstood = "The register's row of the license that fits is not understood."

// decide says which of the candidates is the customer's, or who has to decide. isCut tells that there were more of them
// than are compared.
func (c *customer) decide(all []candidate, isCut bool) contracts.Match {
	slices.SortStableFunc(all, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(b.score(), a.score()), a.Record.Position().Compare(b.Record.Position()))
	})
	all = slices.DeleteFunc(all, func(x candidate) bool { return !x.isLikely() })
	alike := 0
	for i := range all {
		if all[i].isAlike() {
			alike++
		}
	}
	if i := slices.IndexFunc(all, func(x candidate) bool { return x.number.grade == same }); i >= 0 {
		x := &all[i]
		switch {
		case !c.isProven(x):
			return review(all, "The license of the number that was given does not fit the name or the address that was given.")
		case x.Unclear:
			return review(all, notUnderstood)
		}
		return contracts.Match{Outcome: contracts.Matched, Candidates: shown(all[i : i+1])}
	}
	switch {
	case len(all) == 0:
		return contracts.Match{Outcome: contracts.NoMatch, Reason: "No license of the copy fits by number, by address, or " +
			"by name in that city or ZIP code."}
	case alike > 1:
		return review(all, "Several licenses fit alike.")
	case isCut:
		return review(all, "More licenses than can be compared are at such an address.")
	case alike == 0 || !all[0].fits():
		return review(all, all[0].lacks())
	case all[0].Unclear:
		return review(all, notUnderstood)
	case all[0].number.grade == differs || all[0].number.grade == partly:
		return review(all, "Name and address fit, but the number that was given does not.")
	}
	return contracts.Match{Outcome: contracts.Matched, Candidates: shown(all[:1])}
}

// lacks says what a candidate lacks that is the best and does not fit.
func (c *candidate) lacks() string {
	switch {
	case c.name.grade >= nearly && c.address.grade == elsewhere:
		return "The name fits, but the street is another one: the customer moved, or this is a mailing address."
	case c.name.grade >= nearly && c.address.grade == unknown:
		return "The name fits, but there is no street to compare: " + c.address.reason + "."
	case c.name.grade == akin && c.address.grade >= nearly:
		return "The name at that address is not quite the same: it may be another company's."
	}
	return "The best candidate does not fit in both name and address without a slip."
}

// isProven tells whether the license of the number that was given is the customer's: nothing that was given says
// otherwise.
func (c *customer) isProven(x *candidate) bool {
	hasStreet := c.house != "" || len(c.street) > 0
	nameFits := len(c.names) == 0 || x.name.grade >= akin
	return nameFits && (x.address.grade >= nearly || !hasStreet && x.address.grade > differs)
}

func review(all []candidate, reason string) contracts.Match {
	return contracts.Match{Outcome: contracts.Review, Reason: reason,
		Candidates: shown(all[:min(len(all), contracts.MaxCandidates)])}
}

// shown are candidates as they are told.
func shown(all []candidate) (told []contracts.MatchCandidate) {
	for i := range all {
		x := &all[i]
		m := contracts.MatchCandidate{
			LicenseNumber: x.Record.LicenseNumber, LicenseTypeCode: x.Record.LicenseTypeCode, DBAName: x.Record.DBAName,
			OwnerName: x.Record.OwnerName,
			Address:   x.Record.Address, ExpirationDate: x.Record.ExpirationDate, Score: x.score(),
		}
		for _, f := range []finding{x.number, x.name, x.address} {
			if f.reason != "" {
				m.Reasons = append(m.Reasons, f.reason)
			}
		}
		told = append(told, m)
	}
	return told
}
