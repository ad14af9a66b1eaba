package surcharge

import (
	"assay.dev/ltl-worker/document"
	"assay.dev/ltl-worker/document/cell"
	"assay.dev/ltl-worker/surcharge/meaning"
	"assay.dev/ltl-worker/surcharge/refusal"
)

// refuseEmpty refuses, with the reason that fits, a sheet in which no history can be: a template, headings without
// rows, brackets, or a table without dates.
func (s *search) refuseEmpty(list document.List) *refusal.Refusal {
	heads, held := s.headingsOf(list), valuesOf(list)
	hasDates, hasRates := heads.Has(meaning.Date|meaning.Effective|meaning.Begin), heads.Has(meaning.Percent|meaning.LTL)
	switch {
	case held.placeholder:
		return &refusal.Refusal{Reason: refusal.Template}
	case hasDates && hasRates && !held.date && !held.figure:
		return &refusal.Refusal{Reason: refusal.NoRows}
	case held.date && (held.figure || hasRates):
		return nil
	case hasRates && heads.Has(meaning.Bound|meaning.Price|meaning.Index):
		return &refusal.Refusal{Reason: refusal.Brackets}
	}
	return &refusal.Refusal{Reason: refusal.NoTable, Detail: "no dates"}
}

// headingsOf is what the headings of a sheet mean, all together.
func (s *search) headingsOf(list document.List) meaning.Set {
	var all meaning.Set
	for _, levels := range list.Labels {
		all |= s.vocabulary.Heading(levels).Meanings
	}
	return all
}

// values says what kinds of values a sheet holds anywhere.
type values struct{ placeholder, date, figure bool }

func valuesOf(s document.List) values {
	var held values
	for _, r := range s.Rows {
		for i := range r.Cells {
			v := &r.Cells[i]
			held.placeholder = held.placeholder || v.IsPlaceholder()
			held.date = held.date || v.Kind == cell.Dates
			held.figure = held.figure || v.Kind == cell.Figure
		}
	}
	return held
}
