package table

import (
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// What counts as a row of short blocks, and as a line that pairs a label with a value.
const (
	minBlocks, maxBlocks = 2, 16 // cells in a row
	maxBlockText         = 120   // bytes in a cell
	maxPairsText         = 1000  // bytes in a group of lines
	maxPairsNodes        = 200   // nodes in such a group
	maxPairsDepth        = 6     // levels of nodes
	digits               = "0123456789"
)

// roles reads elements that play a table by their ARIA roles.
func (p *parser) roles(n *html.Node) {
	var rows []Row
	eachRole(n, func(row *html.Node) {
		if cells := roleCells(row); len(cells) > 0 {
			rows = append(rows, Row{Cells: cells})
		}
	}, "row")
	if len(rows) == 0 {
		p.walk(n) // the role stands on a wrapper of ordinary tables
		return
	}
	p.addGrid(n, Table, attr(n, "aria-label"), rows)
}

// roleCells are the cells of a row in the order that they are shown in, which aria-colindex tells where the document's
// is another.
func roleCells(row *html.Node) []Cell {
	var nodes []*html.Node
	eachRole(row, func(cell *html.Node) { nodes = append(nodes, cell) }, "cell", "gridcell", "columnheader", "rowheader")
	slices.SortStableFunc(nodes, func(a, b *html.Node) int {
		return spanOf(a, "aria-colindex", maxColumns) - spanOf(b, "aria-colindex", maxColumns)
	})
	var cells []Cell
	for _, n := range nodes {
		cell := Cell{Text: cellText(n), Heading: isRole(n, "columnheader", "rowheader")}
		for range min(spanOf(n, "aria-colspan", maxColumns), maxColumns-len(cells)) {
			cells = append(cells, cell)
			cell.Spanned = true
		}
	}
	return cells
}

// eachRole calls f for the outermost elements below n that have one of the roles.
func eachRole(n *html.Node, f func(*html.Node), roles ...string) {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		switch {
		case c.Type != html.ElementNode || Unseen(c):
		case isRole(c, roles...):
			f(c)
		default:
			eachRole(c, f, roles...)
		}
	}
}

// blocks reads n as a grid when its children are rows of equally many short children.
func (p *parser) blocks(n *html.Node) bool {
	width := blockWidth(n)
	if width == 0 {
		return false
	}
	var rows []Row
	figures := false
	if head := dataLabels(n); head != nil {
		rows = append(rows, Row{Cells: head, Head: true})
	}
	for c := range elements(n) {
		if level := headingLevel(c); level > 0 {
			p.heading(level, cellText(c))
			continue
		}
		if countElements(c) < minBlocks && headingLevel(c) == 0 {
			if text := cellText(c); text != "" { // a line between the rows
				rows = append(rows, Row{Cells: []Cell{{Text: text}}})
			}
			continue
		}
		var cells []Cell
		for cell := range elements(c) {
			text := cellText(cell)
			if len(text) > maxBlockText || strings.Count(text, ": ") > 1 && strings.Contains(text, "%") { // lines of labels and values
				return false
			}
			figures = figures || strings.ContainsAny(text, digits)
			cells = append(cells, Cell{Text: text})
		}
		switch {
		case len(cells) != width:
		case figures && !hasDigits(cells): // no row: those below the headings have figures
			rows = append(rows, Row{Cells: []Cell{{Text: cellText(c)}}})
		default:
			rows = append(rows, Row{Cells: cells})
		}
	}
	if !figures {
		return false
	}
	if !p.continues(n, width) {
		p.addGrid(n, Blocks, attr(n, "aria-label"), rows)
		return true
	}
	last := len(p.grids) - 1
	p.grids[last].Rows = append(p.grids[last].Rows, rows...)
	p.cells += width * len(rows)
	p.at[n] = append(p.at[n], last)
	return true
}

// continues tells whether n goes on with the last grid: the next row of cards, right behind an element of the same form.
func (p *parser) continues(n *html.Node, width int) bool {
	before := elementBefore(n)
	if before == nil || len(p.at[before]) != 1 || p.at[before][0] != len(p.grids)-1 || attr(n, "class") != attr(before, "class") || dataLabels(n) != nil {
		return false
	}
	last := &p.grids[len(p.grids)-1]
	for c := before.NextSibling; c != n; c = c.NextSibling {
		if c.Type == html.TextNode && strings.TrimSpace(c.Data) != "" {
			return false
		}
	}
	isOther := func(r Row) bool { return len(r.Cells) != width }
	return last.Kind == Blocks && last.Caption == attr(n, "aria-label") && last.Hidden == (p.hidden > 0) && !slices.ContainsFunc(last.Rows, isOther)
}

// dataLabels are the headings that each row of n repeats for small screens: <div data-label="LTL %">. It is nil where the rows have none,
// or others.
func dataLabels(n *html.Node) []Cell {
	var head []Cell
	for row := range elements(n) {
		var labels []Cell
		for cell := range elements(row) {
			label := attr(cell, "data-label")
			if label == "" {
				return nil
			}
			labels = append(labels, Cell{Text: label, Heading: true})
		}
		if head != nil && !slices.Equal(head, labels) {
			return nil
		}
		head = labels
	}
	return head
}

func hasDigits(cells []Cell) bool {
	return slices.ContainsFunc(cells, func(c Cell) bool { return strings.ContainsAny(c.Text, digits) })
}

