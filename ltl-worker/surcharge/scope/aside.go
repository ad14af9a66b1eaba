package scope

import (
	"regexp"
	"slices"
	"strings"

	"assay.dev/platform/scrape/table"
)

// Some lines speak of another service or another place and still say nothing of the figures: a menu, the address of the head office, what
// another service costs on top.

// isMenu tells whether a line is the menu of the site, its items parted by bars: "Freight Shipping | Expedited LTL | Tools | About R+L".
// At least two of the items are those of all sites, one of them behind those that name a service, and none names fuel or a place.
func (j *Judge) isMenu(line string) bool {
	items := strings.FieldsFunc(line, func(r rune) bool { return r == '|' || r == '·' || r == '•' })
	if len(items) < 4 {
		return false
	}
	ofSite, isLast := 0, false
	for _, item := range items {
		words := j.withoutNames(wordsOf(item))
		mayBeService := slices.DeleteFunc(slices.Clone(words), func(w string) bool { return w == "truckload" })
		if len(words) > maxMenuItem || len(mayBeService) > 0 && mayBeOfFigures(mayBeService) {
			return false
		}
		isLast = len(words) > 0 && (isSiteTitle(words) || menuWords[words[len(words)-1]])
		if isLast {
			ofSite++
			continue
		}
		if k, _ := foreignKind(append(words, "")); k != "" && k != service {
			return false
		}
	}
	return ofSite > 1 && isLast
}

// isInMenu tells whether the line at i stands among at least three further short lines, of which two are parts of all sites: "Services",
// "Guaranteed delivery", "Tools", "Contact us".
func isInMenu(remarks []table.Remark, i int) bool {
	isItem := func(r table.Remark) bool {
		isLine := r.Place == table.Near || r.Place == table.Kicker || r.Place == table.Above || r.Place == table.Below
		return isLine && len(strings.Fields(r.Text)) <= maxMenuItem && !strings.ContainsAny(r.Text, ".:%$0123456789")
	}
	begin, end := i, i
	for begin > 0 && isItem(remarks[begin-1]) {
		begin--
	}
	for end < len(remarks) && isItem(remarks[end]) {
		end++
	}
	ofSite := 0
	for _, r := range remarks[begin:end] {
		if words := wordsOf(r.Text); len(words) > 0 && (isSiteTitle(words) || menuWords[words[len(words)-1]]) {
			ofSite++
		}
	}
	return i < end && end-begin > 3 && ofSite > 1
}

// maxMenuItem is the most words of an item of a menu.
const maxMenuItem = 4

var menuWords = indexPlain(`login register account search contact tools quote track home forms documents downloads glossary faq faqs calculator`)

// isHeadOffice tells whether a line is the place of the carrier's office, with the whole name of a contiguous state, behind the carrier's
// name or a label: "Saia LTL Freight, Johns Creek, Georgia | (800) 765-7242", "Headquarters: Johns Creek, Georgia". A state alone behind
// the name may be the place of the figures.
func (j *Judge) isHeadOffice(line string) bool {
	label := labelOfOffice.FindString(line)
	line = strings.Trim(telephone.ReplaceAllString(line[len(label):], ""), " .,|·•–—-")
	parts := strings.Split(strings.ReplaceAll(line, " · ", ", "), ", ")
	n := len(parts) - 1
	isNamed := n == 2 || n == 3 && isIncorporated(parts[1])
	if !isNamed && (n != 1 || label == "") {
		return false
	}
	if isNamed {
		names := wordsOf(parts[0])
		rest := j.withoutNames(names)
		if len(rest) == len(names) || slices.ContainsFunc(rest, func(w string) bool { return !companyWords[w] && w != "ltl" }) {
			return false
		}
	}
	city, state := wordsOf(parts[n-1]), wordsOf(parts[n])
	return isTown(city) && len(state) > 0 && isContiguous(state)
}

// withoutHeadOffice leaves out the place of the carrier's office where a text begins with it: "Saia LTL Freight, Johns Creek, Georgia. Rules
// apply."
func (j *Judge) withoutHeadOffice(text string) string {
	if first, rest, ok := strings.Cut(text, ". "); ok && j.isHeadOffice(first) {
		return rest
	}
	return text
}

var (
	labelOfOffice = regexp.MustCompile(`(?i)^(?:corporate |company |home |main |head |general )*(?:headquarters|offices?)(?: address)?: `)
	// telephone ends a line: "(800) 432-6335", "1-866-ESTES-4U", "Call 800.432.6335".
	telephone = regexp.MustCompile(`(?i)(?:\b(?:call|phone|tel|telephone|customer service|toll[ -]free)[.:]* )?(?:\b1[-. ])?\(?\b8\d\d\)?[-. ][0-9A-Z][-0-9A-Z. ]{4,10}$`)
)

