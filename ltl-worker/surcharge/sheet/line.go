package sheet

import (
	"slices"

	"assay.dev/ltl-worker/surcharge/cell"
	"assay.dev/ltl-worker/surcharge/meaning"
	"assay.dev/platform/scrape/table"
)

// lineRole is what a line of a grid is for.
type lineRole uint8

const (
	blankLine   lineRole = iota
	sectionLine          // one text over the whole width
	headLine             // headings
	dataLine             // a record
)

// lineFacts are what a line's role depends on. A cell that spans several columns counts once.
type lineFacts struct {
	filled, dates, figures, texts, headings, placeholders int

	spanned    bool // a cell spans several columns
	inHead     bool // the row stands in a <thead>
	mayBePair  bool // two cells, none of which spans both: a label and a value
	line       []cell.Value
	vocabulary *meaning.Vocabulary
}

func factsOf(r table.Row, line []cell.Value, v *meaning.Vocabulary) lineFacts {
	f := lineFacts{inHead: r.Head, line: line, vocabulary: v}
	f.mayBePair = len(line) == 2 && !r.Cells[1].Spanned
	for i := range line {
		v, c := &line[i], &r.Cells[i]
		f.spanned = f.spanned || c.Spanned
		if v.Kind == cell.Blank || c.Spanned && i > 0 && line[i-1].Text == v.Text {
			continue
		}
		f.filled++
		if c.Heading {
			f.headings++
		}
		f.count(v)
	}
	return f
}

func (f *lineFacts) count(v *cell.Value) {
	switch {
	case v.Kind == cell.Dates:
		f.dates++
	case v.Kind == cell.Figure:
		f.figures++
	case v.IsPlaceholder():
		f.placeholders++
	default:
		f.texts++
	}
}

func (f lineFacts) onlyHeadings() bool { return f.headings == f.filled }

// readsLikeHeadings tells whether cells that are not marked as headings read like some.
func (f lineFacts) readsLikeHeadings() bool {
	var all meaning.Set
	for i := range f.line {
		v := &f.line[i]
		if v.Kind == cell.Figure && v.Quantity.Unit != cell.Bare {
			return false
		}
		if v.Kind == cell.Text {
			all |= f.vocabulary.Of(v.Text)
		}
	}
	return all.Has(meaning.Date | meaning.Effective | meaning.Begin | meaning.Price | meaning.Percent | meaning.LTL |
		meaning.Truckload | meaning.Index | meaning.Posted)
}

// saysOther tells whether a text beside a blank cell names another service or place: it is no label whose value is missing.
func (f lineFacts) saysOther() bool {
	return slices.ContainsFunc(f.line, func(v cell.Value) bool {
		return v.Kind == cell.Text && f.vocabulary.Of(v.Text).Has(otherFigures)
	})
}

// otherFigures are the meanings of texts that name another service or place, or something unknown.
const otherFigures = meaning.Others | meaning.Other | meaning.Unknown

// lineRules say what a line is for. The first one that applies decides; a line to which none applies is data.
var lineRules = []struct {
	name    string
	role    lineRole
	applies func(f lineFacts) bool
}{
	{"nothing is said", blankLine, func(f lineFacts) bool { return f.filled == 0 }},
	{"a script has not filled it", dataLine, func(f lineFacts) bool { return f.placeholders > 0 }},
	{"one text alone", sectionLine, func(f lineFacts) bool {
		return f.filled == 1 && f.dates == 0 && (!f.mayBePair || f.texts == 1 && f.saysOther())
	}},
	{"headings, one of which names a date", headLine, func(f lineFacts) bool {
		return f.dates > 0 && f.figures == 0 && f.texts > 0 && f.onlyHeadings()
	}},
	{"dates over groups of columns", headLine, func(f lineFacts) bool {
		return f.dates > 0 && f.dates == f.filled && f.spanned && f.onlyHeadings()
	}},
	{"a date", dataLine, func(f lineFacts) bool { return f.dates > 0 }},
	{"figures", dataLine, func(f lineFacts) bool { return f.figures > 1 && !f.onlyHeadings() && !f.inHead }},
	{"marked as headings", headLine, func(f lineFacts) bool { return f.inHead || f.onlyHeadings() }},
	{"words of headings", headLine, func(f lineFacts) bool { return f.texts > 0 && f.readsLikeHeadings() }},
}

func roleOfLine(r table.Row, line []cell.Value, v *meaning.Vocabulary) lineRole {
	facts := factsOf(r, line, v)
	for i := range lineRules {
		if lineRules[i].applies(facts) {
			return lineRules[i].role
		}
	}
	return dataLine
}
