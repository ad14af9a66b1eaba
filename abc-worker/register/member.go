package register

import (
	"slices"

	"assay.dev/abc-worker/mirror"
	"assay.dev/contracts"
)

// The members of a license record, by their names in JSON.
const (
	Number      = "license_number"
	Type        = "license_type_code"
	DBA         = "dba_name"
	Owner       = "owner_name"
	Expiration  = "expiration_date"
	Status      = "status"
	Street      = "address.street"
	City        = "address.city"
	State       = "address.state"
	ZIP         = "address.zip_code"
	County      = "address.county"
	Raw         = "address.raw"
	Suspensions = "suspensions"
)

// Members are all of a record.
var Members = []string{
	Number, Type, DBA, Owner, Expiration, Status, Street, City, State, ZIP, County, Raw, Suspensions,
}

// Common are the members that every state requires in every operation.
var Common = contracts.Members{Number, Type, Owner, Expiration, Status, Street, City, ZIP}

// given tells whether a record has a value of the member. A trade name may be empty, and so may be the suspensions.
func given(r contracts.LicenseRecord, member string) bool {
	switch member {
	case DBA, Suspensions:
		return true
	case Expiration:
		return r.ExpirationDate != ""
	}
	return Text(r, member) != ""
}

// Text is the member of a record as a text.
func Text(r contracts.LicenseRecord, member string) string {
	a := r.Address
	switch member {
	case Expiration:
		return string(r.ExpirationDate)
	case Status:
		return string(r.Status)
	}
	texts := map[string]string{
		Number: r.LicenseNumber, Type: r.LicenseTypeCode, DBA: r.DBAName, Owner: r.OwnerName,
		Street: a.Street, City: a.City, State: a.State, ZIP: a.ZipCode, County: a.County, Raw: a.Raw,
	}
	return texts[member]
}

// tally counts the required members of a record that are clean: reported, readable and not empty.
func tally(r Record, required, unclean contracts.Members) contracts.Tally {
	t := contracts.Tally{Required: len(required)}
	for _, member := range required {
		if given(r.LicenseRecord, member) && !slices.Contains(unclean, member) && !slices.Contains(r.Unreadable, member) {
			t.Clean++
		}
	}
	return t
}

// Members are what a copy tells of licenses on a day, in their order. Suspensions are not required, as in a search.
// That the copy does not list a license proves that there is none where its path misses nothing.
func (r Recipe) Members(c *mirror.Copy, numbers []string, on contracts.Date) []contracts.Member {
	paths := slices.Concat(r.Search, r.Lookup)
	p := paths[slices.IndexFunc(paths, func(p Path) bool { return p.Name == Mirror })]
	r.Required = map[Operation]contracts.Members{Lookup: r.Required[Search]}
	members := make([]contracts.Member, len(numbers))
	for i, number := range numbers {
		members[i] = r.member(c, judge{Recipe: r, Path: p, op: Lookup}, number, on)
	}
	return members
}

func (r Recipe) member(c *mirror.Copy, by judge, number string, on contracts.Date) contracts.Member {
	q := Question{Number: number}
	reading := Reading{ReadAt: c.ReadAt, DataDate: c.DataDate(), PublishedAt: c.PublishedAt(), IsShort: c.IsShort}
	r.Bulk.fill(&reading, r.Bulk.numbered(c, number, &reading))
	v := verdict{judge: by, Question: q, Reading: reading, notReported: by.NotReported.With(),
		inferred: by.Inferred.With()}
	old, long := v.date(), v.bound()
	where := capital(v.Noun)
	if !v.PublishedAt.IsZero() {
		where += " of " + v.day()
	}
	switch {
	case old != nil:
		return contracts.MemberUnlisted(number, where+" is too old to answer from.")
	case v.Unclear > 0 || long != nil:
		return contracts.MemberUnlisted(number, where+" shows it in a way that is not understood.")
	case len(v.Records) > 0:
		a, t := v.answer()
		return contracts.MemberOf(contracts.LicenseAnswer{
			Provenance: contracts.Provenance{Complete: a.Complete, Notes: a.Notes}, Tally: t,
			State: r.Listing.State, Record: &a.Records[0],
		}, on)
	case contracts.IsFormerNumber(r.Listing.State, number): // what became of inactive licenses' is not known
		return contracts.MemberUnlisted(number, where+" has no license by this former number, which proves nothing.")
	case v.misses() != "":
		return contracts.MemberUnlisted(number, where+" does not list it, which proves nothing. "+v.misses())
	}
	return contracts.MemberAbsent(number, where+" does not list it: there is no such license.")
}
