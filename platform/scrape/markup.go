package scrape

import (
	"bytes"

	"golang.org/x/net/html"
)

// maxTags bounds the tags of a page. The largest that a source shows, a search with 2,500 hits, has some 50,000.
const maxTags = 250_000

// ParseHTML parses a page as a browser does, within bounds: <b><i><p>, repeated, becomes elements without end, each a
// copy of those before it. A page that is refused takes less than 0.2 s. The failure is changed. Elements nest 512 deep at
// most, which the parser itself sees to.
func ParseHTML(doc []byte) (*html.Node, error) {
	if tags := bytes.Count(doc, []byte{'<'}); tags > maxTags {
		return nil, Failf(Changed, "the page has %d tags, more than %d", tags, maxTags)
	}
	if repeatsTooMuch(doc) {
		return nil, Failf(Changed, "the page leaves more elements open than are repeated within bounds")
	}
	root, err := html.Parse(bytes.NewReader(doc))
	if err != nil {
		return nil, Failf(Changed, "the page cannot be read: %w", err)
	}
	return root, nil
}
