package table

import (
	"bytes"
	"strings"
	"unicode"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// CutElements returns the elements in which a truncated document ends; nil for a complete one. A document is truncated
// when it ends in text or inside a tag, or leaves tables open, while its last element holds them.
func CutElements(root *html.Node, doc []byte) map[*html.Node]bool {
	var last []*html.Node
	tables := false
	for n := root; n != nil; n = lastVisible(n) {
		last = append(last, n)
		tables = tables || n.DataAtom == atom.Table
	}
	tail := bytes.TrimRightFunc(doc, unicode.IsSpace)
	if bytes.HasSuffix(tail, []byte{'>'}) && (!tables || closesTables(doc)) {
		return nil
	}
	cut := map[*html.Node]bool{}
	for _, n := range last {
		cut[n] = true
	}
	return cut
}

func closesTables(doc []byte) bool {
	lower := bytes.ToLower(doc)
	return bytes.Count(lower, []byte("<table")) <= bytes.Count(lower, []byte("</table"))
}

func lastVisible(n *html.Node) *html.Node {
	for c := n.LastChild; c != nil; c = c.PrevSibling {
		if c.Type == html.ElementNode || (c.Type == html.TextNode && strings.TrimSpace(c.Data) != "") {
			return c
		}
	}
	return nil
}
