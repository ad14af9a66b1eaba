package surcharge

import (
	"slices"
	"strings"
	"unicode"

	"assay.dev/ltl-worker/surcharge/refusal"
)

// refuseNumbered refuses histories that only a number, or nothing, tells apart and that differ in the percent of the newest week: the
// tables "LTL, Scale 1" and "LTL, Scale 2". Which of them is the general one is not known, even where the texts beside one of
// them let it be doubted.
func refuseNumbered(found []history) *refusal.Refusal {
	for i, a := range found {
		for _, b := range found[i+1:] {
			if a.standing() == b.standing() && a.isNamedLike(b) && a.denies(b.weeks[0]) {
				return conflict("%s and %s have other percents under titles that do not tell which is ours", a, b)
			}
		}
	}
	return nil
}

// isNamedLike tells whether only a number, or nothing, in the titles and the headings tells two histories apart.
func (h history) isNamedLike(other history) bool {
	return isNumberedLike(h.title(), other.title()) || h.title() == other.title() && h.heading() == other.heading()
}

// heading is that of the percents.
func (h history) heading() string { return h.columns.Sheet.Columns[h.columns.Percent].String() }

// title is the innermost text over the weeks.
func (h history) title() string {
	context := h.columns.Sheet.Context
	if len(context) == 0 {
		return ""
	}
	return context[len(context)-1]
}

// isNumberedLike tells whether two titles say the same but for numbers or letters in the same places: "Scale 1" and "Scale 2",
// "Scale A: LTL" and "Scale B: LTL".
func isNumberedLike(a, b string) bool {
	words, others := titleWords(a), titleWords(b)
	if len(words) < 2 || len(words) != len(others) || slices.Equal(words, others) {
		return false
	}
	for i := range words {
		if words[i] != others[i] && !(isNumber(words[i]) && isNumber(others[i])) {
			return false
		}
	}
	return true
}

func titleWords(title string) []string {
	return strings.FieldsFunc(strings.ToLower(title), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// isNumber tells whether a word numbers something: "2", "b", "iii", "two".
func isNumber(word string) bool {
	return len(word) == 1 || strings.Trim(word, "0123456789") == "" || strings.Trim(word, "ivx") == "" || numberWords[word]
}

var numberWords = map[string]bool{
	"one": true, "two": true, "three": true, "four": true, "five": true, "first": true, "second": true, "third": true,
}
