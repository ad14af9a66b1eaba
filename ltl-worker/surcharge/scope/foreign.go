package scope

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// foreignIn names the word that makes a text one about other figures; "" when there is none.
func (j *Judge) foreignIn(words []string, text string, prose bool, how rigour) string {
	if deniesLTL(words) || isElsewhere(words) {
		return "not for LTL"
	}
	if deniesSurcharge(words) {
		return "it denies that they are surcharges"
	}
	if why := otherMeasure(text, prose); why != "" {
		return why
	}
	if showsChange(words) {
		return "the figures are a change"
	}
	k, word := foreignKind(words)
	if at := slices.IndexFunc(words, func(w string) bool { return brands[w] }); k == "" && j.OfCarrier && at >= 0 &&
		(!prose || how == statement || limits(words) || introduces(text, words) || isOwnedBy(words, at)) {
		k, word = party, words[at]
	}
	switch {
	case k == "":
		return ""
	case prose && how != statement && k == edition && !saysOfFigures(words) && !isAboutIt(words):
		return ""
	case prose && k != edition && k != charge && k != unit && slices.ContainsFunc(words, func(w string) bool { return inclusives[w] }),
		prose && k == programme && slices.ContainsFunc(words, func(w string) bool { return precedences[w] }):
		return ""
	case prose && k == programme && isUnless(words, word):
		return ""
	case prose && how != statement && (word == "general rate" || strings.HasPrefix(word, "rate increase")) && !refersToFigures(words) && !isAboutSurcharge(words):
		return ""
	case j.headedFuel && word == "general rate" && (!isAboutSurcharge(words) || isUnrelated(words)): // its percents have another heading
		return ""
	case prose && words[0] == "no" && strings.HasPrefix(word, words[1]) && !slices.Contains(words, "ltl"): // "No truckload data is offered here"
		return ""
	case prose && word == "no longer" && namesFormer(words), prose && k == programme && theirProgramme.MatchString(text):
		return ""
	case k == service && saidIn(allServices, words) != "" && slices.Contains(words, "ltl"):
		return ""
	case prose && k == service && shareOurs(words), saysSame(words) && (k == service || k == party || k == goods || k == territory):
		return ""
	case !strings.HasPrefix(word, "not ") && (prose || excludes[words[0]]) && (pointsElsewhere(words) || contrasts(words) || strings.HasPrefix(word, "minimum ") && !demonstrativesOfAll(words) || strings.HasPrefix(word, "base rate")):
		return ""
	case k == charge && how != statement && ownPercent.MatchString(text), prose && isOfOthers(words), k == charge && slices.Contains(words, "unchanged"), word == "intrastate" && slices.Contains(words, "interstate"):
		return ""
	case k == charge && prose && how != statement && isStep(text, words):
		return ""
	case k == edition && how != statement && isWorked(text, words):
		return ""
	case j.headedLTL && prose && how != statement && (word == "truckload" || word == "tl" || strings.HasPrefix(word, "over ")) && !demonstrativesOfAll(words) && (words[0] == "for" || !openers[words[0]]) && !isOfTruckload(words):
		return ""
	case j.headedLTL && prose && how != statement && !demonstrativesOfAll(words) && !j.isAboutOursToo(words) &&
		slices.ContainsFunc(words, func(w string) bool { return slices.Contains(j.otherColumns, w) }):
		return ""
	case k == unit && isOfMinimum(text, words, word, prose), prose && strings.HasSuffix(word, " mile") && isOnTheRoad(words):
		return ""
	case (k == service || word == "logistics") && isListWithOurs(words, text) && j.partyIn(words) == "" && !(prose && j.isAboutOursToo(words)), k == territory && isWholeCountry(words):
		return ""
	}
	return fmt.Sprintf("%q is %s", word, k)
}

// isOwnedBy tells whether a sentence says that the figures are those of the company whose name stands at i: "The percentages are those of XPO",
// "This table is Estes'".
func isOwnedBy(words []string, i int) bool {
	if i > 0 && words[i-1] == "old" {
		i-- // Old Dominion
	}
	return i > 0 && (words[i-1] == "of" || words[i-1] == "from" || words[i-1] == "is" || words[i-1] == "are") && pointsAtPage(words)
}

