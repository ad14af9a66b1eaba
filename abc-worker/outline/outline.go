// Package outline reads pages that pair labels with values, whatever markup pairs them: a definition list, a table,
// or lines such as "License Number: 400051". A page becomes a sequence of pieces: headings, labels, values and
// other lines.
package outline

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"assay.dev/abc-worker/fold"
	"assay.dev/platform/scrape"
	"assay.dev/platform/scrape/table"
)

// Piece is a part of a page, in the page's order.
type Piece struct {
	Kind Kind
	// Text is the piece on one line. Raw is the piece as the page has it, without the blanks at its ends.
	Text, Raw string
	// node is where it stands, or its first part.
	node *html.Node
}

// Spot is where the piece stands; a piece that no page has stands nowhere.
func (p Piece) Spot() scrape.Spot {
	if p.node == nil {
		return scrape.Spot{}
	}
	return scrape.SpotOf(p.node, p.Text)
}

// names tells whether the piece says what can be read or chosen: a heading, a link, or a part of a form.
func (p Piece) names() bool {
	for n := p.node; n != nil; n = n.Parent {
		switch n.DataAtom {
		case atom.A, atom.Label, atom.Button, atom.Option:
			return true
		}
	}
	return p.Kind == Heading
}

// Kind is what a piece is for.
type Kind byte

// The kinds of pieces. A Line is a text that is none of the others.
const (
	Line Kind = iota
	Heading
	Label
	Value
)

// Parse gives the pieces of an HTML document, which must be whole. A line that begins with one of the labels and a
// colon becomes a label and a value. Its error is a *[scrape.Failure] of kind changed.
func Parse(doc string, labels Labels) ([]Piece, error) {
	root, err := scrape.ParseWhole([]byte(doc))
	if err != nil {
		return nil, err
	}
	return Of(root, labels), nil
}

// Of gives the pieces of a document. What the page does not show is not among them, such as a message that a script
// would show.
func Of(root *html.Node, labels Labels) []Piece {
	o := &outliner{labels: labels}
	o.walk(root)
	o.endLine()
	return o.pieces
}

type outliner struct {
	labels Labels
	pieces []Piece
	line   strings.Builder
	begins *html.Node // the line
}

// inline elements do not end a line.
var inline = map[atom.Atom]bool{
	atom.A: true, atom.Abbr: true, atom.B: true, atom.Em: true, atom.Font: true, atom.I: true, atom.Label: true,
	atom.Small: true, atom.Span: true, atom.Strong: true, atom.U: true,
}

// kindOf are the elements that are one piece each.
var kindOf = map[atom.Atom]Kind{
	atom.H1: Heading, atom.H2: Heading, atom.H3: Heading, atom.H4: Heading, atom.H5: Heading, atom.H6: Heading,
	atom.Dt: Label, atom.Dd: Value, atom.Th: Label, atom.Td: Value,
}

func (o *outliner) walk(n *html.Node) {
	if n.Type == html.TextNode {
		if o.begins == nil {
			o.begins = n
		}
		o.line.WriteString(n.Data)
		return
	}
	if n.DataAtom == atom.Head || table.Unseen(n) {
		return
	}
	if kind, ok := kindOf[n.DataAtom]; ok && !holdsTable(n) {
		o.endLine()
		o.addPiece(kind, textOf(n), n)
		return
	}
	if !inline[n.DataAtom] {
		o.endLine()
		defer o.endLine()
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		o.walk(c)
	}
}

// holdsTable tells whether a table stands inside n: then n is a part of the page's layout.
func holdsTable(n *html.Node) bool {
	for c := range n.Descendants() {
		if c.DataAtom == atom.Table {
			return true
		}
	}
	return false
}

// endLine adds the line that was collected.
func (o *outliner) endLine() {
	line, from := o.line.String(), o.begins
	o.begins = nil
	o.line.Reset()
	if name, rest, ok := strings.Cut(line, ":"); ok && o.labels.Find(name) != "" {
		o.addPiece(Label, name, from)
		o.addPiece(Value, rest, from)
		return
	}
	if strings.TrimSpace(line) != "" {
		o.addPiece(Line, line, from)
	}
}

func (o *outliner) addPiece(kind Kind, s string, n *html.Node) {
	o.pieces = append(o.pieces, Piece{Kind: kind, Text: fold.Blanks(s), Raw: strings.TrimSpace(s), node: n})
}

// Lines are the lines of an element that are not empty, each without needless blanks. Line breaks and blocks end a
// line.
func Lines(n *html.Node) []string {
	var lines []string
	for _, line := range strings.Split(textOf(n), "\n") {
		if line = fold.Blanks(line); line != "" {
			lines = append(lines, line)
		}
	}
	return lines
}

func textOf(n *html.Node) string {
	switch {
	case n.Type == html.TextNode:
		return n.Data
	case table.Unseen(n):
		return ""
	}
	var out strings.Builder
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		out.WriteString(textOf(c))
	}
	if n.DataAtom == atom.Br || n.DataAtom == atom.P || n.DataAtom == atom.Div || n.DataAtom == atom.Li {
		out.WriteByte('\n')
	}
	return out.String()
}

// And stands between the two things that [Both] gives.
const And = " / "

// Both is what a page says under one label in two places. Where it says two things, neither counts alone.
func Both(first, second string) string {
	switch {
	case first == "" || strings.EqualFold(fold.Blanks(first), fold.Blanks(second)):
		return second
	case second == "":
		return first
	}
	return first + And + second
}

// Labels are the labels that a page pairs with values.
type Labels []string

// minCut is how many letters of a label must be left when the page cuts it off, as in "License Type Sta…".
const minCut = 12

// Find is the label that s stands for, without regard to case and a colon at its end. A page may cut a label off:
// "License Type Sta…" is "License Type Status" when no other label begins so. It is empty when s is no label.
func (ls Labels) Find(s string) string {
	s = strings.TrimRight(fold.Blanks(s), ":. …")
	found := ""
	for _, l := range ls {
		switch {
		case strings.EqualFold(l, s):
			return l
		case len(s) >= minCut && len(s) < len(l) && strings.EqualFold(l[:len(s)], s):
			if found != "" {
				return "" // two labels begin so
			}
			found = l
		}
	}
	return found
}
