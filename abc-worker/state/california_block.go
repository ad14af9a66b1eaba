package state

import (
	"assay.dev/contracts"
)

// californiaBlock is one license type under a number: a block of the page, a row of the export or of a search.
type californiaBlock struct {
	kind, word      string
	changed, issued contracts.Date
	expires         contracts.Date
	master          bool
}

// rank orders the blocks of one number by how well they stand for the license: it was issued, is the master, has the better
// status, and the newer dates. Blocks without dates are phantoms beside canceled licenses. A word that is not known ranks
// first, so that it is noticed.
func (b californiaBlock) rank(today contracts.Date) string {
	standing := "9"
	if status, err := californiaStatus(b.word, b.expires, today); err == nil {
		standing = californiaStanding[status]
	}
	return flag(b.issued != "") + flag(b.master) + standing + sortable(b.changed) + sortable(b.issued)
}

var californiaStanding = map[contracts.Status]string{
	contracts.Active: "4", contracts.Suspended: "3", contracts.Expired: "2", contracts.Revoked: "1", noLicense: "0",
}

func flag(set bool) string {
	if set {
		return "1"
	}
	return "0"
}

// sortable is a text as long for no date as for a date, before which it sorts.
func sortable(d contracts.Date) string {
	if d == "" {
		return "          "
	}
	return string(d)
}

// licensed leaves out applications. The error is about a word that is not known.
func licensed(blocks []californiaBlock) ([]californiaBlock, error) {
	var licenses []californiaBlock
	for _, b := range blocks {
		status, err := californiaWords.status(b.word)
		if err != nil {
			return nil, err
		}
		if status != noLicense {
			licenses = append(licenses, b)
		}
	}
	return licenses, nil
}

// best is the block that stands for the license; there is at least one.
func best(blocks []californiaBlock, today contracts.Date) californiaBlock {
	chosen := blocks[0]
	for _, b := range blocks[1:] {
		if b.rank(today) > chosen.rank(today) {
			chosen = b
		}
	}
	return chosen
}

// californiaType gives a type its two digits: the page prints them without the leading zero, the export with it.
func californiaType(s string) string {
	if len(s) == 1 {
		return "0" + s
	}
	return s
}

const californiaDate = "2-Jan-2006" // 15-NOV-2023