// isAboutOursToo tells whether a sentence that names another column says something of ours as well: "LTL and volume columns are for
// contract customers", "the other columns".
func (j *Judge) isAboutOursToo(words []string) bool {
	restricted := slices.ContainsFunc(words, func(w string) bool {
		k := foreignWords[w]
		return k == programme || k == party || k == territory
	})
	return slices.Contains(words, "ltl") && restricted || j.restrictsOurs(words) || saidIn(severalColumns, words) != ""
}

// restrictsOurs tells whether a sentence about another column goes on to say that ours is for a service: "…, and LTL percentages are for
// guaranteed freight".
func (j *Judge) restrictsOurs(words []string) bool {
	ltl := slices.Index(words, "ltl")
	return ltl > 0 && ltl+1 < len(words) && figureNames[words[ltl+1]] && slices.ContainsFunc(words[ltl+1:], func(w string) bool {
		return foreignWords[w] == service && !slices.Contains(j.otherColumns, w)
	})
}

var figureNames = indexAll(figureWords, surchargeWords, indexPlain(`column`))

var severalColumns = indexPhrases([]string{"other columns", "all columns", "both columns", "all the columns", "remaining columns"})

var (
	// inclusives tell that the figures are for others too: "Applies to direct and interline shipments alike".
	inclusives = indexPlain(`alike regardless whether irrespective`)
	// precedences tell that a programme stands before the figures: "Customer programs take precedence".
	precedences = indexPlain(`precedence prevail prevails override overrides`)
)

// partyIn is the first word that names another party; "" when none does.
func (j *Judge) partyIn(words []string) string {
	for _, w := range words {
		if foreignWords[w] == party && w != "logistics" || j.OfCarrier && brands[w] {
			return w
		}
	}
	return ""
}

func isAboutSurcharge(words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool {
		return strings.HasPrefix(w, "surcharge") || w == "fsc" || w == "fuel" || figureWords[w]
	})
}

// isUnrelated tells whether a sentence says that something has nothing to do with fuel: "The general rate increase has no bearing on fuel".
func isUnrelated(words []string) bool {
	return saidIn(unrelated, words) != "" && !demonstrativesOfAll(words)
}

var unrelated = indexPhrases([]string{"no bearing on", "unrelated to", "not related to", "independent of", "separate from", "apart from", "nothing to do with", "does not affect",
	"do not affect", "does not change", "leaves the fuel", "no effect on"})

// allServices name ours among others: "LTL fuel surcharge, all services: Standard, Guaranteed and Time-Definite".
var allServices = indexPhrases([]string{"all services", "all service levels", "all our services", "all ltl services", "every service", "every ltl service"})

// isUnless tells whether a sentence names the word as what may say otherwise: "unless a contract states otherwise".
func isUnless(words []string, word string) bool {
	unless := slices.Index(words, "unless")
	return unless >= 0 && slices.Contains(words[unless:], word)
}

// theirProgramme finds what others pay by: "are billed under that program".
var theirProgramme = regexp.MustCompile(`(?i)\b(that|their|those|its) (own )?(program|agreement|contract|terms|schedule|pricing|tariff)`)

// namesFormer tells whether a sentence is about a scheme that was before: "The previous schedule no longer applies".
func namesFormer(words []string) bool {
	for i, w := range words[:len(words)-1] {
		if bygone[w] && schemes[words[i+1]] {
			return true
		}
	}
	return false
}

// saysOfFigures tells whether a sentence says something of the figures or of the page.
func saysOfFigures(words []string) bool {
	return refersToFigures(words) || itself[words[0]] || slices.ContainsFunc(words, func(w string) bool {
		return surchargeWords[w] || figureWords[w] || figureNouns[w] || pageWords[w]
	})
}

// isAboutDiesel tells whether a sentence is about the price of diesel alone: "Forecasters expect diesel to fall".
func isAboutDiesel(words []string) bool {
	isPrice := slices.ContainsFunc(words, func(w string) bool { return w == "diesel" || w == "oil" || w == "crude" })
	return isPrice && words[0] != "if" && !saysOfFigures(words) && !slices.ContainsFunc(words, func(w string) bool { return w == "ltl" || limiters[w] || qualifiable[w] })
}

