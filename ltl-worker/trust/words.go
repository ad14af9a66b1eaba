package trust

import (
	_ "embed"
	"slices"
	"strings"
	"unicode"
)

// stopWords is one flat list of stems. They are looked for in unknown lines only: each is a reason to ask a person, and
// none to refuse. An underscore joins words that stand together, and in "not_appl" up to two others may stand between,
// as in "does not now apply".
//
//go:embed stopwords.txt
var stopWords string

// StopWord is the first word of the list that a text holds; "" where it holds none. A word of the text that begins with
// a stem has it: "proposed" has "propos". A stem of three letters, such as "cap", is a whole word.
func StopWord(text string) string { return stopWord(wordsOf(text)) }

func stopWord(words []string) string {
	for stem := range strings.FieldsSeq(stopWords) {
		if first, next, ok := strings.Cut(stem, "_"); hasStems(words, first, next, ok) {
			return strings.ReplaceAll(stem, "_", " ")
		}
	}
	return ""
}

// reach is how many words further on the second stem of two may stand.
const reach = 3

func hasStems(words []string, first, next string, isPair bool) bool {
	for i, word := range words {
		if !hasStem(word, first) {
			continue
		}
		if !isPair {
			return true
		}
		for _, later := range words[i+1 : min(len(words), i+1+reach)] {
			if hasStem(later, strings.ReplaceAll(next, "_", "")) {
				return true
			}
		}
	}
	return false
}

func hasStem(word, stem string) bool {
	if len(stem) <= 3 || stem == "only" || stem == "test" {
		return word == stem
	}
	return strings.HasPrefix(word, stem)
}

// subjects are what a line far from the table must speak of to count.
var subjects = []string{"fuel", "surcharge", "fsc", "tariff", "table", "percent"}

// qualifies tells whether a line at the table says a number or a day of its own, such as "From December 3 half of it is
// charged": figures prove that they are the same, and not that they are charged.
func (l Line) qualifies() bool { return l.Near && len(scan(l.Text).marks) > 0 }

// qualifiers are subjects, and what else a line may speak of that says something of the percents with its number.
var qualifiers = append(slices.Clip(subjects), "ltl", "rate", "point", "lb", "pound", "weight", "diesel", "price", "average",
	"index", "multipl", "factor")

// counter is a comparable line with # for each word that holds a digit, such as a number of entries or the id of an
// answer; "" for a line without any, and for one that may say something of the percents.
func counter(line string) string {
	const digits = "0123456789"
	if !strings.ContainsAny(line, digits) || strings.Contains(line, "%") {
		return ""
	}
	if words := wordsOf(line); speaksOf(words, qualifiers) || stopWord(words) != "" {
		return ""
	}
	words := strings.Fields(line)
	for i, word := range words {
		if strings.ContainsAny(word, digits) {
			words[i] = "#"
		}
	}
	return strings.Join(words, " ")
}

// tells tells whether a line may say something of the table from afar: it speaks of what the table shows, and holds a
// stop word, a number or a day.
func tells(text string) bool {
	words := wordsOf(text)
	return speaksOf(words, subjects) && (stopWord(words) != "" || len(scan(text).marks) > 0)
}

// speaksOf tells whether a word begins with one of the stems.
func speaksOf(words, stems []string) bool {
	return slices.ContainsFunc(words, func(word string) bool {
		return slices.ContainsFunc(stems, func(stem string) bool { return strings.HasPrefix(word, stem) })
	})
}

func wordsOf(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text),
		func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}
