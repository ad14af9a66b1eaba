package register

import (
	"assay.dev/contracts"
	"assay.dev/platform/evidence"
)

// maxMarked is how many records of a search are marked in the document that they were read from.
const maxMarked = 20

// EvidenceOf describes a reading of a state to those who look at its documents: the values of the first records, by
// which they are found in the text.
func EvidenceOf(s contracts.State, path string, records []contracts.LicenseRecord) evidence.Reading {
	of := evidence.Reading{Source: string(s), Path: path}
	for _, r := range records[:min(len(records), maxMarked)] {
		of.Values = append(of.Values, r.LicenseNumber, r.DBAName, r.OwnerName, string(r.ExpirationDate), string(r.Status),
			r.Address.Street, r.Address.City, r.Address.ZipCode, r.Address.County)
		for _, suspension := range r.Suspensions {
			of.Values = append(of.Values, string(suspension.StartDate), string(suspension.EndDate), suspension.Reason)
		}
	}
	return of
}
