package surcharge

import (
	"fmt"
	"slices"
	"strings"

	"assay.dev/contracts"
	"assay.dev/ltl-worker/surcharge/calendar"
	"assay.dev/ltl-worker/surcharge/cell"
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
	carrier    calendar.Carrier
	names      []string
	judge      *scope.Judge
	ownerNames int // that the judge knows from the page

	notices  []string // of the document
	found    []history
	refusals []refusedSheet
	notes    []string
}

// refusedSheet is why a sheet was refused.
type refusedSheet struct {
	*refusal.Refusal
	name string
}

// gridOf is the table of which a sheet is one way to read it: "table 1" of "table 1 turned".
func gridOf(name string) string {
	for _, way := range []string{" turned", " as a calendar", " by cells"} {
		name = strings.TrimSuffix(name, way)
	}
	return name
}

// forgive forgets that the other ways to read a table are implausible, when one of them is read.
func (s *search) forgive(name string) {
	s.refusals = slices.DeleteFunc(s.refusals, func(r refusedSheet) bool {
		return r.Reason == refusal.Implausible && r.name != name && gridOf(r.name) == gridOf(name)
	})
}

// try takes a sheet as a history or refuses it.
func (s *search) try(sheet sheet.Sheet) {
	for _, notice := range sheet.Notices {
		if !slices.Contains(s.notices, notice) {
			s.notices = append(s.notices, notice)
		}
	}
	h, refused := s.readHistory(sheet)
	if refused == nil {
		s.forgive(sheet.Name)
		s.found = append(s.found, h)
		s.note(sheet, "read: "+h.String())
		for _, doubt := range h.doubts {
			s.note(sheet, "in doubt: "+doubt)
		}
		return
	}
	isOther := refused.Reason == refusal.Implausible && (s.isRead(sheet) || s.listsThings(sheet))
	if !isOther && (!sheet.Loose || s.isAboutSurcharges(sheet.Statements)) {
		s.refusals = append(s.refusals, refusedSheet{refused, sheet.Name})
	}
	s.note(sheet, "refused: "+refused.Error())
}

// isRead tells whether a history was found in the grid of the sheet already.
func (s *search) isRead(sheet sheet.Sheet) bool {
	return slices.ContainsFunc(s.found, func(h history) bool { return gridOf(h.columns.Sheet.Name) == gridOf(sheet.Name) })
}

// listsThings tells whether each row of a table names another thing, and none is freight of ours or fuel: "Late payment charge",
// "Reweigh". That is no history, whatever its dates are.
func (s *search) listsThings(sheet sheet.Sheet) bool {
	for c := range sheet.Columns {
		named := map[string]bool{}
		for _, r := range sheet.Rows {
			if !r.Broken && s.namesThing(r.Cells[c]) {
				named[strings.ToLower(r.Cells[c].Text)] = true
			}
		}
		if len(named) > 1 && len(named) == len(sheet.Rows) {
			return true
		}
	}
	return false
}

// namesThing tells whether a cell is a text that speaks neither of fuel, of LTL nor of time.
func (s *search) namesThing(v cell.Value) bool {
	return v.Kind == cell.Text && len(strings.Fields(v.Text)) > 1 &&
		!s.vocabulary.Of(v.Text).Has(meaning.Fuel|meaning.LTL|meaning.Percent|meaning.Date|meaning.Begin|meaning.Effective)
}

// isAboutSurcharges tells whether lines speak of fuel or LTL. Others with dates and percents are news and the like.
func (s *search) isAboutSurcharges(lines []string) bool {
	return slices.ContainsFunc(lines, func(line string) bool { return s.vocabulary.Of(line).Has(meaning.Fuel | meaning.LTL) })
}

