package table

import (
	"strings"
	"unicode"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// choice notes the selected option of a list; without one a browser shows the first.
func (o *outliner) choice(n *html.Node, b *Block) {
	var first, selected *html.Node
	if lines := weekOptions(n); lines != nil {
		b.Children = append(b.Children, &Block{Children: lines})
		return
	}
	eachOption(n, func(option *html.Node) {
		if first == nil {
			first = option
		}
		if selected == nil && hasAttr(option, "selected") {
			selected = option
		}
	})
	if selected == nil {
		selected = first
	}
	if selected != nil {
		b.Children = append(b.Children, &Block{Text: cellText(selected), Place: Choice})
	}
}

// weekOptions are lines of the options of a list that hold a percent and more each: "11/18/2026 - 47.32%". It is nil for other lists.
func weekOptions(n *html.Node) (lines []*Block) {
	isWeeks := true
	eachOption(n, func(option *html.Node) {
		text := cellText(option)
		isWeeks = isWeeks && strings.Contains(text, "%") && len(strings.Fields(text)) > 1
		lines = append(lines, &Block{Text: text})
	})
	if !isWeeks || len(lines) < 2 {
		return nil
	}
	return lines
}

// input notes the text that a field holds which is there to be read. One that is to be filled in may hold its prompt: "Email address".
func (o *outliner) input(n *html.Node, b *Block) {
	kind, value := attr(n, "type"), attr(n, "value")
	isFixed := hasAttr(n, "readonly") || hasAttr(n, "disabled")
	if isFixed && (kind == "" || kind == "text") && strings.ContainsFunc(value, unicode.IsLetter) && !removed(n) {
		b.Children = append(b.Children, &Block{Text: folded(value), Place: Choice})
	}
}

// isPrompt tells whether n asks for what a list or a field holds: "Region". That says something, the prompt does not.
func (o *outliner) isPrompt(n *html.Node) bool {
	control := o.ids[attr(n, "for")]
	if control == nil {
		for c := range n.Descendants() {
			if isField(c) {
				control = c
			}
		}
	}
	return control != nil && isField(control) && len(strings.Fields(cellText(n))) <= maxPrompt
}

// maxPrompt is the most words of a prompt.
const maxPrompt = 4

func isField(n *html.Node) bool {
	return n.DataAtom == atom.Select || n.DataAtom == atom.Input && (attr(n, "type") == "" || attr(n, "type") == "text")
}

// controls notes what the lists and fields in n hold.
func (o *outliner) controls(n *html.Node, b *Block) {
	for c := range n.Descendants() {
		switch c.DataAtom {
		case atom.Select:
			o.choice(c, b)
		case atom.Input:
			o.input(c, b)
		}
	}
}

// isPressed tells whether n is the button of a group that is pressed: it names what the page shows.
func isPressed(n *html.Node) bool {
	return (n.DataAtom == atom.Button || isRole(n, "button")) && !isRole(n, "tab") && cellText(n) != "" &&
		(attr(n, "aria-pressed") == "true" || n.DataAtom == atom.Button && hasClass(n, "active", "selected", "is-active", "is-selected"))
}

// isOption tells whether n is the label of one of several choices.
func (o *outliner) isOption(n *html.Node) bool {
	field := o.ids[attr(n, "for")]
	return field != nil && field.DataAtom == atom.Input && attr(field, "type") == "radio"
}

// option notes the label of the choice that is made. The others say nothing.
func (o *outliner) option(n *html.Node, b *Block) {
	if hasAttr(o.ids[attr(n, "for")], "checked") {
		b.Children = append(b.Children, &Block{Text: cellText(n), Place: Choice})
	}
}

func eachOption(n *html.Node, f func(*html.Node)) {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		switch {
		case c.Type != html.ElementNode:
		case c.DataAtom == atom.Option:
			f(c)
		default:
			eachOption(c, f)
		}
	}
}
