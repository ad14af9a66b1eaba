package state

import (
	"regexp"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"assay.dev/platform/scrape"
)

// piece is a line of a page and what it is for. Pages that pair labels with values are read as a sequence of pieces, so that
// nothing depends on the markup around them.
type piece struct {
	kind pieceKind
	// text is on one line; raw is as the page has it but for the blanks at its ends.
	text, raw string
}

type pieceKind byte

const (
	text pieceKind = iota
	heading
	label
	value
)

// outline is the pieces of an HTML document. A line of text that begins with one of the labels and a colon is a label and a
// value.
func outline(doc string, labels labels) ([]piece, error) {
	root, err := html.Parse(strings.NewReader(doc))
	if err != nil {
		return nil, scrape.Failf(scrape.Changed, "the page cannot be read: %w", err)
	}
	o := &outliner{labels: labels}
	o.walk(root)
	o.flush()
	return o.pieces, nil
}

type outliner struct {
	labels labels
	pieces []piece
	line   strings.Builder
}

// inline elements do not end a line.
var inline = map[atom.Atom]bool{
	atom.A: true, atom.Abbr: true, atom.B: true, atom.Em: true, atom.Font: true, atom.I: true, atom.Label: true,
	atom.Small: true, atom.Span: true, atom.Strong: true, atom.U: true,
}

var paired = map[atom.Atom]pieceKind{
	atom.H1: heading, atom.H2: heading, atom.H3: heading, atom.H4: heading, atom.H5: heading, atom.H6: heading,
	atom.Dt: label, atom.Dd: value, atom.Th: label, atom.Td: value,
}

func (o *outliner) walk(n *html.Node) {
	if n.Type == html.TextNode {
		o.line.WriteString(n.Data)
		return
	}
	switch n.DataAtom {
	case atom.Script, atom.Style, atom.Noscript, atom.Template, atom.Head:
		return
	}
	kind, ok := paired[n.DataAtom]
	if ok {
		o.flush()
		o.add(kind, textOf(n))
		return
	}
	if !inline[n.DataAtom] {
		o.flush()
		defer o.flush()
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		o.walk(c)
	}
}

// flush ends a line.
func (o *outliner) flush() {
	line := o.line.String()
	o.line.Reset()
	if name, rest, ok := strings.Cut(line, ":"); ok && o.labels.find(name) != "" {
		o.add(label, name)
		o.add(value, rest)
		return
	}
	if strings.TrimSpace(line) != "" {
		o.add(text, line)
	}
}

func (o *outliner) add(kind pieceKind, s string) {
	o.pieces = append(o.pieces, piece{kind: kind, text: clean(s), raw: strings.TrimSpace(s)})
}

func textOf(n *html.Node) string {
	if n.Type == html.TextNode {
		return n.Data
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

// labels are those that a page pairs with values.
type labels []string

// minCut is how much of a label must be left for it to be known when the page cut it off.
const minCut = 12

// find is the label that s stands for, also when the page cut it off; empty when none.
func (ls labels) find(s string) string {
	s = strings.TrimRight(clean(s), ":. …")
	cut := ""
	for _, l := range ls {
		switch {
		case strings.EqualFold(l, s):
			return l
		case len(s) >= minCut && len(s) < len(l) && strings.EqualFold(l[:len(s)], s):
			if cut != "" {
				return "" // it could be either
			}
			cut = l
		}
	}
	return cut
}

// saysNone are the sentences by which a register says that it holds nothing of what was asked (guess: no such page of a
// real site was seen). They name what was not found, so that an error page is not taken for an answer.
var saysNone = regexp.MustCompile(`(?i)\bno (?:matching )?(?:licen[cs]es?|licensees?|records?|results?) (?:(?:was|were|is|are|has been|have been|could be) )?(?:found|match|exist)` +
	`|\blicen[cs]e (?:number )?[#"']?[A-Z0-9-]+["']? (?:was |is |could |does )?not (?:be )?(?:found|exist|on file)`)

// none tells whether the page says that there is nothing.
func none(pieces []piece) bool {
	for _, p := range pieces {
		if p.kind != heading && saysNone.MatchString(p.text) {
			return true
		}
	}
	return false
}
