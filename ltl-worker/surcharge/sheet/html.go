package sheet

import (
	"fmt"
	"slices"
	"strings"

	"assay.dev/ltl-worker/surcharge/cell"
	"assay.dev/ltl-worker/surcharge/meaning"
	"assay.dev/platform/scrape/table"
)

// FromHTML lays out the tables of an HTML document in UTF-8, in document order. Each table gives a sheet for each of
// its parts, and one more when it can also be read with its headings in the first column. The error is that of
// [table.Parse].
func FromHTML(doc []byte, v *meaning.Vocabulary) ([]Sheet, error) {
	page, err := table.ParsePage(doc)
	if err != nil {
		return nil, err
	}
	var sheets []Sheet
	var r cell.Reader
	for i, g := range joinHeads(page.Grids) {
		if canMatter(g) {
			sheets = append(sheets, layOut(g, &r, v, fmt.Sprintf("table %d", i+1))...)
		}
	}
	sheets = append(joinCaptioned(sheets), looseSheets(page, page.Grids, v)...)
	notices := noticesOf(page.Body)
	for i := range sheets {
		sheets[i].Names, sheets[i].Notices = page.Names, notices
	}
	return sheets, nil
}

// layOut gives the sheets of one grid.
func layOut(g table.Grid, r *cell.Reader, v *meaning.Vocabulary, name string) []Sheet {
	if g.Cut { // the last row may be incomplete
		g.Rows = g.Rows[:len(g.Rows)-1]
	}
	if len(g.Rows) > 0 && areLetters(g.Rows[0]) {
		g.Rows = g.Rows[1:]
	}
	base := Sheet{Name: name, Context: contextOf(g), Titles: appendText(nil, g.Caption), Remarks: g.Remarks, Hidden: g.Hidden, Unopened: g.Unopened, Cut: g.Cut}
	lines := readLines(g, r)
	var sheets []Sheet
	if g.Kind != table.Pairs {
		sheets = uprightSheets(g, lines, v, base)
	}
	if month, ok := calendarSheet(lines, v, base); ok {
		sheets = append(sheets, month)
	}
	if turned, ok := turnedSheet(lines, v, base); ok {
		sheets = append(sheets, turned)
	}
	if !slices.ContainsFunc(sheets, func(s Sheet) bool { return s.Headed && hasDatedRows(s) }) {
		if s, ok := cellwiseSheet(g, lines, v, base); ok {
			sheets = append(sheets, s)
		}
	}
	return sheets
}

// areLetters tells whether a row has the letters that a spreadsheet gives its columns: A, B, C.
func areLetters(r table.Row) bool {
	next := 'A'
	for _, c := range r.Cells {
		if c.Text == "" {
			continue
		}
		if c.Text != string(next) {
			return false
		}
		next++
	}
	return next > 'B'
}

// contextOf is the context of a grid with the names of the elements around it, such as the tab that opens it.
func contextOf(g table.Grid) []string {
	context := slices.Clip(g.Context)
	for _, r := range g.Remarks {
		if r.Place == table.Label && !slices.Contains(context, r.Text) {
			context = append(context, r.Text)
		}
	}
	return context
}

// readLines reads the cells of a grid, row by row.
func readLines(g table.Grid, r *cell.Reader) [][]cell.Value {
	total := 0
	for _, row := range g.Rows {
		total += len(row.Cells)
	}
	values := make([]cell.Value, 0, total)
	lines := make([][]cell.Value, len(g.Rows))
	for i, row := range g.Rows {
		start := len(values)
		for _, c := range row.Cells {
			values = append(values, r.Read(c.Text))
		}
		lines[i] = values[start:len(values):len(values)]
	}
	return lines
}

// joinHeads puts headings that stand in a table of their own, right above the table with the rows, over those rows.
// Grids that scroll under fixed headings are made so.
func joinHeads(grids []table.Grid) []table.Grid {
	for i := 1; i < len(grids); i++ {
		if head, body := grids[i-1], &grids[i]; isHeadOf(head, *body) {
			body.Rows = slices.Concat(head.Rows, body.Rows)
		}
	}
	return grids
}

func isHeadOf(head, body table.Grid) bool {
	return head.Kind == table.Table && body.Kind == table.Table && head.Hidden == body.Hidden &&
		hasOnlyHeads(head.Rows) && !hasOnlyHeads(body.Rows[:1]) && len(head.Rows[0].Cells) == len(body.Rows[0].Cells)
}

func hasOnlyHeads(rows []table.Row) bool {
	isNoHeading := func(c table.Cell) bool { return !c.Heading }
	return !slices.ContainsFunc(rows, func(r table.Row) bool {
		return !r.Head && slices.ContainsFunc(r.Cells, isNoHeading)
	})
}

// canMatter tells whether a grid has a figure, a placeholder or a heading. Most grids of a page have none.
func canMatter(g table.Grid) bool {
	return slices.ContainsFunc(g.Rows, func(r table.Row) bool {
		return slices.ContainsFunc(r.Cells, func(c table.Cell) bool {
			return c.Heading || r.Head || strings.ContainsAny(c.Text, "0123456789{%")
		})
	})
}
