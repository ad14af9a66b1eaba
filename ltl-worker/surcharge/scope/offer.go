package scope

import (
	"regexp"
	"slices"
	"strings"
)

// A page may show what customers with an offer pay. Its figures are lower than the surcharge that the carrier publishes, and the page
// says so: "with the five points already taken off". A discount on the freight charges is another thing: the percent stays as it is.

// The nouns of offers, and what they do. A discount alone is mostly one on the charges.
const (
	offerNouns = `(?:offers?|promotions?|promos?|promotional \w+|rebates?|coupons?|vouchers?|incentives?|rewards?|bonus(?:es)?|cash[- ]?back|` +
		`(?:welcome|introductory|new[- ]customer|new[- ]account|sign[- ]?up|online|loyalty|member(?:ship)?|fuel|[\w.]+[- ]points?|special|seasonal|holiday|web) (?:discount|credit|deal|price|pricing|reduction|saving)s?)`
	pointNouns = `(?:(?:percentage[- ])?points?|pts?\b\.?|percent|%)`
	takenOff   = `(?:taken|knocked|shaved|cut|marked|come|came|brought) (?:off|out|down)|deducted|subtracted|removed|discounted`
	figureNoun = `(?:surcharges?|fuel|fsc|percent(?:age)?s?|figures?|values?|numbers?|rates?|tables?|amounts?|columns?|ones?)`
	published  = `(?:posted|published|standard|regular|normal|usual|general|public|list(?:ed)?|tariff|full)`
	ownNames   = `(?:(?:the|our|your|its|ltl|fuel|carrier's|` + published + `) )*`
	article    = `(?:the |your |our |a |an |any |all |this )?`
)

// netOf find what says that figures are net of an offer.
var netOf = []struct {
	words  []string // one of them is in each text that phrase finds
	phrase *regexp.Regexp
}{
	// "with the five points already taken off", "the rebate has been deducted", "we took five points off"
	{[]string{" off", " out", " down", "deducted", "subtracted", "removed", "discounted", "applied", "included", "reflected"}, regexp.MustCompile(
		`\b(?:` + offerNouns + `|` + pointNouns + `|discounts?)[^.;]{0,30}? (?:already|have been|has been|having been)(?: been)? (?:` + takenOff + `|applied|included|reflected|factored in)\b|` +
			`\b(?:with|after|less|minus) ` + article + `(?:[\w-]+ ){0,3}` + offerNouns + ` (?:` + takenOff + `|applied|included)\b|` +
			`\b(?:after|with|minus|less|net of|including|includes?|reflects?|reflecting) ` + article + `(?:[\w-]+ ){0,2}?\d*` + pointNouns + ` off\b|` +
			`\b(?:taken?|took|knock(?:ed)?|cut|shaved?|deduct(?:ed)?|subtract(?:ed)?) (?:[\w-]+ ){0,3}?` + pointNouns +
			` (?:off|from)(?: (?:every|each|all|these|of) | ` + ownNames + `)?(?:` + figureNoun + `|\W*$)`)},
	// "net of the promotion", "the percentages include your rebate"
	{[]string{"net of", "include", "including", "reflect", "after ", "less ", "minus", "reduced by", "lowered by", "cut by"}, regexp.MustCompile(
		`\b(?:net of|less|minus) ` + article + `(?:[\w-]+ ){0,3}?` + offerNouns + `\b|` +
			`(?:^\W*|\b` + figureNoun + `\b[^.;]*\b)(?:includes?|including|reflect(?:s|ing)?|after) (?:already )?` + article + `(?:[\w-]+ ){0,3}?` + offerNouns + `\b|` +
			`\b` + figureNoun + `\b[^.;]*\b(?:reduced|lowered|cut) by ` + article + `(?:[\w-]+ ){0,3}?\d*(?:` + offerNouns + `|` + pointNouns + `)|` +
			`\b(?:surcharges?|fsc|percent(?:age)?s?)\b[^.;]*\b(?:reduced|lowered|cut) by (?:a |one )?(?:half|third|quarter|fifth|tenth)\b`)},
	// "the published surcharge is five points higher", "the posted percentage minus 5", "lower than the published one"
	{[]string{"higher", "lower", "minus", "less ", "add ", "in full"}, regexp.MustCompile(
		`\b` + published + ` (?:ltl )?(?:fuel )?` + figureNoun + `\b[^.;]{0,12}? (?:(?:minus|less) [\w.]+|(?:[\w.]+ ` + pointNouns + ` )(?:higher|lower))\b|` +
			`\badd [\w.]+ ?` + pointNouns + ` [^.;]*\b` + published + ` ` + ownNames + figureNoun + `\b|` +
			`\b(?:figures?|percentages?|these|here|shown|below)\b[^.;]*\blower than ` + ownNames + published + ` ` + ownNames + figureNoun + `\b|` +
			`\bafter (?:[\w-]+ ){1,3}(?:days?|weeks?|months?|shipments?),? the ` + published + ` ` + ownNames + figureNoun + `\b`)},
}