func isIncorporated(text string) bool {
	switch strings.ToLower(strings.Trim(text, ".")) {
	case "inc", "llc", "ltd", "corp":
		return true
	}
	return false
}

// isTown tells whether words can be the name of a town and qualify nothing.
func isTown(words []string) bool {
	if len(words) == 0 || len(words) > 3 {
		return false
	}
	k, _ := foreignKind(append(slices.Clone(words), ""))
	return k == "" && !slices.ContainsFunc(words, func(w string) bool {
		return qualifiable[w] || surchargeWords[w] || limiters[w] || isFigure(w) || w == "fuel" || w == "ltl" || functionWords[w]
	})
}

// isFeeOfService tells whether a sentence says what another service costs on top, with its own figure: "Guaranteed Select: add 25% of net
// charge, min. $65."
func isFeeOfService(sentence string) bool {
	label, fee, isLabelled := strings.Cut(sentence, ":")
	words, rest := wordsOf(label), wordsOf(fee)
	if !isLabelled || len(words) == 0 || len(words) > 4 || len(rest) < 2 || !feeVerbs[rest[0]] || !strings.ContainsAny(fee, "%$") {
		return false
	}
	k, word := foreignKind(append(slices.Clone(words), ""))
	return k == service && word != "" && !mayBeOfFigures(words) && !slices.ContainsFunc(rest, func(w string) bool {
		return surchargeWords[w] || demonstratives[w] || limiters[w] || w == "fuel" || w == "this" || w == "table"
	})
}

var feeVerbs = indexPlain(`add plus extra additional`)

// isRoutine tells whether "become effective" at i tells on which day of the week new figures begin: "become effective the following
// Monday". That something must happen first is no such thing: "become effective when approved".
func isRoutine(words []string, i int) bool {
	rest := words[i+1:]
	if words[i] != "become" || len(rest) < 2 || rest[0] != "effective" {
		return false
	}
	isTime := false
	for _, w := range rest[1:] {
		isTime = isTime || isDateWord(w)
		if !isDateWord(w) && !isFigure(w) && !routineWords[w] {
			return false
		}
	}
	return isTime
}

var routineWords = indexPlain(`the following next each every on at of in that same week weekly day midnight noon a m p eastern central local time`)

// withoutOtherPlace leaves out where figures stand too: "The figures are also on the statement that account holders received".
func withoutOtherPlace(words []string) []string {
	at := slices.Index(words, "also")
	if at < 1 || !predicates[words[at-1]] || !isOtherPlace(words[at+1:]) || limits(words[at:]) || slices.Contains(words[at:], "and") {
		return words
	}
	return words[:at]
}

// isOtherPlace tells whether words begin with a place where figures stand: "in the spreadsheet", "on the year-end statement".
func isOtherPlace(words []string) bool {
	return len(words) > 1 && prepositionsOfPaper[words[0]] && slices.ContainsFunc(words[1:min(6, len(words))], func(w string) bool { return otherPlaces[w] })
}

// isOfOtherWeeks tells whether a sentence says where weeks stand that are not shown: "Weeks before these are in the spreadsheet".
func isOfOtherWeeks(words []string) bool {
	at := slices.IndexFunc(words, func(w string) bool { return w == "are" || w == "stand" })
	if at < 2 || at > maxMenuItem || !isOtherPlace(words[at+1:]) {
		return false
	}
	subject := words[:at]
	if len(subject) == 3 {
		return subject[0] == "weeks" && (subject[1] == "before" || subject[1] == "after") && (demonstratives[subject[2]] || subject[2] == "this")
	}
	isOther := beforeWords[subject[0]] || subject[0] == "older" || subject[0] == "other"
	return len(subject) == 2 && isOther && (subject[1] == "weeks" || subject[1] == "years")
}

var otherPlaces = indexPlain(`statement statements invoice invoices bill bills app portal spreadsheet file newsletter mail email
	document documents report reports site pdf archive`)

// endsNotHere tells whether a sentence says that something stands elsewhere, and whether that may be our figures: "Discounts agreed for fuel
// appear on the invoice, not here", "Our LTL percentages appear on the invoice, not here".
func endsNotHere(words []string) (isElsewhere, mayBeOurs bool) {
	n := len(words)
	if n < 5 || !(words[n-2] == "not" && words[n-1] == "here") && !slices.Equal(words[n-4:], []string{"not", "on", "this", "page"}) {
		return false, false
	}
	isOurs := func(w string) bool {
		return w == "ltl" || surchargeWords[w] || figureWords[w] || figureNouns[w] || demonstratives[w] || itself[w]
	}
	k, _ := foreignKind(words[:2])
	return true, (k == "" || slices.Contains(words, "ltl")) && slices.ContainsFunc(words[:n-2], isOurs)
}

