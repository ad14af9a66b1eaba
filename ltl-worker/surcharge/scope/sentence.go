package scope

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"assay.dev/platform/scrape/table"
)

// rigour is how much of a text must be known.
type rigour uint8

const (
	lenient   rigour = iota // only words that are known to be foreign count
	distant                 // they count in a text that points at the figures: "These percentages apply to Canada"
	statement               // the line of a figure: they count wherever they stand, and so do unknown names
	strict                  // unknown words count in every title, and in a sentence that says for what the figures hold
	exact                   // only words of headings are known: for the headings of columns and the names of rows
)

// maxLabel is the most words that a heading or the name of a row has which is no sentence.
const maxLabel = 8

// rigourAt is strict for the places of titles.
func rigourAt(p table.Place) rigour {
	switch p {
	case table.Near:
		return distant
	case table.Image, table.Active:
		return lenient
	}
	return strict
}

// doubt says what in a text speaks against the figures; "" when nothing does.
func (j *Judge) doubt(text string, how rigour) string {
	q := question{text, how, j.headedLTL, strings.Join(j.otherColumns, " ")}
	if _, known := j.known[q]; !known {
		j.known[q] = j.judge(text, how)
	}
	return j.known[q]
}

func (j *Judge) judge(text string, how rigour) string {
	if how == distant && !pointsAtFigures(text) || isCopyright(text) {
		return ""
	}
	if strings.Contains(text, "-") {
		text = tariffCodes.ReplaceAllString(text, " ")
	}
	if strings.ContainsAny(text, "@/") {
		text = addresses.ReplaceAllString(text, "")
	}
	if how == statement {
		text = strings.ReplaceAll(text, "|", ",") // the parts of a line are judged together
	}
	caption := captionOf.MatchString(text)
	for _, sentence := range withAnswers(sentences(text)) {
		words := j.withoutNames(wordsOf(sentence))
		if prohibits(words) {
			return "it forbids their use"
		}
		if len(words) == 0 || isOffice(sentence, words) || newsOf.MatchString(sentence) || isSlogan(words) || isAddress(words) || isSiteNotice(words) || isExplanation(sentence, words) {
			continue
		}
		prose := !caption && isProse(sentence, words)
		fragment := prose && how == strict && isFragment(words) && !j.isAboutOwner(sentence)
		if isSettled(words) || prose && !fragment && how != statement && isAboutDiesel(words) {
			continue
		}
		if phrase := saidIn(notInForcePhrases, words); phrase != "" && (!prose || isAboutPage(words)) {
			return fmt.Sprintf("%q says that they are not in force", phrase)
		}
		if how == statement {
			if why := noRate(sentence, words); why != "" {
				return why
			}
		}
		if why := restrictionIn(words); why != "" {
			return why
		}
		if why := j.unreal(sentence, words, prose && !fragment, how); why != "" {
			return why
		}
		if prose && how != statement && !isAboutFigures(words) && !opensScope(words) {
			if why := j.beside(sentence, words, fragment); why != "" && how == strict {
				return why
			}
			continue
		}
		if why := j.foreignIn(words, sentence, prose, how); why != "" {
			return why
		}
		if why := j.unknown(sentence, words, prose, how); why != "" {
			return why
		}
	}
	return ""
}

// isSettled tells whether a sentence says that a fault is over: "The figure was wrong and has been replaced".
func isSettled(words []string) bool {
	fault := slices.ContainsFunc(words, func(w string) bool {
		return faults[w] || moods[w] && strings.HasPrefix(w, "mist") || w == "wrong" || w == "incorrect"
	})
	for i, w := range words {
		if fault && settling[w] && i > 1 && (words[i-1] == "been" || words[i-1] == "was" || words[i-1] == "now") && words[i-2] != "not" {
			return true
		}
	}
	return false
}

var settling = indexPlain(`corrected replaced fixed updated repaired restated`)

