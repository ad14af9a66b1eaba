package scope

import (
	"slices"
	"strings"
	"unicode"

	"assay.dev/ltl-worker/surcharge/calendar"
	"assay.dev/ltl-worker/surcharge/meaning"
)

// unknownIn is the first word that is not known to be neutral or ours, among those that count.
func (j *Judge) unknownIn(words []string, counts func(words []string, i int) bool) string {
	note := isNote(words)
	for i, w := range words {
		if !counts(words, i) || note && (further[w] || further[strings.TrimSuffix(w, "s")]) {
			continue
		}
		if ambiguous[w] || j.isForeignCompound(w) {
			return w
		}
		if j.bilingual && meaning.IsTranslation(w) {
			continue
		}
		if isPlain(w) || isFigure(w) || isDateWord(w) || foreignWords[w] != "" || brands[w] {
			continue
		}
		said := j.vocabulary.Of(w)
		if !said.Has(meaning.Unknown) || isTariffCode(words, i) || w == "e" && i+1 < len(words) && strings.HasPrefix(words[i+1], "mail") || j.isNamePart(w) {
			continue
		}
		return w
	}
	return ""
}

// isForeignCompound tells whether a word is made of several, one of which qualifies: "volumetable".
func (j *Judge) isForeignCompound(word string) bool {
	if len(word) < minForeignCompound || everyday[word] || plainWords[word] || foreignWords[word] != "" || meaning.OfWord(word) != 0 {
		return false
	}
	return j.vocabulary.Of(word).Has(meaning.Service | meaning.Abroad | meaning.Region | meaning.Other)
}

// minForeignCompound is the least length, in letters, of such a word.
const minForeignCompound = 8

// ambiguous are everyday words that name goods, services or people in a title, or where a sentence says for what figures are: "Express", "Produce".
var ambiguous = indexPlain(`express produce floor store stores train trains petroleum estate veterans extra weekend weekends night nights school schools
	fresh live drop flash memorial`)

// isTariffCode tells whether the word at i belongs to the number of a tariff: "tariff HMES 100", "item 770-B".
func isTariffCode(words []string, i int) bool {
	if slices.Contains(words, "only") {
		return false
	}
	isNumbered := i+1 < len(words) && isFigure(words[i+1]) || i > 0 && isFigure(words[i-1]) && len(words[i]) == 1
	return isNumbered && slices.ContainsFunc(words[max(0, i-3):min(len(words), i+4)], func(w string) bool {
		return w == "tariff" || w == "tariffs" || w == "item" || w == "rules" || w == "rule"
	})
}

// isPlain tells whether a word, or its singular, is known to change nothing.
func isPlain(word string) bool {
	return plainWords[word] || everyday[word] || len(word) > 3 && plainWords[strings.TrimSuffix(word, "s")] || describes(word) ||
		len(word) > 4 && everyday[strings.TrimSuffix(word, "s")]
}

// describes tells whether a word says how something is, by its ending: "responsive", "paperless", "quietly". Such words name no place,
// no service and no party. What stands before a noun of the trade is judged by [Judge.modifierIn].
func describes(word string) bool {
	return len(word) > 5 && !measures[word] && slices.ContainsFunc(endings, func(end string) bool { return strings.HasSuffix(word, end) })
}

var (
	endings = []string{"ly", "ive", "ous", "ful", "less", "able", "ible", "ness"}
	// measures are such words that tell another figure, or other people.
	measures = indexPlain(`cumulative relative comparative alternative tentative cooperative native perishable explosive indicative`)
)

// unknownLabelIn is the first word that headings of our percents do not have.
func (j *Judge) unknownLabelIn(words []string) string {
	for i, w := range words {
		if isFigure(w) || labelWords[w] || j.isNamePart(w) || isOfCountry(words, i) {
			continue
		}
		if j.bilingual && meaning.IsTranslation(w) {
			continue
		}
		said := j.vocabulary.Of(w)
		isWeight := weightWords[w] && isWeightAt(words, i+1)
		if said.Has(meaning.Unknown) || said.Has(meaning.Other) && !isWeight || w == "est" || comparatives[w] { // estimated
			return w
		}
	}
	return ""
}

// isOfCountry tells whether the word at i is part of a name of the country: "United States", "48 contiguous states", "Lower 48".
func isOfCountry(words []string, i int) bool {
	before, after := "", ""
	if i > 0 {
		before = words[i-1]
	}
	if i+1 < len(words) {
		after = words[i+1]
	}
	switch words[i] {
	case "united":
		return after == "states"
	case "state":
		return before == "48"
	case "states":
		return before == "united" || before == "contiguous" || before == "continental" || before == "48"
	case "lower":
		return after == "48"
	}
	return false
}

var (
	labelWords = indexPlain(`other all remaining following s std published posted surch fs tariff ltl's common carriage points
		added pdf kb mb csv xls xlsx excel json download downloads view details link links open print notice click here info more
		sortable sorted sort ascending descending activate column
		everything else any regular within sur charge mode up
		entry post page item record field node nodes value values result results prop props acf`)
	comparatives = indexPlain(`lower higher low high`)   // as in "LTL, lower rate"
	weightWords  = indexPlain(`max maximum min minimum`) // of "LTL, max 19,999 lbs"
)

func isFigure(word string) bool {
	return strings.IndexFunc(word, func(r rune) bool { return !unicode.IsDigit(r) }) < 0
}

func isDateWord(word string) bool {
	_, weekday := calendar.Weekday(word)
	switch word {
	case "st", "nd", "rd", "th", "am", "pm", "est", "edt", "cst", "cdt", "pst", "ct":
		return true
	}
	return weekday || calendar.Month(word) > 0
}
