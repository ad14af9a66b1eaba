package soda

import (
	"strings"

	"assay.dev/abc-worker/fold"
)

// Quote is text as a literal, its quotes doubled. There is no other way out of a literal than the quote.
func Quote(text string) string { return "'" + strings.ReplaceAll(text, "'", "''") + "'" }

// Equal is true of rows whose column is text, without regard to case.
func Equal(column, text string) string {
	return "upper(" + column + ")=" + Quote(strings.ToUpper(text))
}

// And is true where all conditions are.
func And(conditions ...string) string { return join(conditions, " and ") }

// Or is true where one of the conditions is.
func Or(conditions ...string) string { return join(conditions, " or ") }

func join(conditions []string, word string) string {
	if len(conditions) == 1 {
		return conditions[0]
	}
	return "(" + strings.Join(conditions, word) + ")"
}

// Holds is true of rows that hold text in one of the columns, without regard to case. Accents in text do not count, those in
// the rows do: see [HoldsAccented].
func Holds(text string, columns ...string) string {
	like := Quote("%" + pattern(text) + "%")
	return each(columns, func(column string) string { return "upper(" + column + ") like " + like })
}

// HoldsAccented is true of rows that have an accented letter in one of the columns and may hold text there but for the
// accents: the condition lets through a few that do not. It is empty when text has no letter that takes an accent.
func HoldsAccented(text string, columns ...string) string {
	folded := fold.String(text)
	letters := accented(folded)
	if len(letters) == 0 {
		return ""
	}
	like := Quote("%" + anyAccent(pattern(folded)) + "%")
	return each(columns, func(column string) string {
		var present []string
		for _, letter := range letters {
			present = append(present, "upper("+column+") like '%"+string(letter)+"%'")
		}
		return And("upper("+column+") like "+like, Or(present...))
	})
}

func each(columns []string, condition func(string) string) string {
	var all []string
	for _, column := range columns {
		all = append(all, condition(column))
	}
	return Or(all...)
}

// pattern is text for LIKE: upper case, no accents, its own wildcards escaped. A comma may have any blanks around it.
func pattern(text string) string {
	parts := strings.Split(text, ",")
	for i, part := range parts {
		parts[i] = escape.Replace(fold.String(part))
	}
	return strings.Join(parts, "%")
}

var escape = strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`)

// accents are the letters with accents that registers hold, by their plain letter.
var accents = map[rune][]rune{
	'A': []rune("ÁÀÂÃÄÅ"), 'C': []rune("Ç"), 'E': []rune("ÉÈÊË"), 'I': []rune("ÍÌÎÏ"),
	'N': []rune("Ñ"), 'O': []rune("ÓÒÔÕÖØ"), 'U': []rune("ÚÙÛÜ"), 'Y': []rune("Ý"),
}

// accented are the letters with accents that folded text may stand for, in the order in which text has them.
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

// anyAccent puts a wildcard for each letter that takes an accent.
func anyAccent(pattern string) string {
	return strings.Map(func(r rune) rune {
		if accents[r] != nil {
			return '_'
		}
		return r
	}, pattern)
}
