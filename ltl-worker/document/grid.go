package document

import (
	"cmp"

	"golang.org/x/net/html"

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
	cells, around := make(map[*html.Node]*Node, len(grid.Rows)*len(grid.Rows[0].Cells)), p.cells
	for _, r := range grid.Rows {
		for _, c := range r.Cells {
			cells[c.Node] = nil
		}
	}
	p.cells = cells
	p.fill(n, &Node{Hidden: to.Hidden}) // which reads the cells where they stand
	p.cells = around
	for _, r := range grid.Rows {
		row := p.node()
		row.Tag, row.IsHead, row.Hidden = "tr", r.Head, to.Hidden
		row.Cells, row.Children = make([]Cell, 0, len(r.Cells)), make([]*Node, 0, len(r.Cells))
		if p.count += len(r.Cells); p.count > maxCells {
			return
		}
		for i, c := range r.Cells {
			node := cells[c.Node]
			if node == nil { // nothing but a span reaches there
				node = p.leaf(c.Text)
			} else if label := table.Attribute(c.Node, "data-label"); label != "" { // a heading that is repeated for small screens
				node.Name = label
			}
			if i == 0 || row.Cells[i-1].Node != node {
				row.add(node)
			}
			row.Cells = append(row.Cells, Cell{Node: node, IsHeading: c.Heading, IsSpanned: c.Spanned})
		}
		to.add(row)
	}
}

// cell reads one cell: a leaf, or a group where it holds more than a line.
func (p *page) cell(n *html.Node, hidden bool) *Node {
	if only := n.FirstChild; only != nil && only.NextSibling == nil && only.Type == html.TextNode && !table.Unseen(n) {
		text := table.Text(n)
		p.tell(text, false)
		return p.leafOf(n, text)
	}
	node := &Node{Tag: "td", Hidden: hidden}
	if p.fill(n, node); table.Unseen(n) || len(node.Children) == 0 {
		return p.leaf("")
	}
	if len(node.Children) == 1 {
		return node.Children[0]
	}
	return node
}
