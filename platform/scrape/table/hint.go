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

// hints are the tooltips of a grid's cells, each once. A tooltip that repeats its cell is none.
func hints(grid *html.Node) (all []Remark) {
	for n := range grid.Descendants() {
		if n.DataAtom != atom.Th && n.DataAtom != atom.Td && !isRole(n, "columnheader", "rowheader", "cell", "gridcell") {
			continue
		}
		texts := hintsOf(n)
		if len(texts) == 0 || Unseen(n) {
			continue
		}
		cell := cellText(n)
		for _, text := range texts {
			if r := (Remark{Text: text, Place: Hint, Of: cell}); cell != "" && !strings.EqualFold(text, cell) && !slices.Contains(all, r) && len(all) < maxHints {
				all = append(all, r)
			}
		}
	}
	return all
}

// maxHints bounds those of one grid.
const maxHints = 400

// hintsOf are the tooltips of an element and of those in it.
func hintsOf(n *html.Node) (texts []string) {
	for _, a := range n.Attr {
		if isHint(a.Key) && strings.TrimSpace(a.Val) != "" {
			texts = append(texts, strings.Join(strings.Fields(a.Val), " "))
		}
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		texts = append(texts, hintsOf(c)...)
	}
	return texts
}
