package register

import (
	"assay.dev/contracts"
	"assay.dev/platform/evidence"
	"assay.dev/platform/scrape"
)

// maxMarked is how many records of a search are marked in the document that they were read from.
const maxMarked = 20

// RowsOf are the spots of the first records by their numbers.
func RowsOf(records []Record) map[string][]scrape.Spot {
	rows := map[string][]scrape.Spot{}
	for _, r := range records[:min(len(records), maxMarked)] {
		rows[r.LicenseNumber] = r.Spots
	}
	return rows
}

// EvidenceOf describes a reading of a state to those who look at its documents: the values of the first records, by
// which they are found in the text, and where they stood.
func EvidenceOf(s contracts.State, path string, records []contracts.LicenseRecord, rows map[string][]scrape.Spot) evidence.Reading {
	of := evidence.Reading{Source: string(s), Path: path, Rows: rows}
	for _, r := range records[:min(len(records), maxMarked)] {
		of.Values = append(of.Values, r.LicenseNumber, r.DBAName, r.OwnerName, string(r.ExpirationDate), string(r.Status),
			r.Address.Street, r.Address.City, r.Address.ZipCode, r.Address.County)
		for _, suspension := range r.Suspensions {
			of.Values = append(of.Values, string(suspension.StartDate), string(suspension.EndDate), suspension.Reason)
		}
	}
	return of
}
