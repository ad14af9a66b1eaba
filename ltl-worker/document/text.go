package document

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"assay.dev/ltl-worker/document/cell"
	"assay.dev/platform/scrape/table"
)

// Text is what a document says in one line: the text of a block, up to a line break, or a member of a JSON text with
// its name. It is what stands there for a reader, be it struck out, in a menu or an attribute; but no script, and
// nothing in an element that is hidden.
type Text struct {
	Text string
	place
	// Marks are the dates and the numbers in it.
	Marks []cell.Mark
}

// place is where a text stands.
type place struct {
	In *Block
	// Row is the row of a table that it is in a cell of.
	Row *Block
	// Always is set for what counts wherever it stands, such as the document's title, and Aside for what belongs to the
	// site and not to the content, such as its footer.
	Always, Aside bool
	Links         int32 // how many it is and nothing else; 0 for other texts
	mute          bool  // in a hidden element
	Heading       uint8 // 1 to 6
}

// Block is a part of a document with the texts From up to To.
type Block struct {
	Up       *Block
	From, To int32
	// HasBlocks is set for a row of a table whose cells hold more than plain text.
	HasBlocks bool
}

// teller collects the texts of a document.
type teller struct {
	texts  []Text
	at     place
	before string // of the text that comes next
	values cell.Reader
	marks  []cell.Mark // of all texts
	unused []Block
}

func (t *teller) tell(text string, links int32) {
	if text == "" || t.at.mute {
		return
	}
	next := Text{Text: t.before + text, place: t.at}
	next.Links, t.before = links, ""
	next.Always = next.Always || strings.HasPrefix(text, "*") || strings.HasPrefix(text, "†")
	next.Aside = next.Aside || strings.HasPrefix(text, "©")
	begin := len(t.marks)
	t.marks = t.values.Marks(t.marks, next.Text)
	next.Marks = t.marks[begin:len(t.marks):len(t.marks)]
	t.texts = append(t.texts, next)
}

// begin begins a block, and end ends it.
func (t *teller) begin() (was place, before string) {
	was, before = t.at, t.before
	if len(t.unused) == 0 {
		t.unused = make([]Block, 64)
	}
	t.at.In, t.unused = &t.unused[0], t.unused[1:]
	t.at.In.Up, t.at.In.From = was.In, int32(len(t.texts))
	return was, before
}

func (t *teller) end(was place, before string) {
	if t.at.In.To = int32(len(t.texts)); t.at.In.To > t.at.In.From {
		before = ""
	}
	t.at, t.before = was, before
}

// within tells what f tells as a block.
func (t *teller) within(f func()) {
	was, before := t.begin()
	f()
	t.end(was, before)
}

// enter begins an element, which is a block.
func (p *page) enter(n *html.Node) {
	switch n.DataAtom {
	case atom.Tr:
		p.at.Row = p.at.In
	case atom.Table, atom.Ul, atom.Ol, atom.Dl, atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Section,
		atom.Article, atom.Form:
		if p.at.Row != nil {
			p.at.Row.HasBlocks = true
		}
		if n.DataAtom == atom.Table {
			p.at.Row = nil
		}
	}
	if table.Struck(n) {
		p.before = "(struck out) "
	}
	if p.at.Heading = levelOf(n); p.at.Heading == captionLevel || n.DataAtom == atom.Title {
		p.at.Heading = 0
	}
	p.at.Always = p.at.Always || n.DataAtom == atom.Title || n.DataAtom == atom.Dialog
	p.at.Aside = p.at.Aside || n.DataAtom == atom.Nav || n.DataAtom == atom.Footer
	if len(n.Attr) == 0 {
		return
	}
	switch table.Attribute(n, "role") {
	case "alert", "status", "dialog", "alertdialog", "tab":
		p.at.Always = true
	case "navigation", "contentinfo", "banner":
		p.at.Aside = true
	}
	id := table.Attribute(n, "id")
	p.at.Always = p.at.Always || id != "" && p.notes[id]
	p.at.mute = p.at.mute || has(n, "hidden")
	p.attributes(n, func() {})
	for _, key := range [...]string{"aria-selected", "aria-pressed", "aria-checked"} {
		if table.Attribute(n, key) == "true" {
			p.before = "(chosen) "
		}
	}
	if n.DataAtom == atom.Option && has(n, "selected") {
		p.before = "(chosen) "
	}
}

// attributes tells what an element says in its attributes, behind what stands before it.
func (p *page) attributes(n *html.Node, before func()) {
	for _, a := range n.Attr {
		switch a.Key {
		case "title", "alt", "aria-label":
			before()
			p.tell(Fold(a.Val), 0)
		}
	}
}

// tellLine tells the texts that stand side by side.
func (p *page) tellLine(nodes []*html.Node) {
	var b strings.Builder
	linked, links := 0, int32(0)
	flush := func() {
		text := Fold(b.String())
		if links = max(links, 1); 10*linked < 9*len(text) {
			links = 0
		}
		p.tell(text, links)
		b.Reset()
		linked, links = 0, 0
	}
	var write func(n *html.Node, inLink bool)
	write = func(n *html.Node, inLink bool) {
		switch {
		case n.Type == html.TextNode:
			if b.WriteString(n.Data); inLink {
				linked += len(Fold(n.Data))
			}
		case n.Type == html.ElementNode && !isSilent(n.DataAtom) && !has(n, "hidden"):
			if table.Struck(n) {
				b.WriteString("(struck out) ")
			}
			p.attributes(n, flush)
			if n.DataAtom == atom.A {
				links++
			}
			for c := range n.ChildNodes() {
				write(c, inLink || n.DataAtom == atom.A)
			}
		}
	}
	for _, n := range nodes {
		write(n, false)
	}
	flush()
}

// isSilent tells whether an element says nothing.
func isSilent(a atom.Atom) bool {
	switch a {
	case atom.Script, atom.Style, atom.Template, atom.Noscript, atom.Svg, atom.Link, atom.Meta:
		return true
	}
	return false
}

// Fold puts one blank for white space.
func Fold(text string) string {
	wasSpace := true
	for i := range len(text) {
		isSpace := text[i] == ' '
		if text[i] >= utf8.RuneSelf || text[i] < ' ' || isSpace && wasSpace {
			return strings.Join(strings.Fields(text), " ")
		}
		wasSpace = isSpace
	}
	return strings.TrimSuffix(text, " ")
}

// refer remembers the notes that a mark such as * or 1 leads to, and counts texts and the nodes that are not of texts.
func (p *page) refer(n *html.Node) (texts int) {
	if n.Type == html.TextNode && (len(n.Data) == 0 || n.Data[0] > ' ') {
		return 1
	}
	for i := range n.Attr {
		switch a := &n.Attr[i]; a.Key {
		case "aria-describedby", "aria-details":
			for id := range strings.FieldsSeq(a.Val) {
				p.notes[id] = true
			}
		case "href":
			if id, isLocal := strings.CutPrefix(a.Val, "#"); isLocal && !strings.ContainsFunc(table.Text(n), isASCIILetter) {
				p.notes[id] = true
			}
		}
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		texts += p.refer(c)
	}
	if n.DataAtom == atom.Tr {
		p.expected++
	}
	return texts
}

func isASCIILetter(r rune) bool { return r|0x20 >= 'a' && r|0x20 <= 'z' }
