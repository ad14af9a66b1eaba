package scope

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// Grams find what a search for each word finds.
func TestGramsFindWhatASearchFinds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`[a-e %é]{0,60}`).Draw(t, "text")
		words := rapid.SliceOfN(rapid.StringMatching(`[a-e %é]{1,6}`), 1, 5).Draw(t, "words")
		if at := rapid.IntRange(0, len(text)).Draw(t, "at"); at < len(text) {
			words = append(words, text[at:min(len(text), at+5)])
		}
		g := gramsOf(text)
		want := slices.ContainsFunc(words, func(w string) bool { return strings.Contains(text, w) })
		if got := g.holdOne(text, words); got != want {
			t.Fatalf("%q, %q: %v", text, words, got)
		}
	})
}
