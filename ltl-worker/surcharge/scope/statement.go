package scope

import (
	"fmt"
	"regexp"
	"slices"
)

// noRate says why the figure of a sentence is no rate in force; "" when it may be one.
func noRate(sentence string, words []string) string {
	switch {
	case slices.ContainsFunc(words, func(w string) bool { return hypotheses[w] }):
		return "the sentence says what may be"
	case saidIn(limitsOfRates, words) != "":
		return fmt.Sprintf("%q is no rate", saidIn(limitsOfRates, words))
	case rangesOfRates.MatchString(sentence):
		return "the figures are a range"
	case approximations.MatchString(sentence):
		return "the figure is approximate"
	case offers.MatchString(sentence):
		return "the figure is an offer"
	case changesBy.MatchString(sentence):
		return "the figure is a change"
	}
	return ""
}

// limitsOfRates stand before figures that are limits or averages of rates.
var limitsOfRates = indexPhrases([]string{"not exceed", "no more than", "at most", "as much as", "as high as", "as low as", "up to", "at least", "limited to", "on average",
	"averaged", "capped at", "ranged", "ranges from", "ltl carriers", "most carriers", "other carriers", "a year ago", "last year"})

// rangesOfRates finds "between 30% and 40%".
var rangesOfRates = regexp.MustCompile(`(?i)\bbetween\s+[\d.]+ ?(%|per ?cent|and)`)

// approximations finds "about 25%".
var approximations = regexp.MustCompile(`(?i)\b(?:about|approximately|approx\.?|roughly|around|nearly|almost|circa) [\d.]+ ?(?:%|per ?cent)`)

// offers finds an offer or a limit: "only 25%", "not more than 25%", "just 25 percent".
var offers = regexp.MustCompile(`(?i)\b(only|just|not be more than|not more than|no higher than)\s+[\d.]+ ?(%|per ?cent)`)

// changesBy finds a change: "increases by 3.5%", "an increase of 5.9%".
var changesBy = regexp.MustCompile(`(?i)\b(increas|decreas|ris|rose|fell|fall|drop|climb|declin|up|down|change|rais|hik|boost)\w*\s+(?:(?:its |our )?(?:rates?|prices?)\s+)?(by\s+|of\s+)?[\d.]+\s*(%|percent)`)

// restrictionIn says for which of the shipments a sentence restricts the figures: "Percentages are for shipments that need …".
// It is "" when there is no restriction, or one that all our shipments meet.
func restrictionIn(words []string) string {
	about := slices.ContainsFunc(words, func(w string) bool { return figureWords[w] || ownWords[w] || limiters[w] })
	for i := 0; about && i+1 < len(words); i++ {
		if !restrictable[words[i]] || !restrictive[words[i+1]] {
			continue
		}
		rest := words[i+2:]
		isSubject := !slices.ContainsFunc(words[:i], func(w string) bool { return figureWords[w] || ownWords[w] || limiters[w] }) && !refersToFigures(words)
		if len(rest) > 0 && readingVerbs[rest[0]] || isSubject {
			continue // "customers who import the list", "freight that sits on our dock keeps Friday's percentage"
		}
		other := slices.IndexFunc(rest, func(w string) bool { return !ownRestrictions[w] && !isFigure(w) && !isDateWord(w) })
		if other >= 0 && !pointsElsewhere(words) && !contrasts(words) {
			return fmt.Sprintf("%q restricts it to some shipments", rest[other])
		}
		return ""
	}
	return ""
}

var (
	restrictable    = indexPlain(`shipments freight customers orders loads moves accounts people families persons individuals shippers deliveries pickups`)
	restrictive     = indexPlain(`that which who whose requiring needing containing`)
	ownRestrictions = indexPlain(`move moves moving rated under our tariff tariffs rules pick picked up on or after tendered before weigh weighing less than
		added that which handle handled haul hauled ship shipped transport transported deliver delivered with us pounds lbs within between points the continental contiguous united states us domestic is are be subject to fuel surcharge a an
		linehaul billed by we carry all every shipment shipments truckload ltl date day week in and of from for pay pays charges charge`)
)

// readingVerbs are what customers do with a page, and not with freight.
var readingVerbs = indexPlain(`import download copy print export read audit check save automate bookmark reconcile verify compare query call ask write`)

// hypotheses are words by which the sentence of a figure says what may be, and not what is.
var hypotheses = indexPlain(`if would could might expect expects expecting anticipate anticipates likely probably perhaps maybe assume assumes
	assuming suppose supposing wish should`)