// saysSame tells whether a sentence says that others pay the same: "The same percentages apply to guaranteed shipments".
func saysSame(words []string) bool {
	i := slices.Index(words, "same")
	return saidIn(asHere, words) != "" || i >= 0 && i+1 < len(words) && (words[i+1] == "fuel" || isFigureOfLTL(words[i+1:], false))
}

// shareOurs tells whether a sentence says that services have the LTL figures in common: "Priority and Economy share one LTL percentage".
func shareOurs(words []string) bool {
	i := slices.IndexFunc(words, func(w string) bool { return w == "one" || w == "single" || w == "common" })
	return i >= 0 && isFigureOfLTL(words[i+1:], true) && slices.ContainsFunc(words, func(w string) bool { return shareVerbs[w] }) &&
		!slices.ContainsFunc(words, func(w string) bool { return pointing[w] })
}

// asHere end a sentence that says that others pay what is shown: "Shipments to Mexico pay up to the border as above".
var asHere = indexPhrases([]string{"pay as above", "pays as above", "pay as below", "pay as shown", "charged as above", "billed as above"})

var shareVerbs = indexPlain(`there share shares carry carries have has pay pays use uses cover covers serve serves move moves under`)

// isFigureOfLTL tells whether words begin with what a figure of ours is called, which may have to say LTL: "LTL fuel percentage".
func isFigureOfLTL(words []string, mustSay bool) bool {
	for i, w := range words {
		switch {
		case figureWords[w] || surchargeWords[w] || figureNouns[w]:
			return !mustSay || slices.Contains(words[:i], "ltl")
		case w != "ltl" && w != "fuel" && w != "weekly" && w != "standard" && w != "published":
			return false
		}
	}
	return false
}

// isWorked tells whether a sentence works out an amount: "For example, on a $200 charge at 50% the surcharge is $100".
func isWorked(text string, words []string) bool {
	return strings.Contains(text, "$") && slices.ContainsFunc(words, func(w string) bool { return w == "example" || w == "examples" })
}

// isStep tells whether a sentence is a step of working out a bill, and changes no percent: "Add the result to any accessorial charges".
func isStep(text string, words []string) bool {
	return steps[words[0]] && !strings.Contains(text, "%") && !slices.ContainsFunc(words, func(w string) bool { return demonstratives[w] || surchargeWords[w] })
}

var steps = indexPlain(`add multiply divide subtract`)

// isOfTruckload tells whether something is one of the truckload: "percentages of the truckload rate".
func isOfTruckload(words []string) bool {
	i := slices.IndexFunc(words, func(w string) bool { return w == "truckload" || w == "tl" })
	return i > 0 && slices.Contains(words[max(0, i-2):i], "of")
}

// demonstrativesOfAll tells whether a sentence points at all figures of the page, and not at those of a column.
func demonstrativesOfAll(words []string) bool {
	return !slices.Contains(words, "column") && slices.ContainsFunc(words, func(w string) bool { return w == "these" || w == "following" || w == "only" })
}

// isOnTheRoad tells whether a sentence about miles says nothing of what is paid for them: "Fuel moves every mile of freight we haul".
func isOnTheRoad(words []string) bool {
	return !saysOfFigures(words) && !slices.ContainsFunc(words, func(w string) bool { return paidWords[w] || strings.HasPrefix(w, "charge") })
}

var paidWords = indexPlain(`pay pays paid cost costs cent cents dollar dollars usd add adds added apply applies applied bill bills billed
	rate rates price priced prices per fee fees amount amounts multiply times`)

