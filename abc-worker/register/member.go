package register

import (
	"slices"

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
