package surcharge

import (
	"fmt"
	"slices"
	"strings"

	"assay.dev/contracts"
	"assay.dev/platform/scrape/table"
)

// search tries the sheets of one document and keeps why it refused those that are no history.
type search struct {
	rule     Rule
	today    contracts.Date
	found    []history
	refusals []*Refusal
	notes    []string
}

func (s *search) try(sheet sheet) {
	h, refusal := s.read(sheet)
	if refusal == nil {
		s.found = append(s.found, h)
		s.note(sheet, "read: "+h.String())
		return
	}
	s.refusals = append(s.refusals, refusal)
	s.note(sheet, "refused: "+refusal.Error())
}

func (s *search) read(sheet sheet) (history, *Refusal) {
	if refusal := unreadable(sheet); refusal != nil {
		return history{}, refusal
	}
	a, refusal := assign(selectRows(sheet, s.rule), s.rule)
	if refusal != nil {
		return history{}, refusal
	}
	return a.extract(s.today)
}

// maxNotes bounds the notes of one document.
const maxNotes = 50

func (s *search) note(sheet sheet, text string) {
	if len(s.notes) < maxNotes {
		s.notes = append(s.notes, sheet.name+" "+text)
	}
}

// unreadable refuses, with the reason that fits, a sheet in which no history can be.
func unreadable(sheet sheet) *Refusal {
	var heads mark
	for _, h := range sheet.columns {
		heads |= h.marks
	}
	dated, data := false, false
	for _, r := range sheet.rows {
		for i := range r.values {
			v := &r.values[i]
			if placeholder(v) {
				return &Refusal{Template, ""}
			}
			dated = dated || v.kind == days
			data = data || v.kind == days || v.kind == figure
		}
	}
	dates, rates := heads&(mDate|mEffective|mBegin) != 0, heads&(mPercent|mLTL) != 0
	switch {
	case dates && rates && !data:
		return &Refusal{NoRows, ""}
	case !dated && rates && heads&(mBound|mPrice|mIndex) != 0:
		return &Refusal{Brackets, ""}
	case !dated:
		return &Refusal{NoTable, "no dates"}
	}
	return nil
}

// placeholder tells whether a cell waits for a script to fill it.
func placeholder(v *value) bool {
	if v.kind != text {
		return false
	}
	s := v.text
	for _, p := range [...][2]string{{"{{", "}}"}, {"${", "}"}, {"%%", "%%"}, {"<%", "%>"}, {"#{", "}"}, {"[[", "]]"}, {"{%", "%}"}, {"@{", "}"}} {
		if i := strings.Index(s, p[0]); i >= 0 && strings.Contains(s[i+len(p[0]):], p[1]) {
			return true
		}
	}
	return len(s) > 2 && s[0] == '{' && s[len(s)-1] == '}'
}

// promising tells whether a grid can matter at all: it has a figure, a placeholder or a heading.
func promising(g table.Grid) bool {
	for _, r := range g.Rows {
		for _, c := range r.Cells {
			if c.Heading || r.Head || strings.ContainsAny(c.Text, "0123456789{%") {
				return true
			}
		}
	}
	return false
}

// String says what was taken for what.
func (h history) String() string {
	text := fmt.Sprintf("%d weeks", len(h.weeks))
	for _, c := range []struct {
		name   string
		column int
	}{{"date", h.roles.date}, {"percent", h.roles.percent}, {"diesel", h.roles.diesel}} {
		if c.column >= 0 {
			text += fmt.Sprintf(", %s in column %d %q", c.name, c.column+1, h.sheet.columns[c.column])
		}
	}
	if len(h.failed) > 0 {
		text += fmt.Sprintf(", %d failed rows", len(h.failed))
	}
	return text
}

// reading joins what was found, or says why nothing was.
func (s *search) reading() (Reading, error) {
	if refusal := s.refusal(); refusal != nil {
		return Reading{Notes: s.notes}, refusal
	}
	u, refusal := combine(s.found)
	reading := Reading{Notes: append(s.notes, u.notes...)}
	if refusal != nil {
		return reading, refusal
	}
	u.charge()
	coming := 0
	for coming < len(u.weeks) && u.weeks[coming].EffectiveDate > s.today {
		coming++
	}
	reading.Weeks, reading.Coming = u.weeks[coming:], slices.Clone(u.weeks[:coming])
	slices.Reverse(reading.Coming)
	switch {
	case len(reading.Weeks) == 0:
		return reading, &Refusal{NotInForce, "the first is " + string(reading.Coming[0].EffectiveDate)}
	case s.today.DaysSince(reading.Weeks[0].EffectiveDate) > staleAfter:
		return reading, &Refusal{Stale, "the newest is " + string(reading.Weeks[0].EffectiveDate)}
	}
	return reading, nil
}

// refusal is the most telling of the refusals when nothing was found. A table that is not headed LTL is nothing beside
// one that could not be understood: that might have been the one.
func (s *search) refusal() *Refusal {
	if slices.ContainsFunc(s.found, func(h history) bool { return h.roles.explicit }) {
		return nil
	}
	for _, reason := range []Reason{Ambiguous, Malformed, Implausible, Template, NoRows, Brackets} {
		for _, r := range s.refusals {
			if r.Reason == reason && (len(s.found) == 0 || reason == Ambiguous || reason == Implausible) {
				return r
			}
		}
	}
	if len(s.found) == 0 {
		return &Refusal{NoTable, ""}
	}
	return nil
}
