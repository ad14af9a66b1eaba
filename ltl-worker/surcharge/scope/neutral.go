package scope

import (
	_ "embed"
	"regexp"
	"slices"
	"strings"
	"sync"
)

//go:embed neutral.txt
var neutralList string

// neutral are patterns that leave the figures as they are, though words of them qualify figures elsewhere.
var neutral = sync.OnceValue(func() *patternSet { return newPatternSet(neutralList, "(?i)") })

// withoutNeutral puts what leaves figures as they are out of a text.
func withoutNeutral(text string) string {
	for p := range neutral().candidates(strings.ToLower(text)) {
		text = p.ReplaceAllString(text, p.with)
	}
	if found := greeting.FindStringSubmatch(text); found != nil && isTown(wordsOf(found[1])) {
		text = text[len(found[0]):]
	}
	if strings.Contains(text, "?") {
		text = withoutYesOrNo(withoutQuestion(text))
	}
	return text
}

// greeting begins a text: "Good afternoon from Richmond."
var greeting = regexp.MustCompile(`(?i)^\s*(?:good (?:morning|afternoon|evening|day)|hello|hi|greetings) from ((?:[\w']+ ?){1,3})[.!,](?: |$)`)

// askingReader begins a text that asks what its reader does with figures: "Planning a budget or auditing a bill? Use this page to …".
var askingReader = regexp.MustCompile(`(?i)^\s*(?:planning|budgeting|auditing|checking|reconciling|verifying|disputing|reviewing) [^.?!:%]*\? `)

// withoutQuestion leaves out what a text asks its reader first, where that is about no figures.
func withoutQuestion(text string) string {
	question := askingReader.FindString(text)
	if question == "" {
		return text
	}
	words := wordsOf(question)[1:]
	if k, _ := foreignKind(words); k != "" && k != edition || mayBeOfFigures(words) {
		return text
	}
	return text[len(question):]
}

// yesOrNo finds questions that are answered by yes or no: "Do storage and redelivery attract fuel?"
var yesOrNo = regexp.MustCompile(`(?:^|[.!?] +)((?:Do|Does|Did|Is|Are|Can|Will|Should|Must|Has|Have|May) [^.?!:%]*\?)`)

// carrierVerbs are what a reader asks of the carrier, and not of himself: "Do you charge fuel on detention?"
var carrierVerbs = indexPlain(`charge bill apply add collect publish offer use figure round`)

// ordinary are what our shipments are called: "Is the surcharge applied to standard shipments? No".
var ordinary = indexPlain(`standard regular general normal ordinary`)

// withoutYesOrNo leaves out such questions where they are not about the figures that are shown, or about the reader: "Are you a broker?"
func withoutYesOrNo(text string) string {
	for _, found := range yesOrNo.FindAllStringSubmatch(text, -1) {
		if words := wordsOf(found[1]); len(words) > 3 && (words[1] != "you" || carrierVerbs[words[2]]) && words[1] != "your" && !pointsAtPage(words) && !refersToFigures(words) &&
			!slices.ContainsFunc(words, func(w string) bool { return figureWords[w] || figureNouns[w] || limiters[w] || ordinary[w] }) {
			text = strings.Replace(text, found[1], "", 1)
		}
	}
	return text
}
