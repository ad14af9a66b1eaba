package column

import (
	"slices"
	"strings"

	"assay.dev/ltl-worker/document"
	"assay.dev/ltl-worker/document/cell"
	"assay.dev/ltl-worker/surcharge/meaning"
)

// IsForeign tells whether what stands under a heading is of another service or place, or another figure.
func IsForeign(h meaning.Heading) bool {
	return h.Is(meaning.Service|meaning.Other|meaning.Region) || h.Is(meaning.Abroad) && !h.Is(meaning.US)
}

// lineIsForeign tells whether a line of text says that what stands under it is not ours: it names another service or
// place. A list of services in which ours stands too is not foreign, such as "LTL, Volume and Expedited". Under a
// column headed LTL a line that names truckload only is an error of the page: the column is right.
func lineIsForeign(line string, v *meaning.Vocabulary, headedLTL bool) bool {
	said := v.Of(line)
	switch {
	case said.Has(meaning.Abroad):
		return !said.Has(meaning.US)
	case said.Has(meaning.Service):
		return !said.Has(meaning.LTL) || !strings.ContainsAny(line, ",&/|+-–—") && !strings.Contains(line, " and ")
	}
	return said.Has(meaning.Truckload) && !said.Has(meaning.LTL) && !headedLTL
}

// ForeignLine is the line over a list that says that its percents are not ours; "" when there is none. headedLTL tells
// whether they stand under a heading that names LTL.
func ForeignLine(l document.List, v *meaning.Vocabulary, headedLTL bool) string {
	for i, line := range l.Context {
		if i == 0 && strings.Count(line, ",") > 1 {
			continue // the title of a page may list all services
		}
		if lineIsForeign(line, v, headedLTL) {
			return line
		}
	}
	return ""
}

// IsBeside tells whether a sheet is seen beside another one, under a title of its own: it is no other print of that.
func (c *Columns) IsBeside(other *Columns) bool {
	return !c.Sheet.Hidden && titleOf(c.Sheet) != titleOf(other.Sheet)
}

// MayBeOther tells whether two sheets may be of two services: they stand under titles with words that are not known.
func (c *Columns) MayBeOther(than *Columns) bool {
	a, b := titleOf(c.Sheet), titleOf(than.Sheet)
	return a != b && c.vocabulary.Of(a).Has(meaning.Unknown) && c.vocabulary.Of(b).Has(meaning.Unknown)
}

// titleOf is the nearest line over a list.
func titleOf(l document.List) string {
	if len(l.Context) == 0 {
		return ""
	}
	return l.Context[len(l.Context)-1]
}

func (c *Columns) isAboutFuel() bool {
	return slices.ContainsFunc(c.facts, func(f facts) bool { return f.heading.Is(meaning.Fuel) }) ||
		slices.ContainsFunc(c.Sheet.Context, func(line string) bool { return c.vocabulary.Of(line).Has(meaning.Fuel) })
}

// maxLabel is the most words of a cell that names what its row is of.
const maxLabel = 4

// OwnRows are the rows of a list that are not of another service or place, by a section over them or by a cell.
func OwnRows(l document.List, v *meaning.Vocabulary) document.List {
	isOther := func(text string) bool {
		said := v.Of(text)
		return said.Has(meaning.Service|meaning.Abroad|meaning.Region|meaning.Truckload) &&
			!said.Has(meaning.LTL|meaning.US) && len(strings.Fields(text)) <= maxLabel
	}
	isOthers := func(r document.Row) bool {
		return isOther(r.Section) || slices.ContainsFunc(r.Cells,
			func(v *cell.Value) bool { return v.Kind == cell.Text && isOther(v.Text) })
	}
	if slices.ContainsFunc(l.Rows, isOthers) {
		l.Rows = slices.DeleteFunc(slices.Clone(l.Rows), isOthers)
	}
	return l
}
