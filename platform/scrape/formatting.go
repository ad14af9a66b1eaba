package scrape

import (
	"bytes"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

const (
	// maxCopies bounds the elements that a parser makes by itself: each takes 160 bytes and 0.4 µs.
	maxCopies = 500_000
	// maxUnclosed is how many elements may be open at once, which the parser itself sees to.
	maxUnclosed = 512
	// sameUnclosed is how many unclosed elements with the same attributes a parser repeats (the "Noah's Ark clause").
	sameUnclosed = 3
)

// formatting are the elements that a parser repeats in each paragraph until they are closed
// (https://html.spec.whatwg.org/multipage/parsing.html#the-list-of-active-formatting-elements). Of a and nobr it repeats one only.
var formatting = map[atom.Atom]bool{
	atom.B: true, atom.Big: true, atom.Code: true, atom.Em: true, atom.Font: true, atom.I: true, atom.S: true, atom.Small: true,
	atom.Strike: true, atom.Strong: true, atom.Tt: true, atom.U: true, atom.A: true, atom.Nobr: true,
}

// enclosing are elements in which an end tag may not close what was opened before them.
var enclosing = map[atom.Atom]bool{
	atom.Applet: true, atom.Caption: true, atom.Marquee: true, atom.Object: true, atom.Table: true, atom.Td: true, atom.Template: true,
	atom.Th: true, atom.Svg: true, atom.Math: true, atom.Select: true, atom.Script: true, atom.Style: true, atom.Title: true,
	atom.Textarea: true, atom.Xmp: true, atom.Iframe: true, atom.Noembed: true, atom.Noframes: true, atom.Noscript: true, atom.Plaintext: true,
}

// repeatsTooMuch tells whether a parser may make more than maxCopies elements of a page by itself. For example, four hundred times
// <p><b a=1></p>, with another a each, makes four hundred elements of each <p>x</p> behind. It counts too many rather than too few.
func repeatsTooMuch(doc []byte) bool {
	if tags := bytes.Count(doc, []byte{'<'}); tags*min(tags, maxUnclosed) <= maxCopies {
		return false
	}
	u := unclosed{same: map[string]int{}}
	tokens := html.NewTokenizer(bytes.NewReader(doc))
	for copies := 0; copies <= maxCopies && u.number <= maxUnclosed; copies += u.number {
		switch tokens.Next() {
		case html.ErrorToken:
			return false
		case html.StartTagToken, html.SelfClosingTagToken:
			tokens.NextIsNotRawText() // a parser decides otherwise in some places
			raw := string(tokens.Raw())
			name, _ := tokens.TagName()
			u.open(atom.Lookup(name), raw)
		case html.EndTagToken:
			name, _ := tokens.TagName()
			u.close(atom.Lookup(name))
		default:
		}
	}
	return true
}

// unclosed are the formatting elements that are open in a page, as far as a parser repeats them.
type unclosed struct {
	number int
	same   map[string]int // by the text of the tag
	lately []openTag      // those that an end tag can close
}

type openTag struct {
	name atom.Atom
	text string
}

func (u *unclosed) open(name atom.Atom, text string) {
	switch {
	case enclosing[name]:
		u.lately = u.lately[:0]
		return
	case !formatting[name]:
		return
	case name == atom.A || name == atom.Nobr:
		text = name.String() // one closes the other
	}
	most := sameUnclosed
	if text == name.String() {
		most = 1
	}
	if u.same[text] < most {
		u.same[text]++
		u.number++
		u.lately = append(u.lately, openTag{name, text})
	}
}

func (u *unclosed) close(name atom.Atom) {
	for i := len(u.lately) - 1; i >= 0; i-- {
		if tag := u.lately[i]; tag.name == name {
			u.lately = append(u.lately[:i], u.lately[i+1:]...)
			u.same[tag.text]--
			u.number--
			return
		}
	}
}
