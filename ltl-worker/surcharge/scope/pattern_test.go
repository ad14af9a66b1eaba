package scope

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// A text that a pattern matches is searched for it.
func TestNoMatchIsPassedOver(t *testing.T) {
	for name, set := range map[string]*patternSet{"telling": telling(), "neutral": neutral()} {
		for _, p := range set.patterns {
			texts := rapid.StringMatching(p.String())
			for seed := range 5 {
				text := "a " + strings.NewReplacer("ſ", "s", "\u212a", "k").Replace(texts.Example(seed)) + " b" // letters that fold to ours
				if !p.MatchString(text) {
					text = text[2 : len(text)-2]
				}
				if p.MatchString(text) && !isCandidate(set, strings.ToLower(text), p) {
					t.Errorf("%s: %q is not searched for %s", name, text, p)
				}
			}
		}
	}
}

func isCandidate(set *patternSet, text string, p pattern) bool {
	for c := range set.candidates(text) {
		if c == p {
			return true
		}
	}
	return false
}

func TestGroupsOfAList(t *testing.T) {
	groups := groupsOf("# A list.\n\nfees = (fee|toll)s?\n\nwhat they are\n\t\\bno {fees}\n\tfree of {fees}\n\n# \"an example\"\n\tonce\n\t=> \"$1 \\t\"\n")
	want := []group{
		{says: "what they are", expressions: []string{`\bno (?:(fee|toll)s?)`, `free of (?:(fee|toll)s?)`}},
		{with: "$1 \t", expressions: []string{"once"}},
	}
	if !slices.EqualFunc(groups, want, func(a, b group) bool {
		return a.says == b.says && a.with == b.with && slices.Equal(a.expressions, b.expressions)
	}) {
		t.Errorf("%q", groups)
	}
}
