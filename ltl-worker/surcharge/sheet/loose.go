package sheet

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"assay.dev/ltl-worker/surcharge/cell"
	"assay.dev/ltl-worker/surcharge/meaning"
	"assay.dev/platform/scrape/table"
)

// A page need not have tables. Weeks may be cards, list items, lines, sentences, or sections whose heading is the date.
// What they have in common: each holds one date, and the percent stands with it. This layout looks for the smallest
// elements of which that is so.

// looseSheets gives a sheet for each group of such weeks.
func looseSheets(page *table.Page, grids []table.Grid, v *meaning.Vocabulary) []Sheet {
	putMonths(page.Body, "")
	turnBoxes(page.Body, v)
	w := looseWalk{page: page, grids: grids, vocabulary: v, counts: map[*table.Block]counts{}, opened: map[*table.Block]bool{},
		paragraphs: map[*table.Block]*table.Block{}}
	if w.count(page.Body); w.counts[page.Body].percents == 0 || w.counts[page.Body].dates == 0 {
		return nil
	}
	w.walk(page.Body)
	return w.sheets
}

type looseWalk struct {
	page       *table.Page
	grids      []table.Grid
	vocabulary *meaning.Vocabulary
	counts     map[*table.Block]counts
	opened     map[*table.Block]bool
	paragraphs map[*table.Block]*table.Block // of lines that are sentences of one
	sheets     []Sheet
}

// counts are how many dates and percents an element holds.
type counts struct {
	dates, percents, figures int
	parts                    []cell.Part // of a line
	rest                     string
}

// looseRecord is one week: the lines that belong together.
type looseRecord struct {
	lines []*table.Block
	dates int
	// element is the one that holds all of it; nil where lines beside it belong to it.
	element *table.Block
}

func (w *looseWalk) count(b *table.Block) counts {
	var c counts
	if b.Text != "" && !b.IsAside() {
		if len(b.Text) <= maxLooseLine && !csvLine.MatchString(b.Text) && strings.ContainsAny(b.Text, "0123456789") {
			c.parts, c.rest = cell.Scan(b.Text)
		}
		if len(c.parts) == 1 && w.isDateOfPage(&c.parts[0]) {
			c.parts = nil
		}
		for i := range c.parts {
			c.add(c.parts[i].Value)
		}
	}
	w.opens(b)
	w.splitParagraphs(b)
	for _, child := range b.Children {
		if child.Hidden || w.isTable(child) && !w.opens(child) {
			continue
		}
		inner := w.count(child)
		c.dates += inner.dates
		c.percents += inner.percents
		c.figures += inner.figures
	}
	w.counts[b] = c
	return c
}

const maxLooseLine = 400

// csvLine finds values that commas part without a blank. Where one ends and the next begins is not known there: "$5.790,50.5%,84.2%".
var csvLine = regexp.MustCompile(`[\d%"],[$"]?\d[\d.]*%?(?:,|$)`)

// isDateOfPage tells whether a date that stands alone in its line is that of the page: "Last updated September 8, 2026".
func (w *looseWalk) isDateOfPage(p *cell.Part) bool {
	said := w.vocabulary.Of(p.Before)
	return p.Kind == cell.Dates && said.Has(meaning.Posted) && !said.Has(meaning.Effective|meaning.Begin) && !strings.Contains(p.Before, "as of")
}

func (c *counts) add(v cell.Value) {
	switch {
	case v.Kind == cell.Dates:
		c.dates++
	case v.Quantity.Unit == cell.Percent:
		c.percents++
		c.figures++
	default:
		c.figures++
	}
}

// isTable tells whether the element is read as a table by itself.
func (w *looseWalk) isTable(b *table.Block) bool {
	for _, i := range b.Grids {
		switch g := w.grids[i]; g.Kind {
		case table.Table:
			return !w.isLayout(b)
		case table.Blocks:
			return hasColumnsOfWeeks(g) && !hasNamesBelow(g)
		}
	}
	return false
}