// blockWidth is how many children each of n's rows has; 0 when n is not made of rows.
func blockWidth(n *html.Node) int {
	width, rows, lines := 0, 0, 0
	for c := range elements(n) {
		if c.DataAtom == atom.Table || c.DataAtom == atom.Dl {
			return 0
		}
		count, rowLike := 0, 0
		for cell := range elements(c) {
			children := countElements(cell)
			if children > 2 {
				return 0
			}
			if children == 2 {
				rowLike++
			}
			count++
		}
		switch {
		case count > 1 && rowLike == count: // c is a grid itself
			return 0
		case count <= 1: // a title or a rule between rows
			if !plainBlock(c) {
				return 0
			}
		case width == 0 || count == width:
			width = count
			rows++
			if hasBareFigure(c) { // the line is the row, its elements are parts of it
				lines++
			}
		default:
			return 0
		}
	}
	if rows < 2 || 2*lines > rows || width < minBlocks || width > maxBlocks || holdsTable(n) {
		return 0
	}
	return width
}

// hasBareFigure tells whether a figure stands in n outside of its elements.
func hasBareFigure(n *html.Node) bool {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == html.TextNode && strings.ContainsAny(c.Data, digits) {
			return true
		}
	}
	return false
}

// holdsTable tells whether a table stands anywhere inside n.
func holdsTable(n *html.Node) bool {
	for c := range elements(n) {
		if c.DataAtom == atom.Table || isPre(c) || holdsTable(c) {
			return true
		}
	}
	return false
}

// plainBlock tells whether n holds text and at most one wrapper of text.
func plainBlock(n *html.Node) bool {
	for c := range elements(n) {
		for range elements(c) {
			return false
		}
	}
	return true
}

// countElements counts the children of n but for line breaks; a table counts as many.
func countElements(n *html.Node) int {
	count := 0
	for c := range elements(n) {
		if c.DataAtom == atom.Table {
			return maxBlocks
		}
		if c.DataAtom != atom.Br {
			count++
		}
	}
	return count
}

// elements yields the children of n that take place on the page.
func elements(n *html.Node) func(func(*html.Node) bool) {
	return func(yield func(*html.Node) bool) {
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			if c.Type == html.ElementNode && !Unseen(c) && !yield(c) {
				return
			}
		}
	}
}

// list reads a <dl>.
func (p *parser) list(n *html.Node) {
	var rows []Row
	label := ""
	var collect func(*html.Node)
	collect = func(n *html.Node) {
		for c := range elements(n) {
			switch c.DataAtom {
			case atom.Dt:
				label = strings.TrimSuffix(cellText(c), ":")
			case atom.Dd:
				rows = append(rows, pair(label, cellText(c)))
			case atom.Div:
				collect(c)
			}
		}
	}
	collect(n)
	p.addPairs(n, attr(n, "aria-label"), rows)
	p.walk(n)
}

func pair(label, value string) Row {
	return Row{Cells: []Cell{{Text: label, Heading: true}, {Text: value}}}
}

// addPairs makes one grid of each record: the first label, come again, begins the next.
func (p *parser) addPairs(n *html.Node, caption string, rows []Row) {
	line := p.line
	for len(rows) > 0 {
		end := 1
		for end < len(rows) && rows[end].Cells[0].Text != rows[0].Cells[0].Text {
			end++
		}
		p.line = line
		p.addGrid(n, Pairs, caption, rows[:end:end])
		rows = rows[end:]
	}
}

// pairs adds n as labels and values when it is a small group of lines of the form "Label: value".
func (p *parser) pairs(n *html.Node) bool {
	l := lines{nodes: maxPairsNodes, levels: maxPairsDepth}
	if p.paired || n.DataAtom == atom.Html || n.DataAtom == atom.Body || n.DataAtom == atom.Head || !l.collect(n) {
		return false
	}
	var rows []Row
	for _, line := range l.split() {
		if label, value, ok := strings.Cut(line, ":"); ok && value != "" && len(line) <= maxBlockText {
			rows = append(rows, pair(strings.TrimSpace(label), strings.TrimSpace(value)))
		}
	}
	if len(rows) < 2 {
		return false
	}
	p.addPairs(n, attr(n, "aria-label"), rows)
	return true
}

// lines collects the visible text of a small element, line by line.
type lines struct {
	b      strings.Builder
	nodes  int // that may still be visited
	levels int
	colon  bool
}

func (l *lines) collect(n *html.Node) bool {
	l.levels--
	defer func() { l.levels++ }()
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if l.nodes--; l.nodes < 0 || l.levels < 0 || l.b.Len() > maxPairsText {
			return false
		}
		switch {
		case c.Type == html.TextNode:
			l.colon = l.colon || strings.Contains(c.Data, ":")
			l.b.WriteString(strings.ReplaceAll(c.Data, "\n", " "))
			continue
		case c.Type != html.ElementNode || Unseen(c):
			continue
		case c.DataAtom == atom.Table || c.DataAtom == atom.Dl || c.DataAtom == atom.Sup || headingLevel(c) > 0:
			return false
		}
		if !inline(c.DataAtom) {
			l.b.WriteByte('\n')
		}
		if !l.collect(c) {
			return false
		}
		if !inline(c.DataAtom) {
			l.b.WriteByte('\n')
		}
	}
	return true
}

func (l *lines) split() []string {
	if !l.colon || !strings.ContainsAny(l.b.String(), digits) {
		return nil
	}
	var out []string
	for line := range strings.SplitSeq(l.b.String(), "\n") {
		var f folder
		f.write(line)
		if f.b.Len() > 0 {
			out = append(out, f.b.String())
		}
	}
	return out
}
