package meaning

import (
	"strings"

	"assay.dev/ltl-worker/surcharge/token"
)

// A weight in a heading tells LTL from truckload: "< 20,000 lbs", "10,000 lbs and over", "1 - 19,999 lbs". Both
// bounds are in pounds.
const (
	leastLimit     = 1000   // a lower weight does not divide LTL from truckload
	leastTruckload = 10_000 // a range that begins below it is LTL
)

// ofWeightLimit reads a weight limit at i: LTL when it is an upper limit, Truckload when it is a lower one. next is 0
// when no limit is there.
func ofWeightLimit(t []token.Token, i int) (next int, side Set) {
	side, at := comparison(t, i)
	first, next, ok := readPounds(t, at)
	if !ok {
		return 0, 0
	}
	if side != 0 && first >= leastLimit {
		return next, side
	}
	if second, after, ok := readRangeEnd(t, next); ok {
		if first < leastTruckload && second >= leastLimit {
			return after, LTL
		}
		return after, Truckload
	}
	if first < leastLimit {
		return 0, 0
	}
	if side, after := trailingComparison(t, next); side != 0 {
		return after, side
	}
	return 0, 0
}

// comparison reads "<", "under", "more than" and the like before a weight.
func comparison(t []token.Token, i int) (side Set, next int) {
	switch t[i].Kind {
	case '<':
		return LTL, token.Skip(t, i+1, "=")
	case '>':
		return Truckload, token.Skip(t, i+1, "=")
	}
	for _, c := range comparisons[t[i].Text] {
		if token.Follow(t, i+1, c.rest...) {
			return c.meanings, token.Skip(t, i+1+len(c.rest), "-")
		}
	}
	return 0, i
}

// comparisons stand before a weight. The key is the first word.
var comparisons = map[string][]phrase{
	"less":      {{[]string{"than"}, LTL}},
	"fewer":     {{[]string{"than"}, LTL}},
	"lighter":   {{[]string{"than"}, LTL}},
	"under":     {{nil, LTL}},
	"below":     {{nil, LTL}},
	"up":        {{[]string{"to"}, LTL}},
	"not":       {{[]string{"exceeding"}, LTL}},
	"maximum":   {{nil, LTL}},
	"max":       {{nil, LTL}},
	"greater":   {{[]string{"than"}, Truckload}},
	"more":      {{[]string{"than"}, Truckload}},
	"heavier":   {{[]string{"than"}, Truckload}},
	"over":      {{nil, Truckload}},
	"above":     {{nil, Truckload}},
	"exceeding": {{nil, Truckload}},
	"at":        {{[]string{"least"}, Truckload}},
	"minimum":   {{nil, Truckload}},
}

// trailingComparison reads "and over", "or less" or "+" after a weight.
func trailingComparison(t []token.Token, i int) (side Set, next int) {
	if i < len(t) && t[i].Kind == '+' {
		return Truckload, i + 1
	}
	if i+1 >= len(t) || t[i].Text != "and" && t[i].Text != "or" && t[i].Kind != '&' {
		return 0, i
	}
	switch t[i+1].Text {
	case "over", "above", "more", "greater", "up", "heavier":
		return Truckload, i + 2
	case "under", "below", "less", "lower", "lighter":
		return LTL, i + 2
	}
	return 0, i
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
	if next < len(t) && isPoundSign(t[next]) {
		next = token.Skip(t, next+1, ".")
	}
	return n.Value, next, true
}

func isPoundSign(t token.Token) bool {
	return strings.HasPrefix(t.Text, "lb") || strings.HasPrefix(t.Text, "pound") || t.Kind == '#'
}

// readRangeEnd reads the "- 19,999 lbs" of "1 - 19,999 lbs".
func readRangeEnd(t []token.Token, i int) (pounds float64, next int, ok bool) {
	if i+1 >= len(t) || !isRangeSign(t[i]) {
		return 0, i, false
	}
	pounds, next, ok = readPounds(t, i+1)
	return pounds, next, ok && pounds >= leastLimit
}

func isRangeSign(t token.Token) bool {
	return t.Kind == '-' || t.Text == "to" || t.Text == "through" || t.Text == "thru"
}
