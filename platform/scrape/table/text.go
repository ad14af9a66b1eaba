package table

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// folder collects text and folds white space as a browser does.
type folder struct {
	b     strings.Builder
	space bool // white space is due before the next character
	edge  bool // an element ended and another one begins before the next character
	last  rune
}

func (f *folder) gap() { f.space = true }

func (f *folder) write(s string) {
	for _, r := range s {
		switch {
		case r == '\u200b' || r == '\ufeff' || r == '\u00ad' || r == '\u2060': // invisible
			continue
		case unicode.IsSpace(r):
			f.space = true
			continue
		}
		if (f.space || f.edge && parts(f.last, r)) && f.b.Len() > 0 {
			f.b.WriteByte(' ')
		}
		f.space, f.edge = false, false
		f.b.WriteRune(r)
		f.last = r
	}
}

// parts tells whether two characters of elements side by side are no word: "LTL" and "41.00%", which the page sets
// apart by its style.
func parts(last, next rune) bool {
	isFigure := func(r rune) bool { return unicode.IsDigit(r) || r == '$' || r == '%' }
	return unicode.IsLetter(last) && (unicode.IsDigit(next) || next == '$') || isFigure(last) && unicode.IsLetter(next)
}

// followsInline tells whether an element stands right behind another one in its line.
func followsInline(n *html.Node) bool {
	return n.PrevSibling != nil && n.PrevSibling.Type == html.ElementNode && IsInline(n.PrevSibling.DataAtom)
}

// TextOf is the visible text of nodes that stand side by side, without that of tables.
func TextOf(nodes []*html.Node) string {
	if len(nodes) == 1 && nodes[0].Type == html.TextNode {
		if text, clean := trimmed(nodes[0].Data); clean {
			return text
		}
	}
	var f folder
	for _, n := range nodes {
		f.node(n)
	}
	return f.b.String()
}

// Text is the visible text below n without that of nested tables.
func Text(n *html.Node) string {
	if only := n.FirstChild; only != nil && only.NextSibling == nil && only.Type == html.TextNode {
		if text, clean := trimmed(only.Data); clean {
			return text
		}
	}
	var f folder
	f.children(n)
	return f.b.String()
}

// trimmed returns s without blanks around it, and whether that is all the folding it needs.
func trimmed(s string) (string, bool) {
	if s != "" && (s[0] <= ' ' || s[len(s)-1] <= ' ') {
		s = strings.Trim(s, " \t\r\n")
	}
	space := false
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c >= utf8.RuneSelf || c < ' ' || (c == ' ' && space) {
			return s, false
		}
		space = c == ' '
	}
	return s, true
}

func (f *folder) children(n *html.Node) {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		f.node(c)
	}
}

func (f *folder) node(n *html.Node) {
	if n.Type == html.TextNode {
		f.write(n.Data)
		return
	}
	if n.Type != html.ElementNode || Unseen(n) || n.DataAtom == atom.Table {
		return
	}
	switch {
	case n.DataAtom == atom.Sup || n.DataAtom == atom.Sub:
		f.raised(Text(n))
	case IsInline(n.DataAtom):
		f.edge = f.edge || followsInline(n)
		if f.isFootnote(n) {
			f.write("^")
		}
		f.children(n)
	default:
		f.gap()
		f.children(n)
		f.gap()
	}
}

// raised writes what stands in <sup>. Letters belong to the word before ("2nd"). A figure is a footnote, unless it
// touches a figure: then it might be a part of it ("3.59⁹"), which only a person can tell.
func (f *folder) raised(text string) {
	first, _ := utf8.DecodeRuneInString(text)
	switch {
	case unicode.IsLetter(first), text == "%":
		f.write(text)
	case unicode.IsDigit(first) && unicode.IsDigit(f.last) && !f.space:
		f.write("^" + text)
	}
}

// isFootnote tells whether digits in a line that touch a decimal figure may be a footnote: a link within the page, or a
// digit alone. In a row of such elements each may be a digit of the figure, and a price may end with a tenth of a cent.
func (f *folder) isFootnote(n *html.Node) bool {
	written := f.b.String()
	whole := strings.TrimRight(written, "0123456789")
	if f.space || !unicode.IsDigit(f.last) || !strings.HasSuffix(whole, ".") {
		return false
	}
	text, before := Text(n), n.PrevSibling
	isLink := n.DataAtom == atom.A && strings.HasPrefix(Attribute(n, "href"), "#")
	isAlone := len(text) == 1 && (before == nil || before.Type != html.ElementNode || len(Text(before)) > 1)
	isMill := (text == "9" || n.DataAtom == atom.Small) && len(written)-len(whole) == 2 &&
		strings.HasSuffix(strings.TrimRight(whole[:len(whole)-1], "0123456789"), "$")
	return (isLink || isAlone && !isMill) && text != "" && unicode.IsDigit(rune(text[0]))
}

func IsInline(a atom.Atom) bool {
	switch a {
	case 0, atom.A, atom.Abbr, atom.B, atom.Bdi, atom.Bdo, atom.Big, atom.Cite, atom.Code, atom.Data, atom.Em, atom.Font,
		atom.I, atom.Ins, atom.Kbd, atom.Label, atom.Mark, atom.Nobr, atom.Q, atom.Samp, atom.Small, atom.Span,
		atom.Strong, atom.Time, atom.Tt, atom.U, atom.Var, atom.Wbr, atom.Acronym:
		return true
	}
	return false
}

// Unseen tells whether a page shows nothing of n. Text that is struck out counts as not shown.
func Unseen(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Script, atom.Style, atom.Template, atom.Noscript, atom.Svg, atom.Math, atom.Iframe, atom.Object,
		atom.Select, atom.Textarea, atom.Datalist, atom.Dialog:
		return true
	}
	return Removed(n) || Struck(n) || styled(n, "visibility", "hidden", "collapse")
}

// Struck tells whether the text of n is struck out.
func Struck(n *html.Node) bool {
	return n.DataAtom == atom.Del || n.DataAtom == atom.S || n.DataAtom == atom.Strike ||
		styled(n, "text-decoration", "line-through") || styled(n, "text-decoration-line", "line-through")
}

// Removed tells whether n takes no place on the page at all.
func Removed(n *html.Node) bool {
	for i := range n.Attr {
		if n.Attr[i].Key == "hidden" {
			return true
		}
	}
	return styled(n, "display", "none")
}

func styled(n *html.Node, property string, values ...string) bool {
	style := Attribute(n, "style")
	if style == "" {
		return false
	}
	for declaration := range strings.SplitSeq(strings.ToLower(style), ";") {
		name, value, _ := strings.Cut(declaration, ":")
		isOne := func(word string) bool { return slices.Contains(values, strings.TrimSuffix(word, "!important")) }
		if strings.TrimSpace(name) == property && slices.ContainsFunc(strings.Fields(value), isOne) {
			return true
		}
	}
	return false
}

// Attribute is the value of an attribute; empty where there is none.
func Attribute(n *html.Node, key string) string {
	for i := range n.Attr {
		if n.Attr[i].Key == key {
			return n.Attr[i].Val
		}
	}
	return ""
}
