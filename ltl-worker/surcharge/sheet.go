package surcharge

import (
	"slices"

	"assay.dev/platform/scrape/table"
)

// sheet is a list of records under headings: one orientation of one part of a grid, or a JSON list.
type sheet struct {
	name    string // for notes
	context []string
	columns []heading // all empty when the rows have no headings that fit
	rows    []row
	headed  bool
	fuel    bool // known to be about fuel surcharges whatever it says
	hidden  bool
	cut     bool
}

// row is one record. A broken one has another number of cells than the sheet has columns.
type row struct {
	values  []value
	section string // the last line that spanned the whole table above it
	broken  bool
}

// withHeads puts the headings that stand in a table of their own, right above the rows, back over them: scrolling grids
// are made so.
func withHeads(grids []table.Grid) []table.Grid {
	for i := 1; i < len(grids); i++ {
		head, body := grids[i-1], &grids[i]
		if head.Kind == table.Table && body.Kind == table.Table && head.Hidden == body.Hidden &&
			onlyHeads(head.Rows) && !onlyHeads(body.Rows[:1]) && len(head.Rows[0].Cells) == len(body.Rows[0].Cells) {
			body.Rows = slices.Concat(head.Rows, body.Rows)
		}
	}
	return grids
}

func onlyHeads(rows []table.Row) bool {
	for _, r := range rows {
		if !r.Head && slices.ContainsFunc(r.Cells, func(c table.Cell) bool { return !c.Heading }) {
			return false
		}
	}
	return true
}

// sheets lays a grid out as records: rows under headings, and records side by side under headings in the first column.
func (r *reader) sheets(g table.Grid, rule Rule, name string) []sheet {
	if g.Cut { // what the last row would have said is not known
		g.Rows = g.Rows[:len(g.Rows)-1]
	}
	base := sheet{name: name, context: g.Context, hidden: g.Hidden, cut: g.Cut}
	lines := r.lines(g)
	var all []sheet
	if g.Kind != table.Pairs {
		all = upright(g, lines, rule, base)
	}
	if turned, ok := turn(lines, rule, base); ok {
		all = append(all, turned)
	}
	return all
}

// lines are the values of a grid's cells.
func (r *reader) lines(g table.Grid) [][]value {
	total := 0
	for _, row := range g.Rows {
		total += len(row.Cells)
	}
	values := make([]value, 0, total)
	lines := make([][]value, len(g.Rows))
	for i, row := range g.Rows {
		start := len(values)
		for _, c := range row.Cells {
			values = append(values, r.value(c.Text))
		}
		lines[i] = values[start:len(values):len(values)]
	}
	return lines
}

func appendText(texts []string, s string) []string {
	if s == "" {
		return texts
	}
	return append(slices.Clip(texts), s)
}
