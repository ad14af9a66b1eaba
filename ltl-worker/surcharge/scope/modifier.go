package scope

import (
	"slices"
	"strings"
)

// Most qualifiers are made of words that nobody could list: "Weekend pickups", "Mattress shippers", "Trade fair freight". What
// they have in common is their place: they stand right before what is shipped, who ships it, or what it is shipped under. There
// only few words leave the figures ours, and those can be listed.

// modifierIn is the first word that stands before a noun of the trade and is not known to leave it ours; "" when there is none.
// In a title all such words count.
func (j *Judge) modifierIn(sentence string) string {
	for part := range strings.FieldsFuncSeq(titleSigns.Replace(sentence), func(r rune) bool { return strings.ContainsRune(",:;()[]<>–—/&|", r) }) {
		if word := j.modifierInPart(j.withoutNames(wordsOf(part))); word != "" {
			return word
		}
	}
	return ""
}

func (j *Judge) modifierInPart(words []string) string {
	words = withoutTariffCodes(words)
	for i, noun := range words {
		isLineHaul := noun == "line" && i+1 < len(words) && words[i+1] == "haul"
		if !qualifiable[noun] || isLineHaul || !endsPhrase(words, i) {
			continue
		}
		if word := j.foreignModifier(words[:i], !surchargeWords[noun] && !listNouns[noun]); word != "" {
			return word
		}
	}
	return ""
}

// withoutTariffCodes leaves out the letters of the numbers of tariffs: "FXF" of "FXF 100 Series Rules Tariff".
func withoutTariffCodes(words []string) []string {
	if !slices.Contains(words, "tariff") {
		return words
	}
	var kept []string
	for i, w := range words {
		if len(w) > maxTariffCode || isFigure(w) || !isTariffCode(words, i) || everyday[w] || qualifiable[w] || foreignWords[w] != "" {
			kept = append(kept, w)
		}
	}
	return kept
}

// maxTariffCode is the most letters before the number of a tariff.
const maxTariffCode = 4

// listNouns are what figures are listed in.
var listNouns = indexPlain(`schedule schedules scale scales answers`)

// restricts tells whether a title ends with "only" and what comes before it is not known to be ours: "Hub-to-hub only".
func (j *Judge) restricts(words []string) bool {
	return len(words) > 1 && words[len(words)-1] == "only" && slices.ContainsFunc(words[:len(words)-1], func(w string) bool {
		return !ownModifiers[w] && !qualifiable[w] && !functionWords[w] && !isFigure(w) && !isDateWord(w) && !j.isNamePart(w) && !ownOnly[w]
	})
}

var ownOnly = indexPlain(`use purposes information reference members lbs pounds pound column columns charges charge`)

// endsPhrase tells whether the noun at i is no part of a longer name: "shipper" of "shipper tools".
func endsPhrase(words []string, i int) bool {
	if i+1 < len(words) && strings.HasSuffix(words[i], "s") && commonVerb[words[i+1]] {
		return true // "new customers pay"
	}
	return i+1 == len(words) || isFigure(words[i+1]) || functionWords[words[i+1]] || ownModifiers[words[i+1]] || isDateWord(words[i+1])
}

// foreignModifier goes back from a noun to where its phrase begins. shipping is set for a noun of what is shipped, how or for
// whom. A verb at the beginning of a title is no modifier: "Track
// shipments", "Shipping freight".
func (j *Judge) foreignModifier(before []string, shipping bool) string {
	for i := len(before) - 1; i >= 0; i-- {
		w := before[i]
		switch {
		case functionWords[w], qualifiable[w] && i > 0 && functionWords[before[i-1]]:
			return ""
		case shipping && inShipping[w]:
			return w
		case ownModifiers[w], shipping && qualifiable[w], isFigure(w), isDateWord(w) && !shipping, j.isNamePart(w), len(w) == 1:
		case i == 0 && (verbForms[w] && !shipping || imperatives[w]):
		case i > 0 && verbForms[w] && !functionWords[before[i-1]] && (!shipping || strings.HasSuffix(w, "s")): // "The chart below displays recent percentages"
			return ""
		default:
			return w
		}
	}
	return ""
}

var (
	qualifiable = indexPlain(`shipment shipments freight customer customers shipper shippers account accounts service services lane lanes load loads
		traffic move moves order orders point points program programs programme plan tariff division terminal terminals delivery deliveries
		pickup pickups carrier carriers member members company companies product products goods cargo lines line contract contracts
		agreement tier level levels group groups network region area areas market markets product
		schedule schedules scale scales answers
		surcharge surcharges fsc percent percents percentage percentages rate rates`)
	functionWords = indexPlain(`a an the this that these those our your their its his her my all any each every some no both either such
		and or but nor if then than as at by for from in into of off on onto out over per through to under up upon with within without via
		is are was were be been being has have had do does did will would shall should can could may might must
		how what when where which who why whose it we you they i there here not only also between s`)
	// ownModifiers are the words that leave a noun of the trade ours.
	ownModifiers = indexPlain(`ltl tl active rpt report less than truckload standard regular general common domestic national nationwide interstate us usa united states
		continental contiguous conus lower fuel diesel gas energy doe eia surcharge surcharges fsc adjustment percent percents percentage percentages pct rate rates rating tariff tariffs rules
		published posted previously current currently latest newest recent upcoming next new last past previous prior old older earlier later former historic historical history weekly week weeks week's daily
		monthly month months year years annual quarter today today's tomorrow's now effective applicable applied following below above shown listed
		official public basic base normal typical ordinary total net linehaul haul line freight shipping shipment shipments transportation transport trucking truck motor carrier carriers carrier's
		customer customers customer's shipper shippers other another remaining same different own separate individual respective individual most many more few several various certain
		company company's corporate interactive online quick key main important full complete entire whole average index indexed national price prices priced
		per month's year's direct regional's day day's first second third one two three four five six seven eight nine ten twelve dozen half
		service services scheduled schedule table chart final actual exact correct minimum's valued valuable loyal new dear
		item items section paragraph series class commodity commodities pricing pickup delivery inbound outbound collect prepaid
		north american way`)
	// inShipping tell shipments apart where they do not tell percents apart: "Second day service", "First customers".
	inShipping = indexPlain(`active first second third day daily key new priced direct inbound outbound monthly year price prices`)
	// imperatives begin titles of what a site does: "Track shipments".
	imperatives = indexAll(inflectAll(`track ship view find schedule see get check manage request search trace move pay print download learn understand
		calculate rate book arrange plan contact call`))
	verbForms = inflectAll(commonVerbs)
	// commonVerb are the verbs that follow a noun in the plural.
	commonVerb = indexPlain(commonVerbs)
)

func inflectAll(verbs string) map[string]bool {
	all := map[string]bool{}
	for verb := range strings.FieldsSeq(verbs) {
		for _, form := range inflect(verb) {
			all[form] = true
		}
	}
	return all
}
