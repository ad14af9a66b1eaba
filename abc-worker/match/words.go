package match

import (
	"slices"
	"strings"

	"assay.dev/abc-worker/fold"
	"assay.dev/contracts"
)

// fit is how two words are alike.
type fit int

const (
	unlike fit = iota
	slipped
	spelled
	equal
)

// slipLetters is how long a word must be so that a slip leaves no doubt which word was meant. A number with a slip is
// another number.
const slipLetters = 4

func isNumber(word string) bool { return word[0] >= '0' && word[0] <= '9' }

// compareWords compares two words; others gives the other spellings of one.
func compareWords(a, b string, others func(string) []string) fit {
	switch {
	case a == b:
		return equal
	case slices.Contains(others(a), b):
		return spelled
	case isNumber(a) || isNumber(b) || min(len(a), len(b)) < slipLetters:
		return unlike
	case contracts.IsSlip(a, b):
		return slipped
	}
	return unlike
}

// pairing is which words of two texts belong together.
type pairing struct {
	// fitted are words of the first text that have one in the second; left and missing are what has none, of the first and
	// the second.
	fitted, left, missing []string
	slips                 int
}

// pair gives each word of a the best word of b, in any order.
func pair(a, b []string, others func(string) []string) (p pairing) {
	p.left, p.missing = slices.Clone(a), slices.Clone(b)
	for _, want := range []fit{equal, spelled, slipped} {
		p.left = slices.DeleteFunc(p.left, func(word string) bool {
			i := slices.IndexFunc(p.missing, func(other string) bool { return compareWords(word, other, others) == want })
			if i < 0 {
				return false
			}
			p.missing = slices.Delete(p.missing, i, i+1)
			p.fitted = append(p.fitted, word)
			if want == slipped {
				p.slips++
			}
			return true
		})
	}
	return p
}

// joined are words that one side writes apart and the other does not: COPPER KETTLE and COPPERKETTLE, O BRIEN S and
// OBRIENS.
func joined(a, b []string) string { return strings.Join(a, "") + "\n" + strings.Join(b, "") }

// isJoined tells whether what is left over of two texts is the same but for blanks, also with one slip.
func (p *pairing) isJoined() (isSame, isSlip bool) {
	x, y, _ := strings.Cut(joined(p.left, p.missing), "\n")
	return x == y, min(len(x), len(y)) >= 2*slipLetters && !strings.ContainsAny(x+y, "0123456789") &&
		contracts.IsSlip(x, y)
}

// words are the parts of a text; an apostrophe is no end of a word.
func words(text string) []string {
	return fold.Parts(strings.ReplaceAll(fold.String(text), "'", ""))
}
