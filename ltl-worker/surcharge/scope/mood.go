package scope

import "slices"

// A page may show figures that nobody is charged: proposed ones, invented ones, wrong ones, old ones. There are many ways to say
// so, and phrases do not list them. A text is taken to say so by the moods of its words: by what is thought of, asked, tried out,
// doubted or over, by "would", and by what has not happened.

// mood names the word by which a text says that its figures are not charged; "" when there is none. refers is set for a
// sentence about the figures or the page; other texts are titles.
func mood(words []string, refers bool) string {
	for i, w := range words {
		switch {
		case moods[w] && !isAdopted(words, i) && !isRoutine(words, i) && !isKept(words, i), isLimit(words, i), isFault(words, i):
			return w
		case !refers && (titleNegations[w] && !(i == 0 && isExclusion(words)) || isCopy(words, i) || isComparison(words, i) || isBefore(words, i) || isNumbered(words, i) || isPastYears(words, i)):
			return w
		case refers && irreal[w] && !isWish(words, i):
			return w
		case !refers && i == 0 && (w == "if" || w == "to" && len(words) > 2 && verbForms[words[1]]) && !isAboutReader(words), !refers && titleMoods[w] && !isCall(words) && !comparesWeeks(words) && !(i+1 < len(words) && (words[i+1] == "number" || words[i+1] == "no")):
			return w
		case refers && isUndone(words, i), w == "exceed" && i > 0 && (words[i-1] == "not" || words[i-1] == "never"), isRelation(words, i):
			return w
		case (w == "expect" || w == "expects") && (!refers || refersToFigures(words)) && i > 0 && words[i-1] != "to", w == "of" && isOfCompanies(words[i+1:]):
			return w
		case i > 0 && (pageWords[words[i-1]] || figureNouns[words[i-1]]) && words[i-1] != "week" && overWords[w]:
			return w
		}
	}
	return ""
}

// isCopy tells whether a title is that of a copy: "Copy of an old page".
func isCopy(words []string, i int) bool {
	return i == 0 && words[0] == "copy" && len(words) > 1 && words[1] == "of"
}

// isAdopted tells whether figures are said to be approved or adopted already, and not to be so one day.
func isAdopted(words []string, i int) bool {
	return (words[i] == "approved" || words[i] == "adopted") && (i == 0 || !untilThen[words[i-1]])
}

// isKept tells whether readers may keep a page: "may be printed or saved for your records".
func isKept(words []string, i int) bool {
	return words[i] == "saved" && i+1 < len(words) && (words[i+1] == "for" || words[i+1] == "as" || words[i+1] == "or" || words[i+1] == "to")
}

// isFault tells whether a text says that there is a fault in what it is about: "This table has errors". That nobody is liable for
// errors is no such thing.
func isFault(words []string, i int) bool {
	return faults[words[i]] && !slices.ContainsFunc(words, func(w string) bool { return disclaimers[w] })
}

// isExclusion tells whether a title says what the figures are not for: "Not applicable to accessorials", "Except holidays".
func isExclusion(words []string) bool {
	return excludes[words[0]] && (words[0] != "not" || len(words) > 1 && exclusions[words[1]])
}

// namesScheme is the word by which a text names a scheme that was before, or one of several; "" when it names none.
func namesScheme(words []string) string {
	for i, w := range words {
		if isBefore(words, i) || isNumbered(words, i) || isPastYears(words, i) {
			return w
		}
	}
	return ""
}

// isBefore tells whether a title is about what was before something, or about a scheme that was before: "Before the merger",
// "Prior schedule".
func isBefore(words []string, i int) bool {
	rest := words[i+1:]
	if words[i] == "before" {
		return len(rest) > 0 && !isFigure(rest[0]) && !isDateWord(rest[0]) && !notBefore[rest[0]]
	}
	return bygone[words[i]] && len(rest) > 0 && schemes[rest[0]]
}

