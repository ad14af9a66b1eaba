package california

import (
	"slices"
	"strconv"
	"strings"

	"assay.dev/abc-worker/fold"
	"assay.dev/abc-worker/register"
	"assay.dev/contracts"
)

// proceeding is one block of the disciplinary history. Its texts are as printed.
type proceeding struct {
	registration, decision, days, stayed, start, end, fine string

	sections []string
	// labels are those that the block had so far.
	labels []string
}

// addToProceedings puts a value where its label says. A registration number begins another block, and so does a
// label that the last block has already; only "Section" may stand in a block twice.
func addToProceedings(all []proceeding, label, text string) []proceeding {
	if len(all) == 0 || all[len(all)-1].endsBefore(label) {
		all = append(all, proceeding{})
	}
	p := &all[len(all)-1]
	p.labels = append(p.labels, label)
	switch label {
	case "Reg. Number":
		p.registration = text
	case "Section":
		p.sections = append(p.sections, text)
	case "Decision":
		p.decision = text
	case "Suspension Days":
		p.days = text
	case "Stayed Days":
		p.stayed = text
	case "Suspension Start Date":
		p.start = text
	case "Suspension End Date":
		p.end = text
	case "POIC/Fine":
		p.fine = text
	}
	return all
}

func (p proceeding) endsBefore(label string) bool {
	switch label {
	case "Section":
		return false
	case "Reg. Number":
		return len(p.labels) > 0
	}
	return slices.Contains(p.labels, label)
}

// suspensionsIn lists the suspensions that were or are to be served, each once. readable is false when a date or a
// number of days could not be read.
func suspensionsIn(all []proceeding) (list []contracts.Suspension, readable bool) {
	list, readable = register.NoSuspensions(), true
	for _, p := range all {
		s, imposed, ok := p.suspension()
		readable = readable && ok
		if imposed && !slices.Contains(list, s) {
			list = append(list, s)
		}
	}
	return list, readable
}

// suspension is what a proceeding imposed. imposed is false for a fine in place of a suspension, and for one whose days
// are all stayed, unless its dates are printed: a revocation may be stayed and a suspension served instead. Where no
// end is printed, it is the start plus the days that are not stayed: 20 days from 1 March, 5 of them stayed, end on 16
// March. A decision that says ALL STAYED beside printed dates is not readable.
func (p proceeding) suspension() (s contracts.Suspension, imposed, readable bool) {
	days, daysOK := dayCount(p.days)
	stayed, stayedOK := dayCount(p.stayed)
	start, startOK := register.Date(p.start, dateLayouts...)
	indefinite := strings.HasPrefix(strings.ToUpper(p.end), "INDEFINITE")
	end, endOK := contracts.Date(""), true
	if !indefinite {
		end, endOK = register.Date(p.end, dateLayouts...)
	}
	readable = daysOK && stayedOK && startOK && endOK
	s = contracts.Suspension{StartDate: start, EndDate: end, Reason: strings.Join(p.sections, ", ")}
	if start != "" && end == "" && !indefinite && days > stayed {
		s.EndDate = start.AddDays(days - stayed)
	}
	decision := strings.ToUpper(p.decision)
	dated := start != "" || end != "" || indefinite
	switch {
	case strings.Contains(decision, "ALL STAYED"):
		return s, false, readable && !dated
	case dated:
		return s, true, readable
	case days > 0 && stayed >= days, strings.Contains(decision, "POIC"), p.isFined():
		return s, false, readable
	}
	return s, days > 0 || !readable, readable
}

// isFined tells whether an amount other than zero stands in the place of the fine, or that an offer to pay one was taken.
func (p proceeding) isFined() bool {
	return strings.ContainsAny(p.fine, "123456789") || strings.Contains(strings.ToUpper(p.fine), "POIC")
}

// dayCount reads a number of days, such as "15" or "15 DAYS". An empty text is 0. ok is false for anything else.
func dayCount(text string) (days int, ok bool) {
	text = strings.TrimSuffix(strings.ToUpper(fold.Blanks(text)), " DAYS")
	if text == "" {
		return 0, true
	}
	n, err := strconv.Atoi(text)
	return n, err == nil && n >= 0 && n < 100_000
}
