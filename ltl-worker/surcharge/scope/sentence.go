package scope

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"assay.dev/ltl-worker/surcharge/meaning"
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
	case table.Near, table.Notice:
		return distant
	case table.Image, table.Active:
		return lenient
	}
	return strict
}

// doubt says what in a text speaks against the figures; "" when nothing does.
func (j *Judge) doubt(text string, how rigour) string {
	q := question{text, how, j.headedLTL, j.headedFuel, j.others}
	if _, known := j.known[q]; !known {
		j.known[q] = j.judge(text, how)
	}
	return j.known[q]
}

func (j *Judge) judge(text string, how rigour) string {
	text = withoutNeutral(text)
	if how != statement && how != exact {
		text = j.withoutHeadOffice(text)
	}
	if are := tells(text); are != "" {
		return are
	}
	if how != distant && isOffer(strings.ToLower(text)) {
		return "the figures may be those of an offer"
	}
	if how == distant && !pointsAtFigures(text) || isCopyright(text) || isOfSiteAlone(text) || how != statement && how != exact && j.isHeadOffice(text) {
		return ""
	}
	j.bilingual = meaning.IsEnglish(text)
	if text = withoutProgramName(text); !strings.Contains(text, ".") {
		text = bothServices.ReplaceAllString(text, "")
	}
	if how == statement {
		text = partSigns.Replace(text) // the parts of a line are judged together
	}
	caption := captionOf.MatchString(text)
	all := sentences(text)
	for _, sentence := range withAnswers(all) {
		if len(all) > 1 { // what only begins or ends a text may begin or end a sentence of it
			sentence = withoutNeutral(sentence)
			if are := tells(sentence); are != "" {
				return are
			}
		}
		words := withoutOtherPlace(j.withoutNames(wordsOf(sentence)))
		if prohibits(words) {
			return "it forbids their use"
		}
		if len(words) == 0 || isCopyright(sentence) || how != statement && how != exact && (isSiteTitle(words) || isAside(sentence, words)) {
			continue
		}
		prose := !caption && isProse(sentence, words)
		if prose && how != statement && j.isAboutOtherColumn(words) {
			continue
		}
		fragment := prose && how == strict && isFragment(words) && !j.isAboutOwner(sentence)
		isNotHere, mayBeOurs := endsNotHere(words)
		if isNotHere && mayBeOurs {
			return "the figures are elsewhere"
		}
		if isSettled(words) || prose && how != statement && (isNotHere || isBesideThePoint(words) || !fragment && j.isAboutOthers(sentence, words)) {
			continue
		}
		if word := forSome(words); prose && how == strict && word != "" {
			return fmt.Sprintf("%q may be something else than ours", word)
		}
		if phrase := saidIn(notInForcePhrases, words); phrase != "" && (!prose || isAboutPage(words)) {
			return fmt.Sprintf("%q says that they are not in force", phrase)
		}
		if how == statement {
			if why := noRate(sentence, words); why != "" {
				return why
			}
		}
		if word := saidToBe(words); prose && how != distant && word != "" {
			return fmt.Sprintf("they are said to be %q", word)
		}
		if why := restrictionIn(words); why != "" {
			return why
		}
		if why := j.unreal(sentence, words, prose && !fragment, how); why != "" {
			return why
		}
		if word := pageNotInForce(words); prose && how != statement && word != "" {
			return fmt.Sprintf("%q is %s", word, edition)
		}
		if prose && !fragment && how != statement && isAboutFreight(sentence, words) {
			continue
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

// bothServices are the two standard services of a carrier, named together in a title: "LTL fuel surcharge (Priority and Economy)". One alone
// may have a table of its own.
var bothServices = regexp.MustCompile(`(?i)\b(?:priority (?:and|&|or) economy|economy (?:and|&|or) priority|priority ?/ ?economy)\b`)

// partSigns part the values of a line.
var partSigns = strings.NewReplacer("|", ",", " · ", ", ", " • ", ", ", " / ", ", ")

// isOfSiteAlone tells whether a whole text is a slogan, a dateline or the name of a site.
func isOfSiteAlone(text string) bool {
	switch {
	case !strings.Contains(text, "."):
		return false
	case !strings.Contains(text, " "):
		return domain.MatchString(text)
	}
	return strings.Contains(text, ". ") && isMotto(text) || strings.Contains(text, ", ") && dateline.MatchString(text)
}

// domain is the name of a site and nothing else: "saia.com". That of a part of one may say more: "staging.saia.com".
var domain = regexp.MustCompile(`(?i)^\s*(?:www\.)?\w+\.(?:com|net|org|example)\s*$`)

// captionOf begins the caption of a table: all its sentences are about it.
var captionOf = regexp.MustCompile(`(?i)^\s*(table|figure|exhibit|schedule|chart) ?\w{1,3}[.:]\s`)

// unknown names the word of a sentence that should be known and is not. In a title all must be. In a sentence that says for
// what the figures hold, and in the line of a figure, those must be that can name something.
func (j *Judge) unknown(sentence string, words []string, prose bool, how rigour) string {
	if how == exact && (isInPoints(words) || isIndex(words, sentence)) {
		return "the figures are those of an index"
	}
	if how == exact && strings.ContainsAny(sentence, "±÷Δ∆") || how == exact && strings.Contains(sentence, "+/-") {
		return "the figures are changes, or have to be worked out"
	}
	if word := averageIn(words); how == exact && word != "" {
		return fmt.Sprintf("%q is no surcharge of a week", word)
	}
	if how == exact && len(words) <= maxLabel {
		if word := j.unknownLabelIn(words); word != "" {
			return fmt.Sprintf("%q is not known in a heading", word)
		}
	}
	counts := anyWord
	switch {
	case how < statement, how > statement && prose && !limits(words) && !introduces(sentence, words), how == strict && !prose && isHeadline(words):
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
var abbreviations = strings.NewReplacer("U.S.", "US", "P.O.", "PO", "u.s.", "us", "lbs.", "lbs", "No. ", "No ", "St. ", "St ", "Ave. ", "Ave ", "Inc.", "Inc", "Avg.", "Avg", "min. ", "min ", "max. ", "max ",
	"a.m.", "am", "p.m.", "pm", "A.M.", "AM", "P.M.", "PM")

// sentences divides a text at full stops, and at semicolons before what is a sentence by itself: "We made up the figures; do not bill from
// them". The parts of a title are divided by bars and dashes.
func sentences(text string) []string {
	if !strings.ContainsAny(text, ".;|\n·»") {
		return []string{text}
	}
	text = strings.ReplaceAll(abbreviations.Replace(text), ". ", ".\n")
	if strings.Contains(text, "; ") {
		text = nextSentence.ReplaceAllString(text, ".\n$1")
	}
	return strings.FieldsFunc(text, func(r rune) bool {
		return r == '|' || r == '\n' || r == '·' || r == '»'
	})
}

// nextSentence finds semicolons before sentences.
var nextSentence = regexp.MustCompile(`; ((?:please )?(?:do|don't|never|no|nothing|none|not|this|these|those|they|it|we|nobody)\b)`)

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
	isVerb := func(i int) bool { return verbs[words[i]] && !isComparison(words, i) }
	return len(words) > 5 && slices.ContainsFunc(indexes(words), isVerb) && !changeWords[words[0]]
}

// isHeadline tells whether a title is a sentence about something else than the figures, as those of news are: "Driver hits four million
// miles without an accident". What it may hold that qualifies is still looked for.
func isHeadline(words []string) bool {
	return len(words) >= minHeadline && !isAboutPage(words) && !limits(words) && !mayBeOfFigures(words) &&
		slices.ContainsFunc(indexes(words[2:]), func(i int) bool { return isThirdPerson(words[i+1], words[i]) })
}

// isThirdPerson tells whether a word may be a verb behind its subject: "hits" of "Driver hits four million miles".
func isThirdPerson(w, subject string) bool {
	return predicates[w] || isPredicate(w, subject) ||
		strings.HasSuffix(w, "s") && !strings.HasSuffix(w, "ss") && !strings.HasSuffix(subject, "s") && !functionWords[subject] && !isFigure(subject) && !isPlain(w)
}

// minHeadline is the least words of a headline.
const minHeadline = 6

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

var verbs = indexPlain(`is are was were will has have had applies apply applied changes change reviews uses use pays
	publish publishes add adds adjusts see call contact subscribe click reserve looking move keep closed`)

// isAboutFigures tells whether a sentence speaks of the figures or of what they are charged for.
func isAboutFigures(words []string) bool {
	isShare := func(i int) bool { return words[i] == "share" && i+1 < len(words) && words[i+1] == "of" }
	return slices.ContainsFunc(words, func(w string) bool { return topics[w] }) || slices.ContainsFunc(indexes(words), isShare) || saidIn(chargedSo, words) != ""
}

// pageNotInForce is the word by which a sentence says that the page is no page in force: "You are viewing an archived page"; "" where it does
// not.
func pageNotInForce(words []string) string {
	if k, word := foreignKind(words); k == edition && slices.ContainsFunc(words, func(w string) bool { return w == "page" || w == "website" || w == "data" }) {
		return word
	}
	return ""
}

// isAboutFreight tells whether a sentence tells what the company does with freight, and speaks neither of its figures nor of what is charged:
// "Guaranteed LTL shipments reach all of Canada". A footnote is about what bears its mark.
func isAboutFreight(sentence string, words []string) bool {
	if strings.IndexAny(strings.TrimSpace(sentence), "*†‡§(") == 0 || opensScope(words) || limits(words) || refersToFigures(words) ||
		slices.ContainsFunc(words, func(w string) bool { return topics[w] && !services[w] || pageWords[w] }) {
		return false
	}
	return slices.ContainsFunc(indexes(words), func(i int) bool {
		return i > 0 && (predicates[words[i]] || isPredicate(words[i], words[i-1]) && words[i] != "states")
	}) && slices.ContainsFunc(words, func(w string) bool { return services[w] })
}

// services are the topics that a company has besides its figures.
var services = indexPlain(`ltl shipment shipments freight truckload moving date dates points list`)

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
	return opensScope(words) || saidIn(chargedSo, words) != "" ||
		slices.ContainsFunc(indexes(words), func(i int) bool { return limiters[words[i]] && !isLimitedAccess(words[i:]) })
}

// isLimitedAccess tells whether words begin with the name of a charge: "limited access".
func isLimitedAccess(words []string) bool {
	return len(words) > 1 && words[0] == "limited" && words[1] == "access"
}

var limiters = indexPlain(`only applies apply applicable valid limited following these restricted exclusively
	replace replaces consigned suppose imagine`)
