package scope

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// deniesSurcharge tells whether a text says of the figures that they are no surcharges: "It is not the surcharge on your bill",
// "These are not percentages of the linehaul".
func deniesSurcharge(words []string) bool {
	for i, w := range words {
		if w != "not" && w != "no" && w != "never" && w != "isn" && w != "aren" || i == 0 {
			continue
		}
		if isConfusion(words[i+1:]) {
			return true
		}
		for _, next := range words[i+1 : min(i+7, len(words))] {
			if deniedWords[next] {
				return beVerbs[words[i-1]] || w == "isn" || w == "aren"
			}
			if !betweenDenied[next] {
				break
			}
		}
	}
	return false
}

// isConfusion tells whether the words go on with what the figures must not be confused with: "be confused with the surcharge".
func isConfusion(words []string) bool {
	confused := slices.IndexFunc(words, func(w string) bool { return strings.HasPrefix(w, "confus") || w == "mistake" || w == "mistaken" })
	at := slices.IndexFunc(words, func(w string) bool { return deniedWords[w] })
	return confused >= 0 && confused < 3 && at > confused+1 && betweenDenied[words[at-1]]
}

// isInPoints tells whether a heading says that its figures are points: "LTL (points)". "All points" are places.
func isInPoints(words []string) bool {
	i := slices.IndexFunc(words, func(w string) bool { return w == "point" || w == "points" || w == "pts" })
	return i > 0 && (i == len(words)-1) && !placesBefore[words[i-1]]
}

// isIndex tells whether a heading says that its figures are those of an index: "LTL fuel index".
func isIndex(words []string, text string) bool {
	return slices.Contains(words, "index") && !strings.Contains(text, "%") &&
		!slices.ContainsFunc(words, func(w string) bool { return surchargeWords[w] || w == "doe" || w == "eia" })
}

var placesBefore = indexPlain(`all other remaining domestic us usa direct states these any between within to from continental contiguous service regular percentage
	standard interstate common shipping delivery`)

var (
	deniedWords   = indexPlain(`surcharge surcharges fsc percent percents percentage percentages`)
	betweenDenied = indexPlain(`t the a an our your any actual itself same as fuel ltl freight weekly current yet in by means itself expressed given`)
	beVerbs       = indexPlain(`is are was were be do does must should can`)
)

// basePeriod finds the base of an index: "January 2012 = 10", "1982=100".
var basePeriod = regexp.MustCompile(`\b(?:19|20)\d\d\s*(?:=|equals|is set to)\s*1\d*(?:\.0+)?\b`)

// percentOf finds what a percent is taken of: "percent of the linehaul charge".
var percentOf = regexp.MustCompile(`(?i)(?:%|\bper ?cent(?:s|ages?)?|\bpct\.?|\bshare(?: \(%\))?)\s+of\s+([^.;:()]+)`)

// otherMeasure says which other measure than a percent of the freight charges a text names; "" when it names none. In a title the
// percent must be one of the charges.
func otherMeasure(text string, prose bool) string {
	if saysOne(text, "=", "equals", "is set to") {
		if base := basePeriod.FindString(text); base != "" {
			return fmt.Sprintf("%q is the base of an index", base)
		}
	}
	if !saysOne(text, "% of ", "ercent", "ERCENT", "pct", "Pct", "PCT", "er cent", "hare of ", "hare (%)") {
		return "" // most texts
	}
	for _, found := range percentOf.FindAllStringSubmatch(text, -1) {
		of := wordsOf(found[1])
		if isOfWeeks(of) {
			continue
		}
		if of = of[:min(6, len(of))]; len(of) > 0 && (!prose || slices.ContainsFunc(of, func(w string) bool { return otherBases[w] })) &&
			!slices.ContainsFunc(of, func(w string) bool { return chargedOn[w] }) {
			return fmt.Sprintf("a percent of %q", strings.Join(of, " "))
		}
	}
	return ""
}

// isOfWeeks tells whether percents are those of weeks, as of "the last five weeks".
func isOfWeeks(of []string) bool {
	for i, w := range of {
		if w == "weeks" {
			return i > 0 && (i+1 == len(of) || functionWords[of[i+1]])
		}
		if !functionWords[w] && !ownModifiers[w] && !isFigure(w) {
			return false
		}
	}
	return false
}

func saysOne(text string, parts ...string) bool {
	return slices.ContainsFunc(parts, func(part string) bool { return strings.Contains(text, part) })
}

var (
	// otherBases are what percents are taken of that are no surcharges.
	otherBases = indexPlain(`base baseline average year level peak price prices value index gallon diesel fuel budget total cost costs`)
	// chargedOn are what the surcharge is a percent of.
	chargedOn = indexPlain(`linehaul haul line freight charge charges revenue rate rates transportation tariff invoice bill amount shipment`)
)

// introduces tells whether a sentence says of what the figures below it are: "The fuel surcharge on Zorbex moves is below:".
func introduces(text string, words []string) bool {
	return strings.HasSuffix(strings.TrimSpace(text), ":") || slices.ContainsFunc(words, func(w string) bool { return introducers[w] })
}

var introducers = indexPlain(`below following these shown`)

// isOfMinimum tells whether a unit is that of the least charge: "The minimum applies per shipment", "Minimum $20 per shipment".
func isOfMinimum(text string, words []string, unit string, prose bool) bool {
	first, _, _ := strings.Cut(unit, " ")
	at := slices.IndexFunc(words, func(w string) bool { return w == "minimum" || w == "min" })
	return at >= 0 && at < slices.Index(words, first) && (prose || strings.Contains(text, "$")) &&
		!slices.ContainsFunc(words, func(w string) bool { return figureWords[w] || demonstratives[w] || w == "rate" || w == "rates" })
}
