package scope

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// What stands beside the figures may be about the company, its site or its office, and say nothing of the figures.

// beside judges a sentence right beside the figures that does not name them. What it says of the company is nothing to them.
func (j *Judge) beside(sentence string, words []string, fragment bool) string {
	if !fragment && (j.isAboutOwner(sentence) || strings.HasSuffix(sentence, "?") || strings.HasSuffix(sentence, "!")) {
		return ""
	}
	switch k, word := foreignKind(words); {
	case k == edition && (fragment || isAboutIt(words) || word == words[0]), k == party && fragment,
		k == party && !pointsElsewhere(words) && !contrasts(words) && !isOfOthers(words):
		return fmt.Sprintf("%q is %s", word, k)
	}
	isCase := words[0] == "if" && !strings.HasSuffix(sentence, ".") && !isAboutReader(words)
	if word := mood(words, true); word != "" && (fragment || isAboutIt(words)) || isCase {
		return fmt.Sprintf("%q tells of figures that are not charged", cmp.Or(word, words[0]))
	}
	if word := j.unknownIn(words, namingIn(sentence)); fragment && word != "" {
		return fmt.Sprintf("%q is not known", word)
	}
	return ""
}

func isNews(sentence string) bool {
	return strings.Contains(sentence, ":") && newsOf.MatchString(sentence) && !refersToFigures(wordsOf(sentence))
}

// isAboutIt tells whether a sentence is about the page, or about what was named before: "They become effective when approved".
func isAboutIt(words []string) bool { return isAboutPage(words) || itself[words[0]] }

var itself = indexPlain(`they it this these those here`)

// newsOf begins a line of news: "Weather alert: …", "New: …".
var newsOf = regexp.MustCompile(`(?i)^\s*(new|((in the|company|carrier|industry|latest|recent|other|more) )?news( from( \w+){1,3})?|(\w+ ){1,2}(alert|update|watch|advisory|warning)):`)

// isAboutOwner tells whether a sentence speaks for the company or to the reader: "We are hiring", "Saia announces", "Your bill".
func (j *Judge) isAboutOwner(sentence string) bool {
	words := wordsOf(sentence)
	return len(j.withoutNames(words[:min(3, len(words))])) < min(3, len(words)) || slices.ContainsFunc(words, func(w string) bool { return persons[w] })
}

// isAboutOthers tells whether a sentence is about the company or the price of diesel, and says nothing of the figures.
func (j *Judge) isAboutOthers(sentence string, words []string) bool {
	k, _ := foreignKind(words)
	isHarmless := k == "" || k == territory || k == service
	return isAboutDiesel(words) || j.tellsOfCompany(sentence, words) || isHarmless && j.isAboutOwner(sentence) && !saysOfFigures(words) && !limits(words) && mood(words, true) == "" &&
		!slices.Contains(words, "ltl") && !introduces(sentence, words)
}

// tellsOfCompany tells whether a sentence tells what the carrier is or does: "Saia is one of the largest LTL carriers in North
// America". It does not where it speaks of the figures.
func (j *Judge) tellsOfCompany(sentence string, words []string) bool {
	all := wordsOf(sentence)
	isSubject := len(words) > 1 && len(words) < len(all) && words[0] != all[0] && slices.Index(all, words[0]) <= maxName
	return isSubject && (predicates[words[0]] || verbForms[words[0]]) && !mayBeOfFigures(words) && !irrealIn(words) &&
		!slices.ContainsFunc(words, func(w string) bool { return figureWords[w] || pageWords[w] })
}

// maxName is the most words of the carrier's name.
const maxName = 5

func irrealIn(words []string) bool { return mood(words, true) != "" }

var persons = indexPlain(`we us our you your`)

// isAside tells whether a text is one of those that a company puts on all its pages: an address, a slogan, news.
func isAside(sentence string, words []string) bool {
	return isOffice(sentence, words) || isNews(sentence) || isSlogan(words) || isAddress(words) || isSiteNotice(words) ||
		isExplanation(sentence, words) || isFeeOfService(sentence) || isImprint(sentence, words) || isBesideFigures(sentence, words)
}

// isCopyright tells whether a text is the notice of who owns the page, and nothing else: "On-time 98% of the time © Saia LTL Freight 2026".
func isCopyright(text string) bool {
	small := strings.ToLower(strings.TrimSpace(text))
	isOwned := ownedIn.MatchString(small) || strings.Contains(small, "rights reserved") || strings.HasPrefix(small, "©") || strings.HasPrefix(small, "copyright") || strings.HasPrefix(small, "(c)")
	return isOwned && !slices.ContainsFunc(wordsOf(text), func(w string) bool { return surchargeWords[w] || figureWords[w] || limiters[w] || w == "fuel" })
}

// ownedIn finds a copyright notice in a line.
var ownedIn = regexp.MustCompile(`©.{0,60}\b(?:19|20)\d\d\b`)

// isSlogan tells whether a text praises the company and says nothing of figures.
func isSlogan(words []string) bool {
	if k, word := foreignKind(words); k != "" && k != charge && k != unit && !strings.HasPrefix(word, "employee") || words[0] == "what" ||
		slices.ContainsFunc(words, func(w string) bool { return w == "per" || w == "cents" || w == "dollars" }) {
		return false
	}
	return len(words) >= 4 && !prepositions[words[0]] && words[0] != "as" && slices.ContainsFunc(words, func(w string) bool { return sloganWords[w] }) && !isOfCompany(words) &&
		!slices.ContainsFunc(words, func(w string) bool {
			return topics[w] && w != "freight" && w != "moving" || foreignWords[w] == territory
		})
}

