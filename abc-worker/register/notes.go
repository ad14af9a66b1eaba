package register

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"assay.dev/abc-worker/fold"
	"assay.dev/contracts"
)

func isDeclined(err error) bool {
	var d *declined
	return errors.As(err, &d)
}

// notes are what an answer says of itself.
func (v *verdict) notes() []contracts.Note {
	notes := slices.Clone(v.Notes)
	add := func(code contracts.NoteCode, format string, args ...any) {
		notes = append(notes, contracts.Note{Code: code, Message: fmt.Sprintf(format, args...)})
	}
	if v.old {
		add(contracts.NoteSourceOld, "%s is of %s, older than its schedule allows: a status may have changed since.",
			capital(v.Noun), v.day())
	}
	v.noteStatuses(add)
	isHidden := func(r MatchGroup) bool {
		return slices.Contains(r.NotReported, Suspensions) && !slices.Contains(r.Unreadable, Suspensions)
	}
	if slices.ContainsFunc(v.MatchGroups, isHidden) {
		add(contracts.NoteSuspensionsNotReported,
			"%s cannot show suspensions: an empty list does not mean that there are none.", capital(v.Noun))
	}
	v.noteFields(add)
	v.noteMissing(add)
	return notes
}

type adder func(code contracts.NoteCode, format string, args ...any)

// noteStatuses tells which statuses are inferred, and which active licenses are past their dates.
func (v *verdict) noteStatuses(add adder) {
	because, past := map[string]int{}, 0
	today := contracts.DateOf(v.Clock().In(v.Zone))
	var order []string
	for _, r := range v.MatchGroups {
		if r.Because != "" {
			if because[r.Because] += r.N; because[r.Because] == r.N {
				order = append(order, r.Because)
			}
		}
		if r.LicenseRecord.Status == contracts.Active && r.ExpirationDate != "" && r.ExpirationDate < today {
			past += r.N
		}
	}
	for _, reason := range order {
		add(contracts.NoteStatusInferred, "%s%s", v.ofMatches(because[reason]), reason)
	}
	if past > 0 {
		add(contracts.NotePastExpiration, "%sThe license is ACTIVE in the source although its expiration date has passed.",
			v.ofMatches(past))
	}
}

// ofMatches begins a sentence about some of the matches of a search.
func (v *verdict) ofMatches(n int) string {
	if v.op == Lookup {
		return ""
	}
	return fmt.Sprintf("Of %d of the matches: ", n)
}

// noteFields tells which required members the source prints empty or in a way that is not understood. Suspensions and
// trade names are told in every operation.
func (v *verdict) noteFields(add adder) {
	members := slices.Clip(v.Required[v.op])
	for _, always := range []string{Suspensions, DBA} {
		if !slices.Contains(members, always) {
			members = append(members, always)
		}
	}
	unreadable, empty := map[string]int{}, map[string]int{}
	for _, r := range v.MatchGroups {
		for _, member := range members {
			switch {
			case slices.Contains(r.Unreadable, member):
				unreadable[member] += r.N
			case !given(r.LicenseRecord, member) && !slices.Contains(r.NotReported, member):
				empty[member] += r.N
			}
		}
	}
	for _, member := range members {
		if n := unreadable[member]; n > 0 {
			add(contracts.NoteFieldUnreadable, "%sThe source shows %s in a way that is not understood.", v.ofMatches(n), member)
		}
		if n := empty[member]; n > 0 {
			add(contracts.NoteFieldUnreadable, "%sThe source shows no %s.", v.ofMatches(n), member)
		}
	}
}

// noteMissing tells what may match and is not shown.
func (v *verdict) noteMissing(add adder) {
	if v.op == Lookup {
		return
	}
	if misses := v.misses(); misses != "" && len(v.Records) == 0 && v.Total == 0 {
		add(contracts.NoteAbsenceNotProven, "Nothing matches, which does not prove that there is nothing. %s", misses)
	} else if misses != "" {
		add(contracts.NoteIncomplete, "%s", misses)
	}
	if v.complete() && len(v.Records) == 0 && v.Total == 0 {
		add(contracts.NoteNothingWrittenSo, "%s", compared(v.Query))
	}
	if v.Cut != "" {
		add(contracts.NoteIncomplete, "%s", v.Cut)
	}
	if v.Unclear > 0 {
		add(contracts.NoteIncomplete, "%d matching rows of %s are left out, because they are not understood.",
			v.Unclear, v.Noun)
	}
	if v.AccentsMissed {
		add(contracts.NoteAccentsNotSearched, "Names that are spelled with accents may be missing.")
	}
}

// compared says that no license is written as a query has it, and what was compared.
func compared(q contracts.Query) string {
	var all []string
	add := func(where string, parts []string, spell func(part string) string) {
		var spelled []string
		for _, part := range parts {
			spelled = append(spelled, spell(part))
		}
		if len(spelled) > 0 {
			all = append(all, strings.Join(spelled, " and ")+" in the "+where)
		}
	}
	asIs := func(part string) string { return part }
	add("trade name", fold.Parts(q.DBAName), asIs)
	add("owner's name", fold.Parts(q.OwnerName), asIs)
	add("address", fold.Parts(q.Address), func(part string) string {
		others := fold.OtherSpellings(part)
		if fold.IsZIPCode(part) {
			others = []string{"as ZIP code"}
		}
		if len(others) == 0 {
			return part
		}
		return part + " (or " + strings.Join(others, ", ") + ")"
	})
	return "No license is written exactly so. Compared without case and accents: " + strings.Join(all, "; ") +
		". It may be written otherwise: try the fewest and surest parts, such as the number of the " +
		"house or one word of the name."
}

// capital is s with its first letter in upper case.
func capital(s string) string { return strings.ToUpper(s[:1]) + s[1:] }
