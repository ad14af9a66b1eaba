package document

import (
	"slices"
	"strings"
	"unicode"

	"assay.dev/ltl-worker/document/cell"
)

// recordsOf are the records of a run. A part that is repeated is one; another one is cut where its dates are.
func (f *finder) recordsOf(r run) (records []record) {
	isRepeated := len(r.nodes) > 1 &&
		!slices.ContainsFunc(r.nodes, func(n *Node) bool { return n.leafCount() != r.nodes[0].leafCount() || n.isLeaf() })
	for _, n := range r.nodes {
		found := f.zip(sidesOf(n))
		switch {
		case found != nil:
		case n.isJSON():
			found = []record{{f.membersOf(n, nil, true)}}
		case isRepeated:
			found = []record{{f.fieldsOf(n)}}
		default:
			found = cut(f.fieldsOf(n))
		}
		records = append(records, found...)
	}
	return records
}

// side is one of several lists that stand side by side: all dates, all percents.
type side struct {
	labels []string
	leaves []*Node
}

// sidesOf are the lists in a part: the lists of a JSON object, or the children of a group, each with its label first.
func sidesOf(n *Node) (all []side) {
	if n.isJSON() {
		return listsIn(n, nil)
	}
	for _, list := range n.Children {
		if list.isLeaf() {
			continue
		}
		leaves := slices.Collect(list.leaves())
		if len(list.Cells()) > 0 {
			leaves = nil
			for _, c := range list.Cells() {
				leaves = append(leaves, c.Node)
			}
		}
		one := side{leaves: leaves}
		if first := leaves[0]; first.dates+first.figures == 0 &&
			(first.Kind == cell.Text || first.Kind == cell.Blank && len(list.Cells()) > 0) {
			one.labels, one.leaves = withText(nil, first.text()), leaves[1:]
		}
		all = append(all, one)
	}
	return all
}

// listsIn are the lists of scalars in a JSON value, with their names and the texts beside them.
func listsIn(n *Node, path []string) (all []side) {
	if n.Name != "" {
		path = append(slices.Clip(path), n.Name)
	}
	if n.Tag == "[]" && !slices.ContainsFunc(n.Children, func(c *Node) bool { return !c.isLeaf() }) {
		return []side{{path, n.Children}}
	}
	for _, c := range n.Children {
		if n.Tag == "{}" && c.isWords() {
			path = append(slices.Clip(path), c.Text)
		}
	}
	for _, c := range n.Children {
		all = append(all, listsIn(c, path)...)
	}
	return all
}

// zip makes records of lists that stand side by side; nil where there are none of one length with dates and figures.
func (f *finder) zip(sides []side) []record {
	length := 0
	for _, s := range sides {
		if count(s.leaves, cell.Dates) == len(s.leaves) {
			length = max(length, len(s.leaves))
		}
	}
	if length < 2 {
		return nil
	}
	records := make([]record, length)
	figures := 0
	for _, s := range sides {
		if len(s.leaves) != length {
			continue
		}
		labels := f.fit(s.leaves[0].value(), s.labels...)
		figures += count(s.leaves, cell.Figure)
		for i, l := range s.leaves {
			records[i].fields = append(records[i].fields, field{labels, l.value()})
		}
	}
	if figures < length {
		return nil
	}
	return records
}

func count(leaves []*Node, kind cell.Kind) (n int) {
	for _, l := range leaves {
		if l.value().Kind == kind {
			n++
		}
	}
	return n
}

// membersOf are the values in a JSON record by their names. The texts in a part of a record are labels of the values
// beside them.
func (f *finder) membersOf(n *Node, path []string, isTop bool) (all []field) {
	if n.Name != "" && !isTop {
		path = append(slices.Clip(path), n.Name)
	}
	if n.isLeaf() {
		return []field{{path, &n.Value}}
	}
	labels := path
	isLabel := func(c *Node) bool {
		return !isTop && n.Tag == "{}" && n.dates+n.figures > 0 && !n.hasBoth() && c.isWords()
	}
	for _, c := range n.Children {
		if isLabel(c) {
			labels = append(slices.Clip(labels), c.Text)
		}
	}
	for _, c := range n.Children {
		if !isLabel(c) {
			all = append(all, f.membersOf(c, labels, false)...)
		}
	}
	return all
}

// isWords tells whether a leaf is a short text without a value.
func (n *Node) isWords() bool {
	return n.isLeaf() && n.Kind == cell.Text && len(n.Text) <= maxLine && !strings.ContainsAny(n.Text, "0123456789")
}

