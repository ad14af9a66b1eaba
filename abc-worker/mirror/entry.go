package mirror

import "assay.dev/contracts"

// Entry is one license as a bulk file has it. Its record has no status yet: that may depend on the day of the question.
type Entry struct {
	Record contracts.LicenseRecord
	// Word is the file's own word for the status; empty where the file has none.
	Word string
	// Rank decides between entries of one number: the greatest stays, of equal ones the first.
	Rank string
	// Tally counts the fields of the record that the file must give, the status not included.
	contracts.Tally
}
