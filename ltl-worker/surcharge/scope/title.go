package scope

import (
	"cmp"
	"slices"
)

// A title says for what its figures are behind a preposition: "Rates for guests of the fair", "Values under dispute", "Fuel plus tolls".
// There only words count as neutral that leave the figures ours.

// relationIn is the word by which a title says that its figures are for something else, in another state, or of something more; "" when
// there is none.
func relationIn(words []string) string {
	for i := 1; i+1 < len(words); i++ {
		switch w, before := words[i], words[i-1]; {
		case w == "for" && figuresOfTitle[before], w == "under" && i > 0 && figuresOfTitle[before]:
			if word := foreignObject(words[i+1:]); word != "" {
				return word
			}
		case w == "plus" && figuresOfTitle[before] && !figuresOfTitle[words[i+1]]:
			return words[i+1]
		}
	}
	return cmp.Or(baseIn(words), averageIn(words), originIn(words))
}

// figuresOfTitle are what a title calls its figures.
var figuresOfTitle = indexPlain(`surcharge surcharges fsc rate rates percentage percentages percents figures values numbers amounts fuel table schedule scale`)

// foreignObject is the first word of an object that is not known to leave the figures ours.
func foreignObject(words []string) string {
	for _, w := range words {
		switch {
		case functionWords[w] && w != "to" && w != "from" && w != "by" && w != "of":
		case functionWords[w], w == "on":
			return ""
		case ownModifiers[w], qualifiable[w], isFigure(w), isDateWord(w), ownObjects[w], len(w) == 1:
		default:
			return w
		}
	}
	return ""
}

// forSome is the word by which a sentence says for what shipments figures are and nothing else: "For trailers that are dropped.", "For non-profit
// organizations."; "" where it has a verb of its own, or names all.
func forSome(words []string) string {
	if words[0] != "for" || len(words) < 2 {
		return ""
	}
	end := slices.IndexFunc(words, func(w string) bool { return w == "that" || w == "which" || w == "who" || w == "whose" || w == "valued" })
	if end < 0 {
		end = len(words)
	}
	for i, w := range words[1:end] {
		if verbs[w] || finite[w] || predicates[w] || pointers[w] || bareVerbs[w] || invitations[w] || imperatives[w] || isPredicate(w, words[i]) || w == "and" {
			return ""
		}
	}
	if word := foreignObject(words[1:end]); word != "" || end == len(words) {
		return word
	}
	return words[end]
}

// ownObjects are what figures are for that are ours.
var ownObjects = indexPlain(`informational convenience guidance clarity assistance support example instance accounting records day days hours month months year years week weeks date dates period reference calculation calculations information purposes details review download budgeting planning
	us you everyone everybody all points lbs pounds moving picked tendered shipping effective tracking invoice invoices history archive work help questions today tomorrow
	truckload tl diesel linehaul charges charge carriers holiday holidays quarter season print printing viewing viewers screen mobile device devices pickup ship additional more
	commercial general lookup audit auditing auditors fiscal calendar upcoming dot doe eia department energy prices price`)

// baseIn is the word by which a title says that its figures are counted from a base: "Points above base", "Index, base 100".
func baseIn(words []string) string {
	at := slices.Index(words, "base")
	if at < 1 || len(words) > maxLabel {
		return ""
	}
	isLast, isNumbered := at == len(words)-1, at+1 < len(words) && isFigure(words[at+1])
	if isLast && (words[at-1] == "above" || words[at-1] == "over" || words[at-1] == "from") || isNumbered && slices.Contains(words, "index") {
		return "base"
	}
	return ""
}

var averageWords = indexPlain(`average averages avg ave mean`)

// averageIn is the word by which a title says that its figures are an average or a share, and not that it has the average price of diesel.
func averageIn(words []string) string {
	if slices.ContainsFunc(words, func(w string) bool {
		return !averageWords[w] && (priceNouns[w] || countryWords[w] || w == "fuel" || w == "weekly")
	}) {
		return ""
	}
	for i, w := range words {
		if averageWords[w] || w == "share" && i+1 < len(words) && words[i+1] == "of" && !isOfCharge(words[i+2:]) {
			return w
		}
	}
	return ""
}

// originIn is the word by which a title says that its figures were taken from elsewhere, or are those at a price: "Copied from another site",
// "At $4.00 diesel".
func originIn(words []string) string {
	if words[0] == "at" && len(words) > 1 && isFigure(words[1]) {
		return words[0]
	}
	for i, w := range words[:len(words)-1] {
		if takenFrom[w] && words[i+1] == "from" {
			return w
		}
	}
	return ""
}

var takenFrom = indexPlain(`copied taken reprinted borrowed adapted excerpted extracted pasted scraped`)
