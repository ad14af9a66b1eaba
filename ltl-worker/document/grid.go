package document

import (
	"cmp"
	"regexp"
	"strings"

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
			if node == nil { // a label that stands in attributes, or nothing
				node = p.leaf(c.Text)
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
		return p.leaf(text)
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

// gaps part the columns of preformatted text.
var gaps = regexp.MustCompile(`\t+| {2,}| *[|;│] *`)

// preformatted reads lines of text, whose columns are set apart by blanks, as a table.
func (p *page) preformatted(text string, to *Node) {
	wide := 0
	rows := &Node{Tag: "pre", IsTable: true, Hidden: to.Hidden, Cut: to.Cut}
	for line := range strings.SplitSeq(text, "\n") {
		line = strings.Trim(strings.TrimSpace(line), "|│")
		if strings.Trim(line, "-=+_ |─┼┬┴") == "" {
			continue
		}
		row := &Node{Tag: "tr"}
		texts := gaps.Split(strings.TrimSpace(line), -1)
		if len(texts) == 1 && strings.Count(line, ",") > 1 {
			texts = strings.Split(line, ",")
		}
		p.within(func() {
			p.at.Row = p.at.In
			for _, text := range texts {
				l := p.leaf(fold(strings.Trim(text, `"`)))
				row.add(l)
				row.Cells = append(row.Cells, Cell{Node: l})
				p.tell(l.Text, false)
			}
		})
		if len(texts) > 1 {
			wide++
		}
		rows.add(row)
	}
	switch {
	case wide > 1:
		to.add(rows)
	default:
		for _, row := range rows.Children {
			to.add(row.Children[0])
		}
	}
}

func preText(n *html.Node) string {
	var b strings.Builder
	for d := range n.Descendants() {
		switch {
		case d.Type == html.TextNode:
			b.WriteString(d.Data)
		case d.DataAtom == atom.Br:
			b.WriteByte('\n')
		}
	}
	return strings.ReplaceAll(b.String(), "\u00a0", " ")
}
