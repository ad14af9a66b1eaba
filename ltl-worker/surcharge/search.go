package surcharge

import (
	"fmt"
	"slices"

	"assay.dev/contracts"
	"assay.dev/ltl-worker/document"
	"assay.dev/ltl-worker/surcharge/calendar"
	"assay.dev/ltl-worker/surcharge/column"
	"assay.dev/ltl-worker/surcharge/meaning"
	"assay.dev/ltl-worker/surcharge/refusal"
)

// search tries the lists of one document, and remembers why it refused those that are no history.
type search struct {
	vocabulary *meaning.Vocabulary
	noDiesel   bool
	carrier    calendar.Carrier

	found    []history
	refusals []*refusal.Refusal
	notes    []string
}

// try takes a list as a history or refuses it.
func (s *search) try(list document.List) {
	h, refused := s.readHistory(list)
	if refused == nil {
		s.found = append(s.found, h)
		s.note(list, "read: "+h.String())
		return
	}
	if !list.Loose || list.IsJSON { // others with dates and percents are news and the like
		s.refusals = append(s.refusals, refused)
	}
	s.note(list, "refused: "+refused.Error())
}

// readHistory takes a list through the rooms: its own rows, its columns, its weeks.
func (s *search) readHistory(list document.List) (history, *refusal.Refusal) {
	columns, refused := column.Find(column.OwnRows(list, s.vocabulary), s.vocabulary, s.carrier, !s.noDiesel)
	if refused != nil {
		return history{}, refused
	}
	h, refused := newHistory(columns, s.carrier)
	if refused == nil && list.IsDateOver && len(h.weeks) == 1 && !s.isPresent(h.weeks[0]) {
		return h, &refusal.Refusal{Reason: refusal.NoTable, Detail: "the date over a table may be that of the tariff"}
	}
	return h, refused
}

// doubts say whether the weeks begin on other days than the carrier's do: then they may be dates of something else.
func (s *search) doubts(weeks []contracts.ObservedWeek) []string {
	if !s.carrier.Fits(daysOf(weeks)) {
		return []string{"the weeks do not begin on the carrier's " + s.carrier.Weekday.String()}
	}
	if first := calendar.Of(weeks[0].EffectiveDate); !s.carrier.MayBegin(first) {
		return []string{fmt.Sprintf("the newest week begins on a %s, and no holiday moved it", first.Weekday())}
	}
	return nil
}

// isPresent tells whether a week is surely the present one: it begins on the carrier's weekday, and today lies in it.
func (s *search) isPresent(week contracts.ObservedWeek) bool {
	first := calendar.Of(week.EffectiveDate)
	return s.carrier.Weekday != nil && first.Weekday() == *s.carrier.Weekday && first <= s.carrier.Today &&
		s.carrier.Today < first+7
}

// maxNotes bounds the notes of one document.
const maxNotes = 50

func (s *search) note(list document.List, text string) {
	if len(s.notes) < maxNotes {
		s.notes = append(s.notes, list.Name+" "+text)
	}
}

// staleAfter is how old, in days, the newest week in force may be.
const staleAfter = 26 * 7

// reading joins the histories that were found, or says why there is none.
func (s *search) reading() (Reading, error) {
	if refused := s.refusal(); refused != nil {
		return Reading{Notes: s.notes}, refused
	}
	u, refused := unite(s.found)
	reading := Reading{Notes: append(s.notes, u.notes...)}
	if refused != nil {
		return reading, refused
	}
	today := s.carrier.Today.Date()
	reading.Coming, reading.Weeks = splitAt(u.weeks, today)
	u.chargeFailures(&reading, s.carrier.Today)
	reading.Rows = u.rows()
	if reading.Doubts = s.doubts(u.weeks); len(reading.Doubts) > 0 {
		for w := range reading.All() { // none is clean
			w.Clean = min(w.Clean, w.Required-1)
			w.TruckloadPercent = nil
		}
	}
	switch {
	case len(reading.Weeks) == 0:
		return reading, refuseNewest(refusal.NotInForce, "the first is ", reading.Coming)
	case today.DaysSince(reading.Weeks[0].EffectiveDate) > staleAfter:
		return reading, refuseNewest(refusal.Stale, "the newest is ", reading.Weeks)
	}
	return reading, nil
}

func refuseNewest(reason refusal.Reason, text string, weeks []contracts.ObservedWeek) *refusal.Refusal {
	return &refusal.Refusal{Reason: reason, Detail: text + string(weeks[0].EffectiveDate)}
}

// splitAt divides weeks, newest first, into those after today, the nearest first, and the others, newest first.
func splitAt(weeks []contracts.ObservedWeek, today contracts.Date) (coming, others []contracts.ObservedWeek) {
	n := 0
	for n < len(weeks) && weeks[n].EffectiveDate > today {
		n++
	}
	coming = slices.Clone(weeks[:n])
	slices.Reverse(coming)
	return coming, weeks[n:]
}

// tellingReasons are the reasons of lists that might have been the history, the most telling first.
var tellingReasons = []refusal.Reason{
	refusal.Ambiguous, refusal.Malformed, refusal.Implausible, refusal.NoRows,
}

// refusal is the most telling refusal when no history was found. A history that is not headed LTL does not count beside
// a list that is ambiguous: that list might be the right one.
func (s *search) refusal() *refusal.Refusal {
	if slices.ContainsFunc(s.found, func(h history) bool { return h.columns.HeadedLTL }) {
		return nil
	}
	for _, reason := range tellingReasons {
		i := slices.IndexFunc(s.refusals, func(r *refusal.Refusal) bool { return r.Reason == reason })
		if i >= 0 && (len(s.found) == 0 || reason == refusal.Ambiguous) {
			return s.refusals[i]
		}
	}
	if len(s.found) == 0 {
		return &refusal.Refusal{Reason: refusal.NoTable}
	}
	return nil
}
