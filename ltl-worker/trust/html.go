package trust

import (
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"assay.dev/contracts"
)

// LinesOfHTML are the lines of a page from which these weeks were read, newest first. It changes nothing in the page.
//
// Near are the document's title, what has the role of an alert, a status or a dialog, the notes that the table refers to, and all in
// the smallest element that holds the weeks and a heading over them; and what stands between that and the page's main heading. What
// belongs to the site, such as its footer, is far.
func LinesOfHTML(root *html.Node, weeks []contracts.SurchargeWeek) []Line {
	w := &walker{outline: newOutline(weeks), notes: map[string]bool{}}
	w.noteReferences(root)
	w.children(root, &element{}, place{})
	w.flush()
	return w.lines(w.near)
}

// walker cuts a page into leaves.
type walker struct {
	*outline
	notes map[string]bool // ids of elements that others refer to

	text   strings.Builder // of the leaf at hand
	linked int             // bytes of it inside links
	leaf   leaf
}

// place is where the walker is.
type place struct {
	row           *element
	always, aside bool
	heading       int
	inLink        bool
}

func (w *walker) noteReferences(n *html.Node) {
	for d := range n.Descendants() {
		if d.DataAtom == atom.A {
			if id, ok := strings.CutPrefix(attribute(d, "href"), "#"); ok && id != "" && strings.IndexFunc(textOf(d), isLetter) < 0 {
				w.notes[id] = true // a mark such as * or 1, and no link to a section
			}
		}
		for _, key := range []string{"aria-describedby", "aria-details"} {
			for id := range strings.FieldsSeq(attribute(d, key)) {
				w.notes[id] = true
			}
		}
	}
}

func (w *walker) flush() {
	text := strings.Join(strings.Fields(w.text.String()), " ")
	if text != "" {
		w.leaf.text, w.leaf.isLink = text, 10*w.linked >= 9*len(text)
		w.leaf.always = w.leaf.always || strings.HasPrefix(text, "*") || strings.HasPrefix(text, "†")
		w.leaf.aside = w.leaf.aside || strings.HasPrefix(text, "©")
		w.add(w.leaf)
	}
	w.text.Reset()
	w.linked = 0
}

func (w *walker) write(text string, in *element, p place) {
	if w.text.Len() == 0 {
		w.leaf = leaf{in: in, row: p.row, always: p.always, aside: p.aside, heading: p.heading}
	}
	w.text.WriteString(text)
	if p.inLink {
		w.linked += len(strings.Join(strings.Fields(text), " "))
	}
}

// say adds a leaf of its own, such as the text of an attribute.
func (w *walker) say(text string, in *element, p place) {
	w.flush()
	w.write(text, in, p)
	w.flush()
}

func (w *walker) children(n *html.Node, in *element, p place) {
	for c := range n.ChildNodes() {
		switch c.Type {
		case html.TextNode:
			w.write(c.Data, in, p)
		case html.ElementNode:
			w.element(c, in, p)
		}
	}
}

func (w *walker) element(n *html.Node, in *element, p place) {
	switch n.DataAtom {
	case atom.Script, atom.Style, atom.Template, atom.Noscript, atom.Svg, atom.Link, atom.Meta:
		return
	case atom.Br:
		w.flush()
		return
	}
	if hasAttribute(n, "hidden") {
		return
	}
	if isInline(n) && !isTab(n) {
		p.inLink = p.inLink || n.DataAtom == atom.A
		if n.DataAtom == atom.Del || n.DataAtom == atom.S || n.DataAtom == atom.Strike {
			w.write("(struck out) ", in, p)
		}
		w.attributes(n, in, p)
		w.children(n, in, p)
		return
	}
	w.flush()
	e := &element{up: in, from: len(w.leaves)}
	p = p.inside(n, e, w.notes)
	w.attributes(n, e, p)
	if isChosen(n) {
		w.write("(chosen) ", e, p)
	}
	w.children(n, e, p)
	w.flush()
	e.to = len(w.leaves)
}

