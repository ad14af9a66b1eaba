package scope

import (
	"slices"
	"strings"
)

// isWholeCountry tells whether a text names the whole country, and not the traffic between it and another one.
func isWholeCountry(words []string) bool {
	if joinsCountries(words) {
		return false
	}
	whole := namesCountry(words) ||
		strings.Contains(strings.Join(words, " "), "united states") || strings.Contains(strings.Join(words, " "), "48 states") ||
		strings.Contains(strings.Join(words, " "), "all 50 states")
	if strings.Contains(strings.Join(words, " "), "virgin islands") && !slices.ContainsFunc(words, func(w string) bool { return countryWords[w] && w != "us" }) {
		return false // of the U.S.
	}
	between := slices.ContainsFunc(words, func(w string) bool { return w == "between" || w == "cross" || w == "border" })
	if i := slices.Index(words, "from"); i >= 0 && i+1 < len(words) && !isFigure(words[i+1]) {
		between = true
	}
	return whole && !between
}

// namesCountry tells whether a text names the whole country for something else than the price of diesel: not in "U.S. average
// price".
func namesCountry(words []string) bool {
	for i, w := range words {
		if w == "domestic" && slices.ContainsFunc(words, func(w string) bool { return abroad[w] }) {
			continue // "Canadian domestic", "Domestic LTL within Canada"
		}
		if countryWords[w] && !slices.ContainsFunc(words[i+1:min(i+4, len(words))], func(w string) bool { return priceNouns[w] }) {
			return true
		}
	}
	return false
}

var priceNouns = indexPlain(`average averages avg diesel price prices retail highway dollars gallons department energy doe index`)

// joinsCountries tells whether a text names the traffic between the country and another one: "U.S. to Mexico",
// "US-Canada".
func joinsCountries(words []string) bool {
	for i, w := range words {
		next := i + 1
		if !countryWords[w] && w != "states" {
			continue
		}
		if next < len(words) && (words[next] == "to" || words[next] == "into") {
			next++
		}
		if next < len(words) && abroad[words[next]] {
			return true
		}
	}
	return false
}

// isSiteAbroad tells whether a short line says that the site is that of another country: "You are viewing: Canada (English)".
func isSiteAbroad(text string) bool {
	words := wordsOf(text)
	return len(words) <= maxLabel && !isWholeCountry(words) && slices.ContainsFunc(words, func(w string) bool { return abroad[w] }) &&
		slices.ContainsFunc(words, func(w string) bool { return siteOf[w] })
}

var siteOf = indexPlain(`viewing site country edition location`)

var countryWords = indexPlain(`us usa conus domestic contiguous continental nationwide national`)
