package scope

import "strings"

// grams are the runs of three bytes of a text, as bits by a hash. Long lists of words are looked for in each text: most words have a run that
// the text has not.
type grams [32]uint64

func gramsOf(text string) (g grams) {
	for i := 0; i+2 < len(text); i++ {
		bit := gram(text, i)
		g[bit>>6] |= 1 << (bit & 63)
	}
	return g
}

func gram(text string, i int) uint {
	return (961*uint(text[i]) + 31*uint(text[i+1]) + uint(text[i+2])) % (32 * 64)
}

// holdOne tells whether the text of the grams has one of the words.
func (g *grams) holdOne(text string, words []string) bool {
	for _, w := range words {
		if g.mayHold(w) && strings.Contains(text, w) {
			return true
		}
	}
	return false
}

func (g *grams) mayHold(word string) bool {
	for i := 0; i+2 < len(word); i++ {
		if bit := gram(word, i); g[bit>>6]&(1<<(bit&63)) == 0 {
			return false
		}
	}
	return true
}
