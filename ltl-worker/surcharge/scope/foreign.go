package scope

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// foreignIn names the word that makes a text one about other figures; "" when there is none.
func foreignIn(words []string, text string, prose bool) string {
	k, word := foreignKind(words)
	switch {
	case k == "":
		return ""
	case prose && (pointsElsewhere(words) || strings.HasPrefix(word, "minimum ")):
		return ""
	case k == service && isListWithOurs(words, text), k == territory && isWholeCountry(words):
		return ""
	}
	return fmt.Sprintf("%q is %s", word, k)
}

func foreignKind(words []string) (kind, string) {
	for i, w := range words {
		for _, p := range phrasesFrom[w] {
			if w == "up" && isWeightAt(words, i+2) {
				continue // "up to 19,999 lbs"
			}
			if len(words)-i >= len(p.words) && slices.Equal(words[i:i+len(p.words)], p.words) {
				return p.kind, strings.Join(p.words, " ")
			}
		}
	}
	for i, w := range words {
		switch k := foreignWords[w]; {
		case k == "", k == charge && i > 0 && asides[words[i-1]], k == charge && isListOfCharges(words):
		default:
			return k, w
		}
	}
	for i, w := range words[:len(words)-1] {
		if (w == "class" || w == "classes") && isFigure(words[i+1]) {
			return goods, w + " " + words[i+1]
		}
	}
	if w := weightOver(words); w != "" {
		return goods, w
	}
	ltl := slices.Contains(words, "ltl")
	for _, w := range words {
		if !ltl && (w == "truckload" || w == "tl" || w == "ftl") {
			return service, w
		}
	}
	return "", ""
}

// isWeightAt tells whether a weight stands at i.
func isWeightAt(words []string, i int) bool {
	for ; i < len(words); i++ {
		if !isFigure(words[i]) {
			return strings.HasPrefix(words[i], "lb") || strings.HasPrefix(words[i], "pound")
		}
	}
	return false
}

// asides stand before a charge from which the surcharge is told apart: "after discount", "before accessorials".
var asides = indexPlain(`before after excluding plus`)

// isListOfCharges tells whether a title names a part of the site: "Accessorials & Surcharges".
func isListOfCharges(words []string) bool {
	return len(words) <= 4 && slices.Contains(words, "surcharges") && strings.HasPrefix(words[0], "accessorial")
}

// weightOver is the lower limit of a weight, such as "over 10 000 pounds"; "" when there is none.
func weightOver(words []string) string {
	for i, w := range words {
		if w != "over" && w != "above" && w != "exceeding" && w != "heavier" {
			continue
		}
		end := i + 1
		for end < len(words) && (isFigure(words[end]) || words[end] == "than") {
			end++
		}
		if end > i+1 && end < len(words) && (strings.HasPrefix(words[end], "lb") || strings.HasPrefix(words[end], "pound")) {
			return strings.Join(words[i:end+1], " ")
		}
	}
	return ""
}

// pointsElsewhere tells whether a sentence says what the figures are not for, or where others are found.
func pointsElsewhere(words []string) bool {
	negated := slices.ContainsFunc(words, func(w string) bool { return negations[w] })
	if negated {
		return !slices.Contains(words, "longer") && !slices.Contains(words, "only")
	}
	return len(words) > 0 && slices.ContainsFunc(words, func(w string) bool { return pointers[w] })
}

var (
	negations = indexPlain(`not except excluding excludes excluded exclude neither nor without`)
	pointers  = indexPlain(`contact call email visit click questions chat subscribe including regardless separate separately ask see refer consult inquire`)
)

// isListWithOurs tells whether a text names LTL beside other services.
func isListWithOurs(words []string, text string) bool {
	return slices.Contains(words, "ltl") && listsLTL.MatchString(text)
}

// listsLTL finds LTL as an item of a list: "LTL, Volume and Expedited", "Truckload / LTL".
var listsLTL = regexp.MustCompile(`(?i)(\bltl\b|\btruckload\b)\)?( \w+)?\s*(,|&|/|\||\+|\band\b|\bor\b)|(,|&|/|\||\+|\band\b|\bor\b)\s*(\bltl\b|less[ -]than)`)

// isWholeCountry tells whether a text names the whole country, and not the traffic between it and another one.
func isWholeCountry(words []string) bool {
	whole := slices.ContainsFunc(words, func(w string) bool { return countryWords[w] }) ||
		strings.Contains(strings.Join(words, " "), "united states") || strings.Contains(strings.Join(words, " "), "48 states")
	between := slices.ContainsFunc(words, func(w string) bool { return w == "between" || w == "from" || w == "cross" || w == "border" })
	return whole && !between
}

var countryWords = indexPlain(`us usa conus domestic contiguous continental nationwide national`)
