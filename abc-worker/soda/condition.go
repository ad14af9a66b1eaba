package soda

import (
	"strings"

	"assay.dev/abc-worker/fold"
)

// Quote is text as a literal: O'Brien becomes 'O”Brien'. Only a quote can end a literal, so nothing in text can
// leave it.
func Quote(text string) string { return "'" + strings.ReplaceAll(text, "'", "''") + "'" }

// Equal is true for rows whose column equals text, without regard to case.
func Equal(column, text string) string {
	return "upper(" + column + ")=" + Quote(strings.ToUpper(text))
}

// And is true where all conditions are true.
func And(conditions ...string) string { return join(conditions, " and ") }

// Or is true where at least one of the conditions is true.
func Or(conditions ...string) string { return join(conditions, " or ") }

func join(conditions []string, word string) string {
	if len(conditions) == 1 {
		return conditions[0]
	}
	return "(" + strings.Join(conditions, word) + ")"
}

// Holds is true for rows whose columns together hold all parts, without regard to case: each part in one of the
// columns. The parts are in upper case and without accents; accents in the rows stay: CAFE finds CAFE ROMA, but not
// CAFÉ ROMA, which [HoldsAccented] finds.
func Holds(parts []string, columns ...string) string {
	var all []string
	for _, part := range parts {
		all = append(all, eachLike(columns, "%"+pattern(part)+"%"))
	}
	return And(all...)
}

// HoldsAccented is true for rows whose columns together hold all parts when accents do not count, and that have an
// accented letter there. It puts a wildcard for each letter that takes an accent, so a few rows that do not hold the
// parts pass too: CAFE finds CAFÉ ROMA, and CUFÉ too. It is empty when no part has such a letter.
func HoldsAccented(parts []string, columns ...string) string {
	return holdsAccented(parts, func(string) []string { return nil }, columns)
}

func holdsAccented(parts []string, other func(part string) []string, columns []string) string {
	letters := accented(strings.Join(parts, ""))
	if len(letters) == 0 {
		return ""
	}
	var present []string
	for _, letter := range letters {
		present = append(present, eachLike(columns, "%"+string(letter)+"%"))
	}
	all := []string{Or(present...)}
	for _, part := range parts {
		all = append(all, Or(append([]string{eachLike(columns, "%"+anyAccent(pattern(part))+"%")}, other(part)...)...))
	}
	return And(all...)
}

// HoldsAddress is true for rows of which street and city, the columns, and the ZIP code together may hold all parts as
// [fold.HoldsAddress] has it. A few more pass too, such as those with another spelling within a word. It is empty where
// [Holds] finds all of them.
func HoldsAddress(parts []string, zip string, columns ...string) string {
	other := func(part string) (conditions []string) {
		for _, spelling := range fold.OtherSpellings(part) {
			if !strings.Contains(spelling, part) {
				conditions = append(conditions, eachLike(columns, "%"+pattern(spelling)+"%"))
			}
		}
		if fold.IsZIPCode(part) {
			conditions = append(conditions, eachLike([]string{zip}, part+"%"))
		}
		return conditions
	}
	var ways, all []string
	varies := false
	for _, part := range parts {
		conditions := other(part)
		varies = varies || len(conditions) > 0
		all = append(all, Or(append([]string{eachLike(columns, "%"+pattern(part)+"%")}, conditions...)...))
	}
	if varies {
		ways = append(ways, And(all...))
	}
	if accented := holdsAccented(parts, other, columns); accented != "" {
		ways = append(ways, accented)
	}
	if len(ways) == 0 {
		return ""
	}
	return Or(ways...)
}

// eachLike is the condition for at least one of the columns.
func eachLike(columns []string, like string) string {
	var all []string
	for _, column := range columns {
		all = append(all, "upper("+column+") like "+Quote(like))
	}
	return Or(all...)
}

// pattern is text for LIKE, with its own wildcards escaped.
func pattern(text string) string { return escape.Replace(text) }

var escape = strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`)

// accents are the accented letters that registers hold, by their plain letter.
var accents = map[rune][]rune{
	'A': []rune("ÁÀÂÃÄÅ"), 'C': []rune("Ç"), 'E': []rune("ÉÈÊË"), 'I': []rune("ÍÌÎÏ"),
	'N': []rune("Ñ"), 'O': []rune("ÓÒÔÕÖØ"), 'U': []rune("ÚÙÛÜ"), 'Y': []rune("Ý"),
}

// accented are the accented letters of all plain letters in folded text.
func accented(folded string) []rune {
	var letters []rune
	seen := map[rune]bool{}
	for _, r := range folded {
		if !seen[r] {
			seen[r] = true
			letters = append(letters, accents[r]...)
		}
	}
	return letters
}

// anyAccent replaces each letter that takes an accent by the wildcard for one letter.
func anyAccent(pattern string) string {
	return strings.Map(func(r rune) rune {
		if accents[r] != nil {
			return '_'
		}
		return r
	}, pattern)
}
