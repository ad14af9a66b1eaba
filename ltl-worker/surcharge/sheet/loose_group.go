package sheet

import (
	"slices"
	"strings"

	"assay.dev/ltl-worker/surcharge/meaning"
	"assay.dev/platform/scrape/table"
)

// group divides the children of one element into records.
type group struct {
	*looseWalk
	dates   int // in the element
	records []looseRecord
	parts   []int // the numbers of records before elements with several weeks of their own
	open    *looseRecord
	before  []*table.Block // what stands before the next date
	after   []*table.Block // what stands behind the element that is added
	label   *table.Block   // the last line that was not taken: it may name the next figure
	above   bool           // the percent of the open record stands above its date
}

func (g *group) add(b *table.Block) {
	c := g.counts[b]
	switch {
	case b.IsAside():
	case b.Hidden || g.isTable(b) && !g.opens(b):
		g.end()
	case c.dates == 0:
		g.addWithoutDate(b, c)
	case (c.dates == 1 || c.dates == 2 && c.percents <= 1 && g.isOneWeek(b)) && !g.holdsMore(b):
		g.begin(b, c)
	default:
		g.end()
		g.parts = append(g.parts, len(g.records))
		g.walk(b)
	}
}

// isOneWeek tells whether the values in an element can be those of one week.
func (g *group) isOneWeek(b *table.Block) bool {
	_, ok := g.fieldsOf(&looseRecord{lines: appendLines(nil, b)})
	return ok
}

// holdsMore tells whether an element holds a week and, under a title of its own, other percents: "98.7% on time".
func (g *group) holdsMore(b *table.Block) bool {
	holdsWeek := func(c *table.Block) bool { return g.counts[c].dates > 0 && g.counts[c].percents > 0 }
	holdsOther := func(c *table.Block) bool { return g.counts[c].dates == 0 && g.counts[c].percents > 0 && g.isApart(c) }
	i := slices.IndexFunc(b.Children, holdsWeek)
	return i >= 0 && (slices.ContainsFunc(b.Children, holdsOther) || g.holdsMore(b.Children[i]))
}

// addWithoutDate adds what follows a date to its record, up to the next title.
func (g *group) addWithoutDate(b *table.Block, c counts) {
	if g.open == nil {
		g.before = append(g.before, b)
		return
	}
	if (b.Level > 0 || g.isApart(b) || g.above && g.dates > 1 && c.percents > 0) && g.open.percents(g.looseWalk) > 0 {
		g.end()
		g.before = append(g.before, b)
		return
	}
	if c.figures > 0 && !g.isOfAnother(b) || g.open.percents(g.looseWalk) == 0 {
		g.open.lines, g.open.element = appendLines(appendLabel(g.open.lines, g.label), b), nil
		b = nil
	}
	g.label = b
}

// appendLabel appends the line that names a figure; not where it is taken already.
func appendLabel(lines []*table.Block, label *table.Block) []*table.Block {
	if label == nil {
		return lines
	}
	if inner := appendLines(nil, label); len(inner) == 1 && len(inner[0].Text) <= maxLooseLabel {
		return append(lines, inner[0])
	}
	return lines
}

// isOfAnother tells whether an element with figures stands beside a week that is complete in its own element.
func (g *group) isOfAnother(b *table.Block) bool {
	return g.open.element != nil && g.counts[b].percents > 0
}

// isApart tells whether an element has a title that is not that of a figure of the week, such as "LTL" or "Diesel price".
func (g *group) isApart(b *table.Block) bool {
	const ofWeek = meaning.LTL | meaning.Truckload | meaning.Percent | meaning.Price | meaning.Fuel
	return slices.ContainsFunc(b.Children, func(c *table.Block) bool {
		return c.Level > 0 && (g.counts[c].percents > 0 || !g.vocabulary.Of(c.Text).Has(ofWeek))
	})
}

func (g *group) begin(b *table.Block, c counts) {
	before := g.before
	g.end()
	r := looseRecord{dates: c.dates}
	if c.percents == 0 { // "49.5%" may stand above "Effective September 2"
		if from := g.percentBefore(before); from >= 0 {
			g.above = true
			if from > 0 && len(appendLines(nil, before[from-1])) == 1 && g.counts[before[from-1]].figures == 0 {
				from--
			}
			for _, above := range before[from:] {
				r.lines = appendLines(r.lines, above)
			}
		}
	}
	if n := len(before); n > 0 && len(r.lines) == 0 && g.namesDate(before[n-1]) {
		r.lines = appendLines(r.lines, before[n-1])
	}
	if b.Text == "" && c.percents > 0 && len(r.lines) == 0 {
		r.element = b
	}
	r.lines = appendLines(r.lines, b)
	g.open = &r
}

// namesDate tells whether an element is the name of a date that stands in the next one: "Effective", "Posted on".
func (g *group) namesDate(b *table.Block) bool {
	lines := appendLines(nil, b)
	if len(lines) != 1 || lines[0].Level > 0 || strings.HasSuffix(lines[0].Text, ".") || strings.ContainsAny(lines[0].Text, digits) || len(lines[0].Text) > maxLooseLabel || g.counts[b].figures > 0 {
		return false
	}
	said := g.vocabulary.Of(lines[0].Text)
	return said.Has(meaning.Date|meaning.Effective|meaning.Begin|meaning.End|meaning.Posted|meaning.Index) &&
		!said.Has(meaning.Percent|meaning.LTL|meaning.Truckload|meaning.Service)
}

// percentBefore is the index of the percent that stands before a date, with at most two lines of words between them, or of the first
// of several figures before the only date; -1 when there is none.
func (g *group) percentBefore(before []*table.Block) int {
	if g.dates == 1 {
		if g.percentFollows() {
			return -1
		}
		if from := g.figuresBefore(before); from >= 0 {
			return from
		}
	}
	for i := len(before) - 1; i >= max(0, len(before)-3); i-- {
		if g.percentsIn(before[i]) == 1 {
			return i
		}
		if g.counts[before[i]].figures > 0 || len(appendLines(nil, before[i])) > 1 {
			break
		}
	}
	return -1
}

// percentFollows tells whether the figures right behind the date have a percent.
func (g *group) percentFollows() bool {
	i := slices.IndexFunc(g.after, func(b *table.Block) bool { return g.counts[b].figures > 0 || b.Level > 0 })
	return i >= 0 && g.percentsIn(g.after[i]) > 0 && !g.isApart(g.after[i])
}

// figuresBefore is the index of the first of the figures that stand right before a date, one of which is a percent; -1 when there
// are none.
func (g *group) figuresBefore(before []*table.Block) int {
	from, percents := -1, 0
	for i := len(before) - 1; i >= 0 && g.counts[before[i]].figures > 0; i-- {
		from, percents = i, percents+g.percentsIn(before[i])
	}
	if percents == 0 {
		return -1
	}
	return from
}

func (g *group) percentsIn(b *table.Block) int { return g.counts[b].percents }

func (g *group) end() {
	if g.open != nil {
		g.records = append(g.records, *g.open)
	}
	g.open, g.before, g.label, g.above = nil, nil, nil, false
}

func (r *looseRecord) percents(w *looseWalk) int {
	n := 0
	for _, line := range r.lines {
		n += w.counts[line].percents
	}
	return n
}

// appendLines appends the lines in b.
func appendLines(lines []*table.Block, b *table.Block) []*table.Block {
	if b.IsAside() {
		return lines
	}
	if b.Text != "" {
		return append(lines, b)
	}
	for _, c := range b.Children {
		lines = appendLines(lines, c)
	}
	return lines
}
