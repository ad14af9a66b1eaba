package document

import (
	"slices"
	"strings"

	"assay.dev/ltl-worker/document/cell"
)

// table finds the lists of a table: rows under headings, lists side by side, or what stands in its cells.
func (f *finder) table(n *Node, s *scope) []run {
	inner := *s
	rows, cells, full := 0, 0, 0
	for _, r := range n.Children {
		if r.hasBoth() && slices.ContainsFunc(r.Children, func(c *Node) bool { return c.dates == 0 && c.figures > 1 && c.figures+c.dates != len(c.Children) }) {
			full++
		}
		switch {
		case slices.ContainsFunc(r.Children, (*Node).hasBoth):
			cells++
		case r.hasBoth():
			rows++
		}
	}
	defer func() { s.line = "" }()
	if rows == 0 && cells == 0 && n.hasBoth() || rows > 0 && isPairs(n) {
		return f.one(n, &inner)
	}
	if 2*full > rows && full > 0 {
		return f.children(n.Children, &inner) // a cell holds all figures of its row, with their labels
	}
	if cells > rows {
		var nodes []*Node
		for _, r := range n.Children {
			nodes = append(nodes, r.Children...)
		}
		return f.children(nodes, &inner)
	}
	c := cutter{finder: f, base: List{Name: "table", Context: inner.texts(), Hidden: n.Hidden, Cut: n.Cut}}
	c.current = c.base
	lines := n.Children
	if n.Cut { // the last row may be incomplete
		lines = lines[:len(lines)-1]
	}
	for _, r := range lines {
		c.line(r)
	}
	c.finish()
	return c.done
}

// isPairs tells whether each row is made of labels and values in turn: "Effective | 9/9/2026 | LTL | 50.32%".
func isPairs(n *Node) bool {
	for _, r := range n.Children {
		if len(r.Children) == 1 {
			continue // a title
		}
		if len(r.Cells)%2 != 0 || len(r.Cells) < 4 {
			return false
		}
		for i := range r.Cells {
			c := r.Cells[i]
			if c.Value.Kind != cell.Blank && (!c.isLeaf() || strings.ContainsAny(c.Text, "0123456789") == (i%2 == 0)) {
				return false
			}
		}
	}
	return true
}

// cutter makes the lists of a table, row by row.
type cutter struct {
	*finder
	base    List
	done    []run
	current List
	heads   [][]string // the heading rows of the current list
	inHead  bool       // the last row was one of heads
	section string     // the last line over the whole width
}

func (c *cutter) line(r *Node) {
	texts := make([]string, len(r.Cells))
	for i, cell := range r.Cells {
		texts[i] = cell.text()
	}
	switch c.roleOf(r) {
	case sectionLine:
		c.addSection(firstText(texts))
	case headLine:
		c.addHead(texts)
	case dataLine:
		c.inHead = false
		for _, cells := range valuesOf(r) {
			c.current.Rows = append(c.current.Rows, Row{Cells: cells, Section: c.section})
		}
	}
}

// addSection takes a line over the whole width. Above the table it is a part of the context; inside the table it is the title of the
// rows below.
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

// addHead takes a heading row. Below rows it begins a new list, unless it only repeats a heading, as long tables do.
func (c *cutter) addHead(texts []string) {
	if !c.inHead && len(c.current.Rows) > 0 {
		if slices.ContainsFunc(c.heads, func(h []string) bool { return slices.Equal(h, texts) }) {
			return
		}
		c.finish()
		c.current, c.heads = c.base, nil
		if c.section != "" {
			c.current.Context = append(slices.Clip(c.base.Context), c.section)
		}
	}
	c.heads, c.inHead = append(c.heads, texts), true
}

