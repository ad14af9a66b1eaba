package document

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"assay.dev/ltl-worker/document/cell"
	"assay.dev/platform/scrape"
	"assay.dev/platform/scrape/table"
)

// FromHTML reads a page in UTF-8. It never fails on bad markup; the error is that of a page that is too large.
func FromHTML(doc []byte) (*Document, error) {
	root, err := scrape.ParseHTML(doc)
	if err != nil {
		return nil, err
	}
	p := newPage(reader{})
	p.cut = table.CutElements(root, doc)
	top := p.readNodes(root)
	if p.count > maxCells {
		return nil, fmt.Errorf("more than %d cells", maxCells)
	}
	scrape.NumberNodes(root, func(n *html.Node, number int) {
		for len(p.stood) > 0 && p.stood[0].in == n {
			p.stood[0].leaf.stand(number)
			p.stood = p.stood[1:]
		}
	})
	return &Document{top, p.texts}, nil
}

// maxCells bounds the cells of all tables of a page, spans expanded.
const maxCells = 500_000

// page reads one page. It walks down once, and makes the tree of what is shown and the texts of all that is said.
type page struct {
	reader
	cut   map[*html.Node]bool
	notes map[string]bool // by id: a mark such as * refers to it
	cells *cells
	count int     // of cells, spans expanded
	stood []stood // in the order of the page
}

func newPage(r reader) *page {
	return &page{reader: r, notes: map[string]bool{}}
}

// stood is a leaf with a value, and the element or text that it was read from.
type stood struct {
	in   *html.Node
	leaf *Node
}

// leafOf reads a text of an element. Leaves with values are told where they stand at the end.
func (p *page) leafOf(n *html.Node, text string) *Node {
	l := p.leaf(text)
	if l.dates+l.figures > 0 || l.Value.Kind == cell.Figure {
		p.stood = append(p.stood, stood{n, l})
	}
	return l
}

func (p *page) readNodes(root *html.Node) *Node {
	size := p.refer(root)
	p.expected += size + 8
	p.texts, p.marks, p.stood = slices.Grow(p.texts, size), slices.Grow(p.marks, size), slices.Grow(p.stood, size)
	top := &Node{}
	p.within(func() { p.fill(root, top) })
	return top
}

// holdsBlock tells whether a block stands in an element.
func holdsBlock(n *html.Node) bool {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == html.ElementNode && (!isInline(c) || holdsBlock(c)) {
			return true
		}
	}
	return false
}

// isInline tells whether an element stands in a line of text.
func isInline(n *html.Node) bool {
	isText := table.IsInline(n.DataAtom) || n.DataAtom == atom.Sup || n.DataAtom == atom.Sub || n.DataAtom == atom.Del ||
		n.DataAtom == atom.S
	return isText && table.Attribute(n, "role") == ""
}

// fill adds what stands in an element.
func (p *page) fill(n *html.Node, to *Node) {
	var buf [4]*html.Node
	line := buf[:0]
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		switch {
		case c.Type == html.TextNode, c.Type == html.ElementNode && isInline(c) && !holdsBlock(c):
			line = append(line, c)
		case c.Type == html.ElementNode:
			p.line(line, to)
			line = line[:0]
			p.element(c, to)
		}
	}
	p.line(line, to)
}

// line adds the texts that stand side by side: one leaf, or one for each element where these part the values.
func (p *page) line(nodes []*html.Node, to *Node) {
	if len(nodes) == 0 {
		return
	}
	text := table.TextOf(nodes)
	if len(nodes) == 1 && nodes[0].Type == html.TextNode {
		p.tell(text, 0)
	} else {
		p.tellLine(nodes)
	}
	if text == "" {
		return
	}
	whole := p.leafOf(nodes[0], text)
	parts := elementsOf(nodes)
	if len(parts) == 1 {
		whole.Name, whole.IsLink = nameOf(parts[0]), parts[0].DataAtom == atom.A
	}
	if len(parts) < 2 || !onlyElements(nodes) {
		to.addChild(whole)
		return
	}
	apart := p.node()
	defer p.drop(apart)
	for i, part := range parts {
		if text := table.TextOf(parts[i : i+1]); text != "" || hasTwin(part) {
			l := p.leafOf(part, text)
			l.Name, l.IsLink = nameOf(part), part.DataAtom == atom.A
			apart.addChild(l)
		}
	}
	isValue := whole.Kind == cell.Dates || whole.Kind == cell.Figure
	if isValue && !apart.hasBoth() || apart.dates < whole.dates || apart.figures < whole.figures {
		to.addChild(whole) // a value is made of several elements
		return
	}
	for _, l := range apart.Children {
		to.addChild(l)
	}
}

