package table

import (
	"slices"
	"strings"

	"golang.org/x/net/html"
)

// roleGrid is the grid of elements that have the roles of a table's parts.
func roleGrid(n *html.Node) Grid {
	g := Grid{Caption: Attribute(n, "aria-label")}
	eachRole(n, func(row *html.Node) {
		if len(g.Rows) > maxRows {
			return
		}
		if cells := g.roleCells(row); len(cells) > 0 {
			g.Rows = append(g.Rows, Row{Cells: cells})
		}
	}, "row")
	return g
}

// roleCells are the cells of a row in the order that they are shown in, which aria-colindex tells where the document's
// is another.
func (g *Grid) roleCells(row *html.Node) []Cell {
	var nodes []*html.Node
	eachRole(row, func(cell *html.Node) { nodes = append(nodes, cell) }, "cell", "gridcell", "columnheader", "rowheader")
	slices.SortStableFunc(nodes, func(a, b *html.Node) int {
		return spanOf(a, "aria-colindex", maxColumns) - spanOf(b, "aria-colindex", maxColumns)
	})
	var cells []Cell
	for _, n := range nodes {
		g.Elements = append(g.Elements, n)
		cell := Cell{Heading: isRole(n, "columnheader", "rowheader"), Number: int32(len(g.Elements))}
		for range min(spanOf(n, "aria-colspan", maxColumns), maxColumns-len(cells)) {
			cells = append(cells, cell)
			cell.Spanned = true
		}
	}
	return cells
}

// eachRole calls f for the outermost elements below n that have one of the roles.
func eachRole(n *html.Node, f func(*html.Node), roles ...string) {
	for c := range elements(n) {
		switch {
		case Unseen(c):
		case isRole(c, roles...):
			f(c)
		default:
			eachRole(c, f, roles...)
		}
	}
}

func isRole(n *html.Node, roles ...string) bool {
	role := Attribute(n, "role")
	return role != "" &&
		slices.ContainsFunc(roles, func(r string) bool { return strings.EqualFold(strings.TrimSpace(role), r) })
}
