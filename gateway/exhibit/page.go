package exhibit

import (
	"strings"
	"unicode"

	"golang.org/x/net/html"

	"assay.dev/platform/scrape"
)

// hidden lists the elements whose text a reader does not see. Each of blocks begins a new line, and cells are kept
// apart.
var (
	hidden = map[string]bool{"script": true, "style": true, "template": true, "noscript": true,
		"iframe": true, "object": true}
	blocks = map[string]bool{
		"address": true, "article": true, "br": true, "dd": true, "div": true, "dl": true, "dt": true, "footer": true,
		"form": true, "h1": true,
		"h2": true, "h3": true, "h4": true, "h5": true, "h6": true, "header": true, "hr": true, "li": true,
		"main": true, "nav": true,
		"ol": true, "option": true, "p": true, "pre": true, "section": true, "table": true, "title": true,
		"tr": true, "ul": true,
	}
	cells = map[string]bool{"td": true, "th": true}
)

// The marks of where nodes begin and end, while the text of a page is made. No text of a page holds them.
const (
	nodeBegins = '\uE000'
	nodeEnds   = '\uE001'
)

// showPage shows the text of a page: a line for each block and row, cells parted by bars.
func (s *shown) showPage(page string) {
	s.remark = "The text of the page."
	root, err := scrape.ParseHTML([]byte(page))
	if err != nil {
		s.remark, s.rows = "The source of the page, which is too tangled to be shown as text.", nil
		return
	}
	w := pageWriter{wanted: map[int]bool{}}
	for _, spots := range s.rows {
		for _, spot := range spots {
			w.wanted[spot.At] = true
		}
	}
	w.children(root, false, false)
	text, at := w.placed()
	s.text = text
	s.place = func(spot scrape.Spot) (within, unit span) {
		within, ok := at[spot.At]
		if !ok {
			return span{}, span{}
		}
		line := linesOf(text, span{within.from, within.from})
		return span{within.from, max(within.to, line.to)}, within
	}
}

type pageWriter struct {
	strings.Builder
	number int
	wanted map[int]bool // the numbers of nodes
	begun  []int        // those of wanted that were written
}

func (w *pageWriter) children(n *html.Node, isHidden, inCell bool) {
	for c := range n.ChildNodes() {
		w.node(c, isHidden, inCell)
	}
}

// node writes a node. In a cell a block begins no line, but a row does.
func (w *pageWriter) node(n *html.Node, isHidden, inCell bool) {
	w.number++
	isHidden = isHidden || n.Type == html.ElementNode && hidden[n.Data] || w.Len() > maxText
	edge := ""
	switch {
	case n.Type != html.ElementNode:
	case cells[n.Data]:
		w.WriteString(" | ")
		inCell = true
	case blocks[n.Data]:
		if inCell = inCell && n.Data != "table"; inCell {
			edge = " "
		} else {
			edge = "\n"
		}
	}
	w.WriteString(edge)
	isWanted := w.wanted[w.number] && !isHidden
	if isWanted {
		w.begun = append(w.begun, w.number)
		w.WriteRune(nodeBegins)
	}
	if n.Type == html.TextNode && !isHidden {
		w.WriteString(strings.Map(spaceOf, n.Data))
	}
	w.children(n, isHidden, inCell)
	if isWanted {
		w.WriteRune(nodeEnds)
	}
	w.WriteString(edge)
}

// placed is the text, and where in it the nodes are that were wanted.
func (w *pageWriter) placed() (text string, at map[int]span) {
	var b strings.Builder
	at = map[int]span{}
	var open []int
	next := 0
	for _, r := range tidy(w.String()) {
		switch r {
		case nodeBegins:
			at[w.begun[next]] = span{b.Len(), b.Len()}
			open, next = append(open, w.begun[next]), next+1
		case nodeEnds:
			number := open[len(open)-1]
			at[number], open = span{at[number].from, b.Len()}, open[:len(open)-1]
		default:
			b.WriteRune(r)
		}
	}
	return b.String(), at
}

// spaceOf is a blank for white space: a line that ends in a page's source does not end on the page. It is no mark of a
// node.
func spaceOf(r rune) rune {
	switch {
	case unicode.IsSpace(r):
		return ' '
	case r == nodeBegins, r == nodeEnds:
		return unicode.ReplacementChar
	}
	return r
}

// tidy is the text without empty lines and blanks at both ends of lines.
func tidy(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if line = strings.TrimPrefix(strings.Join(strings.Fields(line), " "), "| "); line != "" {
			b.WriteString(line + "\n")
		}
	}
	return b.String()
}