// readHistory takes a sheet through the rooms: its own rows, its columns, its weeks, and what may be doubted about them.
func (s *search) readHistory(sheet sheet.Sheet) (history, *refusal.Refusal) {
	if refused := refuseEmpty(sheet); refused != nil {
		return history{}, refused
	}
	judge := s.judgeOf(sheet)
	own, doubts := judge.OwnRows(sheet)
	columns, refused := column.Find(judge.WithoutNames(own), s.vocabulary, s.carrier, s.diesel != Absent)
	if refused != nil {
		return history{}, refused
	}
	h, refused := newHistory(columns, s.carrier)
	if refused != nil {
		return h, refused
	}
	if own.DateOverTable && !s.isPresent(h.weeks[0]) {
		return h, &refusal.Refusal{Reason: refusal.NoTable, Detail: "the date over a table may be that of the tariff"}
	}
	h.doubts = slices.Concat(doubts, judge.Doubts(own, columns.Percent))
	if !own.IsJSON && !columns.SaysPercent() && !judge.SaysSurcharge(own, columns.Percent) {
		h.doubts = append(h.doubts, "nothing says that the figures are percents or surcharges")
	}
	if columns.IsFraction() && saysPercent(own.Facts) {
		h.doubts = append(h.doubts, "the unit is said to be percent, and the figures look like fractions")
	}
	if title := titleOfOtherYear(own, columns.Percent, h.weeks); title != "" {
		h.doubts = append(h.doubts, fmt.Sprintf("%q names another year", title))
	}
	if text := s.ranOut(own, h.weeks[0]); text != "" {
		h.doubts = append(h.doubts, fmt.Sprintf("%q ended before the newest week", text))
	}
	if text := s.beginsLater(own, columns.Percent, h.weeks[0]); text != "" {
		h.doubts = append(h.doubts, fmt.Sprintf("%q begins after the newest week", text))
	}
	if own.Unopened {
		h.doubts = append(h.doubts, "the page does not show it")
	}
	if s.isPageOlder(own, columns.Date, h.weeks[0]) {
		h.doubts = append(h.doubts, "the dates have no year, and the page is older")
	}
	if !s.carrier.Fits(daysOf(h.weeks)) {
		h.doubts = append(h.doubts, "the weeks do not begin on the carrier's "+s.carrier.Weekday.String())
	} else if first := calendar.Of(h.weeks[0].EffectiveDate); !s.carrier.MayBegin(first) {
		h.doubts = append(h.doubts, fmt.Sprintf("the newest week begins on a %s, and no holiday moved it", first.Weekday()))
	}
	return h, nil
}

// isPresent tells whether a week is surely the present one: it begins on the carrier's weekday, and today lies in it.
func (s *search) isPresent(week contracts.ObservedWeek) bool {
	first := calendar.Of(week.EffectiveDate)
	return s.carrier.Weekday != nil && s.carrier.Fits([]calendar.Day{first}) && first <= s.carrier.Today && s.carrier.Today < first+7
}

// judgeOf is the judge of the document. It knows the owner's name from the first sheet that has the document's title.
func (s *search) judgeOf(sheet sheet.Sheet) *scope.Judge {
	if names := scope.OwnerNames(sheet, s.names); s.judge == nil || len(names) > s.ownerNames {
		s.judge, s.ownerNames = scope.NewJudge(s.vocabulary, slices.Concat(names, s.names)...), len(names)
		s.judge.OfCarrier = len(s.names) > 0
	}
	return s.judge
}

// saysPercent tells whether a document says that its unit is percent.
func saysPercent(facts []sheet.Fact) bool {
	return slices.ContainsFunc(facts, func(f sheet.Fact) bool {
		name, value := strings.ToLower(f.Name), strings.ToLower(f.Value)
		return strings.Contains(name, "unit") && (strings.Contains(value, "percent") || value == "%") &&
			!strings.Contains(value, "fraction")
	})
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
	var u union
	refused := refuseNumbered(s.found)
	if refused == nil {
		u, refused = unite(withoutDoubtful(s.found))
	}
	if refused == nil {
		refused = refuseCorrected(s.notices, u.weeks, s.vocabulary)
	}
	reading := Reading{Notes: append(s.notes, u.notes...)}
	if refused != nil {
		return reading, refused
	}
	today := s.carrier.Today.Date()
	reading.Coming, reading.Weeks = splitAt(u.weeks, today)
	reading.Unreadable = u.chargeFailures(reading.Weeks)
	if reading.Doubts = u.histories[0].doubts; len(reading.Doubts) > 0 {
		doubtPercents(reading.Weeks)
		doubtPercents(reading.Coming)
	}
	switch {
	case len(reading.Weeks) == 0:
		return reading, refuseNewest(refusal.NotInForce, "the first is ", reading.Coming)
	case today.DaysSince(reading.Weeks[0].EffectiveDate) > staleAfter:
		return reading, refuseNewest(refusal.Stale, "the newest is ", reading.Weeks)
	}
	return reading, nil
}

// withoutDoubtful leaves out histories that are in doubt beside one that is not.
func withoutDoubtful(found []history) []history {
	isClear := func(h history) bool { return len(h.doubts) == 0 }
	if !slices.ContainsFunc(found, isClear) {
		return found
	}
	return slices.DeleteFunc(slices.Clone(found), func(h history) bool { return !isClear(h) })
}

// doubtPercents makes the percent of each week one that is not clean. What stands beside it is not plain then.
func doubtPercents(weeks []contracts.ObservedWeek) {
	for i := range weeks {
		weeks[i].Clean = min(weeks[i].Clean, weeks[i].Required-1)
		weeks[i].TruckloadPercent = nil
	}
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
		i := slices.IndexFunc(s.refusals, func(r refusedSheet) bool { return r.Reason == reason })
		if counts && i >= 0 {
			return s.refusals[i].Refusal
		}
	}
	if len(s.found) == 0 {
		return &refusal.Refusal{Reason: refusal.NoTable}
	}
	return nil
}