// isBesideThePoint tells whether a sentence speaks of the page, of other weeks or of the least charge, and leaves the figures as they are.
func isBesideThePoint(words []string) bool {
	return isWithoutNeed(words) || isOfMinimumCharge(words) || isOfOtherWeeks(words) || isComputation(words)
}

// isComputation tells whether a sentence says how a charge is worked out with a percent: "Multiply net freight by the percentage", "Take
// gross, subtract the discount, apply the percentage to what is left". It does not where it changes the percent: "Subtract your discount
// from the percentage".
func isComputation(words []string) bool {
	if len(words) < 4 || !computes[words[0]] && !slices.Contains(words, "multiplied") || slices.ContainsFunc(words, func(w string) bool { return !computes[w] && !factors[w] }) {
		return false
	}
	for i, w := range words {
		isPercent := (surchargeWords[w] && w != "rate" && w != "rates")
		if before := words[max(0, i-3):i]; isPercent && slices.ContainsFunc(before, func(w string) bool { return w == "from" || w == "off" || w == "to" || w == "half" }) {
			return false
		}
	}
	return true
}

var (
	computes = indexPlain(`multiply take subtract deduct apply add leave then multiplied`)
	factors  = indexPlain(`and the your our a an net gross freight linehaul line haul charge charges rate tariff discount discounts percentage percent surcharge fuel
		by on to from of with after any applicable accessorial accessorials result remains remaining left what is amount it that out first next last minimum shipment bill`)
)

// isWithoutNeed tells whether a sentence says that the page would not be there if the price of fuel stayed the same: "If oil were steady we
// would have no need of this page", "Were diesel cheap, nobody would visit this page". It does not where it says anything of figures.
func isWithoutNeed(words []string) bool {
	isPrice := func(w string) bool {
		return w == "oil" || w == "diesel" || w == "crude" || w == "fuel" || w == "price" || w == "prices"
	}
	isOfFigures := func(w string) bool {
		return w == "ltl" || surchargeWords[w] || figureWords[w] || figureNouns[w] || demonstratives[w] || isFigure(w) || w == "here" || w == "show"
	}
	return (words[0] == "if" || words[0] == "were") && slices.ContainsFunc(words[1:min(4, len(words))], isPrice) &&
		slices.Contains(words, "page") && slices.ContainsFunc(words, func(w string) bool { return needWords[w] }) &&
		!slices.ContainsFunc(words, isOfFigures)
}

var needWords = indexPlain(`need visit at down short shorter empty exist`)

// isOfMinimumCharge tells whether a sentence says that the percent of the least charge is one of that charge: "For minimum charge shipments,
// the percentage goes on the minimum charge".
func isOfMinimumCharge(words []string) bool {
	return len(words) > 4 && (words[0] == "for" || words[0] == "on") && slices.Contains(words[1:3], "minimum") && slices.Contains(words[3:], "minimum") &&
		!slices.ContainsFunc(words, func(w string) bool {
			return demonstratives[w] && figureNouns[w] || w == "these" || w == "below" || w == "only"
		})
}

// comparesWeeks tells whether a title introduces the weeks before: "For comparison, earlier LTL fuel surcharges".
func comparesWeeks(words []string) bool {
	return len(words) > 3 && words[0] == "for" && words[1] == "comparison" &&
		!slices.ContainsFunc(words[2:], func(w string) bool { return !earlierWeeks[w] }) &&
		slices.ContainsFunc(words[2:], func(w string) bool { return beforeWords[w] })
}

var (
	beforeWords  = indexPlain(`earlier previous prior past recent preceding`)
	earlierWeeks = indexAll(beforeWords, indexPlain(`the our of and s week weeks ltl fuel surcharge surcharges percentage percentages percents rates`))
)

// isOfCharge tells whether the words behind "share of" are what the surcharge is a percent of, and nothing else: "the discounted line-haul
// charge".
func isOfCharge(words []string) bool {
	for len(words) > 0 && beforeCharge[words[0]] {
		words = words[1:]
	}
	text := strings.Join(words, " ")
	return text == "linehaul" || text == "line haul" || text == "line haul charge" || text == "line haul charges" || text == "linehaul charge" ||
		text == "linehaul charges" || text == "freight charge" || text == "freight charges" || text == "transportation charges"
}

var beforeCharge = indexPlain(`the your our net discounted total`)
