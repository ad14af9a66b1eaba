package scope

import (
	"regexp"
	"slices"
)

// A text may say in a sentence of its own for whom or for what the figures are.

// concerning finds for what a text says that its figures are: "They concern full trailers that our brokers book".
var concerning = regexp.MustCompile(`(?:^|[.!?:;] )(?:they|these|all of them|each of them|this(?: one)?|(?:this|the) (?:table|page|list|schedule)(?: here| below| above| on this page)?) (?:concerns?|covers?|is for|is about|applies to|holds for|concern|cover|are for|are those (?:of|for)|apply to|hold for|relate to|pertain to) ([^.;]*)`)

// concern is the word by which a text in small letters says that the figures are for something else; "" where it does not.
func concern(text string) string {
	if !saysOne(text, " concern", " cover", " is for", " are for", " is about", " to ", " hold for", " holds for", " are those") {
		return ""
	}
	for _, found := range concerning.FindAllStringSubmatch(text, -1) {
		if word := namesSome(found[1], service, territory, party); word != "" {
			return word
		}
	}
	return ""
}

// namesSome is the word by which a text names some of the shipments, as one of the kinds of foreign words; "" where it names all.
func namesSome(text string, kinds ...kind) string {
	words := wordsOf(text)
	if k, word := foreignKind(append(words, "")); slices.Contains(kinds, k) && !isWholeCountry(words) && !isListWithOurs(words, text) {
		return word
	}
	return ""
}

// viewing begins what a page says of itself: "You are viewing the offshore schedule".
var viewing = regexp.MustCompile(`(?i)\b(?:you are|you're|now|currently) (?:viewing|looking at|seeing)\b`)

// asksForWhom finds a title under which stands for whom or for what the figures are: "Who is billed by this table".
var asksForWhom = regexp.MustCompile(`(?i)^\W*(?:to |for )?(?:who|whom|whose|which|where)\b[^.!]*\b(?:this|these|the) (?:ltl )?(?:fuel )?` +
	`(?:tables?|page|schedule|scale|figures?|percent(?:age)?s?|rates?)\b`)

// forWhom is the word by which the text under such a title, or what a page says of itself, names some of the shipments; "" where it names all.
func forWhom(text string) string { return namesSome(text, programme, service, territory) }

func isViewing(text string) bool {
	return saysOne(text, "iewing", "ooking at", "eeing") && viewing.MatchString(text)
}
