package scrape

import (
	"bytes"

	"golang.org/x/net/html/atom"
)

const (
	// elementSize and attributeSize are what a parser takes of the memory, in bytes. It makes 400 in a µs.
	elementSize, attributeSize = 160, 48
	// maxCopied bounds the bytes of the elements that a parser makes by itself: half a million with one attribute each.
	maxCopied = 500_000 * (elementSize + attributeSize)
	// maxAttributes bounds the attributes of a page, and maxTagAttributes those of a tag. In a script, all from the <
	// of i<n to the next > looks like a tag.
	maxAttributes, maxTagAttributes, maxScriptAttributes = 250_000, 256, 1024
	// maxUnclosed is how many elements may be open at once, which the parser itself sees to.
	maxUnclosed = 512
	// sameUnclosed is how many unclosed elements with the same attributes a parser repeats (the "Noah's Ark clause").
	sameUnclosed = 3
	// maxReread is how often the bytes of a page may stand in tags: one may stand in an attribute of another.
	maxReread = 16
)

// isFormatting tells whether a parser repeats an element in each paragraph until it is closed
// (https://html.spec.whatwg.org/multipage/parsing.html#the-list-of-active-formatting-elements). Of a and nobr it
// repeats one only.
func isFormatting(name atom.Atom) bool {
	switch name {
	case atom.B, atom.Big, atom.Code, atom.Em, atom.Font, atom.I, atom.S, atom.Small, atom.Strike,
		atom.Strong, atom.Tt, atom.U,
		atom.A, atom.Nobr:
		return true
	}
	return false
}

// isEnclosing tells whether end tags in an element may not close what was opened outside of it.
func isEnclosing(name atom.Atom) bool {
	switch name {
	case atom.Applet, atom.Caption, atom.Marquee, atom.Object, atom.Table, atom.Td, atom.Template, atom.Th,
		atom.Svg, atom.Math,
		atom.Select, atom.Script, atom.Style, atom.Title, atom.Textarea, atom.Xmp, atom.Iframe, atom.Noembed, atom.Noframes,
		atom.Noscript, atom.Plaintext:
		return true
	}
	return false
}

// tooCostly says why a page costs its parser more than is allowed; it is empty where it does not. For example, four
// hundred times <p><b a=1></p>, with another a each, makes four hundred elements of each <p>x</p> behind; one <b> with
// 12,000 attributes makes as many.
//
// It counts too many rather than too few. What looks like a start tag counts as one, also in a comment, a script or an
// attribute: only the parser itself knows what it is. What looks like an end tag counts only where it is surely one.
func tooCostly(doc []byte) string {
	c := markupCost{open: map[string]*openTags{}}
	for at := nextTag(doc, 0); at < len(doc); at = nextTag(doc, at+1) {
		switch {
		case isLetter(doc[at]):
			t := readTag(doc, at, c.mostAttributes())
			c.start(t, doc[at:t.end])
			c.countTag(t, at)
		case doc[at] == '/' && at+1 < len(doc) && isLetter(doc[at+1]):
			t := readTag(doc, at+1, c.mostAttributes())
			c.finish(t, at)
			c.countTag(t, at)
		default:
			c.lately = c.lately[:0] // a comment may begin here
		}
		if why := c.tooMuch(len(doc)); why != "" {
			return why
		}
	}
	return ""
}

// nextTag is where the name, or the / before it, of the next tag from at on begins.
func nextTag(doc []byte, at int) int {
	n := bytes.IndexByte(doc[at:], '<')
	if n < 0 {
		return len(doc)
	}
	return at + n + 1
}

// markupCost is what a page costs as far as it was read, and the formatting elements that are open, as far as a parser
// repeats them.
type markupCost struct {
	attributes, ofTag, ofRoot int // ofRoot: of html and body
	copied, tagBytes          int
	covered                   int // where the tags end that began up to here
	inScript                  bool

	number, size int // of the open elements
	open         map[string]*openTags
	lately       []openTag // those that an end tag can close
}

// openTags are the open elements with the same attributes.
type openTags struct{ number, size int } // size: of each

type openTag struct {
	name atom.Atom
	text string
}

func (c *markupCost) mostAttributes() int {
	if c.inScript {
		return maxScriptAttributes
	}
	return maxTagAttributes
}

func (c *markupCost) tooMuch(length int) string {
	switch {
	case c.ofTag > c.mostAttributes():
		return "a tag has more attributes than are read"
	case c.attributes > maxAttributes:
		return "the page has more attributes than are read"
	case c.copied > maxCopied || c.number > maxUnclosed:
		return "the page leaves more elements open than are repeated within bounds"
	case c.tagBytes > maxReread*length:
		return "the page's tags stand in each other"
	}
	return ""
}

// countTag counts a tag that begins at a place of the page.
func (c *markupCost) countTag(t tag, at int) {
	c.ofTag = t.attributes
	c.attributes += t.attributes
	c.tagBytes += t.end - at
	c.covered = max(c.covered, t.end)
	if t.name == atom.Html || t.name == atom.Body { // the first one gets the attributes of each
		c.ofRoot += t.attributes
		c.copied += c.ofRoot * attributeSize
	}
}

func (c *markupCost) start(t tag, text []byte) {
	c.copied += c.size
	if isEnclosing(t.name) {
		c.lately = c.lately[:0]
		c.inScript = c.inScript || t.name == atom.Script || t.name == atom.Style
	}
	if !isFormatting(t.name) {
		return
	}
	most, key := sameUnclosed, string(text)
	if t.name == atom.A || t.name == atom.Nobr { // one closes the other
		most, key = 1, t.name.String()
	}
	same := c.open[key]
	if same == nil {
		same = &openTags{}
		c.open[key] = same
	}
	if size := elementSize + t.attributes*attributeSize; size > same.size {
		c.size += (size - same.size) * same.number
		same.size = size
	}
	if same.number < most {
		same.number++
		c.number++
		c.size += same.size
		c.lately = append(c.lately, openTag{t.name, key})
	}
}

func (c *markupCost) finish(t tag, at int) {
	c.copied += c.size
	if t.name == atom.Script || t.name == atom.Style {
		c.inScript = false
	}
	if at < c.covered { // it stands in another tag, perhaps
		return
	}
	for i := len(c.lately) - 1; i >= 0; i-- {
		if last := c.lately[i]; last.name == t.name {
			c.lately = append(c.lately[:i], c.lately[i+1:]...)
			same := c.open[last.text]
			same.number--
			c.number--
			c.size -= same.size
			return
		}
	}
}
