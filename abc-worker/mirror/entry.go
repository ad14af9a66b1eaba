package mirror

import "assay.dev/contracts"

// Entry is one row of a bulk file. Its record has no status yet: that may depend on the day of the question.
type Entry struct {
	Record contracts.LicenseRecord
	// Word is the file's own word for the status, or what it means; empty where the file has none.
	Word string
	// Unclear marks a row that is not understood, such as one with a word that is not known. Its record holds what
	// could be read. Unnumbered marks one whose number cannot be read: the record has what it prints, or of a bad row
	// all fields, each on a line.
	Unclear, Unnumbered bool
	// Undated marks a row that is understood but for its expiration date, which the record does not have.
	Undated bool
	// Unissued marks a row that has no issue date, where the file has such dates.
	Unissued bool
	// Rank decides between entries of one number: the greatest comes first, of equal ones the first in the file. Of
	// entries with the same number and type only the first stays.
	Rank string
	// Former is a number that the license had before its number of today; empty for none.
	Former string
	// File is the entry's file, as its place in [Spec].Files.
	File int
}

// PutOnList makes the entry one of a delinquent list ([Watch.ListName]). Such an entry has no expiration date and no
// status: what the list says of the license stands in their places.
func (e *Entry) PutOnList(says contracts.ListEntry) {
	e.Record.ExpirationDate, e.Word = says.Since, ""
	if says.IsExempt {
		e.Word = "EXEMPT"
	}
}

// OnList is what a delinquent list says of the license.
func (e *Entry) OnList() contracts.ListEntry {
	return contracts.ListEntry{Since: e.Record.ExpirationDate, IsExempt: e.Word != ""}
}