func (c *cutter) finish() {
	if len(c.current.Rows) == 0 && len(c.heads) == 0 {
		return
	}
	l := c.current
	width := usualWidth(l.Rows)
	if len(l.Rows) == 0 {
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
	l.dropSlipped()
	l.stackHalves()
	c.done = append(c.done, run{table: &l})
}

// stackHalves puts parts of a table that stand side by side under the same headings below one another: "Date | LTL | Date | LTL"
// becomes "Date | LTL" with twice the rows. A column without a heading may part them.
func (l *List) stackHalves() {
	starts := []int{}
	for i, labels := range l.Labels {
		if len(labels) > 0 && slices.Equal(labels, l.Labels[0]) {
			starts = append(starts, i)
		}
	}
	if !l.Headed || len(starts) < 2 {
		return
	}
	width := 0
	for width < starts[1] && len(l.Labels[width]) > 0 {
		width++
	}
	if last := starts[len(starts)-1]; width < 2 || last+width != len(l.Labels) {
		return
	}
	for _, s := range starts {
		if s+width > len(l.Labels) || !slices.EqualFunc(l.Labels[s:s+width], l.Labels[:width], slices.Equal) {
			return
		}
	}
	var rows []Row
	for _, s := range starts {
		for _, r := range l.Rows {
			if !r.Broken {
				r.Cells = r.Cells[s : s+width]
			}
			if r.Broken || slices.ContainsFunc(r.Cells, func(v cell.Value) bool { return v.Kind != cell.Blank }) {
				rows = append(rows, r)
			}
		}
	}
	l.Labels, l.Rows = l.Labels[:width], rows
}

// dropSlipped takes the headings away where the last figures have none: they may have slipped by one.
func (l *List) dropSlipped() {
	width := len(l.Labels)
	if last := lastFilled(l.Rows, width); l.Headed && last >= 0 && len(l.Labels[last]) == 0 {
		l.Headed, l.Labels = false, make([][]string, width)
	}
}

// lastFilled is the last column that says anything, if it holds figures; else -1.
func lastFilled(rows []Row, width int) int {
	for c := width - 1; c >= 0; c-- {
		figures, filled := 0, 0
		for _, r := range rows {
			if !r.Broken && r.Cells[c].Kind != cell.Blank {
				filled++
				if r.Cells[c].Kind == cell.Figure {
					figures++
				}
			}
		}
		if filled > 0 {
			if 2*figures > filled {
				return c
			}
			return -1
		}
	}
	return -1
}

func usualWidth(rows []Row) int {
	counts := map[int]int{}
	best := 0
	for _, r := range rows {
		n := len(r.Cells)
		if counts[n]++; counts[n] > counts[best] || counts[n] == counts[best] && n > best {
			best = n
		}
	}
	return best
}

func firstText(texts []string) string {
	for _, t := range texts {
		if t != "" {
			return t
		}
	}
	return ""
}

// valuesOf are the values of a row by column; those of several records where each cell holds a line for each.
func valuesOf(r *Node) [][]cell.Value {
	stacked := 0
	for _, c := range r.Children {
		isList := func(o *Node) bool { return o != c && len(o.Children) == c.dates }
		if !c.isLeaf() && c.dates > 1 && c.dates == len(c.Children) && slices.ContainsFunc(r.Children, isList) {
			stacked = c.dates
		}
	}
	rows := make([][]cell.Value, max(stacked, 1))
	for i := range rows {
		rows[i] = make([]cell.Value, len(r.Cells))
		for j, c := range r.Cells {
			if stacked > 1 && len(c.Children) == stacked {
				rows[i][j] = c.Children[i].Value
			} else {
				rows[i][j] = c.value()
			}
		}
	}
	return rows
}

// value is that of a cell: of its text, or of the only one of its lines that is a value.
func (n *Node) value() cell.Value {
	if n.isLeaf() {
		return n.Value
	}
	var r cell.Reader
	whole := r.Read(n.text())
	for l := range n.leaves() {
		whole.Place = l.Value.Place
		break
	}
	if whole.Kind != cell.Text {
		return whole
	}
	var only *Node
	for l := range n.leaves() {
		if l.Value.Kind == cell.Dates || l.Value.Kind == cell.Figure {
			if only != nil {
				return whole
			}
			only = l
		}
	}
	if only == nil {
		return whole
	}
	return only.Value
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
func (c *cutter) roleOf(r *Node) lineRole {
	var filled, dates, figures, texts, headings, placeholders int
	labelled, units, spanned := false, false, false
	for i, cl := range r.Cells {
		v := cl.value()
		spanned = spanned || cl.IsSpanned
		if v.Kind == cell.Blank || cl.IsSpanned && i > 0 && r.Cells[i-1].Node == cl.Node {
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
			figures++
			units = units || v.Quantity.Unit != cell.Bare
		case v.IsPlaceholder():
			placeholders++
		default:
			texts++
			labelled = labelled || c.IsLabel(v.Text)
		}
	}
	onlyHeadings := headings == filled
	isPair := len(r.Cells) == 2 && !r.Cells[1].IsSpanned
	switch {
	case filled == 0:
		return blankLine
	case placeholders > 0:
		return dataLine
	case filled == 1 && dates == 0 && (!isPair || texts == 1):
		return sectionLine
	case dates > 0 && onlyHeadings && (figures == 0 && texts > 0 || dates == filled && spanned):
		return headLine
	case dates > 0, figures > 1 && !onlyHeadings && !r.IsHead:
		return dataLine
	case r.IsHead, onlyHeadings, texts > 0 && labelled && !units:
		return headLine
	}
	return dataLine
}
