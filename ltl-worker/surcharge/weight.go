package surcharge

import "strings"

// A weight in a heading tells LTL from truckload: "< 20,000 lbs", "10,000 lbs and over", "1 - 19,999 lbs". Fewer pounds
// than leastLimit are no limit between the two, and a range that begins below leastTruckload is LTL.
const (
	leastLimit     = 1000
	leastTruckload = 10_000
)

// weights reads a weight limit at i: mLTL when it is an upper one, mTL when it is a lower one. A range is LTL when it
// begins below leastTruckload. The index after it is 0 when there is none.
func weights(t []token, i int) (int, mark) {
	sign, at := comparison(t, i)
	first, next, ok := pounds(t, at)
	if !ok {
		return 0, 0
	}
	if sign != 0 && first >= leastLimit {
		return next, sign
	}
	if second, after, ok := poundsRangeEnd(t, next); ok {
		if first < leastTruckload && second >= leastLimit {
			return after, mLTL
		}
		return after, mTL
	}
	if first < leastLimit {
		return 0, 0
	}
	if sign, after := trailingComparison(t, next); sign != 0 {
		return after, sign
	}
	return 0, 0
}

// comparison reads "<", "under", "more than" and the like before a weight.
func comparison(t []token, i int) (mark, int) {
	switch t[i].kind {
	case '<':
		return mLTL, skip(t, i+1, "=")
	case '>':
		return mTL, skip(t, i+1, "=")
	}
	for _, c := range comparisons[t[i].text] {
		if follows(t, i+1, c.rest...) {
			return c.mark, skip(t, i+1+len(c.rest), "-")
		}
	}
	return 0, i
}

// comparisons stand before a weight; they are kept by their first word.
var comparisons = map[string][]struct {
	rest []string
	mark mark
}{
	"less": {{[]string{"than"}, mLTL}}, "fewer": {{[]string{"than"}, mLTL}}, "lighter": {{[]string{"than"}, mLTL}},
	"under": {{nil, mLTL}}, "below": {{nil, mLTL}}, "up": {{[]string{"to"}, mLTL}}, "not": {{[]string{"exceeding"}, mLTL}},
	"maximum": {{nil, mLTL}}, "max": {{nil, mLTL}},
	"greater": {{[]string{"than"}, mTL}}, "more": {{[]string{"than"}, mTL}}, "heavier": {{[]string{"than"}, mTL}},
	"over": {{nil, mTL}}, "above": {{nil, mTL}}, "exceeding": {{nil, mTL}}, "at": {{[]string{"least"}, mTL}}, "minimum": {{nil, mTL}},
}

// trailingComparison reads "and over", "or less", "+" after a weight.
func trailingComparison(t []token, i int) (mark, int) {
	if i < len(t) && t[i].kind == '+' {
		return mTL, i + 1
	}
	if i+1 >= len(t) || !(t[i].text == "and" || t[i].text == "or" || t[i].kind == '&') {
		return 0, i
	}
	switch t[i+1].text {
	case "over", "above", "more", "greater", "up", "heavier":
		return mTL, i + 2
	case "under", "below", "less", "lower", "lighter":
		return mLTL, i + 2
	}
	return 0, i
}

// pounds reads a weight, such as "20,000 lbs." or "20K".
func pounds(t []token, i int) (value float64, next int, ok bool) {
	if i >= len(t) || t[i].kind != digits {
		return 0, i, false
	}
	var q quantity
	next, ok = q.read(t, i)
	if !ok || q.decimals > 0 {
		return 0, i, false
	}
	if next < len(t) && (t[next].text == "k" || t[next].text == "m") {
		q.value *= 1000
		next++
	}
	if next < len(t) && (strings.HasPrefix(t[next].text, "lb") || strings.HasPrefix(t[next].text, "pound") || t[next].kind == '#') {
		next = skip(t, next+1, ".")
		return q.value, next, true
	}
	return q.value, next, true
}

func poundsRangeEnd(t []token, i int) (float64, int, bool) {
	if i+1 >= len(t) || !(t[i].kind == '-' || t[i].text == "to" || t[i].text == "through" || t[i].text == "thru") {
		return 0, i, false
	}
	value, next, ok := pounds(t, i+1)
	return value, next, ok && value >= leastLimit
}
