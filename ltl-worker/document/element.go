package document

import (
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"assay.dev/platform/scrape/table"
)

// captionLevel is that of what names a part, and is no heading of the page.
const captionLevel = 7

// levelOf is the level of a heading, or of what names a part.
func levelOf(n *html.Node) uint8 {
	switch n.DataAtom {
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
		return n.Data[1] - '0'
	case atom.Title:
		return 1
	case atom.Caption, atom.Figcaption, atom.Legend, atom.Summary:
		return captionLevel
	}
	if table.Attribute(n, "role") == "heading" {
		if level, err := strconv.Atoi(table.Attribute(n, "aria-level")); err == nil && level >= 1 && level <= 6 {
			return uint8(level)
		}
		return 6
	}
	return 0
}

// nameOf is what an element is called in an attribute.
func nameOf(n *html.Node) string {
	if len(n.Attr) == 0 {
		return ""
	}
	for _, key := range [...]string{"data-label", "data-title", "data-th", "aria-label"} {
		if name := strings.TrimSpace(table.Attribute(n, key)); name != "" {
			return name
		}
	}
	return ""
}

func has(n *html.Node, key string) bool {
	return n != nil && slices.ContainsFunc(n.Attr, func(a html.Attribute) bool { return a.Key == key })
}