// hasColumnsOfWeeks tells whether one column of a grid holds dates and another one figures.
func hasColumnsOfWeeks(g table.Grid) bool {
	var r cell.Reader
	dates, figures := map[int]int{}, map[int]int{}
	for _, row := range g.Rows {
		for i, c := range row.Cells {
			switch r.Read(c.Text).Kind {
			case cell.Dates:
				dates[i]++
			case cell.Figure:
				figures[i]++
			}
		}
	}
	isMost := func(counts map[int]int) bool {
		for _, n := range counts {
			if 2*n >= len(g.Rows) {
				return true
			}
		}
		return false
	}
	return isMost(dates) && isMost(figures)
}

// hasNamesBelow tells whether the rows of a grid are boxes: several values, and behind each its name, the same in every row.
func hasNamesBelow(g table.Grid) bool {
	first := g.Rows[0].Cells
	named := 0
	for i := 1; i < len(first); i++ {
		isOther := func(r table.Row) bool {
			return len(r.Cells) > 1 && (len(r.Cells) <= i || r.Cells[i].Text != first[i].Text)
		}
		if strings.ContainsAny(first[i-1].Text, digits) && !strings.ContainsAny(first[i].Text, digits) && first[i].Text != "" &&
			!slices.ContainsFunc(g.Rows, isOther) {
			named++
		}
	}
	return named > 1
}

// isLayout tells whether a table only places other tables or lists.
func (w *looseWalk) isLayout(b *table.Block) bool {
	for _, c := range b.Children {
		if c.Text != "" || len(c.Grids) > 0 || len(c.Children) > 0 {
			return w.grids[b.Grids[0]].Kind == table.Table
		}
	}
	return false
}

// maxOpened is the most rows that a table below a date may have.
const maxOpened = 8

// opens tells whether a table is a part of one week: it holds percents and no dates. It makes lines of its rows.
func (w *looseWalk) opens(b *table.Block) bool {
	if opened, known := w.opened[b]; known {
		return opened
	}
	w.opened[b] = false
	if len(b.Grids) != 1 || len(b.Children) > 0 || !isPartOfWeek(w.grids[b.Grids[0]]) {
		return false
	}
	w.openTable(b)
	w.opened[b] = true
	return true
}

func isPartOfWeek(g table.Grid) bool {
	if g.Kind == table.Pairs || len(g.Rows) > maxOpened {
		return false
	}
	if isHeadAndFigures(g) {
		return true
	}
	percents := false
	for _, r := range g.Rows {
		if len(r.Cells) == 0 {
			continue
		}
		if text := r.Cells[0].Text; text != "" && !strings.ContainsFunc(text, unicode.IsLetter) {
			return false // a scale: the rows are prices
		}
		for _, c := range r.Cells {
			parts, _ := cell.Scan(c.Text)
			for i := range parts {
				if parts[i].Kind == cell.Dates {
					return false
				}
				percents = percents || parts[i].Quantity.Unit == cell.Percent
			}
		}
	}
	return percents
}

// isHeadAndFigures tells whether a grid is a line of names over a line of percents: "LTL | Truckload", "31.45% | 47.2%".
func isHeadAndFigures(g table.Grid) bool {
	if len(g.Rows) != 2 || len(g.Rows[0].Cells) != len(g.Rows[1].Cells) || len(g.Rows[0].Cells) < 2 {
		return false
	}
	for i, name := range g.Rows[0].Cells {
		parts, rest := cell.Scan(g.Rows[1].Cells[i].Text)
		if name.Text == "" || strings.ContainsAny(name.Text, digits) || len(parts) != 1 || rest != "" || parts[0].Kind != cell.Figure {
			return false
		}
	}
	return true
}

// openedRow marks a line that was a row of a table.
const openedRow = table.Place(100)

