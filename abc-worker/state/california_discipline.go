package state

import (
	"slices"
	"strconv"
	"strings"

	"assay.dev/contracts"
)

// proceeding is one block of the disciplinary history, as printed.
type proceeding struct {
	registration, decision, days, stayed, start, end, fine string

	sections []string
	seen     []string // labels
}

// assignProceeding puts a value where its label says. A registration number, or a label that the block has already, begins
// another block.
func assignProceeding(all []proceeding, label, text string) []proceeding {
	if len(all) == 0 || label == "Reg. Number" && len(all[len(all)-1].seen) > 0 ||
		label != "Section" && slices.Contains(all[len(all)-1].seen, label) {
		all = append(all, proceeding{})
	}
	p := &all[len(all)-1]
	p.seen = append(p.seen, label)
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

// suspensions are those that were or are to be served, each once; readable is false when a date or a number of days could
// not be read.
func suspensions(all []proceeding) (list []contracts.Suspension, readable bool) {
	list, readable = served(), true
	for _, p := range all {
		s, imposed, ok := p.suspension()
		readable = readable && ok
		if imposed && !slices.Contains(list, s) {
			list = append(list, s)
		}
	}
	return list, readable
}

// suspension is what a proceeding imposed; a fine in its place, or one that is all stayed, is none. An end that is not
// printed is the start and the days that are not stayed.
func (p proceeding) suspension() (s contracts.Suspension, imposed, readable bool) {
	days, ok1 := number(p.days)
	stayed, ok2 := number(p.stayed)
	start, ok3 := printed(p.start, californiaDate)
	indefinite := strings.HasPrefix(strings.ToUpper(p.end), "INDEFINITE")
	end, ok4 := contracts.Date(""), true
	if !indefinite {
		end, ok4 = printed(p.end, californiaDate)
	}
	readable = ok1 && ok2 && ok3 && ok4
	s = contracts.Suspension{StartDate: start, EndDate: end, Reason: strings.Join(p.sections, ", ")}
	if start != "" && end == "" && !indefinite && days > stayed {
		s.EndDate = start.AddDays(days - stayed)
	}
	decision := strings.ToUpper(p.decision)
	dated := start != "" || end != "" || indefinite
	switch {
	case strings.Contains(decision, "ALL STAYED"), days > 0 && stayed >= days:
		return s, false, readable
	case (strings.Contains(decision, "POIC") || p.fine != "") && !dated:
		return s, false, readable
	}
	return s, dated || days > 0 || !readable, readable
}

// number reads a count; an empty text is 0.
func number(text string) (int, bool) {
	text = strings.TrimSuffix(strings.ToUpper(clean(text)), " DAYS")
	if text == "" {
		return 0, true
	}
	n, err := strconv.Atoi(text)
	return n, err == nil && n >= 0 && n < 100_000
}
