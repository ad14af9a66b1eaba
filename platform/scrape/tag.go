package scrape

import (
	"bytes"

	"golang.org/x/net/html/atom"
)

// tag is a start tag or an end tag, as a parser would read it at some place of a page.
type tag struct {
	name       atom.Atom // zero for an element that has no meaning here
	attributes int       // a name that is there twice counts twice
	end        int       // behind its >; the page's length where the page ends within the tag
}

// readTag reads the tag whose name begins at doc[at], as golang.org/x/net/html does. It stops behind the first
// attribute beyond most.
func readTag(doc []byte, at, most int) tag {
	end := at
	for end < len(doc) && !isBlank(doc[end]) && doc[end] != '/' && doc[end] != '>' {
		end++
	}
	t := tag{name: elementOf(doc[at:end]), end: end}
	for t.attributes <= most {
		t.end = skipBlanks(doc, t.end)
		switch {
		case t.end == len(doc):
			return t
		case doc[t.end] == '>':
			t.end++
			return t
		case doc[t.end] == '/':
			t.end++
		default:
			t.attributes++
			t.end = endOfAttribute(doc, t.end)
		}
	}
	return t
}

// endOfAttribute is where the attribute that begins at doc[at] ends.
func endOfAttribute(doc []byte, at int) int {
	at++ // a name may begin with =
	for at < len(doc) && !isBlank(doc[at]) && doc[at] != '/' && doc[at] != '>' && doc[at] != '=' {
		at++
	}
	value := skipBlanks(doc, at)
	if value == len(doc) || doc[value] != '=' {
		return at
	}
	value = skipBlanks(doc, value+1)
	if value < len(doc) && (doc[value] == '"' || doc[value] == '\'') {
		length := bytes.IndexByte(doc[value+1:], doc[value])
		if length < 0 {
			return len(doc)
		}
		return value + 1 + length + 1
	}
	for value < len(doc) && !isBlank(doc[value]) && doc[value] != '>' {
		value++
	}
	return value
}

func skipBlanks(doc []byte, at int) int {
	for at < len(doc) && isBlank(doc[at]) {
		at++
	}
	return at
}

func isBlank(c byte) bool { return c == ' ' || c == '\n' || c == '\r' || c == '\t' || c == '\f' }

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

func elementOf(name []byte) atom.Atom {
	const longest = 16 // of the names that have a meaning here
	if len(name) > longest {
		return 0
	}
	var lower [longest]byte
	for i, c := range name {
		if 'A' <= c && c <= 'Z' {
			c |= 0x20
		}
		lower[i] = c
	}
	return atom.Lookup(lower[:len(name)])
}
