package surcharge

import (
	"bytes"
	"iter"
	"time"

	"assay.dev/contracts"
	"assay.dev/ltl-worker/document"
	"assay.dev/ltl-worker/surcharge/calendar"
	"assay.dev/ltl-worker/surcharge/meaning"
	"assay.dev/ltl-worker/surcharge/refusal"
	"assay.dev/platform/scrape"
)

// Rule is what is known of one carrier's document beyond the common vocabulary.
type Rule struct {
	// NoDiesel is set for a carrier that does not print the diesel price beside its percent: nothing is read as one.
	NoDiesel bool
	// Weekday is the day of the week on which the carrier's weeks begin; nil when it is not known.
	Weekday *time.Weekday
	// Names are the names of the carrier, such as "Saia" and "Saia LTL Freight". They change nothing in a text.
	Names []string
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
	// Partial tells that a row, also of a week to come, has no readable date or percent.
	Partial bool
	// Doubts say in words why the dates may be others than those of the weeks; none of the weeks is clean then.
	Doubts []string
	// Rows say where the date, the percent and the price of each week stood. A week of which one stands nowhere known has
	// none.
	Rows map[contracts.Date][]scrape.Spot
	// Document is what was read: its texts are for package trust. It is nil where no weeks were read.
	Document *document.Document `json:"-"`
	// Notes say which tables and columns were taken or refused, and why. They are there beside a refusal too.
	Notes []string
}

// All are the weeks in force or past, and those to come.
func (r Reading) All() iter.Seq[*contracts.ObservedWeek] {
	return func(yield func(*contracts.ObservedWeek) bool) {
		for _, weeks := range [][]contracts.ObservedWeek{r.Weeks, r.Coming} {
			for i := range weeks {
				if !yield(&weeks[i]) {
					return
				}
			}
		}
	}
}

// Newest is the first day of the newest week that the document shows, whether its percent can be read or not; "" for
// none.
func (r Reading) Newest() contracts.Date {
	newest := r.Unreadable
	for w := range r.All() {
		newest = max(newest, w.EffectiveDate)
	}
	return newest
}

// TallyOfAll counts the fields of all weeks, also of those to come.
func (r Reading) TallyOfAll() (sum contracts.Tally) {
	for w := range r.All() {
		sum = sum.Add(w.Tally)
	}
	return sum
}

// Tally counts the fields of the weeks in force or past.
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
	return read(doc, rule, today, document.FromHTML)
}

// ReadJSON reads a JSON document of any shape: it looks for lists of records. Its errors are those of [Read].
func ReadJSON(doc []byte, rule Rule, today contracts.Date) (Reading, error) {
	return read(doc, rule, today, document.FromJSON)
}

func read(doc []byte, rule Rule, today contracts.Date,
	parse func([]byte) (*document.Document, error)) (Reading, error) {
	if len(bytes.TrimSpace(doc)) == 0 {
		return Reading{}, &refusal.Refusal{Reason: refusal.Empty}
	}
	page, err := parse(doc)
	if err != nil {
		return Reading{}, &refusal.Refusal{Reason: refusal.Malformed, Detail: err.Error()}
	}
	s := search{
		vocabulary: meaning.NewVocabulary(rule.Names...), noDiesel: rule.NoDiesel,
		carrier: calendar.Carrier{Today: calendar.Of(today), Weekday: rule.Weekday},
	}
	for _, list := range document.Lists(page, s.vocabulary) {
		s.try(list)
	}
	reading, err := s.reading()
	if len(reading.Weeks)+len(reading.Coming) > 0 {
		reading.Document = page
	}
	return reading, err
}
