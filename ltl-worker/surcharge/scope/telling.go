package scope

import (
	"regexp"
	"slices"
	"strings"

	"assay.dev/ltl-worker/surcharge/meaning"
	"assay.dev/ltl-worker/surcharge/sheet"
)

// telling are phrases that make the figures others than ours wherever they stand beside them, with what they then are. Each phrase has
// one of the words, in small letters: most texts have none, and are not searched.
var telling = []struct {
	are    string
	words  []string
	phrase *regexp.Regexp
}{
	{"the page is one customer's", []string{"(customer", "(account", "(contract"},
		regexp.MustCompile(`\((?:customer|account|contract)(?:[- ]specific)?(?: tariff| pricing)?\)`)},
	{"one group of customers' figures", []string{"customer"},
		regexp.MustCompile(`\bcustomers? (?:whose|with an?) (?:agreement|contract|pricing|tariff)s?\b[^.;]*\b(?:as follows|following|below)\b`)},
	{"the figures were put off", []string{"postponed", "suspended", "rescinded", "withdrawn", "revoked", "on hold", "cancel"},
		regexp.MustCompile(`\b(?:schedules?|fuel|fsc|surcharges?|percent(?:age)?s?|tables?)\b[^.;]*\b(?:has|have|was|were|is|are) (?:been )?` +
			`(?:postponed|suspended|rescinded|withdrawn|revoked|put on hold|cancell?ed)\b`)},
	{"the figures were put off", []string{" apply", " applied", " effect"},
		regexp.MustCompile(`\b(?:schedules?|fsc|surcharges?|percent(?:age)?s?)\b[^.;]*\b(?:will not|does not|did not|never) ` +
			`(?:apply|be applied|take effect|took effect|go into effect) *(?:[.;,!]|$)`)},
	{"a percent of the week before", []string{"of the prior", "of the previous", "of the preceding", "of the last", "of the earlier"},
		regexp.MustCompile(`\bper ?cent(?:age)? of the (?:prior|previous|preceding|last|earlier) (?:week|month|year)`)},
	{"a percent of invoices", []string{"invoice", "bill"},
		regexp.MustCompile(`\b(?:per ?cent(?:age)?|share|part|portion) of (?:the |your |an? |all )?(?:average (?:ltl )?(?:invoice|bill)|total (?:ltl )?invoice|(?:invoice|bill) total)`)},
}

// tells says what a text makes of the figures; "" for nothing.
func tells(text string) string {
	text = strings.ToLower(text)
	for _, t := range telling {
		if saysOne(text, t.words...) && t.phrase.MatchString(text) {
			return t.are
		}
	}
	return ""
}

// viewing begins what a page says of itself: "You are viewing the offshore schedule".
var viewing = regexp.MustCompile(`(?i)\b(?:you are|you're|now|currently) (?:viewing|looking at|seeing)\b`)

// lastDay finds what makes a date that of a week's end: "Each line shows the last day on which the percent applies".
var lastDay = regexp.MustCompile(`(?i)\blast day (?:on|of|that|for) (?:which|the|that|each)\b|\b(?:dates?|days?) (?:shown |listed )?(?:is|are) (?:the )?(?:last|expiration|expiry|end|ending|closing)\b`)

func isViewing(text string) bool {
	return saysOne(text, "iewing", "ooking at", "eeing") && viewing.MatchString(text)
}

// endsWeeks tells whether a text says that the dates are the ends of weeks, and no heading says that they are beginnings.
func endsWeeks(text string, s sheet.Sheet) bool {
	begins := func(h meaning.Heading) bool { return h.Is(meaning.Effective | meaning.Begin) }
	return saysOne(text, "last", "expir", " end", "closing") && lastDay.MatchString(text) && !slices.ContainsFunc(s.Columns, begins)
}

// totalBeside is the heading of another column of LTL percents that says that it has the whole, of which ours is a part: "LTL > Total
// charged" beside "LTL > Schedule"; "" where there is none.
func totalBeside(s sheet.Sheet, percent int) string {
	isTotal := func(h meaning.Heading) bool {
		return h.Is(meaning.LTL) && slices.ContainsFunc(wordsOf(h.String()), func(w string) bool { return totals[w] })
	}
	if isTotal(s.Columns[percent]) {
		return ""
	}
	for i, h := range s.Columns {
		if i != percent && isTotal(h) {
			return h.String()
		}
	}
	return ""
}

var totals = indexPlain(`total totals sum combined final net charged billed`)
