package california

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"assay.dev/abc-worker/register"
	"assay.dev/contracts"
	"assay.dev/platform/scrape"
)

// typeBlock is one license type under a license number: a block on the license's page, or a row of the export or of
// a search. One number may hold several, such as type 48 (bar) and type 58 (caterer).
type typeBlock struct {
	// name is the type in words, where they are printed.
	kind, name, word string
	changed, issued  contracts.Date
	expires          contracts.Date
	master           bool
	// garbled is set when a date that ranks the block among others cannot be read.
	garbled bool
	// unreadable are the members of a record that the block shows in a way that is not understood.
	unreadable contracts.Members
	// stands is where its word does, on the page of a license.
	stands scrape.Spot
	// beside is what a row of a search shows with it.
	beside contracts.LicenseRecord
}

// rank orders the blocks of one number: the block with the greatest rank is reported as the license. What counts,
// in this order: it has an issue date, also one that cannot be read (blocks without one stand beside canceled licenses
// and mean nothing), it is the master, its status is better, its status date is newer, its issue date is newer. A block
// whose status word is not known ranks above its equals: the read then fails because of it, and somebody notices.
func (b typeBlock) rank() string {
	standing := "9"
	if status, known := statusWords.Find(b.word); known {
		standing = standings[status]
	}
	return digitOf(b.issued != "" || b.garbled) + digitOf(b.master) + standing + sortable(b.changed) + sortable(b.issued)
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

// licensesIn keeps the blocks that are licenses of the type, or of any when it is empty. A block whose word is not
// known is kept.
func licensesIn(blocks []typeBlock, kind string) []typeBlock {
	return slices.DeleteFunc(slices.Clone(blocks), func(b typeBlock) bool {
		status, known := statusWords.Find(b.word)
		return known && status == register.NoLicense || kind != "" && b.kind != kind
	})
}

// bestFirst puts the block that is reported as the license before the others.
func bestFirst(blocks []typeBlock) []typeBlock {
	return slices.SortedStableFunc(slices.Values(blocks),
		func(a, b typeBlock) int { return strings.Compare(b.rank(), a.rank()) })
}

// understood tells whether it is known which of a number's blocks is the best, and its word. Of several blocks, one with
// a date that cannot be read may be the best.
func understood(bestFirst []typeBlock) bool {
	_, known := statusWords.Find(bestFirst[0].word)
	return known && (len(bestFirst) == 1 || !slices.ContainsFunc(bestFirst, func(b typeBlock) bool { return b.garbled }))
}

// otherTypes are the notes that name the types of a number beside that of the first block, with what the department
// prints of them, and those of them that are not good. A block without an issue date means nothing.
func otherTypes(number string, blocks []typeBlock) []contracts.Note {
	var named, kinds, bad []string
	for _, b := range blocks[1:] {
		if b.kind == blocks[0].kind || b.issued == "" || slices.Contains(kinds, b.kind) {
			continue
		}
		typed := b.kind + " (" + b.word + ")"
		named, kinds = append(named, typed), append(kinds, b.kind)
		if !b.isGood() {
			bad = append(bad, typed)
		}
	}
	if len(named) == 0 {
		return nil
	}
	notes := []contracts.Note{{Code: contracts.NoteOtherTypes, Message: fmt.Sprintf(
		"This is type %s. The number also stands for type %s. Write a type before the number to ask for it: %s-%s.",
		blocks[0].kind, strings.Join(named, ", "), kinds[0], number)}}
	if len(bad) > 0 {
		notes = append(notes, contracts.Note{Code: contracts.NoteOtherTypeNotGood, Message: fmt.Sprintf(
			"License %s is of type %s; of the same number, type %s is not good.", number, blocks[0].kind,
			strings.Join(bad, ", "))})
	}
	return notes
}

// isGood tells whether the block's word says by itself that the type is active, or that it was given up, as a caterer's
// permit beside a restaurant's license may be.
func (b typeBlock) isGood() bool {
	standing := standingOf(b.word)
	return standing.Because == "" && (standing.Status == contracts.Active || standing.Status == contracts.Expired)
}

// isDeniedBy tells whether a word is another status than the block's, by which it is in force.
func (b typeBlock) isDeniedBy(word string) bool {
	status, known := statusWords.Find(word)
	standing := standingOf(b.word)
	return standing.Status == contracts.Active && known && status != register.NoLicense && standingOf(word) != standing
}

// typeCode gives a type its two digits: the page prints 1 where the export prints 01.
func typeCode(s string) string {
	if len(s) == 1 {
		return "0" + s
	}
	return s
}

// dateLayouts are the forms of dates: 15-NOV-2023 in the page and in the export (code); the others are guesses.
var dateLayouts = []string{"2-Jan-2006", "1/2/2006", time.DateOnly, "Jan 2, 2006"}
