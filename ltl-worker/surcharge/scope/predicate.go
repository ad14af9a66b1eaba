package scope

import "strings"

// A sentence that says what the figures are is of a closed world too: "The percentages are based on the national average" is known to leave
// them ours. "The figures are cents" and "These are placeholders" are not known, whatever they mean.

// saidToBe is the word by which a sentence says what the figures are, where that is not known to be ours; "" where it says nothing of the kind.
func saidToBe(words []string) string {
	be := beOfFigures(words)
	if be == 0 {
		return ""
	}
	rest := words[be+1:]
	for len(rest) > 0 && adverbsOfFigures[rest[0]] {
		rest = rest[1:]
	}
	if len(rest) == 0 || saidOfFigures[rest[0]] || describes(rest[0]) || strings.HasSuffix(rest[0], "ed") || isFigure(rest[0]) || isDateWord(rest[0]) {
		return ""
	}
	if !nounOpeners[rest[0]] {
		return rest[0]
	}
	for _, w := range rest[1:min(len(rest), 6)] {
		if nounsOfFigures[w] {
			return ""
		}
	}
	return rest[min(1, len(rest)-1)]
}

// beOfFigures is where the verb stands of a sentence that begins with the figures, as that of "The percentages shown above are …"; 0 for none.
func beOfFigures(words []string) int {
	if len(words) < 3 || !openersOfFigures[words[0]] {
		return 0
	}
	isFigures := words[0] == "these" || words[0] == "those"
	for i := 1; i < min(len(words)-1, 7); i++ {
		switch w := words[i]; {
		case w == "are":
			if isFigures {
				return i
			}
			return 0
		case pluralFigures[w]:
			isFigures = true
		case !besideFigures[w]:
			return 0
		}
	}
	return 0
}

var (
	openersOfFigures = indexPlain(`these those the our all`)
	pluralFigures    = indexPlain(`percentages percents figures numbers values surcharges rates`)
	besideFigures    = indexPlain(`ltl fuel surcharge weekly current published posted standard general public shown listed above below here on this page in the table
		column following printed given stated percentage rate`)
	adverbsOfFigures = indexPlain(`also then always now currently usually normally generally still only therefore thus all both each simply automatically`)
	nounOpeners      = indexPlain(`the a an our your those that what one`)
	// saidOfFigures are what figures may be said to be, besides what is said by participles and adjectives: "based on", "available".
	saidOfFigures = indexPlain(`at from by of as per for in on no not never non here that taken drawn found given shown known written set kept put reset due ours yours
		net percent percentages percents surcharges weekly national nationwide domestic standard general public official same twice less better good easy simple clear
		fair low high up down live online open free correct final fixed current exact true firm steady stable ready last alike equal uniform what ltl revenue separate
		among subject transparent independent under within identical mandatory driven binding valid effective legal final rising falling changing moving
		constant essential important necessary`)
	nounsOfFigures = indexPlain(`percentage percentages percent percents surcharge surcharges rate rates figures ones one same national average price prices index
		linehaul charge charges weekly published standard ltl those we you result product`)
)