func foreignKind(words []string) (kind, string) {
	for i, w := range words {
		for _, p := range phrasesFrom[w] {
			if isUpperLimit(words, i) {
				continue
			}
			if isPhraseAt(words[i:], p.words) {
				return p.kind, strings.Join(p.words, " ")
			}
		}
	}
	for i, w := range words {
		switch k := foreignWords[w]; {
		case k == "" && foreignWords[strings.TrimSuffix(w, "s")] == edition && len(w) > 5:
			return edition, w
		case (k == programme || k == charge) && i > 0 && words[i-1] == "non": // "the general (non-contract) surcharge"
		case k == "", isUpperLimit(words, i), isOfTime(words, i), k == charge && i > 0 && words[i-1] == "no", isOfSite(words, i), k == charge && isBehindAside(words, i), k == charge && isListOfCharges(words):
		default:
			return k, w
		}
	}
	for i, w := range words[:len(words)-1] {
		if i > 0 && (words[i+1] == "mile" || words[i+1] == "miles") && perWords[w] {
			return unit, w + " " + words[i+1]
		}
		if w == "ltl" && tierWords[words[i+1]] {
			return service, w + " " + words[i+1]
		}
		if (w == "class" || w == "classes") && isFigure(words[i+1]) && (i == 0 || words[i-1] != "all") {
			return goods, w + " " + words[i+1]
		}
	}
	if isPerGallon(words) {
		return unit, "per gallon"
	}
	if w := weightOver(words); w != "" {
		return goods, w
	}
	if w := eachWeight(words); w != "" {
		return unit, w
	}
	ltl := slices.Contains(words, "ltl")
	for _, w := range words {
		if !ltl && (w == "truckload" || w == "tl" || w == "ftl") {
			return service, w
		}
	}
	return "", ""
}

// isPerGallon tells whether a title says that something is for each gallon, and not that it is a price.
func isPerGallon(words []string) bool {
	i := slices.Index(words, "gallon")
	return i > 0 && words[i-1] == "per" && len(words) <= 4 && !slices.ContainsFunc(words, func(w string) bool { return priceNouns[w] || w == "cost" || w == "usd" })
}

// isPhraseAt tells whether words begin with a phrase, or with its plural: "trade shows".
func isPhraseAt(words, phrase []string) bool {
	last := len(phrase) - 1
	return len(words) > last && slices.Equal(words[:last], phrase[:last]) && (words[last] == phrase[last] || words[last] == phrase[last]+"s")
}

// tierWords behind "LTL" name a product of its own: "LTL Plus".
var tierWords = indexPlain(`plus select premier advantage choice prime elite max pro accelerated flex`)

var perWords = indexPlain(`a per each every loaded`)

// isOfTime tells whether a territory is a time zone: "5 p.m. Eastern", "Central time".
func isOfTime(words []string, i int) bool {
	return zones[words[i]] && (i+1 < len(words) && (words[i+1] == "time" || words[i+1] == "standard") || slices.ContainsFunc(words[max(0, i-2):i], func(w string) bool {
		return w == "am" || w == "pm" || w == "m" || w == "noon" || w == "midnight" || w == "times" || w == "clock" || w == "o'clock"
	}))
}

var zones = indexPlain(`eastern central mountain pacific`)

// ownPercent finds the figure of a line that is about something else: "98.7% on-time".
var ownPercent = regexp.MustCompile(`^\W*[\d.]+ ?%`)

// indexPhrases are phrases, word by word, by their first word.
func indexPhrases(texts []string) map[string][][]string {
	all := map[string][][]string{}
	for _, text := range texts {
		words := strings.Fields(text)
		all[words[0]] = append(all[words[0]], words)
	}
	return all
}

// saidIn is the first of the phrases that the words hold; "" when they hold none.
func saidIn(phrases map[string][][]string, words []string) string {
	for i, w := range words {
		for _, p := range phrases[w] {
			if len(words)-i >= len(p) && slices.Equal(words[i:i+len(p)], p) {
				return strings.Join(p, " ")
			}
		}
	}
	return ""
}

// showsChange tells whether a sentence says that the figures are a change of something: "The percentages show the change in
// the diesel price".
func showsChange(words []string) bool {
	for i, w := range words {
		if !figureWords[w] || saidIn(maySubject, words) != "" {
			continue
		}
		after := words[i+1 : min(i+7, len(words))]
		shows := slices.IndexFunc(after, func(w string) bool { return showWords[w] })
		if shows >= 0 && slices.ContainsFunc(after[shows:], func(w string) bool { return changeWords[w] }) {
			return true
		}
	}
	return false
}

