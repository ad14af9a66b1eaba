package scope

import (
	"slices"
	"strings"
)

// isLetterhead tells whether a line is the place of the carrier's office: "Fort Smith, Arkansas" right below its name. A place
// outside of the contiguous states may be that of the figures.
func (j *Judge) isLetterhead(text, before string) bool {
	_, state, isPlace := strings.Cut(text, ", ")
	words := wordsOf(state)
	names := wordsOf(before)
	rest := j.withoutNames(names)
	return isPlace && len(words) > 0 && len(words) <= 3 && isContiguous(words) && len(rest) < len(names) &&
		!slices.ContainsFunc(rest, func(w string) bool { return !companyWords[w] })
}

// isContiguous tells whether words are one of the contiguous states, perhaps with a ZIP code.
func isContiguous(words []string) bool {
	if n := len(words) - 1; n > 0 && len(words[n]) == 5 && isFigure(words[n]) {
		words = words[:n]
	}
	state := words[len(words)-1]
	return len(words) <= 2 && (contiguousStates[state] || len(words) == 1 && stateCodes[state] && state != "ak" && state != "hi")
}

// contiguousStates are their names, or the last words of them, and what newspapers make of them: "Memphis, Tenn."
var contiguousStates = indexPlain(`alabama arizona arkansas california colorado connecticut delaware florida georgia idaho illinois indiana
	iowa kansas kentucky louisiana maine maryland massachusetts michigan minnesota mississippi missouri montana nebraska nevada
	hampshire jersey mexico york carolina dakota ohio oklahoma oregon pennsylvania tennessee texas utah vermont virginia washington
	wisconsin wyoming ala ariz ark calif colo conn fla ill kan mass mich minn mont neb nev okla ore tenn tex wash wis wyo`)
