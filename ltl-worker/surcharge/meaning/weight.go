package meaning

import (
	"strings"

	"assay.dev/ltl-worker/document/token"
)

// A weight in a heading tells LTL from truckload: "< 20,000 lbs", "10,000 lbs and over", "1 - 19,999 lbs". Both bounds
// are in pounds.
const (
	leastLimit     = 1000   // a lower weight does not divide LTL from truckload
	leastTruckload = 10_000 // a range that begins below it is LTL
)

var (
	beforeWeight = indexWords(map[Set]string{
		LTL:       "less fewer lighter under below up not maximum max <",
		Truckload: "greater more heavier over above exceeding at minimum >",
	})
	behindWeight = indexWords(map[Set]string{LTL: "under below less lower lighter",
		Truckload: "over above more greater up heavier"})
	// joins stand between a word of beforeWeight and the weight.
	joins = indexWords(map[Set]string{Neutral: "than to least exceeding - ="})
)

// ofWeightLimit reads a weight limit at i: LTL when it is an upper limit, Truckload when it is a lower one. next is 0
// when no limit is there.
func ofWeightLimit(t []token.Token, i int) (next int, side Set) {
	side = beforeWeight[written(t[i])]
	if side != 0 {
		for i++; i < len(t) && joins[written(t[i])] != 0; i++ {
		}
	}
	first, next, ok := readPounds(t, i)
	switch {
	case !ok:
		return 0, 0
	case side != 0 && first >= leastLimit:
		return next, side
	}
	if next+1 < len(t) &&
		(t[next].Kind == '-' || t[next].Text == "to" || t[next].Text == "through" || t[next].Text == "thru") {
		if second, after, ok := readPounds(t, next+1); ok && second >= leastLimit {
			if first < leastTruckload {
				return after, LTL
			}
			return after, Truckload
		}
	}
	switch {
	case first < leastLimit:
	case next < len(t) && t[next].Kind == '+':
		return next + 1, Truckload
	case next+1 < len(t) && (t[next].Text == "and" || t[next].Text == "or" || t[next].Kind == '&') &&
		behindWeight[t[next+1].Text] != 0:
		return next + 2, behindWeight[t[next+1].Text]
	}
	return 0, 0
}

// written is a word, or a symbol as it is written.
func written(t token.Token) string {
	if t.Kind == token.Word || t.Kind == token.Digits {
		return t.Text
	}
	return string(t.Kind)
}

// readPounds reads a weight, such as "20,000 lbs." or "20K".
func readPounds(t []token.Token, i int) (pounds float64, next int, ok bool) {
	if i >= len(t) || t[i].Kind != token.Digits {
		return 0, i, false
	}
	n, next, ok := token.ReadNumber(t, i)
	if !ok || n.Decimals > 0 {
		return 0, i, false
	}
	if next < len(t) && (t[next].Text == "k" || t[next].Text == "m") {
		n.Value *= 1000
		next++
	}
	if next < len(t) && (strings.HasPrefix(t[next].Text, "lb") || strings.HasPrefix(t[next].Text, "pound") ||
		t[next].Kind == '#') {
		next = token.Skip(t, next+1, ".")
	}
	return n.Value, next, true
}