// isNumbered tells whether a title names one of several schemes by its number or letter: "Plan 5", "Carrier A".
func isNumbered(words []string, i int) bool {
	return numberedNouns[words[i]] && i+1 < len(words) && (len(words[i+1]) == 1 || len(words[i+1]) <= 3 && isFigure(words[i+1]))
}

// isPastYears tells whether a title is about the time up to a year: "Through 2024".
func isPastYears(words []string, i int) bool {
	w := words[i]
	return (w == "through" || w == "until" || w == "thru") && i+1 < len(words) && len(words[i+1]) == 4 && isFigure(words[i+1])
}

// isComparison tells whether a title names a change of the figures: "Change against last year".
func isComparison(words []string, i int) bool {
	if last := i+1 == len(words); last && (growths[words[i]] && !slices.ContainsFunc(words, func(w string) bool { return surchargeWords[w] }) ||
		words[i] == "averages" && !slices.ContainsFunc(words, func(w string) bool { return priceNouns[w] && w != "averages" || countryWords[w] })) {
		return true
	}
	if i < 2 && i+2 < len(words) && changeWords[words[i]] && (words[i+1] == "in" || words[i+1] == "of") {
		return true
	}
	return changeWords[words[i]] && slices.ContainsFunc(words[i+1:min(i+3, len(words))], func(w string) bool { return comparing[w] })
}

// isOfCompanies tells whether the words behind "of" are several companies: "of the ten largest carriers".
func isOfCompanies(rest []string) bool {
	at := slices.IndexFunc(rest[:min(4, len(rest))], func(w string) bool { return w == "carriers" || w == "companies" || w == "firms" })
	return at >= 0 && !slices.Contains(rest[:at], "all")
}

// isRelation tells whether a percent is one of another time: "week over week", "relative to 2020".
func isRelation(words []string, i int) bool {
	return i > 0 && i+1 < len(words) && words[i] == "over" && words[i-1] == words[i+1] || words[i] == "relative" ||
		i == 0 && len(words) > 1 && words[0] == "share" && words[1] == "of" && !isOfCharge(words[2:])
}

// isLimit tells whether the word at i is a limit of what is charged, and not one of weight: "Maximum by week".
func isLimit(words []string, i int) bool {
	if i+1 < len(words) && (words[i+1] == "since" || words[i+1] == "in") {
		return false // "lowest since March"
	}
	return limitWords[words[i]] && !slices.ContainsFunc(words[i:min(i+4, len(words))], isFigure) && !isWeightAt(words, i+1)
}

// isWish tells a wish of somebody: "if you would like these by mail".
func isWish(words []string, i int) bool {
	return i+1 < len(words) && wishes[words[i+1]] || i > 0 && words[i-1] == "you"
}

// isCall tells whether a title asks the reader to say something: "Leave a comment".
func isCall(words []string) bool {
	return words[0] == "leave" || words[0] == "add" || words[0] == "submit"
}

// isUndone tells whether something has not happened: "has not cleared review", "none of these", "never billed". That a
// percent has not changed is no such thing.
func isUndone(words []string, i int) bool {
	rest := words[i+1:]
	switch words[i] {
	case "none", "nothing", "never":
		return len(rest) > 0 && !slices.Contains(rest, "less") && !slices.Contains(rest, "below") &&
			!slices.ContainsFunc(rest, func(w string) bool { return changeVerbs[w] })
	case "has", "have", "had", "hasn", "haven", "yet":
		not := len(rest) > 1 && (rest[0] == "not" || rest[0] == "yet" || rest[0] == "t" || words[i] == "yet" && rest[0] == "to")
		return not && !slices.ContainsFunc(rest, func(w string) bool { return changeVerbs[w] })
	}
	return false
}

// isAboutReader tells whether a text speaks to the reader: "If you see", "To print, click".
func isAboutReader(words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return addressed[w] })
}

