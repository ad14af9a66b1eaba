package scope

import (
	"slices"
	"strconv"
	"strings"
)

// isUpperLimit tells whether the phrase at i belongs to a limit that shipments of our size keep: "up to 19,999 lbs",
// "under 12 linear feet". "Outside the chart" is no place either.
func isUpperLimit(words []string, i int) bool {
	switch words[i] {
	case "up":
		return isWeightAt(words, i+2) || i+2 < len(words) && (words[i+2] == "date" || words[i+2] == "speed")
	case "linear":
		return i > 1 && isFigure(words[i-1]) && (words[i-2] == "under" || words[i-2] == "below" || words[i-2] == "than" || words[i-2] == "to" ||
			words[i-2] == "or" && slices.ContainsFunc(words[:i], func(w string) bool { return w == "under" || w == "below" || w == "less" }))
	case "outside":
		return i+2 < len(words) && figureNouns[words[i+2]]
	}
	return false
}

var figureNouns = indexPlain(`table tables chart charts range ranges schedule scale listed published brackets bracket limits bounds`)

// isWeightAt tells whether a weight stands at i.
func isWeightAt(words []string, i int) bool {
	for ; i < len(words); i++ {
		if !isFigure(words[i]) {
			return strings.HasPrefix(words[i], "lb") || strings.HasPrefix(words[i], "pound")
		}
	}
	return false
}

// weightOver is the lower limit of a weight, such as "over 10 000 pounds"; "" when there is none.
func weightOver(words []string) string {
	for i, w := range words {
		if w == "to" && i > 1 && i+2 < len(words) && isFigure(words[i-1]) && isFigure(words[i-2]) && len(words[i-1]) == 3 && isWeightAt(words, i+1) {
			if thousands, err := strconv.Atoi(words[i-2]); err == nil && thousands >= leastHeavy/1000 {
				return strings.Join(words[i-2:i+1], " ")
			}
		}
		if w != "over" && w != "above" && w != "exceeding" && w != "heavier" {
			continue
		}
		end := i + 1
		for end < len(words) && (isFigure(words[end]) || words[end] == "than") {
			end++
		}
		if end > i+1 && end < len(words) && (strings.HasPrefix(words[end], "lb") || strings.HasPrefix(words[end], "pound")) {
			return strings.Join(words[i:end+1], " ")
		}
	}
	return ""
}

// eachWeight is a weight for which an amount is charged, such as "each 100 lbs"; "" when there is none.
func eachWeight(words []string) string {
	for i, w := range words[:max(len(words)-2, 0)] {
		if (w == "each" || w == "every" || w == "per") && isFigure(words[i+1]) && isWeightAt(words, i+1) {
			return strings.Join(words[i:i+3], " ")
		}
	}
	return ""
}
