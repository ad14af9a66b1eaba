package document

import (
	"slices"
	"strings"

	"assay.dev/ltl-worker/document/cell"
	"assay.dev/ltl-worker/surcharge/meaning"
)

// List is records under labels, whatever the document made of them.
type List struct {
	// Name is for notes: "table 2".
	Name string
	// Context is the texts that stand over the records, outermost first.
	Context []string
	// Labels are the texts over each column, outermost first.
	Labels [][]string
	Rows   []Row
	// Headed is set when the columns have labels.
	Headed bool
	IsJSON bool
	// Hidden is set when the page does not show the list.
	Hidden bool
	// Loose is set for records that are no rows of a table.
	Loose bool
	// IsDateOver is set for a table of figures without dates under a heading that is one: it may be the date of a tariff.
	IsDateOver bool
	// Cut is set when the document ends inside the list: records may be missing.
	Cut bool
}

// Row is one record.
type Row struct {
	Cells []*cell.Value
	// Section is the last line above the row that spans the whole table, such as "Truckload".
	Section string
	// Broken is set when the row has another number of cells than the list has columns.
	Broken bool
}

// field is a value of a record with its labels, outermost first.
type field struct {
	labels []string
	value  *cell.Value
}

// nothing is a cell of a record that lacks a value.
var nothing = []*cell.Value{{}}

func (f field) label() string { return strings.Join(f.labels, " ") }

// record is one record that is no row of a table.
type record struct{ fields []field }

// run is records that follow one another.
type run struct {
	nodes []*Node  // in which the records stand
	shape string   // what these are made of
	scope *scope   // nil for a table
	head  []string // labels by position, from a line beside them
	table *List
}

// list lays the records of a run out: what is the only date of its record, or its only percent, in one column, whatever
// its label; other values by their labels, or by position where they have none.
func (f *finder) list(r run) List {
	last := r.nodes[len(r.nodes)-1]
	l := List{
		Context: r.scope.texts(), Loose: true, Hidden: last.Hidden, Cut: last.Cut, IsJSON: last.isJSON(),
		IsDateOver: last.isDateOver(),
	}
	if r.head != nil {
		return r.byPosition(l)
	}
	records := f.recordsOf(r)
	columns := map[string]int{}
	for _, rec := range records {
		row := Row{Cells: slices.Repeat(nothing, len(columns))}
		for i, key := range rec.keys(f.Vocabulary, l.IsJSON) {
			at, known := columns[key]
			if !known {
				at = len(columns)
				columns[key], l.Labels, row.Cells = at, append(l.Labels, nil), append(row.Cells, nil)
			}
			if l.Labels[at] == nil {
				l.Labels[at] = rec.fields[i].labels
			}
			row.Cells[at] = rec.fields[i].value
		}
		l.Rows = append(l.Rows, row)
	}
	for i := range l.Rows {
		row := &l.Rows[i]
		row.Cells = append(row.Cells, slices.Repeat(nothing, len(columns)-len(row.Cells))...)
	}
	for i := range l.Labels {
		l.Headed = l.Headed || len(l.Labels[i]) > 0
	}
	return l
}

// byPosition lays out records under a line of labels.
func (r run) byPosition(l List) List {
	for _, text := range r.head {
		l.Labels = append(l.Labels, withText(nil, text))
	}
	for _, n := range r.nodes {
		row := Row{Broken: n.leafCount() != len(r.head)}
		for leaf := range n.leaves() {
			row.Cells = append(row.Cells, &leaf.Value)
		}
		l.Rows = append(l.Rows, row)
	}
	l.Headed, l.Loose = true, false
	return l
}

// keys tell which column each field of a record is of.
func (rec record) keys(w *meaning.Vocabulary, isJSON bool) []string {
	counts := map[string]int{}
	keys := make([]string, len(rec.fields))
	for i, f := range rec.fields {
		keys[i] = f.sort(w)
		counts[keys[i]]++
	}
	seen := map[string]int{}
	for i, f := range rec.fields {
		if isJSON || keys[i] == "" || counts[keys[i]] > 1 {
			keys[i] = kindName(f.value) + " " + f.label()
			if len(f.labels) > 0 {
				keys[i] = f.label()
			}
		}
		if seen[keys[i]]++; seen[keys[i]] > 1 {
			keys[i] += strings.Repeat("+", seen[keys[i]]-1)
		}
	}
	return keys
}

// sort is what only one field of a record is: its date, its percent; "" for any other.
func (f field) sort(w *meaning.Vocabulary) string {
	switch {
	case f.value.Kind == cell.Dates:
		return "date"
	case f.value.Kind != cell.Figure || w.IsForeign(f.label()):
		return ""
	case f.value.Quantity.Unit == cell.Percent:
		return "percent"
	}
	return ""
}

// isDateOver tells whether a heading with a date stands over a table of figures.
func (n *Node) isDateOver() bool {
	over := slices.IndexFunc(n.Children, func(c *Node) bool { return c.isLeaf() && c.Level > 0 && c.dates > 0 })
	return over >= 0 && slices.ContainsFunc(n.Children[over:],
		func(c *Node) bool { return c.IsTable && c.figures > 0 && c.dates == 0 })
}

func kindName(v *cell.Value) string {
	switch v.Kind {
	case cell.Dates:
		return "date"
	case cell.Figure:
		return "figure" + string(rune('0'+v.Quantity.Unit))
	}
	return "text"
}

// scope is what stands over a place: the headings in force and the last short line.
type scope struct {
	levels [8]string
	names  []string // of the parts around it
	facts  []string // beside the list, in JSON
	line   string
}

func (s *scope) texts() []string {
	var all []string
	for _, text := range slices.Concat(s.levels[:], s.names, s.facts, []string{s.line}) {
		if text != "" && !slices.Contains(all, text) {
			all = append(all, text)
		}
	}
	return all
}

// isLike tells whether the same headings are in force.
func (s *scope) isLike(other *scope) bool {
	return s.levels == other.levels && slices.Equal(s.names, other.names)
}

// maxLine bounds, in bytes, a line that can be a title for what stands below it.
const maxLine = 100

// pass notes a leaf that is no value.
func (s *scope) pass(n *Node) {
	switch {
	case n.Hidden || n.Text == "":
	case n.IsLink, n.Tag == scalar:
	case n.Tag == "title":
		s.levels[0] = n.Text
	case n.Level > 0:
		s.levels[n.Level] = n.Text
		clear(s.levels[n.Level+1:])
		s.line = ""
	case n.Kind != cell.Text || len(n.Text) > maxLine || strings.HasSuffix(n.Text, "."):
		s.line = ""
	case s.line == "" || len(s.line)+len(n.Text) > maxLine:
		s.line = n.Text
	default:
		s.line += " | " + n.Text
	}
}

// withText appends a text, if there is one, to a copy.
func withText(texts []string, text string) []string {
	if text == "" {
		return texts
	}
	return append(slices.Clip(texts), text)
}