// openTable makes lines of the rows: "LTL | 49.5%" becomes "LTL: 49.5%".
func (w *looseWalk) openTable(b *table.Block) {
	g := w.grids[b.Grids[0]]
	if isHeadAndFigures(g) {
		for i, name := range g.Rows[0].Cells {
			b.Children = append(b.Children, &table.Block{Text: name.Text + ": " + g.Rows[1].Cells[i].Text, Place: openedRow})
		}
		return
	}
	of := figureHeading(g)
	for _, r := range g.Rows {
		var texts []string
		for i, c := range r.Cells {
			if i == 0 && of != "" && !r.Cells[0].Heading {
				c.Text += " " + of
			}
			texts = append(texts, c.Text)
		}
		b.Children = append(b.Children, &table.Block{Text: strings.Join(texts, ": "), Place: openedRow})
	}
}

// figureHeading is the heading of the figures in a table of two columns, where it says that they are fuel surcharges: "Service | Fuel
// surcharge". It is "" for other tables.
func figureHeading(g table.Grid) string {
	head := g.Rows[0].Cells
	if len(head) != 2 || !head[0].Heading || !head[1].Heading || !strings.Contains(strings.ToLower(head[1].Text), "fuel surcharge") {
		return ""
	}
	return head[1].Text
}

// walk looks for groups of records in the element, and then in those inside it that are none themselves.
func (w *looseWalk) walk(b *table.Block) {
	c := w.counts[b]
	if c.dates == 0 || c.percents == 0 {
		return
	}
	if only := w.only(b); only != nil {
		w.walk(only)
		return
	}
	g := group{looseWalk: w, dates: c.dates}
	children := w.unfoldRows(b.Children)
	for i, child := range children {
		g.after = children[i+1:]
		g.add(child)
	}
	g.end()
	if len(g.records) == 1 && g.records[0].element != nil {
		w.walk(g.records[0].element) // the week is smaller
		return
	}
	from := 0
	for _, to := range append(g.parts, len(g.records)) { // weeks before and behind those of another element do not follow each other
		if s, ok := w.sheetOf(g.records[from:to]); ok {
			w.sheets = append(w.sheets, s)
		}
		from = to
	}
}

// unfoldRows puts the weeks of rows of cards one behind another: a page that shows three cards side by side has an element for each
// three. Rows with something else between or in them, such as a title, stay as they are.
func (w *looseWalk) unfoldRows(children []*table.Block) []*table.Block {
	var unfolded []*table.Block
	for len(children) > 0 {
		rows, most := 0, 0
		for rows < len(children) && w.isRowOfCards(children[rows]) {
			most = max(most, len(children[rows].Children))
			rows++
		}
		if rows < 2 || most < 2 {
			rows = max(rows, 1)
			unfolded = append(unfolded, children[:rows]...)
		} else {
			for _, row := range children[:rows] {
				unfolded = append(unfolded, row.Children...)
			}
		}
		children = children[rows:]
	}
	return unfolded
}

// isRowOfCards tells whether an element only holds elements of one week each, or nothing.
func (w *looseWalk) isRowOfCards(b *table.Block) bool {
	return b.Text == "" && len(b.Grids) == 0 && !b.Hidden && !slices.ContainsFunc(b.Children, w.isNoCard)
}

// isNoCard tells whether an element is none that holds one week. The places behind the last card of a table are empty.
func (w *looseWalk) isNoCard(b *table.Block) bool {
	c := w.counts[b]
	if len(b.Children) == 0 && b.Text == "" && len(b.Grids) == 0 {
		return false
	}
	return b.Text != "" || b.Hidden || w.isTable(b) || c.dates != 1 || c.percents == 0
}

// only is the one element in b that holds all that b holds; nil where b is the smallest such element.
func (w *looseWalk) only(b *table.Block) *table.Block {
	c := w.counts[b]
	for _, child := range b.Children {
		inner := w.counts[child]
		if child.Text == "" && !child.Hidden && inner.dates == c.dates && inner.percents == c.percents && inner.figures == c.figures {
			return child
		}
	}
	return nil
}
