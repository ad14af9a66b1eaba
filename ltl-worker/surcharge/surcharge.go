package surcharge

import (
	"bytes"
	"time"

	"assay.dev/contracts"
	"assay.dev/ltl-worker/surcharge/calendar"
	"assay.dev/ltl-worker/surcharge/meaning"
	"assay.dev/ltl-worker/surcharge/refusal"
	"assay.dev/ltl-worker/surcharge/sheet"
)

// Diesel says whether a carrier prints the diesel price beside its percent.
type Diesel uint8

// The cases.
const (
	// Optional: it is not known whether the carrier prints the price. A price is read, a missing one is no fault.
	Optional Diesel = iota
	// Required: the carrier prints the price, which counts as a required field.
	Required
	// Absent: the carrier does not print the price. Nothing is read as one.
	Absent
)

// Rule is what is known of one carrier's document beyond the common vocabulary. Its phrases are words as they stand
// in headings; case, punctuation and white space do not matter.
type Rule struct {
	Diesel Diesel
	// LTL are further headings of the LTL percent.
	LTL []string
	// Effective are further headings of the date from which a percent applies.
	Effective []string
	// Refuse are words that exclude a column, a row or a whole table.
	Refuse []string
	// Weekday is the day of the week on which the carrier's weeks begin; nil when it is not known.
	Weekday *time.Weekday
	// Names are the names of the carrier, such as "Saia" and "Saia LTL Freight". They change nothing in a text.
	Names []string
}

func (r Rule) vocabulary() *meaning.Vocabulary {
	return meaning.NewVocabulary(meaning.CarrierWords{LTL: r.LTL, Effective: r.Effective, Refuse: r.Refuse, Names: r.Names})
}

// Reading is what a document says.
type Reading struct {
	// Weeks are in force or past, newest first, one for each effective date.
	Weeks []contracts.ObservedWeek
	// Coming are weeks after today that are published already, the nearest first.
	Coming []contracts.ObservedWeek
	// Unreadable is the first day of a week in force that is newer than all of Weeks and whose percent cannot be read;
	// "" when there is none.
	Unreadable contracts.Date
	// Doubts say in words why the percents may be others than the carrier's; none of the weeks is clean then.
	Doubts []string
	// PublishedAt is how old the document says it is; nil when it does not say.
	PublishedAt *time.Time
	// Notes say which tables and columns were taken or refused, and why. They are there beside a refusal too.
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

// Read reads an HTML document in UTF-8. The error is a *[refusal.Refusal]. The Reading beside an error holds notes
// only; but beside [refusal.Stale] and [refusal.NotInForce] it holds all that was read.
func Read(doc []byte, rule Rule, today contracts.Date) (Reading, error) {
	return read(doc, rule, today, sheet.FromHTML)
}

// ReadJSON reads a JSON document of any shape: it looks for lists of records. Its errors are those of [Read].
func ReadJSON(doc []byte, rule Rule, today contracts.Date) (Reading, error) {
	return read(doc, rule, today, sheet.FromJSON)
}

func read(
	doc []byte, rule Rule, today contracts.Date, layOut func([]byte, *meaning.Vocabulary) ([]sheet.Sheet, error),
) (Reading, error) {
	if len(bytes.TrimSpace(doc)) == 0 {
		return Reading{}, &refusal.Refusal{Reason: refusal.Empty}
	}
	s := search{
		vocabulary: rule.vocabulary(), diesel: rule.Diesel, names: rule.Names,
		carrier: calendar.Carrier{Today: calendar.Of(today), Weekday: rule.Weekday},
	}
	sheets, err := layOut(doc, s.vocabulary)
	if err != nil {
		return Reading{}, &refusal.Refusal{Reason: refusal.Malformed, Detail: err.Error()}
	}
	for _, sheet := range sheets {
		s.try(sheet)
	}
	return s.reading()
}
