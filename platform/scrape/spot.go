package scrape

import "golang.org/x/net/html"

// Spot is where a value stood in a document, and how it is written there.
type Spot struct {
	// At is, in a page, the number of the element or text with which it begins, counted from 1 in the order of the page as
	// [ParseHTML] reads it; in any other text how many bytes there are up to its end, or to that of its record. 0 is
	// nowhere.
	At   int    `json:"at"`
	Text string `json:"text"`
}

// NumberNodes calls each with the nodes of a parsed page and their numbers.
func NumberNodes(root *html.Node, each func(*html.Node, int)) {
	number := 0
	for n := range root.Descendants() {
		number++
		each(n, number)
	}
}

// SpotOf is the spot of a text that stands in a node of a parsed page.
func SpotOf(n *html.Node, text string) Spot {
	root := n
	for root.Parent != nil {
		root = root.Parent
	}
	at := Spot{Text: text}
	NumberNodes(root, func(other *html.Node, number int) {
		if other == n {
			at.At = number
		}
	})
	return at
}