// isOfCompany tells whether a text names another company, or figures that are not charged.
func isOfCompany(words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool {
		return companyWords[w] && w != "freight" && w != "service" && w != "services" && w != "carrier" || moods[w] || titleMoods[w] || irreal[w] || w == "expect"
	})
}

var sloganWords = indexPlain(`best award awarded driven named since
	we you your our every forward better together promise trust trusted always people more
	miss winner winners
	great proud count deliver delivering welcome ready`)

// officeOf ends the place of an office: "Memphis, TN". That of several states is none: "AL, GA, TN".
var officeOf = regexp.MustCompile(`^[\w .,:&'+-]+, [A-Z]{2}\.?$`)

// isOffice tells whether a line names an office and its place: "Issued by: Pricing Services, Memphis, TN". A line that says where
// something moves does not.
func isOffice(text string, words []string) bool {
	last := len(words) - 1
	state := words[last]
	return len(words) <= maxOffice && stateCodes[state] && state != "ak" && state != "hi" && (last == 0 || !stateCodes[words[last-1]]) && officeOf.MatchString(strings.TrimSpace(text)) &&
		!isAboutFigures(words) && !limits(words) && !slices.ContainsFunc(words, func(w string) bool { return prepositions[w] || qualifiable[w] && w != "services" && w != "traffic" })
}

const maxOffice = 10

// dateline begins a notice with its place and day: "Richmond, Va. – Nov. 17, 2026".
var dateline = regexp.MustCompile(`^[A-Z][\w .]+, [A-Z][a-z]{0,4}[A-Z]?\.? ?[(–—-]+ ?(?:[A-Z][a-z]{2,8}\.? \d{1,2}(?:, 20\d\d)?|\d{1,2}/\d{1,2}/(?:20)?\d\d)\)?\.?$`)

// isAddress tells whether a text is a postal address: "3901 West Broad Street, Richmond, Virginia 23230".
func isAddress(words []string) bool {
	if slices.ContainsFunc(words, func(w string) bool { return surchargeWords[w] || limiters[w] }) {
		return false
	}
	for i, w := range words {
		if i+2 < len(words) && len(w) == 3 && len(words[i+1]) == 3 && len(words[i+2]) == 4 && isFigure(w+words[i+1]+words[i+2]) {
			return true // the number of a telephone
		}
		if i > 0 && len(w) == 5 && isFigure(w) && (stateCodes[words[i-1]] || foreignWords[words[i-1]] == territory) {
			return true
		}
		if i > 0 && (isFigure(words[0]) || i > 1) && streetWords[w] && slices.ContainsFunc(words[:i], isFigure) {
			return true
		}
		if w == "po" && i+2 < len(words) && words[i+1] == "box" && isFigure(words[i+2]) {
			return true
		}
	}
	return false
}

var (
	streetWords = indexPlain(`street st avenue ave road rd boulevard blvd drive dr parkway pkwy highway hwy lane ln court plaza suite`)
	stateCodes  = indexPlain(`al ak az ar ca co ct de fl ga hi id il in ia ks ky la me md ma mi mn ms mo mt ne nv nh nj nm ny nc
	nd oh ok or pa ri sc sd tn tx ut vt va wa wv wi wy dc`)
)

// isExplanation tells whether a sentence leads to where the words of the trade are explained: "Not sure what LTL means? Our
// glossary explains it". It does not where it speaks of the figures.
func isExplanation(sentence string, words []string) bool {
	explains := slices.ContainsFunc(words, func(w string) bool { return explainers[w] })
	return explains && (strings.Contains(sentence, "?") || slices.ContainsFunc(words, func(w string) bool { return glossaries[w] })) &&
		!slices.ContainsFunc(words, func(w string) bool {
			return demonstratives[w] || limiters[w] || surchargeWords[w] || ownWords[w] || w == "here"
		})
}

var (
	explainers = indexPlain(`mean means meaning explain explains explained learn read difference differences new sure know familiar understand see`)
	glossaries = indexPlain(`glossary glossaries dictionary terminology faq faqs`)
)

// isSiteNotice tells whether a text is one of the notices that stand on every page of a site.
func isSiteNotice(words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return siteNotices[w] }) && !isAboutFigures(words)
}

var siteNotices = indexPlain(`maintenance smartway iso ctpat tpat privacy sell copyright cookie cookies sitemap careers login javascript browser newsletter`)

// isSiteTitle tells whether a title names a part of the site and nothing else: "Press room", "Customer care".
func isSiteTitle(words []string) bool {
	return len(words) <= 4 && !slices.ContainsFunc(words, func(w string) bool { return !siteTitles[w] }) || isOfHolidays(words)
}

// isOfHolidays tells whether a title names the hours of a company on holidays: "Thanksgiving and Christmas holiday schedule".
func isOfHolidays(words []string) bool {
	at := slices.IndexFunc(words, func(w string) bool { return w == "holiday" || w == "holidays" })
	return at >= 0 && at+2 == len(words) && hoursNouns[words[at+1]] &&
		!slices.ContainsFunc(words[:at], func(w string) bool { return !holidayNames[w] && !isFigure(w) })
}

var (
	hoursNouns   = indexPlain(`schedule hours closings closures calendar`)
	holidayNames = indexPlain(`our and the s year day thanksgiving christmas new years independence labor memorial easter winter federal upcoming`)
)

// siteTitles are the words of menus. None of them says for what figures are.
var siteTitles = indexPlain(`industries press room newsroom customer care self web e service services mobile app careers jobs investors investor relations
	sustainability safety technology company leadership locations solutions about us contact and team support help home resources tools media center
	transit time times calculator locator terminal terminals manage preferences notice collection ccpa
	menu tracking our my online who we are culture history values responsibility community giving esg diversity inclusion blog events`)
