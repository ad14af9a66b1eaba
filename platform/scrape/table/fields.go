package table

import (
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// form is the labels and values of a form or of a part of it.
type form struct {
	legend string
	labels []label
	values map[string]string // of fields that nobody can change, by their ids
}

// label is a <label> and the id of its field.
type label struct {
	node  *html.Node
	text  string
	field string
}

// fields reads the labels of fields that only show something: <output>, and inputs that are read-only. What a person may type
// in is not said by the page.
func (p *parser) fields(n *html.Node) {
	f := form{values: map[string]string{}}
	f.collect(n)
	var rows []Row
	for _, l := range f.labels {
		if value := f.values[l.field]; value != "" && l.text != "" {
			rows = append(rows, pair(l.text, value))
		}
	}
	if len(rows) > 1 {
		before := len(p.grids)
		p.addPairs(f.labels[0].node, f.legend, rows) // not n: other lines in the form may qualify the values
		for i := range p.grids[before:] {
			p.grids[before+i].Cut = p.cut[n]
		}
	}
}

func (f *form) collect(n *html.Node) {
	for c := range elements(n) {
		switch id := attr(c, "id"); {
		case c.DataAtom == atom.Fieldset || c.DataAtom == atom.Form: // read by itself
			continue
		case c.DataAtom == atom.Legend:
			f.legend = cellText(c)
		case c.DataAtom == atom.Label && attr(c, "for") != "":
			f.labels = append(f.labels, label{c, cellText(c), attr(c, "for")})
		case c.DataAtom == atom.Label:
			f.wrapped(c)
			continue
		case c.DataAtom == atom.Output && id != "":
			f.values[id] = cellText(c)
		case c.DataAtom == atom.Input && id != "" && isReadOnly(c):
			f.values[id] = attr(c, "value")
		}
		f.collect(c)
	}
}

// wrapped reads a label around its field: <label>LTL <input readonly value="50.32%"></label>.
func (f *form) wrapped(n *html.Node) {
	for c := range elements(n) {
		if c.DataAtom != atom.Output && (c.DataAtom != atom.Input || !isReadOnly(c)) {
			continue
		}
		value := cellText(c) + attr(c, "value")
		field := strconv.Itoa(len(f.labels)) + " wrapped"
		f.values[field] = value
		f.labels = append(f.labels, label{n, strings.TrimSpace(strings.TrimSuffix(cellText(n), value)), field})
	}
}

// isReadOnly tells whether an input shows a text that nobody can change.
func isReadOnly(n *html.Node) bool {
	kind := attr(n, "type")
	return (kind == "" || kind == "text" || kind == "date" || kind == "number") && (hasAttr(n, "readonly") || hasAttr(n, "disabled"))
}
