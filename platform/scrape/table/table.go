// Package table turns an HTML document into grids of text: its tables, and what stands for tables on pages that lay
// out rows and label/value pairs with other elements. It knows nothing of what the cells mean. What a person cannot
// see is left out or marked, and every cell stands in the column in which a browser would show it.
package table

import (
	"errors"
	"fmt"

	"golang.org/x/net/html"

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

// Kind tells what a grid was made of.
type Kind uint8

// The kinds.
const (
	// Table is a <table>, or elements with the roles of one.
	Table Kind = iota
	// Blocks are sibling elements with equal counts of short children, such as div rows.
	Blocks
	// Pairs are labels and values, one pair a row: <dl>, the read-only fields of a form, or lines of the form "Label:
	// value".
	Pairs
)

// Grid is one table. Rows are as long as the page made them: a row that lacks a cell is shorter than its neighbours,
// because which cell it lacks cannot be known.
type Grid struct {
	Kind Kind
	// Context is what stands over the grid, outermost first: the document's title, the headings in force, the last
	// short line before it, its caption.
	Context []string
	// Caption is the grid's own name; it is the last text of Context too.
	Caption string
	Rows    []Row
	// Remarks are the further texts that may qualify the grid, in document order. Only [ParsePage] collects them.
	Remarks []Remark
	// Hidden is set when the page does not show the grid (inline display:none or the hidden attribute).
	Hidden bool
	// Unopened is set when nothing on the page, such as a tab, shows the hidden grid. Only [ParsePage] sets it.
	Unopened bool
	// Cut is set when the document ends inside the grid. Its last row may be incomplete, and rows may be missing.
	Cut bool
}

// Row is one line of cells, spans expanded.
type Row struct {
	Cells []Cell
	// Head is set for rows of a <thead>.
	Head bool
}

// Cell is one position of a grid.
type Cell struct {
	// Text is what is shown, white space folded. Digits raised right behind a digit are set off by '^', because they
	// may be a footnote or a part of the number.
	Text string
	// Heading is set for <th> and for the roles of row and column headers.
	Heading bool
	// Spanned is set when the cell continues the one to its left or above it.
	Spanned bool
}

// Parse returns the grids of an HTML document in UTF-8, in document order. It never fails on bad markup, which it reads
// as a browser would; the only error is [ErrTooLarge].
func Parse(doc []byte) ([]Grid, error) {
	p, _, err := parse(doc, func(*html.Node) {})
	if err != nil {
		return nil, err
	}
	return p.grids, nil
}

// parse lets prepare change the document before its grids are read.
func parse(doc []byte, prepare func(*html.Node)) (*parser, *html.Node, error) {
	root, err := scrape.ParseHTML(doc)
	if err != nil {
		return nil, nil, fmt.Errorf("%w: %w", ErrTooLarge, err)
	}
	prepare(root)
	p := &parser{cut: cutElements(root, doc), at: map[*html.Node][]int{}}
	p.walk(root)
	if p.exceeded() {
		return nil, nil, ErrTooLarge
	}
	return p, root, nil
}