var maySubject = indexPhrases([]string{"subject to change", "may change", "can change", "will change"})

var (
	figureWords = indexPlain(`percentage percentages percents figure figures columns values numbers`)
	showWords   = indexPlain(`show shows represent represents measure measures express expresses indicate indicates is are compare compares`)
	changeWords = indexPlain(`change changes difference differences growth variance increase decrease movement`)
)

// isOfOthers tells whether a sentence has another subject than the figures: "Residential fees are listed in the rules tariff",
// "Interline shipments pay the surcharge of the first carrier". It does not where it points at the figures.
func isOfOthers(words []string) bool {
	verb := slices.IndexFunc(words, func(w string) bool { return predicates[w] })
	if verb < 1 || pointsAtPage(words) || saidIn(chargedSo, words) != "" {
		return false
	}
	subject := words[:verb]
	if slices.ContainsFunc(subject, func(w string) bool { return ownWords[w] }) {
		return false
	}
	k, _ := foreignKind(subject)
	return k != "" && k != edition || slices.ContainsFunc(subject, func(w string) bool { return foreignWords[w] != "" && foreignWords[w] != edition })
}

// chargedSo point at the figures: "Shipments to Puerto Rico are charged as follows".
var chargedSo = indexPhrases([]string{"as follows", "this way", "like this", "charged so", "billed so", "by this table", "by the table", "from this table", "under this table"})

// pointsAtPage tells whether a sentence points at the figures of the page, or at the page. What is listed in or on something is elsewhere.
func pointsAtPage(words []string) bool {
	for i, w := range words {
		if pointingWords[w] && !isListedElsewhere(words, i) {
			return true
		}
	}
	return false
}

// isListedElsewhere tells whether the word at i leads to where something is listed: "listed in the rules tariff".
func isListedElsewhere(words []string, i int) bool {
	w := words[i]
	return (w == "shown" || w == "listed" || w == "displayed") && i+1 < len(words) && prepositionsOfPaper[words[i+1]]
}

var (
	pointingWords       = indexAll(demonstratives, indexPlain(`this here only same page`))
	prepositionsOfPaper = indexPlain(`in on at under by`)
)

var (
	predicates = indexPlain(`is are was were carry carries have has incur incurs cost costs require requires may can will rose fell stayed averaged
		climbed dropped expect expects believe say says forecast pay pays follow follows take takes use uses receive receives get gets fall
		falls keep keeps`)
	// ownWords are those by which a sentence speaks of the figures on the page.
	ownWords = indexPlain(`surcharge surcharges fsc fuel percent percents percentage percentages table figures figure rates these following below
		above this only`)
)

// asides stand before a charge from which the surcharge is told apart: "after discount", "before accessorials".
var asides = indexPlain(`before after excluding plus less`)

// ownersOfAside may stand between: "after your discount".
var ownersOfAside = indexPlain(`your our any all the its their each every applicable a`)

// isBehindAside tells whether the charge at i is told apart so: "linehaul charges after application of any discount".
func isBehindAside(words []string, i int) bool {
	if i > 2 && ownersOfAside[words[i-1]] && asides[words[i-2]] || i > 1 && asides[words[i-1]] || i == 1 && words[0] != "after" && asides[words[0]] {
		return true
	}
	isOnCharges := i+2 < len(words) && words[i+1] == "on" &&
		slices.ContainsFunc(words[i+2:min(i+5, len(words))], func(w string) bool { return chargesBefore[w] })
	if isOnCharges && slices.Contains(words[max(0, i-3):i], "after") {
		return true // "after any discount on the linehaul"
	}
	for at := max(1, i-4); at < i; at++ { // "line-haul net of any discount", "take the line-haul charge, subtract your discount"
		if (words[at] == "net" && words[at+1] == "of" || subtracting[words[at]]) && chargesBefore[words[at-1]] {
			return true
		}
	}
	return slices.ContainsFunc(words[max(0, i-4):i], func(w string) bool { return asides[w] }) &&
		slices.ContainsFunc(words[:i], func(w string) bool { return chargedOn[w] })
}