// beside judges a sentence right beside the figures that does not name them. What it says of the company is nothing to them.
func (j *Judge) beside(sentence string, words []string, fragment bool) string {
	if !fragment && (j.isAboutOwner(sentence) || strings.HasSuffix(sentence, "?") || strings.HasSuffix(sentence, "!")) {
		return ""
	}
	switch k, word := foreignKind(words); {
	case k == edition && (fragment || isAboutIt(words) || word == words[0]), k == party && fragment, k == party && !pointsElsewhere(words) && !contrasts(words) && !isOfOthers(words):
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

// isAboutIt tells whether a sentence is about the page, or about what was named before: "They become effective when approved".
func isAboutIt(words []string) bool { return isAboutPage(words) || itself[words[0]] }

var itself = indexPlain(`they it this these those here`)

// newsOf begins a line of news: "Weather alert: …", "New: …".
var newsOf = regexp.MustCompile(`(?i)^\s*(new|news|(\w+ ){1,2}(alert|update|watch|advisory|warning)):`)

// isAboutOwner tells whether a sentence speaks for the company or to the reader: "We are hiring", "Saia announces", "Your bill".
func (j *Judge) isAboutOwner(sentence string) bool {
	words := wordsOf(sentence)
	return len(j.withoutNames(words[:min(3, len(words))])) < min(3, len(words)) || slices.ContainsFunc(words, func(w string) bool { return persons[w] })
}

var persons = indexPlain(`we us our you your`)

// unreal says by which word a text says that the figures are not charged, or not for all our shipments; "" when it does not.
func (j *Judge) unreal(sentence string, words []string, prose bool, how rigour) string {
	if prose && isConditional(words) {
		return "it holds under a condition"
	}
	isTitle := how == strict && !prose
	refers := prose && how != statement && refersToFigures(words)
	if !isTitle && !refers {
		return ""
	}
	if word := mood(words, refers); word != "" {
		return fmt.Sprintf("%q tells of figures that are not charged", word)
	}
	if isTitle && (j.restricts(words) || isReported(words)) {
		return "it may be for a part of the shipments, or another company's"
	}
	if isTitle || limits(words) {
		if word := j.modifierIn(sentence); word != "" {
			return fmt.Sprintf("%q may stand for a part of the shipments", word)
		}
	}
	return ""
}

// isConditional tells whether a sentence begins with what holds and goes on with when: "Applies when you book online".
func isConditional(words []string) bool {
	return openers[words[0]] && words[0] != "note" && words[0] != "notice" && slices.ContainsFunc(words, func(w string) bool { return w == "when" || w == "if" || w == "where" })
}

// isReported tells whether a title says that somebody else published the figures: "As reported by Trucking Weekly".
func isReported(words []string) bool {
	for i := 0; i+2 < len(words); i++ {
		if verbForms[words[i]] && strings.HasSuffix(words[i], "ed") && words[i+1] == "by" && !isOwnAuthor(words[i+2:]) {
			return true
		}
	}
	return false
}

// isOwnAuthor tells whether the words behind "by" leave the figures ours: "by the DOE", "by week", "by us".
func isOwnAuthor(words []string) bool {
	for _, w := range words[:min(3, len(words))] {
		if w == "the" || w == "our" || w == "u" || w == "s" || w == "us" {
			continue
		}
		return ownAuthors[w] || isDateWord(w) || isFigure(w) || functionWords[w] // the carrier's name is left out
	}
	return true
}

var ownAuthors = indexPlain(`doe eia energy department government federal administration pricing billing law noon end mail email fax phone request clicking
	multiplying effective date region type index contract week month year weekly carrier customer shipper ltl linehaul fuel`)

// refersToFigures tells whether a sentence speaks of the figures that are shown, or of the page that shows them.
func refersToFigures(words []string) bool {
	for i, w := range words {
		if demonstratives[w] && !((w == "above" || w == "below") && i+1 < len(words) && isFigure(words[i+1])) || i == 0 && (w == "here" || w == "what") || i < 2 && limitWords[w] ||
			newest[w] && i+1 < len(words) && (figureWords[words[i+1]] || surchargeWords[words[i+1]] || figureNouns[words[i+1]]) ||
			(w == "last" || w == "past" || w == "recent") && slices.ContainsFunc(words[i+1:min(i+3, len(words))], func(w string) bool { return w == "weeks" }) || w == "this" && i+1 < len(words) && (pageWords[words[i+1]] || figureNouns[words[i+1]]) {
			return true
		}
	}
	return false
}

var newest = indexPlain(`recent latest newest current last`)

// tariffCodes are the numbers of tariffs: "170-AB".
var tariffCodes = regexp.MustCompile(`\b\d{2,4}-[A-Z]{1,2}\b`)

// addresses are those of mail and of pages. Their words say nothing of figures.
var addresses = regexp.MustCompile(`\S+@\S+|https?://\S+`)

// isCopyright tells whether a text is the notice of who owns the page.
func isCopyright(text string) bool {
	text = strings.ToLower(strings.TrimSpace(text))
	return strings.Contains(text, "rights reserved") || strings.HasPrefix(text, "©") || strings.HasPrefix(text, "copyright") || strings.HasPrefix(text, "(c)")
}

// captionOf begins the caption of a table: all its sentences are about it.
var captionOf = regexp.MustCompile(`(?i)^\s*(table|figure|exhibit|schedule|chart) ?\w{1,3}[.:]\s`)

// unknown names the word of a sentence that should be known and is not. In a title all must be. In a sentence that says for
// what the figures hold, and in the line of a figure, those must be that can name something.
func (j *Judge) unknown(sentence string, words []string, prose bool, how rigour) string {
	if how == exact && (isInPoints(words) || isIndex(words, sentence)) {
		return "the figures are those of an index"
	}
	if how == exact && len(words) <= maxLabel {
		if word := j.unknownLabelIn(words); word != "" {
			return fmt.Sprintf("%q is not known in a heading", word)
		}
	}
	counts := anyWord
	switch {
	case how < statement, how > statement && prose && !limits(words) && !introduces(sentence, words):
		return ""
	case prose || how == statement && len(words) > maxStatementLabel:
		counts = namingIn(sentence)
	}
	if word := j.unknownIn(words, counts); word != "" {
		return fmt.Sprintf("%q is not known", word)
	}
	return ""
}

// maxStatementLabel is the most words that stand beside a figure as its label: "Zorbex 49.5%".
const maxStatementLabel = 3

// abbreviations end in a full stop that ends no sentence.
var abbreviations = strings.NewReplacer("U.S.", "US", "P.O.", "PO", "u.s.", "us", "lbs.", "lbs", "No. ", "No ", "St. ", "St ", "Ave. ", "Ave ", "Inc.", "Inc", "Avg.", "Avg",
	"a.m.", "am", "p.m.", "pm", "A.M.", "AM", "P.M.", "PM")

// sentences divides a text at full stops. The parts of a title are divided by bars and dashes.
func sentences(text string) []string {
	if !strings.ContainsAny(text, ".|\n·»") {
		return []string{text}
	}
	text = abbreviations.Replace(text)
	return strings.FieldsFunc(strings.ReplaceAll(text, ". ", ".\n"), func(r rune) bool {
		return r == '|' || r == '\n' || r == '·' || r == '»'
	})
}

// withAnswers adds what follows a question by itself where it points at the figures: "New here? These percentages are for
// Canada".
func withAnswers(all []string) []string {
	for _, sentence := range all {
		if _, answer, asked := strings.Cut(sentence, "? "); asked && slices.ContainsFunc(wordsOf(answer), func(w string) bool { return demonstratives[w] }) {
			all = append(slices.Clip(all), answer)
		}
	}
	return all
}

// isProse tells a sentence from a title.
func isProse(text string, words []string) bool {
	text = strings.TrimSpace(text)
	ends := strings.HasSuffix(text, ".") || strings.HasSuffix(text, "?") || strings.HasSuffix(text, "!")
	if ends && len(words) > 3 || len(words) > 12 {
		return true
	}
	return len(words) > 5 && slices.ContainsFunc(words, func(w string) bool { return verbs[w] }) && !changeWords[words[0]]
}

// isAboutPage tells whether a sentence speaks of the figures, or of the page as a whole.
func isAboutPage(words []string) bool {
	return isAboutFigures(words) || slices.ContainsFunc(words, func(w string) bool { return pageWords[w] })
}

var pageWords = indexPlain(`entry entries page week weeks scale scales site data website notice copy billing document environment`)

// isFragment tells whether a text that ends in a full stop has no verb: "Industry averages, compiled from public sources."
func isFragment(words []string) bool {
	for i, w := range words {
		isVerb := verbs[w] || finite[w] || predicates[w] || pointers[w] || limiters[w] || i > 0 && isPredicate(w, words[i-1])
		if isVerb || bareVerbs[w] && (i == 0 || beforeVerbs[words[i-1]]) {
			return false
		}
	}
	return len(words) <= 10
}

// isPredicate tells whether a word is a verb that says something of the noun before it: "marks" of "an asterisk marks", "expect" of
// "analysts expect".
func isPredicate(w, noun string) bool {
	if !verbForms[w] || qualifiable[w] || figureNouns[w] || mostlyNouns[w] || functionWords[noun] {
		return false
	}
	return strings.HasSuffix(w, "s") || strings.HasSuffix(noun, "s") && !strings.HasSuffix(w, "ed") && !strings.HasSuffix(w, "ing")
}

var (
	mostlyNouns = indexPlain(`averages changes estimates forecasts copies tests samples`)
	finite      = indexPlain(`be been had do does did would could should must shall we you they it i can't don't doesn't won't let please rose fell expect`)
	// bareVerbs are verbs where a sentence begins with them, or behind beforeVerbs.
	bareVerbs = indexPlain(`find get read learn ask write send print use try make take give go want need know like show fall rise stay
		set sign save download scroll add view visit view follow join share track`)
	beforeVerbs = indexPlain(`to and or you we they not please`)
)

// isSlogan tells whether a text praises the company and says nothing of figures.
func isSlogan(words []string) bool {
	return len(words) >= 4 && !prepositions[words[0]] && words[0] != "as" && !isOfCompany(words) && slices.ContainsFunc(words, func(w string) bool { return sloganWords[w] }) &&
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
	great proud count deliver delivering welcome ready`)

var verbs = indexPlain(`is are was were will has have had applies apply applied changes change reviews uses use pays
	publish publishes add adds adjusts see call contact subscribe click reserve looking move keep closed`)

// isAboutFigures tells whether a sentence speaks of the figures or of what they are charged for.
func isAboutFigures(words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return topics[w] })
}

var topics = indexPlain(`surcharge surcharges fsc fuel percent percents percentage percentages table tables rates rate schedule
	schedules figures figure these following shown listed below above apply applies applied applicable valid ltl shipment shipments freight
	truckload column columns row rows values list amounts numbers surchage charge charges linehaul lorem index dates date points
	moving only`)

// opensScope tells whether a sentence begins by saying for what something holds: "For members of the co-op", "Only for …".
func opensScope(words []string) bool {
	return scopeOpeners[words[0]] && !slices.ContainsFunc(words, func(w string) bool { return pointers[w] })
}

var scopeOpeners = indexPlain(`for only solely exclusively`)

// limits tells whether a sentence says for what the figures hold.
func limits(words []string) bool {
	return opensScope(words) || slices.ContainsFunc(words, func(w string) bool { return limiters[w] })
}

var limiters = indexPlain(`only applies apply applicable valid limited following these restricted exclusively
	replace replaces consigned suppose imagine`)

// pointsAtFigures tells whether a text that stands apart from the figures is about them all the same. It names them,
// begins with the mark of a footnote, or says that nothing on the page is in force.
func pointsAtFigures(text string) bool {
	text = strings.TrimSpace(text)
	words := wordsOf(text)
	return len(words) > 0 && (prohibits(words) || saidIn(notInForcePhrases, words) != "" && isAboutPage(words) || strings.IndexAny(text, "*†‡§") == 0 || openers[words[0]] ||
		slices.ContainsFunc(words, func(w string) bool { return demonstratives[w] }) ||
		slices.ContainsFunc(words, func(w string) bool { return notInForce[w] }) && (!isProse(text, words) || isAboutFigures(words)))
}

var (
	demonstratives = indexPlain(`these following above below shown listed displayed table tables figures percents percentages column columns rows`)
	openers        = indexPlain(`applies apply applicable valid only note notice for`)
	notInForce     = indexPlain(`draft sample samples uat staging sandbox superseded supersedes obsolete test demo dummy fictitious
	hypothetical placeholder preliminary tentative void cancelled canceled lorem unofficial training erroneous
	wayback captures watermark`)
)

// officeOf ends the place of an office: "Memphis, TN".
var officeOf = regexp.MustCompile(`^[\w .,:&'+-]+, [A-Z]{2}\.?$`)

// isOffice tells whether a line names an office and its place: "Issued by: Pricing Services, Memphis, TN". A line that says where
// something moves does not.
func isOffice(text string, words []string) bool {
	state := words[len(words)-1]
	return officeOf.MatchString(strings.TrimSpace(text)) && stateCodes[state] && state != "ak" && state != "hi" && len(words) <= maxOffice &&
		!isAboutFigures(words) && !limits(words) && !slices.ContainsFunc(words, func(w string) bool { return prepositions[w] || qualifiable[w] && w != "services" })
}

const maxOffice = 10

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

var siteNotices = indexPlain(`privacy sell copyright cookie cookies sitemap careers login javascript browser newsletter`)
