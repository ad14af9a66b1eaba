package meaning

import (
	"cmp"
	"slices"

	"assay.dev/ltl-worker/document/token"
)

// Vocabulary knows what the words of headings, titles and JSON members mean.
type Vocabulary struct {
	names [][]string
	known map[string]Set
}

// NewVocabulary is the vocabulary for a carrier's documents. Its names mean nothing, also where their words do: the
// "Old" of "Old Dominion".
func NewVocabulary(names ...string) *Vocabulary {
	v := &Vocabulary{known: map[string]Set{}}
	for _, name := range names {
		var words []string
		for _, t := range token.Split(nil, name) {
			if t.Kind == token.Word {
				words = append(words, t.Text)
			}
		}
		if len(words) > 1 {
			v.names = append(v.names, words)
		}
	}
	return v
}

// Of is what a heading, a title or a line of text means. Prose means nothing.
func (v *Vocabulary) Of(text string) Set {
	all, ok := v.known[text]
	if ok {
		return all
	}
	var buf [32]token.Token
	t := token.Split(buf[:0], token.Spaced(text))
	for i := 0; i < len(t); {
		if next := v.afterName(t, i); next > 0 {
			i = next
			continue
		}
		next, found := ofPhrase(t, i)
		all |= found
		i = next
	}
	v.known[text] = all
	return all
}

// afterName is the index after the carrier's name at i; 0 where it does not stand there.
func (v *Vocabulary) afterName(t []token.Token, i int) (next int) {
	for _, name := range v.names {
		next = cmp.Or(next, token.Follow(t, i, name...))
	}
	return next
}

// IsLabel tells whether a text reads like the heading of a column.
func (v *Vocabulary) IsLabel(text string) bool {
	return v.Of(text).Has(Date | Effective | Begin | Price | Percent | LTL | Truckload | Index | Posted)
}

// NamesDay tells whether a text is a label of days.
func (v *Vocabulary) NamesDay(text string) bool {
	return v.Of(text).Has(Date | Effective | Begin | End | Posted | Index)
}

// NamesFigure tells whether a text is a label of percents or prices.
func (v *Vocabulary) NamesFigure(text string) bool {
	return v.Of(text).Has(Percent | LTL | Truckload | Price | Fuel | Bound | US)
}

// TellsWhen tells whether a text only tells which week something is of: "Last week".
func (v *Vocabulary) TellsWhen(text string) bool {
	t := token.Split(nil, text)
	return len(t) > 0 &&
		!slices.ContainsFunc(t, func(t token.Token) bool { return t.Kind == token.Word && whenWords[t.Text] == 0 })
}

// SaysNothing tells whether all words of a text are known, and none changes what a figure is of.
func (v *Vocabulary) SaysNothing(text string) bool {
	return !v.Of(text).Has(Unknown | Others | Other | Bound)
}

// IsForeign tells whether a text names another service, place or figure.
func (v *Vocabulary) IsForeign(text string) bool {
	return v.Of(text).Has(Others&^Region | Other | Bound)
}
