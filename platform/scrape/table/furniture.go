package table

import (
	"regexp"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// A site puts the same blocks on many pages: news, praise of customers, prices of shares, forms for quotes, offers of jobs. They are
// known by the names that they have for the site's styles, and they say nothing of what else stands on a page. They are taken out
// before the page is read, unless they speak of its figures.

// furnitureNames are words of such names: "testimonials", "latest-news".
var furnitureNames = indexOf(`testimonial testimonials newsroom news press blog blogs stories ticker stock stocks careers jobs hiring recruiting awards award
	accreditation accreditations badges survey feedback poll weather events webinars newsletter subscribe signup chat chatbot proof trust holiday holidays
	quote livechat spotlight trending`)

// ofFigures finds words by which a text speaks of the figures of a page, or of the page as a whole.
var ofFigures = regexp.MustCompile(`(?i)surcharge|\bfsc\b|percentage|linehaul|\b(?:table|figures|columns?|schedule|scale|correct\w*|supersed\w+|errat\w+|draft|` +
	`sample|staging|outdated|these|above|below|only|applies|applied|valid|already|pays?|charged|off|discounts?|welcome)\b`)

// maxFurniture is the longest text, in bytes, of such a block.
const maxFurniture = 2000

// dropFurniture takes such blocks out of the document.
func dropFurniture(n *html.Node) {
	for c := n.FirstChild; c != nil; {
		next := c.NextSibling
		if c.Type == html.ElementNode && isFurniture(c) {
			n.RemoveChild(c)
		} else {
			dropFurniture(c)
		}
		c = next
	}
}

func isFurniture(n *html.Node) bool {
	if !isPraise(n) && !hasFurnitureName(n) {
		return false
	}
	text := wholeText(n)
	return len(text) <= maxFurniture && !ofFigures.MatchString(text)
}

// isPraise tells whether n quotes somebody who is named.
func isPraise(n *html.Node) bool {
	return n.DataAtom == atom.Blockquote && holds(n, atom.Cite)
}

func holds(n *html.Node, element atom.Atom) bool {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.DataAtom == element || holds(c, element) {
			return true
		}
	}
	return false
}

func hasFurnitureName(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Div, atom.Section, atom.Aside, atom.P, atom.Ul, atom.Ol, atom.Dl, atom.Form, atom.Article:
	default:
		return false
	}
	class, id := attr(n, "class"), attr(n, "id")
	return isFurnitureName(class) || isFurnitureName(id)
}

func isFurnitureName(name string) bool {
	if name == "" {
		return false
	}
	for word := range strings.FieldsFuncSeq(strings.ToLower(name), func(r rune) bool { return r == '-' || r == '_' || r == ' ' }) {
		if furnitureNames[word] {
			return true
		}
	}
	return false
}

// wholeText is all text below n, shown or not.
func wholeText(n *html.Node) string {
	var b strings.Builder
	var collect func(*html.Node)
	collect = func(n *html.Node) {
		for c := n.FirstChild; c != nil && b.Len() <= maxFurniture; c = c.NextSibling {
			if c.Type == html.TextNode {
				b.WriteString(c.Data)
				b.WriteByte(' ')
			}
			collect(c)
		}
	}
	collect(n)
	return b.String()
}
