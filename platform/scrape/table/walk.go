package table

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// maxLine bounds, in bytes, a line that can be a title for the grid below it.
const maxLine = 100

// parser walks a document once. It keeps the titles that stand over the place it has reached.
type parser struct {
	grids   []Grid
	madeOf  []*html.Node // by grid
	cells   int
	outline [7]string // the title, then the headings in force by level
	line    string    // the last short line since the last heading or grid
	hidden  int       // how many hidden elements surround the place
	paired  bool      // the lines around the place are read as pairs already
	cut     map[*html.Node]bool
	at      map[*html.Node][]int // the grids that each element gave
	large   bool
}

func (p *parser) exceeded() bool { return p.large || len(p.grids) > maxGrids || p.cells > maxCells }

func (p *parser) walk(n *html.Node) {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == html.ElementNode {
			p.element(c)
		}
	}
}

func (p *parser) element(n *html.Node) {
	if p.exceeded() {
		return
	}
	if removed(n) {
		p.hidden++
		defer func() { p.hidden-- }()
	} else if Unseen(n) {
		return
	}
	switch {
	case n.DataAtom == atom.Title:
		p.outline[0] = cellText(n)
	case headingLevel(n) > 0:
		p.heading(headingLevel(n), cellText(n))
	case n.DataAtom == atom.Table:
		p.table(n)
	case isRole(n, "table", "grid", "treegrid"):
		p.roles(n)
	case n.DataAtom == atom.Dl:
		p.list(n)
	case isPre(n) && p.preformatted(n):
	case n.DataAtom == atom.Form || n.DataAtom == atom.Fieldset:
		p.fields(n)
		p.other(n)
	default:
		p.other(n)
	}
}

func (p *parser) other(n *html.Node) {
	if p.blocks(n) {
		return
	}
	if p.pairs(n) {
		p.paired = true
		defer func() { p.paired = false }()
	}
	if titleLike(n) {
		p.note(cellText(n))
	}
	p.walk(n)
}

func (p *parser) heading(level int, text string) {
	if p.hidden > 0 {
		return
	}
	p.outline[level] = text
	clear(p.outline[level+1:])
	p.line = ""
}

func headingLevel(n *html.Node) int {
	switch n.DataAtom {
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
		return int(n.Data[1] - '0')
	}
	if isRole(n, "heading") {
		return 2
	}
	return 0
}

// titleLike tells whether n is a line of its own that may stand for a heading. Links and list items, of which menus are
// made, are not.
func titleLike(n *html.Node) bool {
	switch n.DataAtom {
	case atom.P, atom.Div, atom.B, atom.Strong, atom.Legend, atom.Summary, atom.Figcaption, atom.Center, atom.Font:
	default:
		return false
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == html.ElementNode && (!inline(c.DataAtom) || c.DataAtom == atom.A) {
			return false
		}
	}
	return n.FirstChild != nil
}

// note keeps text as the line over what follows if it reads like a title, and forgets the last one if it is prose.
// Short lines in a row, such as the names of tabs, stay together: none of them is the title.
func (p *parser) note(text string) {
	switch {
	case text == "" || p.hidden > 0:
	case len(text) > maxLine || strings.HasSuffix(text, ".") || !strings.ContainsFunc(text, unicode.IsLetter):
		p.line = ""
	case p.line == "" || p.line == text || len(p.line)+len(text) > maxLine:
		p.line = text
	default:
		p.line += " | " + text
	}
}

// addGrid appends a grid that has rows, with the titles over it.
func (p *parser) addGrid(n *html.Node, kind Kind, caption string, rows []Row) {
	if len(rows) == 0 {
		return
	}
	grid := Grid{Kind: kind, Caption: caption, Rows: rows, Hidden: p.hidden > 0, Cut: p.cut[n]}
	for _, text := range p.outline {
		grid.Context = appendText(grid.Context, text)
	}
	grid.Context = appendText(appendText(grid.Context, p.line), caption)
	p.line = ""
	for _, r := range rows {
		p.cells += len(r.Cells)
		p.large = p.large || len(r.Cells) > maxColumns
	}
	p.large = p.large || len(rows) > maxRows
	p.at[n] = append(p.at[n], len(p.grids))
	p.grids, p.madeOf = append(p.grids, grid), append(p.madeOf, n)
}

func appendText(texts []string, text string) []string {
	if text == "" || (len(texts) > 0 && texts[len(texts)-1] == text) {
		return texts
	}
	return append(texts, text)
}

func isRole(n *html.Node, roles ...string) bool {
	role := attr(n, "role")
	if role == "" {
		return false
	}
	for _, r := range roles {
		if strings.EqualFold(strings.TrimSpace(role), r) {
			return true
		}
	}
	return false
}

// cutElements returns the elements in which a truncated document ends; nil for a complete one. A document is truncated
// when it ends in text or inside a tag, or leaves tables open, while its last element holds them.
func cutElements(root *html.Node, doc []byte) map[*html.Node]bool {
	var last []*html.Node
	tables := false
	for n := root; n != nil; n = lastVisible(n) {
		last = append(last, n)
		tables = tables || n.DataAtom == atom.Table
	}
	tail := bytes.TrimRightFunc(doc, unicode.IsSpace)
	if r, _ := utf8.DecodeLastRune(tail); r == '>' && (!tables || tags(doc, "<table") <= tags(doc, "</table")) {
		return nil
	}
	cut := map[*html.Node]bool{}
	for _, n := range last {
		cut[n] = true
	}
	return cut
}

func lastVisible(n *html.Node) *html.Node {
	for c := n.LastChild; c != nil; c = c.PrevSibling {
		if c.Type == html.ElementNode || (c.Type == html.TextNode && strings.TrimSpace(c.Data) != "") {
			return c
		}
	}
	return nil
}

// tags counts the occurrences of an ASCII tag in any case.
func tags(doc []byte, tag string) int {
	count := 0
	for {
		i := bytes.IndexByte(doc, '<')
		if i < 0 || len(doc)-i < len(tag) {
			return count
		}
		if bytes.EqualFold(doc[i:i+len(tag)], []byte(tag)) {
			count++
		}
		doc = doc[i+1:]
	}
}
