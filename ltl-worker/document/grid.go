package document

import (
	"cmp"
	"slices"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"assay.dev/platform/scrape/table"
)

// table reads the rows of a table.
func (p *page) table(n *html.Node, to *Node) {
	grid, err := table.Of(n)
	if err != nil {
		p.count = maxCells + 1
	}
	if len(grid.Rows) == 0 {
		p.fill(n, to) // the role stands on a wrapper
		return
	}
	to.IsTable, to.Name = true, cmp.Or(grid.Caption, to.Name)
	around := p.cells
	p.cells = &cells{elements: grid.Elements, read: make([]*Node, len(grid.Elements))}
	p.mention(n, to.Hidden) // which reads the cells where they stand
	read := p.cells.read
	p.cells = around
	width := 0
	for _, r := range grid.Rows {
		width += len(r.Cells)
	}
	if p.count += width; p.count > maxCells {
		return
	}
	all, children, inners := make([]Cell, 0, width), make([]*Node, 0, width), make([]inner, len(grid.Rows))
	to.Children = make([]*Node, 0, len(grid.Rows))
	for number, r := range grid.Rows {
		row := p.node()
		row.Tag, row.IsHead, row.Hidden, row.Children = "tr", r.Head, to.Hidden, children[len(children):]
		for i, c := range r.Cells {
			node := p.cellOf(grid, c, read)
			if i == 0 || all[len(all)-1].Node != node {
				row.addChild(node)
			}
			all = append(all, Cell{Node: node, IsHeading: c.Heading, IsSpanned: c.Spanned})
		}
		children = children[:len(children)+len(row.Children)]
		row.Children, row.inner = slices.Clip(row.Children), &inners[number]
		row.inner.cells = slices.Clip(all[len(all)-len(r.Cells):])
		to.addChild(row)
	}
}

// cellOf is what was read of a cell.
func (p *page) cellOf(g table.Grid, c table.Cell, read []*Node) *Node {
	if c.Number == 0 {
		return p.leaf("") // nothing but a span reaches there
	}
	n := g.Elements[c.Number-1]
	node := read[c.Number-1]
	if node == nil { // it was read as that of a table inside
		return p.leaf(table.CellText(n))
	}
	if label := table.Attribute(n, "data-label"); label != "" { // a heading that is repeated for small screens
		node.Name = label
	}
	return node
}

// cells are those of the table that is read, in the order in which they were laid out.
type cells struct {
	elements []*html.Node
	read     []*Node
	next     int // which is probably the one that stands next in the page
	numbers  map[*html.Node]int
}

// number is that of an element; -1 for one that is no cell of the table.
func (c *cells) number(n *html.Node) int {
	if c == nil || n.DataAtom != atom.Td && n.DataAtom != atom.Th && table.Attribute(n, "role") == "" {
		return -1
	}
	if c.next == len(c.elements) || c.elements[c.next] != n {
		if c.numbers == nil {
			c.numbers = make(map[*html.Node]int, len(c.elements))
			for i, e := range c.elements {
				c.numbers[e] = i
			}
		}
		number, isCell := c.numbers[n]
		if !isCell {
			return -1
		}
		c.next = number
	}
	c.next++
	return c.next - 1
}

// isPlain tells whether nothing but a text stands in an element.
func isPlain(n *html.Node) bool {
	return n.FirstChild != nil && n.FirstChild == n.LastChild && n.FirstChild.Type == html.TextNode
}

// plainCell reads a cell with nothing but a text.
func (p *page) plainCell(n *html.Node) *Node {
	text := table.Text(n)
	p.tell(text, 0)
	return p.leafOf(n, text)
}

// cell reads one cell: a leaf, or a group where it holds more than a line.
func (p *page) cell(n *html.Node, hidden bool) *Node {
	if isPlain(n) && !table.Unseen(n) {
		return p.plainCell(n)
	}
	node := p.node()
	node.Tag, node.Hidden = "td", hidden
	p.fill(n, node)
	shown := node
	switch {
	case table.Unseen(n) || len(node.Children) == 0:
		shown = p.leaf("")
	case len(node.Children) == 1:
		shown = node.Children[0]
	}
	if shown != node {
		p.drop(node)
	}
	return shown
}
