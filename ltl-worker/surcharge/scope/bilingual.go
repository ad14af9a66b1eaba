package scope

import (
	"slices"

	"assay.dev/ltl-worker/surcharge/meaning"
	"assay.dev/ltl-worker/surcharge/sheet"
)

// isOfUnknownCountry tells whether headings or titles are in two languages and no text says that the figures are those of the whole
// country. Such a page may be that of Canada or Mexico.
func isOfUnknownCountry(s sheet.Sheet) bool {
	var texts []string
	for _, r := range s.Remarks {
		texts = append(texts, r.Text)
	}
	for _, h := range s.Columns {
		if h.Is(meaning.US) {
			return false
		}
		texts = append(texts, h.Levels...)
	}
	texts = append(texts, s.Context...)
	isMarked := func(text string) bool {
		return slices.ContainsFunc(wordsOf(text), func(w string) bool { return markersOfLanguage[w] })
	}
	return slices.ContainsFunc(texts, isMarked) && !slices.ContainsFunc(texts, func(text string) bool { return isWholeCountry(wordsOf(text)) })
}

// markersOfLanguage are words of the trade that are surely not English.
var markersOfLanguage = indexPlain(`recargo recargos combustible vigencia fecha supplément carburant vigueur`)
