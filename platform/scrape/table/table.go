// Package table turns the tables of an HTML document into grids of text. It knows nothing of what the cells mean. What
// a person cannot see is left out, and every cell stands in the column in which a browser would show it.
package table

import (
	"errors"
	"fmt"
	"slices"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"assay.dev/platform/scrape"
)

// Bounds of one document. A document beyond them is refused as a whole: a table read in part could lack its newest row.
const (
	maxGrids   = 2000
	maxRows    = 20_000
	maxColumns = 200
	maxCells   = 500_000
)

// ErrTooLarge is returned for a document beyond the bounds of this package, or nested deeper than the HTML parser goes.
var ErrTooLarge = errors.New("table: document too large")

// Grid is one table. Rows are as long as the page made them: a row that lacks a cell is shorter than its neighbours,
// because which cell it lacks cannot be known.
type Grid struct {
	// Caption is the grid's own name.
	Caption string
	Rows    []Row
	// Elements are those of the cells, in the order in which they were laid out.
	Elements []*html.Node
	// Hidden is set when the page does not show the grid (inline display:none or the hidden attribute).
	Hidden bool
	// Cut is set when the document ends inside the grid. Its last row may be incomplete, and rows may be missing.
	Cut bool

	texts []string // of the elements
}

// Row is one line of cells, spans expanded.
type Row struct {
	Cells []Cell
	// Head is set for rows of a <thead>.
	Head bool
}

// Cell is one position of a grid.
type Cell struct {
	// Number is that of the element in [Grid.Elements], from 1 on; 0 where a row is only reached by the spans beside the
	// cell.
	Number int32
	// Heading is set for <th> and for the roles of row and column headers.
	Heading bool
	// Spanned is set when the cell continues the one to its left or above it.
	Spanned bool
}

// Text is what a cell of a grid of [Parse] shows, white space folded. Digits raised right behind a digit are set off by
// '^', because they may be a footnote or a part of the number.
func (g *Grid) Text(c Cell) string {
	if c.Number == 0 {
		return ""
	}
	return g.texts[c.Number-1]
}

// Parse returns the grids of an HTML document in UTF-8, in document order. It never fails on bad markup, which it reads
// as a browser would; the only error is [ErrTooLarge].
func Parse(doc []byte) ([]Grid, error) {
	root, err := scrape.ParseHTML(doc)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrTooLarge, err)
	}
	p := parser{cut: CutElements(root, doc)}
	if err := p.walk(root, false); err != nil {
		return nil, err
	}
	return p.grids, nil
}

// parser collects the grids of a document.
type parser struct {
	grids []Grid
	cells int
	cut   map[*html.Node]bool
}

func (p *parser) walk(n *html.Node, hidden bool) error {
	for c := range elements(n) {
		hides := Removed(c)
		if !hides && Unseen(c) {
			continue
		}
		if IsTable(c) {
			g, err := Of(c)
			if err != nil {
				return err
			}
			for _, cell := range g.Elements {
				g.texts = append(g.texts, CellText(cell))
			}
			g.Hidden, g.Cut = hidden || hides, p.cut[c]
			for _, r := range g.Rows {
				p.cells += len(r.Cells)
			}
			if len(g.Rows) > 0 {
				p.grids = append(p.grids, g)
			}
			if len(p.grids) > maxGrids || p.cells > maxCells {
				return ErrTooLarge
			}
		}
		if err := p.walk(c, hidden || hides); err != nil {
			return err
		}
	}
	return nil
}

// IsTable tells whether an element is a table, or has the role of one.
func IsTable(n *html.Node) bool {
	return n.DataAtom == atom.Table || isRole(n, "table", "grid", "treegrid")
}

// CellText is the text of an element of a grid.
func CellText(n *html.Node) string {
	if Unseen(n) {
		return ""
	}
	return Text(n)
}

// Of lays out the grid of a table, without the texts of its cells and the tables inside. Its only error is
// [ErrTooLarge].
func Of(n *html.Node) (Grid, error) {
	var g Grid
	if n.DataAtom != atom.Table {
		g = roleGrid(n)
	}
	if len(g.Rows) == 0 {
		var ok bool
		if g, ok = grid(n); !ok {
			return g, ErrTooLarge
		}
	}
	if len(g.Rows) > maxRows || slices.ContainsFunc(g.Rows, func(r Row) bool { return len(r.Cells) > maxColumns }) {
		return Grid{}, ErrTooLarge
	}
	return g, nil
}

// elements are the child elements of n.
func elements(n *html.Node) func(yield func(*html.Node) bool) {
	return func(yield func(*html.Node) bool) {
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			if c.Type == html.ElementNode && !yield(c) {
				return
			}
		}
	}
}