// inside is the place in an element of a place.
func (p place) inside(n *html.Node, e *element, notes map[string]bool) place {
	role := attribute(n, "role")
	switch {
	case n.DataAtom == atom.Tr && !holdsBlocks(n):
		e.isRow = true
		p.row = e
	case n.DataAtom == atom.Tr, n.DataAtom == atom.Table:
		p.row = nil
	}
	p.heading = headingLevel(n)
	p.always = p.always || n.DataAtom == atom.Title || n.DataAtom == atom.Dialog || notes[attribute(n, "id")] ||
		slices.Contains([]string{"alert", "status", "dialog", "alertdialog", "tab"}, role)
	p.aside = p.aside || n.DataAtom == atom.Nav || n.DataAtom == atom.Footer || n.DataAtom == atom.Aside ||
		slices.Contains([]string{"navigation", "contentinfo", "complementary", "banner"}, role)
	return p
}

// attributes adds what an element says in its attributes.
func (w *walker) attributes(n *html.Node, in *element, p place) {
	for _, key := range []string{"title", "alt", "aria-label"} {
		if text := attribute(n, key); text != "" {
			w.say(text, in, p)
		}
	}
}

// near tells of each leaf whether it is near, when the weeks stand from the leaf first to the leaf last.
func (w *walker) near(first, last int) func(int) bool {
	from, to := 0, len(w.leaves)
	if first >= 0 {
		from, to = w.container(first, last)
	}
	main := from
	for i := range min(first, from) {
		if w.leaves[i].heading == 1 {
			main = i
		}
	}
	return func(i int) bool {
		l := &w.leaves[i]
		return l.always || !l.aside && i >= main && i < to
	}
}

// container is the smallest element that holds those leaves and a heading over them.
func (w *walker) container(first, last int) (from, to int) {
	e := w.leaves[first].in
	for ; e.up != nil; e = e.up {
		if e.from > first || e.to <= last {
			continue
		}
		for i := e.from; i < first; i++ {
			if w.leaves[i].heading > 0 {
				return e.from, e.to
			}
		}
	}
	return 0, len(w.leaves)
}

func isInline(n *html.Node) bool {
	switch n.DataAtom {
	case atom.A, atom.Abbr, atom.B, atom.Bdi, atom.Bdo, atom.Cite, atom.Code, atom.Data, atom.Del, atom.Dfn, atom.Em, atom.Font, atom.I,
		atom.Img, atom.Input, atom.Ins, atom.Kbd, atom.Mark, atom.Q, atom.S, atom.Samp, atom.Small, atom.Span, atom.Strike, atom.Strong, atom.Sub,
		atom.Sup, atom.Time, atom.U, atom.Var, atom.Wbr:
		return true
	}
	return false
}

// holdsBlocks tells whether a row of a table holds more than cells of plain text.
func holdsBlocks(tr *html.Node) bool {
	for d := range tr.Descendants() {
		switch d.DataAtom {
		case atom.Table, atom.Ul, atom.Ol, atom.Dl, atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Section, atom.Article, atom.Form:
			return true
		}
	}
	return false
}

func isTab(n *html.Node) bool { return attribute(n, "role") == "tab" }

func isChosen(n *html.Node) bool {
	for _, key := range []string{"aria-selected", "aria-pressed", "aria-checked"} {
		if attribute(n, key) == "true" {
			return true
		}
	}
	return n.DataAtom == atom.Option && hasAttribute(n, "selected")
}

func headingLevel(n *html.Node) int {
	switch n.DataAtom {
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
		return int(n.Data[1] - '0')
	}
	if attribute(n, "role") == "heading" {
		level, _ := strconv.Atoi(attribute(n, "aria-level"))
		return max(level, 2)
	}
	return 0
}

func attribute(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key {
			return strings.TrimSpace(a.Val)
		}
	}
	return ""
}

func hasAttribute(n *html.Node, key string) bool {
	return slices.ContainsFunc(n.Attr, func(a html.Attribute) bool { return a.Key == key })
}

func textOf(n *html.Node) string {
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			b.WriteString(d.Data)
		}
	}
	return b.String()
}

func isLetter(r rune) bool { return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' }
