package scope

import (
	"slices"
	"strings"

	"assay.dev/ltl-worker/surcharge/token"
)

// withoutProgramName is a title that is the name of a program with blanks between its words: "fuel surcharge fuel page update" for
// "FUELSURCHARGE_FUELPAGEUPDATE". Another title, and one with a part that is not made of plain words, stays as it is.
func withoutProgramName(title string) string {
	if strings.ContainsAny(title, " .") || !strings.Contains(strings.ToLower(title), "fuelsurcharge") || !strings.Contains(title, "_") {
		return title
	}
	var words []string
	for part := range strings.SplitSeq(token.Spaced(title), " ") {
		divided := dividePlain(strings.ToLower(part))
		if divided == nil {
			return title
		}
		words = append(words, divided...)
	}
	return strings.Join(words, " ")
}

// dividePlain divides a compound into plain words; nil where it is made of others, or may hold one that qualifies.
func dividePlain(compound string) []string {
	if len(compound) > maxCompound {
		return nil
	}
	for word := range foreignWords {
		if len(word) >= minCompoundPart && strings.Contains(compound, word) {
			return nil
		}
	}
	words := make([][]string, len(compound)+1)
	words[0] = []string{}
	for end := minCompoundPart; end <= len(compound); end++ {
		for start := 0; start+minCompoundPart <= end; start++ {
			part := compound[start:end]
			if words[end] == nil && words[start] != nil && isPlain(part) && !bygone[part] && !moods[part] && !ambiguous[part] {
				words[end] = append(slices.Clip(words[start]), part)
			}
		}
	}
	return words[len(compound)]
}

// The lengths, in letters, of a compound and of a part of it.
const (
	maxCompound     = 60
	minCompoundPart = 4
)
