package table

import (
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// grid reads a <table>. It is false for one with too many cells.
func grid(n *html.Node) (g Grid, ok bool) {
	b := builder{budget: maxCells}
	caption := Attribute(n, "aria-label")
	for _, text := range []string{Attribute(n, "summary"), Attribute(n, "title")} {
		caption = appendCaption(caption, text)
	}
	head := headOf(n)
	if head != nil {
		b.group(head)
	}
	for c := range elements(n) {
		if Unseen(c) || c == head {
			continue
		}
		switch c.DataAtom {
		case atom.Caption:
			caption = appendCaption(caption, Text(c))
		case atom.Thead, atom.Tbody, atom.Tfoot:
			b.group(c)
		case atom.Tr:
			b.row(c, false)
		}
	}
	return Grid{Caption: caption, Rows: b.rows, Elements: b.elements}, b.budget >= 0
}

// headOf is the first <thead> of a table: a browser shows it above all rows, wherever it stands. It is nil where there
// is none.
func headOf(table *html.Node) *html.Node {
	for c := range elements(table) {
		if c.DataAtom == atom.Thead {
			return c
		}
	}
	return nil
}

// builder lays cells out as a browser does.
type builder struct {
	rows     []Row
	elements []*html.Node
	down     []span // spans that reach into the next row, by column
	budget   int    // cells that may still be made
}

type span struct {
	left int
	cell Cell
}

func (b *builder) group(n *html.Node) {
	b.down = b.down[:0] // a span ends with its row group
	rows := 0
	for range elements(n) {
		rows++
	}
	b.rows = slices.Grow(b.rows, rows)
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == html.ElementNode && c.DataAtom == atom.Tr && !Removed(c) {
			b.row(c, n.DataAtom == atom.Thead)
		}
	}
	b.down = b.down[:0]
}

func (b *builder) row(tr *html.Node, head bool) {
	if b.budget < 0 {
		return
	}
	row := Row{Head: head, Cells: make([]Cell, 0, b.width())}
	for c := tr.FirstChild; c != nil; c = c.NextSibling {
		if c.Type != html.ElementNode || (c.DataAtom != atom.Td && c.DataAtom != atom.Th) || Removed(c) {
			continue
		}
		row.Cells = b.continued(row.Cells, false)
		row.Cells = b.place(row.Cells, c)
	}
	row.Cells = b.continued(row.Cells, true)
	b.budget -= len(row.Cells)
	if len(row.Cells) > 0 {
		b.rows = append(b.rows, row)
	}
}

func (b *builder) width() int {
	if len(b.rows) == 0 {
		return 8
	}
	return len(b.rows[len(b.rows)-1].Cells)
}

// continued appends the cells that reach into this row from above: those due at this column, or all to the last.
func (b *builder) continued(cells []Cell, all bool) []Cell {
	for i := len(cells); i < len(b.down); i++ {
		switch s := &b.down[i]; {
		case s.left > 0:
			s.left--
			cells = append(cells, s.cell)
		case all && b.reaches(i):
			cells = append(cells, Cell{Spanned: true})
		default:
			return cells
		}
	}
	return cells
}

func (b *builder) reaches(from int) bool {
	return slices.ContainsFunc(b.down[from:], func(s span) bool { return s.left > 0 })
}

func (b *builder) place(cells []Cell, n *html.Node) []Cell {
	b.elements = append(b.elements, n)
	cell := Cell{Heading: n.DataAtom == atom.Th || isRole(n, "columnheader", "rowheader"), Number: int32(len(b.elements))}
	columns, rows := spanOf(n, "colspan", maxColumns), spanOf(n, "rowspan", maxRows)
	for range columns {
		if len(cells) > maxColumns {
			break
		}
		b.reserve(len(cells), rows, cell)
		cells = append(cells, cell)
		cell.Spanned = true
	}
	return cells
}

func (b *builder) reserve(column, rows int, cell Cell) {
	if rows < 2 {
		return
	}
	for len(b.down) <= column {
		b.down = append(b.down, span{})
	}
	cell.Spanned = true
	b.down[column] = span{left: rows - 1, cell: cell}
}

// spanOf is the value of a span attribute, 1 when it makes no sense. A rowspan of 0 reaches to the end of the group.
func spanOf(n *html.Node, name string, limit int) int {
	text := Attribute(n, name)
	if text == "" {
		return 1
	}
	count, err := strconv.Atoi(text)
	switch {
	case err == nil && count == 0 && name == "rowspan":
		return limit
	case err != nil || count < 1:
		return 1
	}
	return min(count, limit)
}

// appendCaption adds what else names a table, such as the attribute of old pages that sums it up.
func appendCaption(caption, text string) string {
	if text == "" {
		return caption
	}
	return strings.TrimPrefix(caption+" | "+text, " | ")
}
