package register

import "assay.dev/platform/scrape"

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
