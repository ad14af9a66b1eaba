package surcharge

import (
	"slices"

	"assay.dev/contracts"
	"assay.dev/ltl-worker/surcharge/column"
	"assay.dev/ltl-worker/surcharge/meaning"
	"assay.dev/ltl-worker/surcharge/refusal"
	"assay.dev/ltl-worker/surcharge/scope"
	"assay.dev/ltl-worker/surcharge/sheet"
)

// search tries the sheets of one document, and remembers why it refused those that are no history.
type search struct {
	vocabulary *meaning.Vocabulary
	diesel     Diesel
	today      contracts.Date

	found    []history
	refusals []*refusal.Refusal
	notes    []string
}

// try takes a sheet as a history or refuses it.
func (s *search) try(sheet sheet.Sheet) {
	h, refused := s.readHistory(sheet)
	if refused == nil {
		s.found = append(s.found, h)
		s.note(sheet, "read: "+h.String())
		return
	}
	s.refusals = append(s.refusals, refused)
	s.note(sheet, "refused: "+refused.Error())
}

// readHistory takes a sheet through the rooms: its own rows, its columns, its weeks.
func (s *search) readHistory(sheet sheet.Sheet) (history, *refusal.Refusal) {
	if refused := refuseEmpty(sheet); refused != nil {
		return history{}, refused
	}
	columns, refused := column.Find(scope.OwnRows(sheet, s.vocabulary), s.vocabulary, s.diesel != Absent)
	if refused != nil {
		return history{}, refused
	}
	return newHistory(columns, s.diesel, s.today)
}

// maxNotes bounds the notes of one document.
const maxNotes = 50

func (s *search) note(sheet sheet.Sheet, text string) {
	if len(s.notes) < maxNotes {
		s.notes = append(s.notes, sheet.Name+" "+text)
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
	u.chargeFailures()
	reading.Coming, reading.Weeks = splitAt(u.weeks, s.today)
	switch {
	case len(reading.Weeks) == 0:
		return reading, refuseNewest(refusal.NotInForce, "the first is ", reading.Coming)
	case s.today.DaysSince(reading.Weeks[0].EffectiveDate) > staleAfter:
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

// tellingReasons are the reasons of sheets that might have been the history, the most telling first.
var tellingReasons = []refusal.Reason{
	refusal.Ambiguous, refusal.Malformed, refusal.Implausible, refusal.Template, refusal.NoRows, refusal.Brackets,
}

// refusal is the most telling refusal when no history was found. A history that is not headed LTL does not count
// beside a sheet that is ambiguous or implausible: that sheet might be the right one.
func (s *search) refusal() *refusal.Refusal {
	if slices.ContainsFunc(s.found, func(h history) bool { return h.columns.HeadedLTL }) {
		return nil
	}
	for _, reason := range tellingReasons {
		counts := len(s.found) == 0 || reason == refusal.Ambiguous || reason == refusal.Implausible
		i := slices.IndexFunc(s.refusals, func(r *refusal.Refusal) bool { return r.Reason == reason })
		if counts && i >= 0 {
			return s.refusals[i]
		}
	}
	if len(s.found) == 0 {
		return &refusal.Refusal{Reason: refusal.NoTable}
	}
	return nil
}
