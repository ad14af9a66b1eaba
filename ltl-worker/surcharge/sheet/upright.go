package sheet

import (
	"slices"
	"strings"

	"assay.dev/ltl-worker/surcharge/cell"
	"assay.dev/ltl-worker/surcharge/meaning"
	"assay.dev/platform/scrape/table"
)

// uprightSheets cuts a grid at its heading rows into sheets, each row a record.
func uprightSheets(g table.Grid, lines [][]cell.Value, v *meaning.Vocabulary, base Sheet) []Sheet {
	c := cutter{vocabulary: v, base: base, current: base}
	for i, line := range lines {
		switch cells := g.Rows[i].Cells; roleOfLine(g.Rows[i], line, v) {
		case sectionLine:
			c.addSection(firstText(cells))
		case headLine:
			c.addHead(cells)
		case dataLine:
			if len(line) > 1 || g.Kind != table.Blocks {
				c.addData(line)
			}
		}
	}
	c.finish()
	return c.done
}

// cutter makes the sheets of a grid, line by line.
type cutter struct {
	vocabulary *meaning.Vocabulary
	base       Sheet // what all sheets of the grid have in common
	done       []Sheet
	current    Sheet
	heads      [][]table.Cell // the heading lines of the current sheet
	inHead     bool           // the last line was one of heads
	section    string         // the last line over the whole width
}

// addSection takes a line over the whole width. Above the table it is a part of the context; inside the table it is
// the title of the rows below.
func (c *cutter) addSection(title string) {
	if !c.inHead && len(c.current.Rows) == 0 {
		if !strings.HasSuffix(title, ".") { // a sentence is no title
			c.base.Context = appendText(c.base.Context, title)
		}
		c.base.Titles = appendText(c.base.Titles, title)
		c.current.Context, c.current.Titles = c.base.Context, c.base.Titles
		return
	}
	c.section = title
}

// addHead takes a heading line. Below rows it begins a new sheet, unless it only repeats a heading, as long tables
// do.
func (c *cutter) addHead(cells []table.Cell) {
	if !c.inHead && len(c.current.Rows) > 0 {
		if repeatsHead(c.heads, cells) {
			return
		}
		c.finish()
		c.current, c.heads = c.base, nil
		c.current.Context = appendText(c.base.Context, c.section)
		c.current.Titles = appendText(c.base.Titles, c.section)
	}
	c.heads, c.inHead = append(c.heads, cells), true
}

func (c *cutter) addData(line []cell.Value) {
	c.inHead = false
	c.current.Rows = append(c.current.Rows, Row{Cells: line, Section: c.section})
}

func (c *cutter) finish() {
	if n := len(c.current.Rows); n > 0 && c.section != "" && c.section != c.current.Rows[n-1].Section {
		// a note below the last row
		c.current.Remarks = append(slices.Clip(c.current.Remarks), table.Remark{Text: c.section, Place: table.Below})
	}
	if len(c.current.Rows) > 0 || len(c.heads) > 0 {
		c.done = append(c.done, putHeads(c.current, c.heads, c.vocabulary))
	}
}

func repeatsHead(heads [][]table.Cell, cells []table.Cell) bool {
	return slices.ContainsFunc(heads, func(h []table.Cell) bool {
		return slices.EqualFunc(h, cells, func(a, b table.Cell) bool { return a.Text == b.Text })
	})
}

func firstText(cells []table.Cell) string {
	for _, c := range cells {
		if c.Text != "" {
			return c.Text
		}
	}
	return ""
}
