package scrape

import (
	"bytes"
	"regexp"

	"golang.org/x/net/html"
)

// maxTags bounds the tags of a page. The largest that a source shows, a search with 2,500 hits, has some 50,000.
const maxTags = 250_000

// ParseHTML parses a page as a browser does, within bounds: <b><i><p>, repeated, becomes elements without end, each a
// copy of those before it, with its attributes. A page that is refused takes less than 0.2 s. The failure is changed.
// Elements nest 512 deep at most, which the parser itself sees to.
func ParseHTML(doc []byte) (*html.Node, error) {
	if tags := bytes.Count(doc, []byte{'<'}); tags > maxTags {
		return nil, Failf(Changed, "the page has %d tags, more than %d", tags, maxTags)
	}
	if why := tooCostly(doc); why != "" {
		return nil, Failf(Changed, "%s", why)
	}
	root, err := html.Parse(bytes.NewReader(doc))
	if err != nil {
		return nil, Failf(Changed, "the page cannot be read: %w", err)
	}
	return root, nil
}

var (
	pageBegin = regexp.MustCompile(`(?i)<(?:html|body)[\s>]`)
	pageEnd   = regexp.MustCompile(`(?i)</(?:html|body)\s*>`)
)

// ParseWhole is [ParseHTML] for a page of which a part would mislead, such as a register: a page that begins and does
// not end is refused as well. HTML lets a page leave out its end, so a site whose pages never have one cannot be read
// so.
func ParseWhole(doc []byte) (*html.Node, error) {
	if pageBegin.Match(doc) && !pageEnd.Match(doc) {
		return nil, Failf(Changed, "the page is cut off: it does not end")
	}
	return ParseHTML(doc)
}
