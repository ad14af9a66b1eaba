package meaning

import (
	"slices"

	"assay.dev/ltl-worker/surcharge/token"
)

// CarrierWords are words and phrases with a meaning that only one carrier gives them. Case, punctuation and white
// space do not matter.
type CarrierWords struct {
	// LTL head the LTL percent.
	LTL []string
	// Effective head the day from which a percent applies.
	Effective []string
	// Refuse name another service.
	Refuse []string
	// Names are the carrier's own. They mean nothing, also where their words do: the "Old" of "Old Dominion".
	Names []string
}

// Vocabulary knows the common words and those of one carrier.
type Vocabulary struct {
	refuse, ltl, effective, names [][]string // phrases, word by word
}

// NewVocabulary adds the words of a carrier to the common ones.
func NewVocabulary(own CarrierWords) *Vocabulary {
	return &Vocabulary{refuse: splitAll(own.Refuse), ltl: splitAll(own.LTL), effective: splitAll(own.Effective), names: splitAll(own.Names)}
}

func splitAll(texts []string) [][]string {
	phrases := make([][]string, len(texts))
	for i, text := range texts {
		phrases[i] = wordsOf(token.Split(nil, token.Spaced(text)))
	}
	return phrases
}

// wordsOf are the words and digits of t, without the symbols.
func wordsOf(t []token.Token) []string {
	var all []string
	for i := range t {
		if t[i].Kind == token.Word || t[i].Kind == token.Digits {
			all = append(all, t[i].Text)
		}
	}
	return all
}

// Of is what a heading, a title or a line of text means. Where the text holds words of the carrier's own, only they
// count. Prose means nothing.
func (v *Vocabulary) Of(text string) Set {
	var buf [32]token.Token
	t := token.Split(buf[:0], token.Spaced(text))
	if own := v.ofOwnWords(t); own != 0 {
		return own
	}
	var all Set
	bilingual := isEnglish(t)
	for i := 0; i < len(t); {
		next, found := ofPhrase(t, i)
		if found == Unknown && bilingual && IsTranslation(t[i].Text) {
			found = Neutral
		}
		all |= found
		i = next
	}
	return all
}

// ofOwnWords is what the carrier's own words in t mean; 0 when there are none.
func (v *Vocabulary) ofOwnWords(t []token.Token) Set {
	if len(v.refuse)+len(v.ltl)+len(v.effective) == 0 {
		return 0
	}
	said := wordsOf(t)
	if containsAny(said, v.refuse) {
		return Service
	}
	var own Set
	if containsAny(said, v.ltl) {
		own |= LTL | Percent
	}
	if containsAny(said, v.effective) {
		own |= Effective
	}
	return own
}

// containsAny tells whether one of the phrases stands in said.
func containsAny(said []string, phrases [][]string) bool {
	return slices.ContainsFunc(phrases, func(phrase []string) bool {
		for i := 0; len(phrase) > 0 && i+len(phrase) <= len(said); i++ {
			if slices.Equal(said[i:i+len(phrase)], phrase) {
				return true
			}
		}
		return false
	})
}

// WithoutNames leaves the carrier's names out of words in lower case.
func (v *Vocabulary) WithoutNames(said []string) []string {
	for _, name := range v.names {
		for i := 0; len(name) > 0 && i+len(name) <= len(said); i++ {
			if slices.Equal(said[i:i+len(name)], name) {
				said = slices.Delete(said, i, i+len(name))
			}
		}
	}
	return said
}
