package surcharge

import (
	"assay.dev/ltl-worker/surcharge/cell"
	"assay.dev/ltl-worker/surcharge/meaning"
	"assay.dev/ltl-worker/surcharge/refusal"
	"assay.dev/ltl-worker/surcharge/sheet"
)

// refuseEmpty refuses, with the reason that fits, a sheet in which no history can be: a template, headings without
// rows, brackets, or a table without dates.
func refuseEmpty(s sheet.Sheet) *refusal.Refusal {
	heads, held := headingsOf(s), valuesOf(s)
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
func headingsOf(s sheet.Sheet) meaning.Set {
	var all meaning.Set
	for _, h := range s.Columns {
		all |= h.Meanings
	}
	return all
}

// values says what kinds of values a sheet holds anywhere.
type values struct{ placeholder, date, figure bool }

func valuesOf(s sheet.Sheet) values {
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
