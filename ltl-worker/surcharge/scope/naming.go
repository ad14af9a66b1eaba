package scope

import (
	"strings"
	"unicode"

	"assay.dev/ltl-worker/surcharge/token"
)

// In a sentence most words that nobody listed are ordinary. Those that can name a place, a service or a party are written
// with a capital, or stand where such names stand.

// anyWord lets all words count.
func anyWord([]string, int) bool { return true }

// namingIn lets the words of a sentence count that can name something: those with a capital, those right before what is
// named ("zorbex shipments"), and those behind a preposition ("applies to windmills").
func namingIn(sentence string) func(words []string, i int) bool {
	capitals := capitalsIn(sentence)
	return func(words []string, i int) bool {
		return capitals[words[i]] || i+1 < len(words) && named[words[i+1]] ||
			i > 0 && (prepositions[words[i-1]] || i > 1 && prepositions[words[i-2]] && articles[words[i-1]])
	}
}

var (
	named = indexPlain(`shipment shipments freight surcharge surcharges fuel ltl rate rates percent percents percentage percentages
		customer customers shipper shippers account accounts service services lane lanes load loads traffic move moves division table tables
		schedule program programs programme tariff tariffs orders region market markets terminal terminals center centers
		delivery deliveries carrier carriers company companies members network product products goods cargo lines line
		contract contracts agreement agreements points point territory zone states area areas product only`)
	prepositions = indexPlain(`to for from in within between via at into onto through of`)
	articles     = indexPlain(`the a an our all any its their`)
)

// capitalsIn are the words of a sentence that begin with a capital, in lower case. In a sentence that has capitals only, all
// do.
func capitalsIn(sentence string) map[string]bool {
	capitals := map[string]bool{}
	for word := range strings.FieldsFuncSeq(sentence, func(r rune) bool { return !unicode.IsLetter(r) && r != '.' && r != '&' }) {
		if r := []rune(word)[0]; unicode.IsUpper(r) {
			for _, t := range token.Split(nil, token.Spaced(word)) {
				capitals[t.Text] = true
			}
		}
	}
	return capitals
}