// fieldsOf are the values in a part of a page, with the texts that label them: those before them, or the others in the
// smallest part that has one value only.
func (f *finder) fieldsOf(n *Node) (all []field) {
	label := ""
	put := func(l *Node, own string) {
		labels := f.fit(&l.Value, l.Name, own)
		if len(labels) == 0 {
			if labels = f.fit(&l.Value, label); len(labels) > 0 {
				label = ""
			}
		}
		all = append(all, field{labels, &l.Value})
	}
	nodes := n.asGroup()
	for _, c := range nodes {
		switch {
		case !c.isLeaf():
			all = append(all, f.fieldsOf(c)...)
		case len(c.Parts()) > 0:
			all, label = append(all, f.parts(c)...), ""
		case c.isLabel():
			if label != "" {
				all = append(all, field{nil, &cell.Value{Kind: cell.Text, Text: label}})
			}
			if label = strings.TrimSuffix(c.Text, ":"); len(label) > maxLine {
				label = ""
			}
		default:
			put(c, c.ownWords())
		}
	}
	if label != "" {
		all = append(all, field{nil, &cell.Value{Kind: cell.Text, Text: label}})
	}
	return all
}

// isLabel tells whether a leaf can be the label of another one.
func (n *Node) isLabel() bool {
	return n.isLeaf() && n.Kind == cell.Text && len(n.Parts()) == 0 && n.Name == "" &&
		strings.ContainsFunc(n.Text, unicode.IsLetter)
}

// asGroup are the children of a group, or a leaf itself.
func (n *Node) asGroup() []*Node {
	if n.isLeaf() {
		return []*Node{n}
	}
	return n.Children
}

// ownWords are the words with which a value stands in its leaf.
func (n *Node) ownWords() string {
	if cell.IsPlain(n.Text) {
		return ""
	}
	if parts := new(cell.Reader).Scan(n.Text); len(parts) == 1 {
		return beside(&parts[0])
	}
	return ""
}

// fit are those texts that can be labels of a value: a day has those of days, a figure has others.
func (f *finder) fit(v *cell.Value, texts ...string) (labels []string) {
	for _, text := range texts {
		if text != "" && (v.Kind == cell.Dates && f.NamesDay(text) || v.Kind != cell.Dates && !f.TellsWhen(text)) {
			labels = append(labels, text)
		}
	}
	return labels
}

// parts are the values in a line of text. A figure whose own words name none has those from the beginning of the line.
func (f *finder) parts(l *Node) (all []field) {
	before := ""
	parts := l.Parts()
	for i := range parts {
		p := &parts[i]
		words := beside(p)
		before = strings.TrimSpace(before + " " + p.Before)
		switch {
		case p.Kind == cell.Dates || f.NamesFigure(words):
		case f.NamesFigure(before):
			words = before
		case f.SaysNothing(words):
			words = ""
		}
		all = append(all, field{f.fit(&p.Value, l.Name, words), &p.Value})
	}
	return all
}

// beside are the words that say what a value in a line is of: those before it, or else those behind it.
func beside(p *cell.Part) string {
	if p.After != "" && (p.Before == "" || p.Kind == cell.Figure && len(strings.Fields(p.After)) <= 2) {
		return p.After
	}
	return p.Before
}

// cut cuts fields into records, each of which begins in the same way.
func cut(fields []field) []record {
	dates, runs, first := 0, 0, -1
	before := field{value: nothing[0]}
	for i, f := range fields {
		if f.value.Kind == cell.Dates && before.value.Kind != cell.Dates {
			if dates++; first < 0 {
				first = i
			}
		}
		if figure(f.value) > 0 && figure(before.value) == 0 {
			runs++
		}
		before = f
	}
	if dates < 2 || runs != dates {
		return []record{{fields}}
	}
	leads := !slices.ContainsFunc(fields[:first], func(f field) bool { return f.value.Kind == cell.Figure })
	var records []record
	var current record
	figures := false // since the last date
	for i, f := range fields {
		isDate := f.value.Kind == cell.Dates
		if leads && isDate && figures || !leads && i > 0 && fields[i-1].value.Kind == cell.Dates && !isDate {
			records, current, figures = append(records, current), record{}, false
		}
		figures = figures || f.value.Kind == cell.Figure
		current.fields = append(current.fields, f)
	}
	return append(records, current)
}