// prohibits tells whether a text forbids the use of the figures: "Do not bill from it".
func prohibits(words []string) bool {
	for i := 0; i+2 < len(words); i++ {
		not := words[i] == "do" && words[i+1] == "not" || words[i] == "don" && words[i+1] == "t" || words[i] == "must" && words[i+1] == "not" ||
			words[i] == "should" && words[i+1] == "not" || words[i] == "not" && words[i+1] == "to"
		if (words[i] == "do" || words[i] == "don") && i > 0 && !beforeImperatives[words[i-1]] {
			continue // "we do not use regional averages"
		}
		next := words[i+2]
		if next == "be" && i+3 < len(words) {
			next = words[i+3]
		}
		isHeld := (words[i] == "hold" || words[i] == "withhold") && (invoices[words[i+1]] || invoices[words[i+2]])
		if not && usage[next] || isHeld {
			return true
		}
	}
	return false
}

var (
	titleNegations    = indexPlain(`not never none nobody`)
	irreal            = indexPlain(`would could might`)
	wishes            = indexPlain(`like love prefer appreciate rather`)
	limitWords        = indexPlain(`maximum maxima limit limits highest lowest ceilings floors`)
	exclusions        = indexPlain(`applicable valid for including subject available sure responsible an guaranteed to`)
	bygone            = indexPlain(`old prior previous former earlier last legacy`)
	schemes           = indexPlain(`formula program programme schedule scale tariff contract bulletin system method brackets agreement`)
	notBefore         = indexPlain(`these those that this then you we discount discounts accessorial accessorials tax taxes any noon midnight each every shipping calling`)
	numberedNouns     = indexPlain(`terminal terminals dock gate plan option tier group carrier program scale addendum rate customer`)
	beforeImperatives = indexPlain(`please and so therefore you must carriers customers shippers`)
	untilThen         = indexPlain(`not if when once until be to yet before been never unless being`)
	faults            = indexPlain(`error errors issue problem problems glitch bug flaw`)
	disclaimers       = indexPlain(`corrected fixed responsible liable liability responsibility omissions typographical report notify contact tell guarantee warrant free bulletin tariff notice date questions`)
	growths           = indexPlain(`increase decrease growth variance`)
	comparing         = indexPlain(`against from versus vs since over compared`)
	overWords         = indexPlain(`ended expired lapsed closed ran`)
	titleMoods        = indexPlain(`comparison typical recalculated restated reconstructed progress comment signed position correction corrected`)
	addressed         = indexPlain(`you your we our us click call see use visit`)
	changeVerbs       = indexPlain(`change changes changed moved updated affects alters amends`)
	invoices          = indexPlain(`invoice invoices bill bills billing payment payments`)
	usage             = indexAll(inflectAll(`bill use rely pay quote invoice charge trust share distribute cite`))
	moods             = indexAll(inflectAll(`adopt approve propose consider invent imagine assume suppose anticipate intend contemplate
			mistake preview mock draft simulate model compile retire withdraw rescind revoke suspend discontinue cease expire lapse
			illustrate demonstrate rehearse experiment test pretend invalidate recheck doubt debate await pend project predict
			forecast envision suggest recommend reject ignore guess abandon shelve void annul falsify fabricate scrap`),
		indexPlain(`disputed discussion consultation investigation ballpark proposal hypothesis assumption assumptions approval adoption mockup mockups rehearsal exercise trial
		output demonstration demo wrong incorrect incorrectly inaccurate mistaken mistakes untrue
		fictional imaginary theoretical notional unreal unapproved unconfirmed provisional prospective developers developer
		committee vote votes council vote votes council board ballot stale withdrawn backup competitor competitors rival rivals peers become becoming cast
		investigating saved others rechecking uncorrected median placeholders`))
)

func indexAll(sets ...map[string]bool) map[string]bool {
	all := map[string]bool{}
	for _, set := range sets {
		for w := range set {
			all[w] = true
		}
	}
	return all
}
