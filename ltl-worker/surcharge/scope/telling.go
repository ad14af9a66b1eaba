package scope

import (
	_ "embed"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"assay.dev/ltl-worker/surcharge/meaning"
	"assay.dev/ltl-worker/surcharge/sheet"
)

//go:embed telling.txt
var tellingList string

// telling are patterns that make the figures others than ours wherever they stand beside them, with what they then are.
var telling = sync.OnceValue(func() *patternSet { return newPatternSet(tellingList, "") })

// tells says what a text makes of the figures; "" for nothing.
func tells(text string) string {
	text = strings.ToLower(text)
	for p := range telling().candidates(text) {
		if p.MatchString(text) {
			return p.says
		}
	}
	if word := concern(text); word != "" {
		return fmt.Sprintf("%q is what they are for", word)
	}
	switch {
	case saysOne(text, "average", "mean") && isAverage(text):
		return "averages"
	case strings.Contains(text, "ltl") && isOtherLTL(text):
		return "LTL stands for something else"
	case isNetOfOffer(text):
		return "the figures are net of an offer"
	case flagsAbroad(text):
		return "the flag of another country"
	}
	return ""
}

// averaged finds an average of what figures are for, or of several weeks: "the mean of fourteen large carriers", "four-week averages".
var averaged = regexp.MustCompile(`\b(?:mean|average)s? (?:of|over|across) (?:[\w-]+ ){0,4}(?:carriers|companies|shipments|customers|invoices|lanes|terminals|centers|weeks?)\b|` +
	`\b(?:two|three|four|five|six|eight|ten|twelve|thirteen|\d+)[- ]weeks? (?:rolling |moving )?(?:means?|averages?)\b`)

// isAverage tells whether a sentence says that the figures are averages. Those of prices are none of our figures.
func isAverage(text string) bool {
	return slices.ContainsFunc(strings.FieldsFunc(text, func(r rune) bool { return r == '.' || r == ';' }), func(sentence string) bool {
		return averaged.MatchString(sentence) && !saysOne(sentence, "price", "diesel", "index", "cost", "eia", "doe", "energy", "gallon", "not ", "n't")
	})
}

// initials finds what LTL is short for.
var initials = regexp.MustCompile(`\bltl\W+(l\w+)\W+(t\w+)\W+(l\w+)`)

// isOtherLTL tells whether a text says that LTL is short for something else: "LTL: low-temperature loads".
func isOtherLTL(text string) bool {
	found := initials.FindStringSubmatch(text)
	return found != nil && found[1] != "less" && found[1] != "ltl" && found[3] != "ltl"
}

// The letters that flags are made of: "🇨🇦" is CA.
const (
	firstOfFlags = '\U0001F1E6'
	lastOfFlags  = '\U0001F1FF'
)

// flagsAbroad tells whether a text shows flags, and ours is none of them.
func flagsAbroad(text string) bool {
	var letters []byte
	for _, r := range text {
		if r >= firstOfFlags && r <= lastOfFlags {
			letters = append(letters, byte('A'+r-firstOfFlags))
		}
	}
	for i := 0; i+1 < len(letters); i += 2 {
		if string(letters[i:i+2]) == "US" {
			return false
		}
	}
	return len(letters) > 1
}

// lastDay finds what makes a date that of a week's end: "Each line shows the last day on which the percent applies".
var lastDay = regexp.MustCompile(`(?i)\blast day (?:on|of|that|for) (?:which|the|that|each)\b|\b(?:dates?|days?) (?:shown |listed )?(?:is|are) (?:the )?(?:last|expiration|expiry|end|ending|closing)\b`)

// endsWeeks tells whether a text says that the dates are the ends of weeks, and no heading says that they are beginnings.
func endsWeeks(text string, s sheet.Sheet) bool {
	begins := func(h meaning.Heading) bool { return h.Is(meaning.Effective | meaning.Begin) }
	return saysOne(text, "last", "expir", " end", "closing") && lastDay.MatchString(text) && !slices.ContainsFunc(s.Columns, begins)
}

// totalBeside is the heading of another column of LTL percents where one of the two says that it has the whole, of which the other is a part:
// "LTL > Total charged" beside "LTL > Schedule", "LTL Base" beside "LTL Total"; "" where there is none.
func totalBeside(s sheet.Sheet, percent int) string {
	isTotal := func(h meaning.Heading) bool {
		return h.Is(meaning.LTL) && slices.ContainsFunc(wordsOf(h.String()), func(w string) bool { return totals[w] })
	}
	isPart := func(h meaning.Heading) bool {
		return h.Is(meaning.LTL) && slices.ContainsFunc(wordsOf(h.String()), func(w string) bool { return parts[w] })
	}
	ours := isTotal(s.Columns[percent])
	for i, h := range s.Columns {
		if i != percent && (!ours && isTotal(h) || ours && isPart(h)) {
			return h.String()
		}
	}
	return ""
}

var parts = indexPlain(`base basic part published schedule scheduled tariff standard`)

var totals = indexPlain(`total totals sum combined final net charged billed`)
