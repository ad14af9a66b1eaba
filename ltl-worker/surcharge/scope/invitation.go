package scope

import (
	"regexp"
	"slices"
	"strings"
)

// A title names what stands under it: it is a noun with what qualifies it. A line that asks the reader to do something, a question,
// a trade mark with its slogan, or the label of an article is built in another way. Its words need not be known: they name
// nothing of the figures. It counts all the same where it speaks of the figures or holds a word that is known to qualify.

// isBesideFigures tells whether a line is built in such a way and says nothing of figures.
func isBesideFigures(text string, words []string) bool {
	if legends.MatchString(text) {
		k, _ := foreignKind(words)
		return k == ""
	}
	if mayBeOfFigures(words) {
		return false
	}
	if pointerLabels.MatchString(text) || awards.MatchString(text) {
		return true
	}
	k, _ := foreignKind(words)
	if k == "" && ofPaper.MatchString(text) {
		return true
	}
	return k == "" && mood(words, false) == "" && (isInvitation(words) || isQuestion(text, words) || isTradeMark(text, words))
}

// mayBeOfFigures tells whether words can be about the figures of a page or say for what they hold.
func mayBeOfFigures(words []string) bool {
	return limits(words) || refersToFigures(words) || slices.ContainsFunc(words, func(w string) bool {
		return surchargeWords[w] || figureWords[w] || figureNouns[w] || w == "fuel" || w == "truckload" || w == "if" || irreal[w]
	})
}

// isInvitation tells whether a line asks the reader to do something: "Scan the code to install the app".
func isInvitation(words []string) bool { return len(words) > 1 && invitations[words[0]] }

// invitations are verbs by which a site speaks to its reader. What can be done with freight is not among them: "Ship", "Store".
var invitations = indexPlain(`download scan try switch go save chat follow join sign subscribe read watch listen browse visit call write print
	export hover tap swipe scroll click pay plant learn explore discover meet see find get book track ask open log register create contact view
	search add use enter tell talk stop start stay enjoy skip connect forgot need looking questions want`)

// isQuestion tells whether a line asks something, and not what would be.
func isQuestion(text string, words []string) bool {
	return strings.HasSuffix(strings.TrimSpace(text), "?") && (words[0] != "what" || len(words) < 2 || words[1] != "if")
}

// isTradeMark tells whether a line is a slogan with the sign of a trade mark. Without an article it may be the name of a service.
func isTradeMark(text string, words []string) bool {
	return strings.ContainsAny(text, "®™") && slices.ContainsFunc(words, func(w string) bool { return articles[w] || w == "we" || w == "you" || w == "your" })
}

// isMotto tells whether a line is a slogan made of sentences of one or two words.
func isMotto(text string) bool {
	if !mottoes.MatchString(text) {
		return false
	}
	words := wordsOf(text)
	k, _ := foreignKind(words)
	return (k == "" || k == charge) && mood(words, false) == "" && !mayBeOfFigures(words)
}

// mottoes find sentences of one or two words: "Reliable. Responsive. Real."
var mottoes = regexp.MustCompile(`^\s*[A-Z][\w'-]+(?: [\w'-]+)?\.(?: [A-Z][\w'-]+(?: [\w'-]+)?\.)+\s*$`)

// pointerLabels begin lines that lead to something else: another page, an article, a film, a number to call.
var pointerLabels = regexp.MustCompile(`(?i)^\s*(?:(?:related(?: \w+)?|see also|read more|learn more|more|up next|next|previous article|also of interest)\s*:|` +
	`(?:blog|video|podcast|white ?paper|webinar|article|case study|infographic)\b[\w ]{0,12}:|(?:tele)?(?:phone|fax)\b|(?:content|page) owner\b|cached\b)`)

// awards begin lines about the company's merits.
var awards = regexp.MustCompile(`(?i)^\s*(?:(?:we (?:are|were) |we're )?(?:proud(?:ly)? )?(?:to be )?(?:named|voted|ranked|rated|recognized|honou?red|awarded|winner|a winner)\b|` +
	`(?:\w+-time )?winner of\b|(?:a )?(?:proud )?member of the\b)`)

// legends begin what a line, a colour or a mark stands for: "Solid line: LTL surcharge", "Bold = current".
var legends = regexp.MustCompile(`(?i)^\s*(?:the )?(?:solid|dashed|dotted|green|red|blue|gr[ae]y|orange|yellow|shaded|highlighted|bold|[xy][ -]axis|arrows?)(?: \w+)?\s*(?::|=| means?\b| marks?\b| shows?\b| starts?\b)`)

// ofPaper begin what a company notes on its papers: who wrote and approved them, for how long they are kept.
var ofPaper = regexp.MustCompile(`(?i)^\s*(?:(?:prepared|reviewed|approved|authorized|signed|edited|maintained|posted|entered) by\b|(?:classification|retention|distribution|revision|version|` +
	`format|file size|(?:office )?hours|(?:typical )?reply time|typical response time|language|document (?:control|owner|id))\b[^:]{0,12}:)`)
