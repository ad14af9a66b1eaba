package scope

import (
	"slices"
	"strings"

	"assay.dev/ltl-worker/surcharge/sheet"
)

// A sentence may be about one column of several, and name it by its place or by the words of its heading: "The last column is the change
// against the week before", "Truckload and volume columns are for quotes". What it says of another column it does not say of the percents.

// columnPlace is where a column stands among the others, counted from 0.
type columnPlace struct{ at, width int }

// placeOf is the place of a column. Only upright tables have the columns that the page shows.
func placeOf(s sheet.Sheet, column int) columnPlace {
	if s.Loose || s.IsJSON || strings.Contains(strings.TrimPrefix(s.Name, "table "), " ") {
		return columnPlace{}
	}
	return columnPlace{column, len(s.Columns)}
}

// isElsewhere tells whether the subject of a sentence is a column at another place: "The last column is …". It is not where the sentence
// goes on about columns.
func (p columnPlace) isElsewhere(words []string) bool {
	if p.width < 3 || len(words) < 3 {
		return false
	}
	if words[0] == "the" {
		words = words[1:]
	}
	if len(words) > 2 && words[1] == "hand" {
		words = append([]string{words[0]}, words[2:]...)
	}
	at, isPlace := columnOrdinals[words[0]]
	if words[1] != "column" || !isPlace || slices.ContainsFunc(words[2:], func(w string) bool { return figureNouns[w] || w == "column" || w == "columns" || demonstratives[w] }) {
		return false
	}
	if at < 0 {
		at += p.width
	}
	return at < p.width && at != p.at
}

// columnOrdinals are the names of places. Those from the right are below 0.
var columnOrdinals = map[string]int{"first": 0, "second": 1, "third": 2, "fourth": 3, "fifth": 4, "sixth": 5, "last": -1, "rightmost": -1, "right": -1, "leftmost": 0, "left": 0}

// statesTruckload tells whether a line is the truckload's own percent and nothing else: "TL 99.00%".
func statesTruckload(line string) bool {
	if !strings.Contains(line, "%") {
		return false
	}
	words := slices.DeleteFunc(wordsOf(line), isFigure)
	return len(words) > 0 && !slices.ContainsFunc(words, func(w string) bool { return w != "tl" && w != "truckload" && w != "fuel" && !surchargeWords[w] }) &&
		slices.ContainsFunc(words, func(w string) bool { return w == "tl" || w == "truckload" })
}

// namesOtherColumns tells whether the subject of a sentence are columns whose headings hold its words, and the heading of the percents does
// not: "Truckload and volume columns are for …", "Truckload percentages are for full trailers only".
func (j *Judge) namesOtherColumns(words []string) bool {
	at := slices.IndexFunc(words, func(w string) bool { return w == "column" || figureWords[w] || strings.HasPrefix(w, "surcharge") })
	if at < 1 || at > maxLabel || at+1 == len(words) || !predicates[words[at+1]] && words[at+1] != "apply" && words[at+1] != "applies" {
		return false
	}
	named := false
	for _, w := range words[:at] {
		switch {
		case w == "the" || w == "and":
		case slices.Contains(j.otherColumns, w), j.headedLTL && (w == "truckload" || w == "tl"):
			named = true
		default:
			return false
		}
	}
	return named && !slices.ContainsFunc(words[at+1:], func(w string) bool {
		return w == "columns" || w == "column" || w == "ltl" || w == "table" || w == "percentages" || w == "these" || w == "all" || w == "both"
	})
}
