// Package surcharge finds a carrier's LTL fuel surcharge history in a document it has never seen: an HTML page or a JSON
// text. It goes by the meaning of headings and the shape of values, and a column must satisfy both. Where more than one
// reading is possible it refuses: a missing answer can be asked for again, a wrong one is paid for.
package surcharge

import (
	"bytes"
	"fmt"

	"assay.dev/contracts"
	"assay.dev/platform/scrape/table"
)

// Diesel says whether a carrier prints the diesel price beside its rate.
type Diesel uint8

// The cases.
const (
	// Optional: it is not known. A printed price is read and a missing one is no fault.
	Optional Diesel = iota
	// Required: it does. The price counts as a required field.
	Required
	// Absent: it does not. Nothing is read as one.
	Absent
)

// Rule is what is known of one carrier's document beyond the common vocabulary. Its phrases are words as they stand in
// headings; case, punctuation and white space do not matter.
type Rule struct {
	Diesel Diesel
	// LTL are further headings of the LTL percent.
	LTL []string
	// Effective are further headings of the date from which a rate applies.
	Effective []string
	// Refuse are words that take a column, a row or a whole table out of consideration.
	Refuse []string
}

// Reading is what a document says.
type Reading struct {
	// Weeks are in force or past, newest first, one for each effective date.
	Weeks []contracts.ObservedWeek
	// Coming are published already for days after today, the nearest first.
	Coming []contracts.ObservedWeek
	// Notes say which tables and columns were taken or refused, and why. A refusal carries them too.
	Notes []string
}

// Tally counts the fields of all weeks.
func (r Reading) Tally() contracts.Tally {
	var sum contracts.Tally
	for _, w := range r.Weeks {
		sum = sum.Add(w.Tally)
	}
	return sum
}

// staleAfter is how old, in days, the newest week in force may be.
const staleAfter = 26 * 7

// Read reads an HTML document in UTF-8. Its errors are *[Refusal]; the Reading beside one holds notes only, except that
// of [Stale] and [NotInForce], which holds what was read.
func Read(doc []byte, rule Rule, today contracts.Date) (Reading, error) {
	if len(bytes.TrimSpace(doc)) == 0 {
		return Reading{}, &Refusal{Empty, ""}
	}
	grids, err := table.Parse(doc)
	if err != nil {
		return Reading{}, &Refusal{Malformed, err.Error()}
	}
	var r reader
	s := search{rule: rule, today: today}
	for i, g := range withHeads(grids) {
		if !promising(g) {
			continue
		}
		for _, sheet := range r.sheets(g, rule, fmt.Sprintf("table %d", i+1)) {
			s.try(sheet)
		}
	}
	return s.reading()
}

// ReadJSON reads a JSON document of any shape: it looks for lists of records. Its errors are those of [Read].
func ReadJSON(doc []byte, rule Rule, today contracts.Date) (Reading, error) {
	if len(bytes.TrimSpace(doc)) == 0 {
		return Reading{}, &Refusal{Empty, ""}
	}
	root, err := decode(doc)
	if err != nil {
		return Reading{}, &Refusal{Malformed, err.Error()}
	}
	s := search{rule: rule, today: today}
	l := listing{rule: rule}
	l.visit(root, nil)
	for _, sheet := range l.sheets {
		s.try(sheet)
	}
	return s.reading()
}
