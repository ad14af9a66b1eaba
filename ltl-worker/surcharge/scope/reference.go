package scope

import (
	"fmt"
	"slices"
	"strings"
)

// A sentence counts by what it refers to: the figures that are shown, or the page that shows them.

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

// unreal says by which word a text says that the figures are not charged, or not for all our shipments; "" when it does not.
func (j *Judge) unreal(sentence string, words []string, prose bool, how rigour) string {
	if prose && isConditional(words) {
		return "it holds under a condition"
	}
	if word := j.modifierIn(sentence); how == statement && inShipping[word] {
		return fmt.Sprintf("%q may stand for a part of the shipments", word)
	}
	isTitle := how == strict && !prose
	refers := prose && how != statement && refersToFigures(words)
	restricts := prose && how == strict && (openers[words[0]] && words[0] != "note" && words[0] != "notice" || words[len(words)-1] == "only") &&
		!pointsElsewhere(words) && !contrasts(words)
	if !isTitle && !refers && !restricts {
		return ""
	}
	if word := mood(words, refers); word != "" {
		return fmt.Sprintf("%q tells of figures that are not charged", word)
	}
	if word := relationIn(words); isTitle && word != "" && !j.isNamePart(word) {
		return fmt.Sprintf("%q may be something else than ours", word)
	}
	if isTitle && (j.restricts(words) || isReported(words)) {
		return "it may be for a part of the shipments, or another company's"
	}
	if isTitle || limits(words) {
		if word := namesScheme(words); word != "" {
			return fmt.Sprintf("%q names another scheme", word)
		}
		if word := j.modifierIn(sentence); word != "" && !(word == "intrastate" && slices.Contains(words, "interstate")) &&
			!(slices.Contains(j.otherColumns, word) && isListWithOurs(words, sentence)) {
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
	director manager president vice vp officer staff admin administrator webmaster editor team multiplying effective date region type index contract week month year weekly carrier customer shipper ltl linehaul fuel`)

// refersToFigures tells whether a sentence speaks of the figures that are shown, or of the page that shows them.
func refersToFigures(words []string) bool {
	for i, w := range words {
		if pointsFrom(words[i:]) || i < 2 && limitWords[w] || i == 0 && (w == "here" || w == "what") {
			return true
		}
	}
	return false
}

// pointsFrom tells whether words begin with what points at the figures: "these", "this page", "the latest percentage", "last two
// weeks". "Above $5" points at nothing.
func pointsFrom(words []string) bool {
	next := ""
	if len(words) > 1 {
		next = words[1]
	}
	switch w := words[0]; {
	case w == "above" || w == "below":
		return !isFigure(next) || next == ""
	case demonstratives[w]:
		return !isListedElsewhere(words, 0)
	case newest[w] && (figureWords[next] || surchargeWords[next] || figureNouns[next]):
		return true
	case w == "this":
		return pageWords[next] || figureNouns[next]
	case w == "last" || w == "past" || w == "recent":
		return slices.Contains(words[1:min(3, len(words))], "weeks")
	}
	return false
}

var newest = indexPlain(`recent latest newest current last`)

// isAboutPage tells whether a sentence speaks of the figures, or of the page as a whole.
func isAboutPage(words []string) bool {
	return isAboutFigures(words) || slices.ContainsFunc(words, func(w string) bool { return pageWords[w] })
}

var pageWords = indexPlain(`entry entries page week weeks scale scales site data website notice copy billing document environment`)

// pointsAtFigures tells whether a text that stands apart from the figures is about them all the same. It names them,
// begins with the mark of a footnote, or says that nothing on the page is in force.
func pointsAtFigures(text string) bool {
	text = strings.TrimSpace(text)
	words := wordsOf(text)
	return len(words) > 0 && (prohibits(words) || saidIn(notInForcePhrases, words) != "" && isAboutPage(words) || strings.IndexAny(text, "*†‡§") == 0 || openers[words[0]] ||
		slices.ContainsFunc(indexes(words), func(i int) bool {
			return demonstratives[words[i]] && !isListedElsewhere(words, i) && !isMeasuredFrom(words, i)
		}) ||
		slices.ContainsFunc(words, func(w string) bool { return notInForce[w] }) && (!isProse(text, words) || isAboutFigures(words) || slices.Contains(words, "page")))
}

// isMeasuredFrom tells whether the word at i compares amounts: "22% above a normal Monday", "above 99 percent".
func isMeasuredFrom(words []string, i int) bool {
	if words[i] != "above" && words[i] != "below" || i+1 == len(words) {
		return false
	}
	next := words[i+1]
	return next == "a" || next == "an" || isFigure(next) || i > 0 && isFigure(words[i-1]) && functionWords[next]
}

var (
	demonstratives = indexPlain(`these following above below shown listed displayed table tables figures percents percentages column columns rows`)
	openers        = indexPlain(`applies apply applicable valid only note notice for`)
	notInForce     = indexPlain(`draft sample samples uat staging sandbox superseded supersedes obsolete test demo dummy fictitious
	hypothetical placeholder preliminary tentative void cancelled canceled lorem unofficial training erroneous
	wayback captures watermark archived outdated`)
)