var (
	// chargesBefore are the charges that are net of something.
	chargesBefore = indexPlain(`linehaul haul freight charge charges revenue transportation`)
	subtracting   = indexPlain(`minus subtract subtracting deduct deducting`)
)

// isListOfCharges tells whether a title names a part of the site: "Accessorials & Surcharges".
func isListOfCharges(words []string) bool {
	return len(words) <= 4 && slices.Contains(words, "surcharges") && slices.Contains(words, "accessorials")
}

// isOfSite tells whether the word at i is what a site does and not what the figures are: "Export: CSV", "get a quote".
func isOfSite(words []string, i int) bool {
	if beside := harmlessBeside[words[i]]; beside != nil {
		return slices.ContainsFunc(words, func(w string) bool { return beside[w] })
	}
	return false
}

// harmlessBeside are foreign words that mean something else beside others: the "retail price" of diesel, "export: CSV",
// "your account manager".
var harmlessBeside = func() map[string]map[string]bool {
	all := map[string]map[string]bool{}
	for words, beside := range map[string]string{
		"export exports":           "csv excel xml pdf xls xlsx json options option data table print download",
		"import imports":           "csv excel tms file files spreadsheet list",
		"quote quotes":             "a rate every your free get instant request online shipping",
		"retail":                   "price prices diesel highway average averages doe eia gasoline survey pump",
		"tax taxes":                "price prices gallon gallons",
		"account accounts":         "open create log login my manager managers receivable payable executive executives representative representatives rep team sign",
		"weather hurricane winter": "alert alerts delay delays delayed closed closure closures news",
		"season seasonal":          "delay delays holiday greetings",
		"accessorial accessorials": "rules tools tariffs",
		"agent agents":             "chat help",
		"test":                     "drive pilot",
		"efficiency":               "committed sustainability improve improving",
		"partner partners":         "your trusted supply smartway",
		"toll":                     "free",
		"example examples":         "calculate calculation multiply questions",
		"estimated":                "reading",
		"calculator":               "our new try use",
		"calculator estimate":      "rate rates density freight class tools cost shipping",
	} {
		for word := range strings.FieldsSeq(words) {
			all[word] = indexAll(all[word], indexPlain(beside))
		}
	}
	return all
}()

// pointsElsewhere tells whether a sentence says what the figures are not for, or where others are found.
func pointsElsewhere(words []string) bool {
	negated := slices.ContainsFunc(words, func(w string) bool { return negations[w] })
	if negated {
		return !slices.Contains(words, "longer") && !slices.Contains(words, "only")
	}
	shows := slices.ContainsFunc(words, func(w string) bool { return w == "following" || w == "these" || w == "below" || w == "above" })
	return slices.ContainsFunc(words, func(w string) bool { return pointers[w] && (!shows || !strings.HasPrefix(w, "quot")) }) ||
		!pointsAtPage(words) && saidIn(chargedSo, words) == "" && isKeptElsewhere(words) || slices.ContainsFunc(onRequest, func(p string) bool { return strings.Contains(strings.Join(words, " "), p) })
}

var (
	negations = indexPlain(`not never except excluding excludes excluded exclude neither nor without`)
	pointers  = indexPlain(`contact call email visit click questions chat subscribe including regardless separate separately ask see refer consult inquire request quoted quotation`)
	onRequest = []string{"available from", "available by", "available at", "available through", "listed separately", "published elsewhere", "published at", "posted at", "found at", "found on",
		"listed at", "available on"}
)

// isKeptElsewhere tells whether a sentence says where something is published: "are listed on fedex.com".
func isKeptElsewhere(words []string) bool {
	for i, w := range words[:len(words)-1] {
		if publishedVerbs[w] && (prepositionsOfPaper[words[i+1]] || words[i+1] == "separately" || words[i+1] == "elsewhere") {
			return true
		}
	}
	return false
}

var publishedVerbs = indexPlain(`listed published posted shown found available quoted provided kept maintained given`)

// excludes begin a line that says what the figures are not for: "Not applicable to accessorial charges".
var excludes = indexPlain(`not excludes excluding except`)