// hasTwin tells whether an element without a text stands beside one of the same kind, such as an empty cell of a row.
func hasTwin(n *html.Node) bool {
	for other := range n.Parent.ChildNodes() {
		if other.Type == html.ElementNode && other.DataAtom == n.DataAtom && n.DataAtom != atom.I && table.Text(other) != "" {
			return true
		}
	}
	return false
}

func elementsOf(nodes []*html.Node) (all []*html.Node) {
	for _, n := range nodes {
		if n.Type == html.ElementNode && !table.Unseen(n) {
			all = append(all, n)
		}
	}
	return all
}

// onlyElements tells whether no words stand between the elements.
func onlyElements(nodes []*html.Node) bool {
	return !slices.ContainsFunc(nodes, func(n *html.Node) bool {
		return n.Type == html.TextNode &&
			strings.ContainsFunc(n.Data, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
	})
}

// element adds a block.
func (p *page) element(n *html.Node, to *Node) {
	if isSilent(n.DataAtom) || n.DataAtom == atom.Br || n.DataAtom == atom.Hr {
		return
	}
	number := p.cells.number(n)
	if number >= 0 && len(n.Attr) == 0 && isPlain(n) && p.at.Heading == 0 { // a block for it would tell nothing
		p.cells.read[number] = p.plainCell(n)
		return
	}
	was, before := p.begin()
	p.enter(n)
	if number >= 0 {
		p.cells.read[number] = p.cell(n, to.Hidden)
	} else {
		p.block(n, to)
	}
	p.end(was, before)
}

func (p *page) block(n *html.Node, to *Node) {
	hidden := table.Removed(n)
	switch n.DataAtom {
	case atom.Tr, atom.Tbody, atom.Thead, atom.Tfoot, atom.Colgroup:
		p.fill(n, to) // the grid has the rows
		return
	}
	if !hidden && table.Unseen(n) {
		p.mention(n, false)
		return
	}
	node := p.node()
	node.Tag, node.Name, node.Hidden, node.Cut = n.Data, nameOf(n), to.Hidden || hidden, p.cut[n]
	level := levelOf(n)
	switch {
	case level > 0:
		if text := table.Text(n); text != "" {
			node.Children, node.Level = append(node.Children, p.leafOf(n, text)), level
		}
		p.mention(n, false)
	case table.IsTable(n):
		p.table(n, node)
	default:
		p.fill(n, node)
	}
	p.place(n, node, to)
}

// place puts what an element became under its parent: a table below its name, and a lone child in the element's place.
func (p *page) place(n *html.Node, node, to *Node) {
	switch {
	case node.IsTable && node.Name != "":
		named := &Node{Tag: n.Data, Hidden: node.Hidden, Cut: node.Cut}
		title := p.leaf(node.Name)
		title.Level, node.Name = captionLevel, ""
		named.addChild(title)
		named.addChild(node)
		to.addChild(named)
	case node.IsTable:
		to.addChild(node)
	case len(node.Children) == 1: // lifted
		only := node.Children[0]
		only.IsLink = only.IsLink || n.DataAtom == atom.Button || n.DataAtom == atom.A
		if only.Level == 0 {
			only.Tag, only.Level = n.Data, node.Level
		}
		only.Hidden, only.Cut = only.Hidden || node.Hidden, only.Cut || node.Cut
		only.Name = cmp.Or(only.Name, node.Name)
		to.addChild(only)
		p.drop(node)
	case len(node.Children) > 0:
		to.addChild(node)
	default:
		p.drop(node)
		if n.FirstChild == nil && hasTwin(n) {
			to.addChild(p.leaf(""))
		}
	}
}

// mention reads what an element says and does not show by itself.
func (p *page) mention(n *html.Node, hidden bool) {
	aside := p.node()
	aside.Hidden = hidden
	p.fill(n, aside)
	p.drop(aside)
}
