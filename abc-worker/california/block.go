package california

import (
	"assay.dev/abc-worker/register"
	"assay.dev/contracts"
)

// typeBlock is one license type under a license number: a block on the license's page, or a row of the export or of
// a search. One number may hold several, such as type 48 (bar) and type 58 (caterer).
type typeBlock struct {
	kind, word      string
	changed, issued contracts.Date
	expires         contracts.Date
	master          bool
}

// rank orders the blocks of one number: the block with the greatest rank is reported as the license. What counts,
// in this order: it has an issue date (blocks without one stand beside canceled licenses and mean nothing), it is
// the master, its status is better, its status date is newer, its issue date is newer. A block whose status word is
// not known ranks above its equals: the read then fails because of it, and somebody notices.
func (b typeBlock) rank(today contracts.Date) string {
	standing := "9"
	if status, err := statusOn(b.word, b.expires, today); err == nil {
		standing = standings[status]
	}
	return digitOf(b.issued != "") + digitOf(b.master) + standing + sortable(b.changed) + sortable(b.issued)
}

// standings order the statuses; a better one has a greater number.
var standings = map[contracts.Status]string{
	contracts.Active: "4", contracts.Suspended: "3", contracts.Expired: "2", contracts.Revoked: "1",
	register.NoLicense: "0",
}

func digitOf(set bool) string {
	if set {
		return "1"
	}
	return "0"
}

// sortable is a date, or as many blanks where there is none: they sort before every date.
func sortable(d contracts.Date) string {
	if d == "" {
		return "          "
	}
	return string(d)
}

// withoutApplications keeps the blocks that are licenses. Its error is about a status word that is not known.
func withoutApplications(blocks []typeBlock) ([]typeBlock, error) {
	var licenses []typeBlock
	for _, b := range blocks {
		status, err := statusWords.Status(b.word)
		if err != nil {
			return nil, err
		}
		if status != register.NoLicense {
			licenses = append(licenses, b)
		}
	}
	return licenses, nil
}

// bestBlock is the block that is reported as the license. There must be at least one.
func bestBlock(blocks []typeBlock, today contracts.Date) typeBlock {
	chosen := blocks[0]
	for _, b := range blocks[1:] {
		if b.rank(today) > chosen.rank(today) {
			chosen = b
		}
	}
	return chosen
}

// typeCode gives a type its two digits: the page prints 1 where the export prints 01.
func typeCode(s string) string {
	if len(s) == 1 {
		return "0" + s
	}
	return s
}

// dateLayout is the form of all dates, such as 15-NOV-2023.
const dateLayout = "2-Jan-2006"
