package surcharge

import (
	"slices"

	"assay.dev/platform/scrape/table"
)

// upright cuts a grid at its heading rows into sheets. A heading that comes again, as in long tables, changes nothing.
func upright(g table.Grid, lines [][]value, rule Rule, base sheet) []sheet {
	u := uprights{rule: rule, base: base, current: base}
	for i, line := range lines {
		switch cells := g.Rows[i].Cells; roleOfLine(g.Rows[i], line, rule) {
		case sectionLine:
			u.section(onlyText(cells))
		case headLine:
			u.head(cells)
		case dataLine:
			u.data(line)
		}
	}
	u.finish()
	return u.done
}

// uprights are the sheets of a grid while it is read line by line.
type uprights struct {
	rule    Rule
	base    sheet // what stands over all of them
	done    []sheet
	current sheet
	heads   [][]table.Cell
	inHead  bool   // the last line was one of the current heads
	title   string // the last line over the whole width
}

// section takes a line over the whole width: over the table it is a part of its context, inside it is the title of the
// rows below.
func (u *uprights) section(title string) {
	if !u.inHead && len(u.current.rows) == 0 {
		u.base.context = appendText(u.base.context, title)
		u.current.context = u.base.context
		return
	}
	u.title = title
}

func (u *uprights) head(cells []table.Cell) {
	if !u.inHead && len(u.heads) > 0 && len(u.current.rows) > 0 {
		if sameTexts(u.heads, cells) {
			return
		}
		u.finish()
		u.current, u.heads = u.base, nil
		u.current.context = appendText(u.base.context, u.title)
	}
	u.heads, u.inHead = append(u.heads, cells), true
}

func (u *uprights) data(line []value) {
	u.inHead = false
	u.current.rows = append(u.current.rows, row{values: line, section: u.title})
}

func (u *uprights) finish() {
	if len(u.current.rows) > 0 || len(u.heads) > 0 {
		u.done = append(u.done, head(u.current, u.heads, u.rule))
	}
}

func sameTexts(heads [][]table.Cell, cells []table.Cell) bool {
	return slices.ContainsFunc(heads, func(h []table.Cell) bool {
		return slices.EqualFunc(h, cells, func(a, b table.Cell) bool { return a.Text == b.Text })
	})
}

func onlyText(cells []table.Cell) string {
	for _, c := range cells {
		if c.Text != "" {
			return c.Text
		}
	}
	return ""
}

// head puts headings over the rows, provided that they are as many as the columns and the last one does not lack while
// figures stand under it; else they may have slipped, and which stands over which cannot be known. Rows of another
// length than most are broken.
func head(s sheet, heads [][]table.Cell, rule Rule) sheet {
	width := usualWidth(s.rows)
	if len(s.rows) == 0 && len(heads) > 0 {
		width = len(heads[len(heads)-1])
	}
	for i := range s.rows {
		s.rows[i].broken = len(s.rows[i].values) != width
	}
	s.headed = len(heads) > 0
	for _, h := range heads {
		s.headed = s.headed && len(h) == width
	}
	if last := lastFigures(s.rows, width); s.headed && last >= 0 {
		s.headed = slices.ContainsFunc(heads, func(h []table.Cell) bool { return h[last].Text != "" })
	}
	s.columns = make([]heading, width)
	for c := range width {
		var levels []string
		for _, h := range heads {
			if s.headed && h[c].Text != "" && (len(levels) == 0 || levels[len(levels)-1] != h[c].Text) {
				levels = append(levels, h[c].Text)
			}
		}
		s.columns[c] = rule.heading(levels)
	}
	return stack(s)
}

// lastFigures is the last column that says anything, if that is figures; else -1.
func lastFigures(rows []row, width int) int {
	for c := width - 1; c >= 0; c-- {
		if s := shapeOf(rows, c); s.numeric() {
			return c
		} else if s.days+s.figures+s.texts > 0 {
			return -1
		}
	}
	return -1
}

func usualWidth(rows []row) int {
	counts := map[int]int{}
	best := 0
	for _, r := range rows {
		n := len(r.values)
		if counts[n]++; counts[n] > counts[best] || counts[n] == counts[best] && n > best {
			best = n
		}
	}
	return best
}

// stack puts halves that stand side by side under the same headings below one another.
func stack(s sheet) sheet {
	width := len(s.columns)
	for period := 2; period <= width/2; period++ {
		if width%period != 0 || !repeats(s.columns, period) {
			continue
		}
		var rows []row
		for part := 0; part < width; part += period {
			for _, r := range s.rows {
				if !r.broken {
					r.values = r.values[part : part+period]
				}
				if r.broken || slices.ContainsFunc(r.values, func(v value) bool { return v.kind != blank }) {
					rows = append(rows, r)
				}
			}
		}
		s.columns, s.rows = s.columns[:period], rows
		return s
	}
	return s
}

func repeats(columns []heading, period int) bool {
	for i, c := range columns {
		if len(c.levels) == 0 || c.String() != columns[i%period].String() {
			return false
		}
	}
	return true
}
