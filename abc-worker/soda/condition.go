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

// Holds is true for rows that hold text in one of the columns, without regard to case. Accents in text are removed,
// those in the rows stay: "café" finds CAFE ROMA, but not CAFÉ ROMA, which [HoldsAccented] finds.
func Holds(text string, columns ...string) string {
	like := Quote("%" + pattern(text) + "%")
	return each(columns, func(column string) string { return "upper(" + column + ") like " + like })
}

// HoldsAccented is true for rows that hold text in one of the columns when accents do not count, and that have an
// accented letter there. It puts a wildcard for each letter that takes an accent, so a few rows that do not hold
// text pass too: "cafe" finds CAFÉ ROMA, and CUFÉ too. It is empty when text has no such letter.
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

// each is the condition for at least one of the columns.
func each(columns []string, condition func(string) string) string {
	var all []string
	for _, column := range columns {
		all = append(all, condition(column))
	}
	return Or(all...)
}

// pattern is text for LIKE: in upper case, without accents, with its own wildcards escaped. A comma becomes a
// wildcard, because registers set blanks around it as they like.
func pattern(text string) string {
	parts := strings.Split(text, ",")
	for i, part := range parts {
		parts[i] = escape.Replace(fold.String(part))
	}
	return strings.Join(parts, "%")
}

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
