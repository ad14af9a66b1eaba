package register

import (
	"strings"

	"assay.dev/contracts"
	"assay.dev/platform/scrape"
)

// A name of more than maxName bytes is not one that a register keeps: it is told, and the record is not clean. With
// more than maxText the source has changed.
const (
	maxName = 1 << 10
	maxText = 16 << 10
)

// maxYears is how far ahead a license may expire. A date behind that stands for one that is not known, such as 2099.
const maxYears = 10

// bound looks for names and addresses that are too long, and for dates that are too far.
func (v *verdict) bound() error {
	last := contracts.DateOf(v.Clock().In(v.Zone).AddDate(maxYears, 0, 0))
	check := func(r *Record) error {
		if n := len(r.LicenseTypeName) + len(strings.Join(r.OperatingRestrictions, "")); n > maxText {
			return scrape.Failf(scrape.Changed, "type and restrictions have %d bytes", n)
		}
		if r.ExpirationDate > last {
			r.ExpirationDate, r.Unreadable = "", r.Unreadable.With(Expiration)
		}
		for _, m := range [...]struct{ member, text string }{{DBA, r.DBAName}, {Owner, r.OwnerName},
			{Street, r.Address.Street}, {Raw, r.Address.Raw}} {
			if len(m.text) > maxText {
				return scrape.Failf(scrape.Changed, "%s has %d bytes", m.member, len(m.text))
			}
			if len(m.text) > maxName {
				r.Unreadable = r.Unreadable.With(m.member)
			}
		}
		return nil
	}
	for i := range v.Records {
		if err := check(&v.Records[i]); err != nil {
			return err
		}
	}
	for i := range v.MatchGroups {
		if err := check(&v.MatchGroups[i].Record); err != nil {
			return err
		}
	}
	return nil
}
