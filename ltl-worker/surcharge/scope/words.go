package scope

import (
	"slices"
	"strings"

	"assay.dev/ltl-worker/surcharge/token"
)

func wordsOf(text string) []string {
	var words []string
	var buf [48]token.Token
	for len(text) > 0 {
		part := text[:min(len(text), maxPart)]
		if len(part) < len(text) {
			if i := strings.LastIndexByte(part, ' '); i > 0 {
				part = part[:i]
			}
		}
		for _, t := range token.Split(buf[:0], token.Spaced(part)) {
			if t.Kind == token.Word || t.Kind == token.Digits {
				words = append(words, t.Text)
			}
		}
		text = text[len(part):]
	}
	return withAbbreviation(words)
}

// withAbbreviation puts "ltl" in place of "less than truckload", which may also be written "less than a truck load".
func withAbbreviation(words []string) []string {
	for i := 0; i+2 < len(words); i++ {
		if words[i] != "less" || words[i+1] != "than" {
			continue
		}
		end := i + 2
		for end < len(words)-1 && (words[end] == "a" || words[end] == "full") {
			end++
		}
		switch {
		case words[end] == "truckload" || words[end] == "truckloads" || words[end] == "carload":
			end++
		case words[end] == "truck" && end+1 < len(words) && strings.HasPrefix(words[end+1], "load"):
			end += 2
		default:
			continue
		}
		words = slices.Replace(words, i, end, "ltl")
	}
	return words
}

// maxPart is how many bytes of a text are cut into words at a time.
const maxPart = 200

// indexes are those of the words.
func indexes(words []string) []int {
	all := make([]int, len(words))
	for i := range all {
		all[i] = i
	}
	return all
}
