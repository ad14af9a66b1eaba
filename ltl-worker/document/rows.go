package document

import (
	"cmp"
	"slices"
	"strings"

	"assay.dev/ltl-worker/document/cell"
)

// table finds the lists of a table: rows under headings, lists side by side, or what stands in its cells.
func (f *finder) table(n *Node, s *scope) []run {
	inner := *s
	rows, cells := 0, 0
	for _, r := range n.Children {
		switch {
		case slices.ContainsFunc(r.Children, (*Node).hasBoth):
			cells++
		case r.hasBoth():
			rows++
		}
	}
	defer func() { s.line = "" }()
	if rows == 0 && cells == 0 && n.hasBoth() {
		return f.one(n, &inner)
	}
	if cells > rows {
		var nodes []*Node
		for _, r := range n.Children {
			nodes = append(nodes, r.Children...)
		}
		return f.children(nodes, &inner)
	}
	c := cutter{finder: f, base: List{Name: "table", Context: inner.texts(), Hidden: n.Hidden, Cut: n.Cut}}
	lines := n.Children
	c.base.Rows = make([]Row, 0, len(lines))
	width := 0
	for _, r := range lines {
		width += len(r.Cells())
	}
	c.values = make([]*cell.Value, 0, width)
	c.current = c.base
	if n.Cut { // the last row may be incomplete
		lines = lines[:len(lines)-1]
	}
	for _, r := range lines {
		c.line(r)
	}
	c.finish()
	return c.done
}

// cutter makes the lists of a table, row by row.
type cutter struct {
	*finder
	base    List
	done    []run
	current List
	heads   [][]string // the heading rows of the current list
	inHead  bool       // the last row was one of heads
	isNamed bool       // the heads are names of cells
	section string     // the last line over the whole width
	values  []*cell.Value
}

func (c *cutter) line(r *Node) {
	begin := len(c.values)
	for _, cl := range r.Cells() {
		c.values = append(c.values, cl.value())
	}
	values := slices.Clip(c.values[begin:])
	switch c.roleOf(r, values) {
	case sectionLine:
		c.addSection(cmp.Or(textsOf(r)...))
	case headLine:
		c.addHead(textsOf(r))
		c.isNamed = false
	case dataLine:
		c.name(r)
		c.inHead = false
		c.current.Rows = append(c.current.Rows, Row{Cells: values, Section: c.section})
	}
}

// addSection takes a line over the whole width. Above the table it is a part of the context; inside the table it is the
// title of the rows below.
func (c *cutter) addSection(title string) {
	if !c.inHead && len(c.current.Rows) == 0 {
		if !strings.HasSuffix(title, ".") { // a sentence is no title
			c.base.Context = append(slices.Clip(c.base.Context), title)
		}
		c.current.Context = c.base.Context
		return
	}
	c.section = title
}

// addHead takes a heading row. Below rows it begins a new list.
func (c *cutter) addHead(texts []string) {
	if !c.inHead && len(c.current.Rows) > 0 {
		c.finish()
		c.current, c.heads = c.base, nil
		if c.section != "" {
			c.current.Context = append(slices.Clip(c.base.Context), c.section)
		}
	}
	c.heads, c.inHead = append(c.heads, texts), true
}

// name takes the names of a row's cells as its heading row where the table has none.
func (c *cutter) name(r *Node) {
	if slices.ContainsFunc(r.Cells(), func(cl Cell) bool { return cl.Name == "" }) {
		return
	}
	var names []string
	for _, cl := range r.Cells() {
		names = append(names, cl.Name)
	}
	if len(c.heads) == 0 || c.isNamed && !slices.Equal(c.heads[0], names) {
		c.addHead(names)
		c.isNamed = true
	}
}

func (c *cutter) finish() {
	if len(c.current.Rows) == 0 && len(c.heads) == 0 {
		return
	}
	l := c.current
	l.Rows = slices.Clip(l.Rows)
	c.base.Rows = c.current.Rows[len(l.Rows):]
	width := 0
	if len(l.Rows) > 0 {
		width = len(l.Rows[0].Cells)
	} else {
		width = len(c.heads[len(c.heads)-1])
	}
	for i := range l.Rows {
		l.Rows[i].Broken = len(l.Rows[i].Cells) != width
	}
	l.Headed = len(c.heads) > 0 && !slices.ContainsFunc(c.heads, func(h []string) bool { return len(h) != width })
	for i := range width {
		var levels []string
		for _, h := range c.heads {
			if l.Headed && h[i] != "" && (len(levels) == 0 || levels[len(levels)-1] != h[i]) {
				levels = append(levels, h[i])
			}
		}
		l.Labels = append(l.Labels, levels)
	}
	c.done = append(c.done, run{table: &l})
}

func textsOf(r *Node) []string {
	texts := make([]string, len(r.Cells()))
	for i, cell := range r.Cells() {
		texts[i] = cell.text()
	}
	return texts
}

// value is that of a cell with all its lines.
func (n *Node) value() *cell.Value {
	if n.isLeaf() {
		return &n.Value
	}
	var r cell.Reader
	whole := r.Read(n.text())
	for l := range n.leaves() {
		whole.At = l.Value.At
		break
	}
	return &whole
}

// lineRole is what a row of a table is for.
type lineRole uint8

const (
	blankLine   lineRole = iota
	sectionLine          // one text over the whole width
	headLine             // headings
	dataLine             // a record
)

// roleOf tells what a row is for. A cell that spans several columns counts once.
func (c *cutter) roleOf(r *Node, values []*cell.Value) lineRole {
	var filled, dates, texts, headings int
	labelled, units := false, false
	for i, cl := range r.Cells() {
		v := values[i]
		if v.Kind == cell.Blank || cl.IsSpanned && i > 0 && r.Cells()[i-1].Node == cl.Node {
			continue
		}
		filled++
		if cl.IsHeading {
			headings++
		}
		switch {
		case v.Kind == cell.Dates:
			dates++
		case v.Kind == cell.Figure:
			units = units || v.Quantity.Unit != cell.Bare
		default:
			texts++
			labelled = labelled || c.IsLabel(v.Text)
		}
	}
	onlyHeadings := headings == filled
	isPair := len(r.Cells()) == 2 && !r.Cells()[1].IsSpanned
	switch {
	case filled == 0:
		return blankLine
	case filled == 1 && dates == 0 && (!isPair || texts == 1):
		return sectionLine
	case dates > 0:
		return dataLine
	case r.IsHead, onlyHeadings, texts > 0 && labelled && !units:
		return headLine
	}
	return dataLine
}
