package table

import (
	"regexp"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// A site may give the parts of one value elements of their own, to style them: "52", ".5" and "%" of a large percent, "Nov", "18" and "2026"
// of a leaf of a calendar. Before the page is read such parts are put together again.

// joinSplitValues joins them in all elements below n.
func joinSplitValues(n *html.Node) {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == html.ElementNode {
			joinSplitValues(c)
		}
	}
	switch n.DataAtom {
	case atom.Tr, atom.Tbody, atom.Thead, atom.Tfoot, atom.Table, atom.Dl, atom.Ul, atom.Ol, atom.Select, atom.Html, atom.Head:
		return
	}
	joinLeaf(n)
	joinFigure(n)
}

// leafOfCalendar is a day whose parts blanks set apart, in the orders that calendars show: "Wed Nov 18 2026", "18 Nov 2026", "Nov 18".
var leafOfCalendar = regexp.MustCompile(`(?i)^(?:((?:sun|mon|tue|wed|thu|fri|sat)[a-z]*) )?(?:(` + months + `)\.? ([0-3]?\d)|([0-3]?\d) (` + months + `)\.?)(?: (20\d\d))?$`)

const months = `jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?`

// joinLeaf makes one text of n where its children are the parts of a day and nothing else.
func joinLeaf(n *html.Node) {
	var parts []string
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		text, isLeaf := leafText(c)
		switch {
		case !isLeaf || len(parts) > 4:
			return
		case text != "":
			parts = append(parts, text)
		}
	}
	found := leafOfCalendar.FindStringSubmatch(strings.Join(parts, " "))
	if len(parts) < 2 || found == nil {
		return
	}
	day := found[2] + found[5] + " " + found[3] + found[4]
	if found[6] != "" {
		day += ", " + found[6]
	}
	if found[1] != "" {
		day = found[1] + ", " + day
	}
	for n.FirstChild != nil {
		n.RemoveChild(n.FirstChild)
	}
	n.AppendChild(&html.Node{Type: html.TextNode, Data: day})
}

// leafText is the text of a node that holds text and nothing else.
func leafText(n *html.Node) (text string, isLeaf bool) {
	switch {
	case n.Type == html.CommentNode:
		return "", true
	case n.Type == html.TextNode:
		return strings.TrimSpace(n.Data), strings.TrimSpace(n.Data) == ""
	case n.Type != html.ElementNode || Unseen(n) || !inline(n.DataAtom) && n.DataAtom != atom.Div && n.DataAtom != atom.P:
		return "", false
	case n.FirstChild == nil || n.FirstChild.NextSibling != nil || n.FirstChild.Type != html.TextNode:
		return "", false
	}
	return strings.TrimSpace(n.FirstChild.Data), true
}

// splitFigure is a percent or an amount whose parts touch: "52" ".5" "%".
var splitFigure = regexp.MustCompile(`^(?:\$\d{1,3}\.\d{1,4}|\d{1,3}(?:\.\d{1,4})? ?%)$`)

// maxSplitFigure is the most bytes of one, but for its last part.
const maxSplitFigure = 10

// figurePart is what a part of one can be. Two whole numbers side by side are two figures.
var figurePart = regexp.MustCompile(`^(?:\$|\$?\d{1,3}\.?|\.\d{1,4}%?|\.|%|\d{1,3}\.\d{1,4})$`)

// joinFigure puts the parts of a figure into the first of the elements that hold them, which must touch one another.
func joinFigure(n *html.Node) {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		var run []*html.Node
		text := ""
		for next := c; next != nil && isFigurePart(next) && len(text) < maxSplitFigure && !touchesDigit(text, next.FirstChild.Data); next = next.NextSibling {
			run, text = append(run, next), text+next.FirstChild.Data
		}
		if len(run) < 2 || continuesFigure(c.PrevSibling) || !splitFigure.MatchString(text) {
			continue
		}
		c.FirstChild.Data = text
		for _, part := range run[1:] {
			n.RemoveChild(part)
		}
	}
}

// touchesDigit tells whether two parts have digits where they touch: they may be two figures.
func touchesDigit(before, next string) bool {
	return before != "" && next != "" && strings.ContainsAny(before[len(before)-1:], digits) && strings.ContainsAny(next[:1], digits)
}

// continuesFigure tells whether a figure right behind a node may be a part of what the node says.
func continuesFigure(n *html.Node) bool {
	if n == nil || n.Type == html.CommentNode {
		return false
	}
	text := n.Data
	if n.Type == html.ElementNode {
		text = wholeText(n)
	}
	return text != "" && strings.ContainsAny(text[len(text)-1:], digits+".,$+-")
}

func isFigurePart(n *html.Node) bool {
	return n.Type == html.ElementNode && inline(n.DataAtom) && n.DataAtom != atom.A && !Unseen(n) && n.FirstChild != nil &&
		n.FirstChild.NextSibling == nil && n.FirstChild.Type == html.TextNode && figurePart.MatchString(n.FirstChild.Data)
}
