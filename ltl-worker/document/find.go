package document

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"assay.dev/ltl-worker/document/cell"
	"assay.dev/ltl-worker/surcharge/meaning"
)

// Lists finds the lists of records of a document, in its order. A record is the smallest part that is repeated and in
// which a date and a figure stand.
func Lists(doc *Document, v *meaning.Vocabulary) []List {
	f := finder{v}
	runs := f.visit(doc.Node, &scope{})
	var lists []List
	for _, r := range runs {
		if r.table != nil {
			lists = append(lists, *r.table)
		} else {
			lists = append(lists, f.list(r))
		}
	}
	for i := range lists {
		lists[i].Name = cmp.Or(lists[i].Name, "list")
		lists[i].Name = fmt.Sprintf("%s %d", lists[i].Name, i+1)
	}
	return lists
}

type finder struct{ *meaning.Vocabulary }

// visit finds the runs in a node, under what stands over it.
func (f *finder) visit(n *Node, s *scope) []run {
	switch {
	case n.isLeaf() && n.hasBoth():
		return f.one(n, s)
	case n.isLeaf():
		s.pass(n)
		return nil
	case n.IsTable:
		return f.table(n, s)
	}
	if n.hasBoth() && !slices.ContainsFunc(n.Children, (*Node).hasBoth) {
		return f.one(n, s)
	}
	inner := s.within(n)
	runs := f.children(n.Children, &inner)
	s.line = ""
	if !n.hasBoth() {
		if s.levels = inner.levels; len(n.Children) < 3 {
			s.line = inner.line
		}
	}
	return runs
}

// within is the scope in a part.
func (s *scope) within(n *Node) scope {
	inner := *s
	if n.Name != "" && !n.Hidden {
		inner.names = append(slices.Clip(inner.names), n.Name)
	}
	for _, c := range n.Children {
		if n.isJSON() && c.isWords() && len(strings.Fields(c.Text)) <= maxFact {
			inner.facts = append(slices.Clip(inner.facts), strings.TrimPrefix(c.Name+": "+c.Text, ": "))
		}
	}
	return inner
}

// maxFact is the most words of a member that qualifies what stands beside it.
const maxFact = 5

// one is the run of a part that no other one is smaller than.
func (f *finder) one(n *Node, s *scope) []run {
	at := *s
	if n.Name != "" {
		at.names = append(slices.Clip(s.names), n.Name)
	}
	s.line = ""
	return []run{{shape: n.Tag, scope: &at, nodes: []*Node{n}}}
}

// children finds the runs of parts side by side, and joins those that are made alike.
func (f *finder) children(nodes []*Node, s *scope) []run {
	var runs []run
	for _, c := range nodes {
		found := f.visit(c, s)
		last := len(runs) - 1
		if len(found) == 1 && found[0].table == nil {
			found[0].shape = c.Tag + c.Name + ">" + found[0].shape
			if last >= 0 && runs[last].shape == found[0].shape && runs[last].scope.isLike(found[0].scope) {
				runs[last].nodes = append(runs[last].nodes, found[0].nodes...)
				continue
			}
		}
		runs = append(runs, found...)
	}
	for i := range runs {
		f.putLabels(&runs[i], nodes)
	}
	return runs
}

// putLabels gives records without labels those that stand in a part beside them.
func (f *finder) putLabels(r *run, beside []*Node) {
	if r.table != nil || r.head != nil {
		return
	}
	first := r.nodes[0]
	if first.leafCount() < 2 {
		return
	}
	isLabelled := false
	for l := range first.leaves() {
		isLabelled = isLabelled || l.isLabel() && f.IsLabel(l.Text) || l.Kind == cell.Figure && f.IsLabel(l.ownWords())
	}
	for _, c := range beside {
		isAlike := strings.HasPrefix(r.shape, c.Tag+c.Name+">") && slices.Contains(beside, first)
		if isLabelled && !isAlike {
			continue
		}
		if r.head = f.labelsIn(c, first.leafCount(), isAlike && !isLabelled); r.head != nil {
			return
		}
	}
}

// maxHead is the longest label, in bytes, in a line of labels.
const maxHead = 60

// labelsIn are the labels in a part beside records, where there is one for each field.
func (f *finder) labelsIn(n *Node, fields int, isHead bool) []string {
	if n.dates+n.figures > 0 {
		return nil
	}
	var texts []string
	for l := range n.leaves() {
		if l.IsLink || len(l.Text) > maxHead {
			return nil
		}
		texts = append(texts, l.Text)
	}
	if len(n.Children) == fields {
		texts = nil
		for _, c := range n.Children {
			texts = append(texts, c.text())
		}
	}
	known := 0
	for _, text := range texts {
		if f.IsLabel(text) {
			known++
		}
	}
	if len(texts) != fields || known < 2 && (known < 1 || !isHead) {
		return nil
	}
	return texts
}
