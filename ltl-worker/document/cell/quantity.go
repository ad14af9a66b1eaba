package cell

import (
	"strings"

	"assay.dev/ltl-worker/document/token"
	"assay.dev/ltl-worker/surcharge/meaning"
)

// Unit is what a number is marked with.
type Unit uint8

// The units.
const (
	Bare Unit = iota // no unit is printed
	Percent
	Dollars
	Cents
	PerMile
)

// Quantity is a number as a cell prints it.
type Quantity struct {
	Value float64
	// About is what the words beside the number mean: LTL for "27.0% LTL".
	About meaning.Set
	// Decimals is how many digits stand behind the decimal point.
	Decimals int8
	Unit     Unit
}

// unitOfSign are the units of symbols.
var unitOfSign = map[rune]Unit{'$': Dollars, '%': Percent, '¢': Cents}

// unitOfWord are the units of words.
var unitOfWord = map[string]Unit{
	"percent": Percent, "pct": Percent, "cents": Cents, "cent": Cents, "mile": PerMile, "mi": PerMile, "cpm": PerMile,
}

// foreignWords make a cell with a number something else: a weight, a bracket, a number of weeks.
var foreignWords = map[string]bool{
	"lbs": true, "lb": true, "pounds": true, "no": true, "than": true, "less": true, "over": true, "under": true,
	"to": true, "through": true, "from": true, "week": true, "weeks": true, "load": true,
}

// decoration may stand around a number and changes nothing.
const decoration = "*†‡§():[].,¹²³" + arrows

// readQuantity reads a cell that holds one number, its unit and known words: "$5.599", "46.32% (1)", "27.0% LTL".
func readQuantity(t []token.Token) (Quantity, bool) {
	var q Quantity
	seen := false
	for i := 0; i < len(t); {
		switch {
		case seen && strings.ContainsRune(arrows, t[i].Kind):
			i = q.skipChange(t, i)
		case !token.BeginsNumber(t, i):
			if !q.readSign(t[i], seen) {
				return q, false
			}
			i++
		case isFootnote(t, i):
			i++
		case seen:
			next := q.skipBand(t, i)
			if next == 0 {
				return q, false // a second number
			}
			i = next
		default:
			n, next, ok := token.ReadNumber(t, i)
			if !ok || i > 0 && t[i].Glued && t[i-1].Kind == '(' { // accountants write negative numbers so
				return q, false
			}
			q.Value, q.Decimals, seen, i = n.Value, n.Decimals, true, next
		}
	}
	return q, seen
}

// readSign takes a symbol or a word beside the number. It is false for one that makes the cell something else. seen
// tells whether the number stands before it.
func (q *Quantity) readSign(t token.Token, seen bool) bool {
	if t.Kind == token.Word {
		return q.readWord(t.Text)
	}
	if unit := unitOfSign[t.Kind]; unit != Bare {
		q.Unit = unit
		return true
	}
	return strings.ContainsRune(decoration, t.Kind) || t.Kind == '/' && seen
}

func (q *Quantity) readWord(word string) bool {
	if foreignWords[word] {
		return false
	}
	unit, isUnit := unitOfWord[word]
	if isUnit {
		q.Unit = unit
	}
	about := meaning.OfWord(word)
	q.About |= about
	return isUnit || about != 0
}

// skipBand is the index after the bracket that the number lies in: "5.599 (5.57 - 5.60)" prints it behind the number.
// It is 0 when there is none at i.
func (q *Quantity) skipBand(t []token.Token, i int) (next int) {
	if i == 0 || t[i-1].Kind != '(' {
		return 0
	}
	low, next, ok := token.ReadNumber(t, i)
	if !ok || next >= len(t) || t[next].Kind != '-' {
		return 0
	}
	high, next, ok := token.ReadNumber(t, token.Skip(t, next+1, "$"))
	if !ok || next >= len(t) || t[next].Kind != ')' || q.Value < low.Value || q.Value > high.Value {
		return 0
	}
	return next
}

// arrows say which way a figure went.
const arrows = "▲▼↑↓"

// skipChange is the index after the arrow at i, and after the change that it tells: "46.32% ▼ 0.50". A change is small.
// Without an arrow another number may be an addition: "46.32% (+2.00%)".
func (q *Quantity) skipChange(t []token.Token, i int) (next int) {
	change, next, ok := token.ReadNumber(t, token.Skip(t, i+1, "+-$"))
	if !ok || 2*change.Value > q.Value {
		return i + 1
	}
	return token.Skip(t, next, "%")
}

// isFootnote tells whether the figure at i stands alone in brackets: "(1)".
func isFootnote(t []token.Token, i int) bool {
	return i > 0 && i+1 < len(t) && len(t[i].Text) == 1 &&
		(t[i-1].Kind == '(' && t[i+1].Kind == ')' || t[i-1].Kind == '[' && t[i+1].Kind == ']')
}
