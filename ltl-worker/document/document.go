// Package document turns an HTML page or a JSON text into one tree of leaves, and finds the lists of records in it. It
// knows what a date and a figure look like; what the labels mean it asks the vocabulary.
package document

import (
	"slices"
	"strings"

	"assay.dev/ltl-worker/document/cell"
)

// Document is a whole page or JSON text.
type Document struct {
	*Node
	// Texts are what it says.
	Texts []Text
}

// Node is a part of a document: a leaf with a text, or a group of nodes.
type Node struct {
	// Value is that of a leaf, with its text.
	cell.Value
	// IsTable is set for a table. Its Children are rows.
	IsTable bool
	IsHead  bool // of a row of headings
	IsLink  bool // a leaf that is a link or a button
	Hidden  bool // the page does not show it
	Cut     bool // the document ends inside of it
	// Level is that of a heading, 1 to 6, or 7 for what names a part otherwise, such as a caption; 0 for other nodes.
	Level uint8

	dates, figures int32 // in it
	Children       []*Node
	// Name is what the document calls the part: the member of a JSON object, or an attribute such as data-label.
	Name string
	// Tag is the element that the part was made of; "" in JSON.
	Tag string
	// inner is what few nodes have; nil for the others.
	inner *inner
}

type inner struct {
	parts []cell.Part
	cells []Cell
}

// Parts are the dates and the figures in a leaf that is more than a value.
func (n *Node) Parts() []cell.Part {
	if n.inner == nil {
		return nil
	}
	return n.inner.parts
}

// Cells are the cells of a row of a table, by column, where one that spans several stands in each of them.
func (n *Node) Cells() []Cell {
	if n.inner == nil {
		return nil
	}
	return n.inner.cells
}

// Cell is a position in a row.
type Cell struct {
	*Node
	IsHeading, IsSpanned bool
}

func (n *Node) isLeaf() bool { return len(n.Children) == 0 && !n.IsTable }

func (n *Node) isJSON() bool { return n.Tag == "{}" || n.Tag == "[]" }

// hasBoth tells whether a date and a figure stand in the node.
func (n *Node) hasBoth() bool { return n.dates > 0 && n.figures > 0 }

// leaves are those of the node, in the order of the document.
func (n *Node) leaves() func(yield func(*Node) bool) {
	return func(yield func(*Node) bool) { n.each(yield) }
}

func (n *Node) each(yield func(*Node) bool) bool {
	if n.isLeaf() {
		return yield(n)
	}
	return !slices.ContainsFunc(n.Children, func(c *Node) bool { return !c.each(yield) })
}

func (n *Node) leafCount() (count int) {
	for range n.leaves() {
		count++
	}
	return count
}

// text is that of all leaves.
func (n *Node) text() string {
	var texts []string
	for l := range n.leaves() {
		texts = append(texts, l.Text)
	}
	return strings.Join(texts, " ")
}

// reader makes leaves, and counts them.
type reader struct {
	teller
	leaves int
	unused []Node
	// expected is how many nodes are probably needed; 0 where that is not known.
	expected int
	spare    []*Node
	// stands is where the next leaf does, of JSON.
	stands int
}

// node is a new node. Nodes are made many at once.
func (r *reader) node() *Node {
	if last := len(r.spare) - 1; last >= 0 {
		n := r.spare[last]
		r.spare = r.spare[:last]
		return n
	}
	if len(r.unused) == 0 {
		r.unused = make([]Node, max(r.expected, 16))
		r.expected = 0
	}
	n := &r.unused[0]
	r.unused = r.unused[1:]
	return n
}

// drop takes back a node that is no part of the document, and the room for its children.
func (r *reader) drop(n *Node) {
	clear(n.Children)
	*n = Node{Children: n.Children[:0]}
	r.spare = append(r.spare, n)
}

// leaf reads a text.
func (r *reader) leaf(text string) *Node {
	r.leaves++
	n := r.node()
	n.Value = r.values.Read(text)
	switch n.Kind {
	case cell.Dates:
		n.dates = 1
	case cell.Figure:
		n.figures = figure(&n.Value)
	case cell.Text:
		parts := r.values.Scan(text)
		for i := range parts {
			n.figures += figure(&parts[i].Value)
			if parts[i].Kind == cell.Dates {
				n.dates++
			}
		}
		if parts != nil {
			n.inner = &inner{parts: parts}
		}
	}
	n.stand(r.stands)
	return n
}

// stand says where a leaf stands.
func (n *Node) stand(at int) {
	n.At = int32(at)
	for i := range n.Parts() {
		n.inner.parts[i].At = n.At
	}
}

// figure counts a figure that may be a percent.
func figure(v *cell.Value) int32 {
	q := &v.Quantity
	if v.Kind == cell.Figure && (q.Unit == cell.Percent || q.Unit == cell.Bare && q.Value > 0 && q.Value <= 100) {
		return 1
	}
	return 0
}

// addChild puts a node into a group.
func (n *Node) addChild(child *Node) {
	n.Children = append(n.Children, child)
	n.dates, n.figures = n.dates+child.dates, n.figures+child.figures
}