// contrasts tells whether a sentence sets other shipments apart from those of the figures: "A different surcharge applies to
// Mexico", "Shipments of 20,000 pounds or more pay the truckload surcharge". It does not where it points at the figures.
func contrasts(words []string) bool {
	if namesAnother(words) || isShownElsewhere(words) {
		return true
	}
	if opensScope(words) && isFragment(words) || slices.ContainsFunc(words, func(w string) bool { return demonstratives[w] || w == "only" || w == "this" }) ||
		saidIn(comparisons, words) != "" {
		return false
	}
	return slices.ContainsFunc(words, func(w string) bool { return contrastWords[w] })
}

// isShownElsewhere tells whether a sentence is about figures that another paper shows: "Volume quotes carry their own fuel, shown on the
// quote".
func isShownElsewhere(words []string) bool {
	for i := 0; i+3 < len(words); i++ {
		if demonstratives[words[i]] && (words[i+1] == "on" || words[i+1] == "in") && papers[words[min(i+3, len(words)-1)]] {
			return true
		}
	}
	return false
}

var papers = indexPlain(`quote quotes invoice invoices bill contract contracts agreement agreements confirmation`)

// namesAnother tells whether a sentence speaks of another table than the one that is shown: "Contracts may have a different table".
func namesAnother(words []string) bool {
	for i, w := range words {
		if others[w] && slices.ContainsFunc(words[i+1:min(i+3, len(words))], func(w string) bool { return figureNouns[w] || surchargeWords[w] || w == "index" || w == "program" }) {
			return !slices.ContainsFunc(words, func(w string) bool { return pointing[w] })
		}
	}
	return false
}

var others = indexPlain(`different another separate own`)

var pointing = indexPlain(`these following below above shown listed displayed this only`)

// comparisons name the week with which figures are compared.
var comparisons = indexPhrases([]string{"same week", "same period", "same month"})

var contrastWords = indexPlain(`different differ differs own another separate same respective truckload truckloads tl ftl`)

// deniesLTL tells whether a text says that the figures are not for LTL.
func deniesLTL(words []string) bool {
	not := slices.IndexFunc(words, func(w string) bool { return w == "not" || w == "excludes" || w == "excluding" || w == "except" })
	if not < 0 {
		return false
	}
	ltl := slices.Index(words[not:], "ltl")
	return ltl > 0 && !slices.ContainsFunc(words[not:not+ltl], func(w string) bool { return foreignWords[w] != "" || w == "truckload" }) &&
		!slices.ContainsFunc(words[not+ltl:], func(w string) bool { return foreignWords[w] != "" })
}

// isElsewhere tells whether a text says that the surcharge for LTL is not the one that is shown: "carries the LTL fuel surcharge, which
// is not shown here".
func isElsewhere(words []string) bool {
	ltl := slices.Index(words, "ltl")
	return ltl >= 0 && saidIn(absences, words[ltl:]) != ""
}

var absences = indexPhrases([]string{"not shown", "not listed here", "not published here", "not given here", "not on this page", "not displayed"})

// isListWithOurs tells whether a text names LTL beside other services.
func isListWithOurs(words []string, text string) bool {
	i := slices.Index(words, "ltl")
	if i > 0 && (words[i-1] == "one" || words[i-1] == "single") {
		return false // "share one LTL percentage, shown below"
	}
	isKind := i > 0 && foreignWords[words[i-1]] == service && !strings.ContainsAny(text, ",;/+")
	namesSurcharge := i > 0 && i == len(words)-1 && surchargeWords[words[i-1]] // "Trade show surcharge, LTL"
	return i >= 0 && !isKind && !namesSurcharge && listsLTL.MatchString(figuresIn.ReplaceAllString(text, ""))
}

// figuresIn are the figures of a text.
var figuresIn = regexp.MustCompile(`:? *\$?\d[\d.,]* *%?`)

// listsLTL finds LTL as an item of a list: "LTL, Volume and Expedited", "Truckload / LTL".
var listsLTL = regexp.MustCompile(`(?i)(\bltl\b|\btruckload\b)\)?( \w+)?\s*(,|&|/|\||\+|\band\b|\bor\b)|(,|&|/|\||\+|\band\b|\bor\b)\s*(\bltl\b|less[ -]than)`)
