package scope

import (
	"regexp"
	"slices"
	"strings"
)

// Pages hold short lines about their site and its company that nobody takes for qualifiers of figures: who made the page, where shares
// are traded, what others say of the company, how many trucks it has. They are known by their form.

// isImprint tells whether a text is such a line.
func isImprint(text string, words []string) bool {
	if isShare(text, words) {
		return true
	}
	return !limits(words) && !refersToFigures(words) && (isKnownImprint(text) || isPraise(text, words) || isPerson(words) ||
		isCount(words))
}

// isKnownImprint tells whether imprints or rateIncreases find the text. They are not tried on a text that holds none of the words
// that they need, as most do: they took a tenth of the time in which a page is read.
func isKnownImprint(text string) bool {
	upper := strings.ToUpper(strings.TrimSpace(text))
	isNumbered := strings.HasPrefix(upper, "V") || strings.HasPrefix(upper, "BUILD ") || strings.HasPrefix(upper, "REV")
	return (isNumbered || saysOne(upper, imprintMarks...)) && imprints.MatchString(text) ||
		saysOne(upper, "GRI", "RATE INCREASE") && rateIncreases.MatchString(text)
}

// imprintMarks are texts of which each line that imprints finds holds one, unless it begins with the number of a version. They are
// in capitals because ToUpper makes an S of the long s, which (?i) takes for one.
var imprintMarks = []string{" BY", "PHOTO", "IMAGE", "NASDAQ", "NYSE", "USDOT", "MC ", "SCAC", "SMARTWAY", "ISO ", "TPAT"}

// imprints are lines that tell who made the page, a picture, the software; the numbers of the company; its certificates.
var imprints = regexp.MustCompile(`(?i)^\s*(?:(?:powered|hosted|website|site|web design|design|designed|photos?|photo credit) by\b|(?:photo|image|photo credit)s?: )|` +
	`\b(?:modified|updated|maintained) by\b|^\s*(?:v|version |build |rev(?:ision)? )\d+(?:\.\d+)+|\b(?:nasdaq|nyse)\b|\busdot\b|\bmc \d{5,6}\b|\bscac:? [a-z]{4}\b|\bsmartway\b|\biso \d{4,5}\b|\bc-?tpat\b`)

// rateIncreases find the notice of a general rate increase with its own percent.
var rateIncreases = regexp.MustCompile(`(?i)^[^.]*\b(?:general rate increase|gri) (?:of|is|will be|averages|averaging) \d[\d.]* ?(?:%|percent)`)

// isPraise tells whether a text quotes a sentence of somebody and does not speak of figures.
func isPraise(text string, words []string) bool {
	return len(words) >= 4 && quotations.MatchString(text) && !isAboutFigures(words)
}

var quotations = regexp.MustCompile(`^\s*["“].*(?:[.!?]["”]|["”]\s*[-–—])`)

// isPerson tells whether a line names somebody and his job: "Maria G., Traffic Manager".
func isPerson(words []string) bool {
	return len(words) > 2 && len(words) <= 8 && jobs[words[len(words)-1]] && !isAboutFigures(words) && !itself[words[0]] &&
		!slices.ContainsFunc(words, func(w string) bool { return prepositions[w] || articles[w] })
}

var jobs = indexPlain(`manager director president owner supervisor coordinator buyer ceo cfo`)

// isCount tells whether a text counts what the company has: "8,300 tractors", "214 terminals".
func isCount(words []string) bool {
	last := len(words) - 1
	return last > 0 && last <= 3 && counted[words[last]] && isFigure(words[0])
}

var counted = indexPlain(`tractors trailers terminals employees followers drivers doors trucks centers years reviews stars countries`)

// percentIn finds a percent.
var percentIn = regexp.MustCompile(`\d ?%`)

// isShare tells whether a line has a percent of its own that is about something else: "98.7% on-time service", "87% of visitors
// found this page helpful".
func isShare(text string, words []string) bool {
	isOwn := ownPercent.MatchString(text)
	if k, _ := foreignKind(words); k == charge || strings.Contains(text, "of the time") {
		isOwn = isOwn || percentIn.MatchString(text)
	}
	return isOwn && !limits(words) && !saysOfFigures(slices.DeleteFunc(slices.Clone(words), func(w string) bool { return w == "page" || w == "site" })) &&
		!slices.ContainsFunc(words, func(w string) bool { return demonstratives[w] || chargedOn[w] })
}
