package meaning

import (
	"strings"

	"assay.dev/ltl-worker/document/token"
	"assay.dev/ltl-worker/surcharge/calendar"
)

// ofPhrase reads the words at i that mean something together, such as "as of", or else one token.
func ofPhrase(t []token.Token, i int) (next int, found Set) {
	if next, found := ofWeightLimit(t, i); next > 0 {
		return next, found
	}
	for _, p := range phrases[t[i].Text] {
		if next := token.Follow(t, i+1, p.rest...); next > 0 {
			return next, p.meanings
		}
	}
	return i + 1, ofToken(t[i])
}

// ofToken is what one token means by itself in a heading.
func ofToken(t token.Token) Set {
	switch t.Kind {
	case '%':
		return Percent
	case '¢':
		return Cents
	case token.Word:
		return ofHeadingWord(t.Text)
	}
	return 0
}

// ofHeadingWord is what one word means in a heading. Names of months and weekdays are neutral there.
func ofHeadingWord(word string) Set {
	if known := words[word]; known != 0 {
		return known | Neutral
	}
	if _, ok := calendar.Weekday(word); ok || calendar.Month(word) > 0 {
		return Neutral
	}
	return Unknown
}

// phrase is words that together mean something else than each alone. Its first word is its key in phrases.
type phrase struct {
	rest     []string
	meanings Set
}

// nextPost is of a day that may be the last one of this week or lie in the next: it is neither a first nor a last day.
const nextPost = End | Posted

var phrases = map[string][]phrase{
	"less":      lessThanTruckload(),
	"as":        {{[]string{"of"}, Posted}},
	"effective": {{[]string{"as", "of"}, Effective}},
	"in":        {{[]string{"effect"}, Effective}, {[]string{"force"}, Effective}},
	"on":        {{[]string{"or", "after"}, Begin}, {[]string{"and", "after"}, Begin}},
	"pick":      {{[]string{"up"}, Neutral}},
	"picked":    {{[]string{"up"}, Neutral}},
	"week":      {{[]string{"of"}, Begin | Date}},
	"wk":        {{[]string{"of"}, Begin | Date}},
	"truck":     {{[]string{"load"}, Truckload}},
	"full":      {{[]string{"load"}, Truckload}},
	"united":    {{[]string{"states"}, US}},
	"cross":     {{[]string{"border"}, Abroad}},
	"home":      {{[]string{"delivery"}, Service}},
	"final":     {{[]string{"mile"}, Service}},
	"applies":   {{[]string{"to"}, Neutral}},
	"apply":     {{[]string{"to"}, Neutral}},
	"next":      {{[]string{"change"}, nextPost}, {[]string{"update"}, nextPost}, {[]string{"review"}, nextPost}},
	"at":        {{[]string{"least"}, Bound}},
	"first":     {{[]string{"day"}, Begin | Date}},
	"last":      {{[]string{"day"}, End | Date}},
	"prior":     {{[]string{"monday"}, Neutral}, {[]string{"week"}, Neutral}},
	"previous":  {{[]string{"monday"}, Neutral}},
}

// lessThanTruckload is such as "less than a full truck load", after its first word.
func lessThanTruckload() (all []phrase) {
	for _, which := range []string{"", "a ", "full ", "a full "} {
		for _, load := range []string{"truckload", "truckloads", "truck load"} {
			all = append(all, phrase{strings.Fields("than " + which + load), LTL})
		}
	}
	return all
}