// exempt finds what makes such a phrase one about the charges, or about others: "after your discount is taken off the linehaul".
var exempt = regexp.MustCompile(`\b(?:line[- ]?haul|charges?|bills?|invoices?|diesel|truckload|tl|volume|not|no|never|nor|cannot|may|might|if|last|previous|prior|ended|over|ago|since)\b|n't\b`)

// isNetOfOffer tells whether a text, in small letters, says that the figures are net of an offer.
func isNetOfOffer(text string) bool {
	return slices.ContainsFunc(strings.Split(strings.ReplaceAll(text, ";", ". "), ". "), func(sentence string) bool {
		for _, n := range netOf {
			if saysOne(sentence, n.words...) && n.phrase.MatchString(sentence) && !exempt.MatchString(sentence) {
				return true
			}
		}
		return isWhatSomePay(sentence)
	})
}

// offered finds an offer on the surcharge: "five points off fuel", "two points below the published surcharge", "5 pts off". Right beside the
// figures or over them it is theirs; elsewhere on a page it may be one that customers can ask for.
var offered = regexp.MustCompile(`(?:\b|\d)` + pointNouns + ` (?:off|less than|below|under|lower than|beneath|above|higher than) (?:of )?` + ownNames + figureNoun + `\b|` +
	`\bhalf(?:[- ]price| off) ` + ownNames + figureNoun + `\b|` + pointNouns + ` (?:less|lower) than (?:everybody|everyone|others?)\b|` +
	`\b(?:pay|charge)[^.;]* ` + pointNouns + ` less\b|` +
	`^\W*(?:[\w-]+ )?[\d.]* ?` + pointNouns + ` off\W*$|\b(?:promo(?:tional)?|coupon|offer|discount) code\b|\bwith code [a-z]{3,}\d|` +
	`^\W*(?:your |our |the )?(?:welcome|introductory|special|promotional|intro) (?:prices?|pricing|rates?|offers?|deals?|percentages?)\W*$`)

// isOffer tells whether a text, in small letters, offers a lower surcharge than the published one.
func isOffer(text string) bool {
	return saysOne(text, " off", " less", "below", "under", " than ", "beneath", "above", "half", " code", "welcome", "intro", "special", "promo") &&
		offered.MatchString(text) && !exempt.MatchString(text)
}

// somePay finds for whom figures are: "what welcome-offer customers pay", "new customers pay the percentages below".
var somePay = regexp.MustCompile(`((?:[\w'-]+ ){0,4}?)\b(customers|shippers|members|accounts|subscribers|enrollees|participants|newcomers) ` +
	`(?:will |now |actually |really )?(?:pay|are charged|are billed)\b` +
	`( (?:is|are|depends|varies|may|will)\b)?( (?:the |these )` + figureNoun + `\b| (?:these|this|what)\b| as follows)?`)

// isWhatSomePay tells whether a sentence says that the figures are what some of the customers pay.
func isWhatSomePay(sentence string) bool {
	if !saysOne(sentence, " pay", " are charged", " are billed") {
		return false
	}
	found := somePay.FindStringSubmatch(sentence)
	if found == nil || found[3] != "" {
		return false
	}
	who := wordsOf(found[1])
	what := slices.IndexFunc(who, func(w string) bool { return w == "what" || w == "much" })
	if what < 0 && (found[4] == "" || !saysOne(sentence, "these", "below", "shown", "this", "follow")) {
		return false
	}
	return !allCustomers[found[2]] || slices.ContainsFunc(who[what+1:], func(w string) bool {
		return inShipping[w] || !ownModifiers[w] && !functionWords[w] && !isFigure(w)
	})
}

var allCustomers = indexPlain(`customers shippers accounts`)
