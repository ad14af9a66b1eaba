package table

import (
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// isHint tells whether an attribute holds a tooltip: of HTML, of Bootstrap, of other libraries.
func isHint(name string) bool {
	switch name {
	case "title", "aria-description", "data-title", "data-original-title", "data-bs-title", "data-bs-original-title", "data-content", "data-bs-content",
		"data-tip", "data-tooltip", "data-tooltip-content", "data-tippy-content", "data-hint":
		return true
	}
	return false
}

// maxHints bounds those of one grid.
const maxHints = 400

// hints are the tooltips of a grid's cells, each once. A tooltip that repeats its cell is none. A table inside has its own.
func hints(grid *html.Node) (all []Remark) {
	var visit func(*html.Node)
	visit = func(n *html.Node) {
		for c := n.FirstChild; c != nil && len(all) < maxHints; c = c.NextSibling {
			switch {
			case c.DataAtom == atom.Table:
			case c.DataAtom == atom.Th || c.DataAtom == atom.Td || isRole(c, "columnheader", "rowheader", "cell", "gridcell"):
				for _, r := range hintsOfCell(c) {
					if !slices.Contains(all, r) {
						all = append(all, r)
					}
				}
			default:
				visit(c)
			}
		}
	}
	visit(grid)
	return all
}

func hintsOfCell(n *html.Node) (all []Remark) {
	texts := tooltips(n)
	if len(texts) == 0 || Unseen(n) {
		return nil
	}
	cell := cellText(n)
	for _, text := range texts {
		if cell != "" && !strings.EqualFold(text, cell) {
			all = append(all, Remark{Text: text, Place: Hint, Of: cell})
		}
	}
	return all
}

// tooltips are those of an element and of what is in it, but for tables.
func tooltips(n *html.Node) (texts []string) {
	for _, a := range n.Attr {
		if !isHint(a.Key) {
			continue
		}
		if text := folded(a.Val); text != "" {
			texts = append(texts, text)
		}
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.DataAtom != atom.Table {
			texts = append(texts, tooltips(c)...)
		}
	}
	return texts
}
