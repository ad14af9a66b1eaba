package surcharge

import (
	"slices"
	"strings"
	"unicode"

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
	if turned, ok := turn(g, lines, rule, base); ok {
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

// upright cuts a grid at its heading rows. A heading that comes again, as long tables do, changes nothing.
func upright(g table.Grid, lines [][]value, rule Rule, base sheet) []sheet {
	var all []sheet
	var heads [][]table.Cell
	section, inHead := "", false
	current := base
	finish := func() {
		if len(current.rows) > 0 || len(heads) > 0 {
			all = append(all, head(current, heads, rule))
		}
	}
	for i, line := range lines {
		cells := g.Rows[i].Cells
		switch roleOfLine(g.Rows[i], line, rule) {
		case blankLine:
		case sectionLine:
			if section = onlyText(cells); !inHead && len(current.rows) == 0 {
				base.context = append(slices.Clip(base.context), section)
				current.context, section = base.context, ""
			}
		case headLine:
			if !inHead && len(heads) > 0 && len(current.rows) > 0 {
				if sameTexts(heads, cells) {
					continue
				}
				finish()
				current, heads = base, nil
				current.context = appendText(base.context, section)
			}
			heads, inHead = append(heads, cells), true
		case dataLine:
			inHead = false
			if current.rows == nil {
				current.rows = make([]row, 0, len(lines)-i)
			}
			current.rows = append(current.rows, row{values: line, section: section})
		}
	}
	finish()
	return all
}

func appendText(texts []string, s string) []string {
	if s == "" {
		return texts
	}
	return append(slices.Clip(texts), s)
}

func sameTexts(heads [][]table.Cell, cells []table.Cell) bool {
	for _, h := range heads {
		if slices.EqualFunc(h, cells, func(a, b table.Cell) bool { return a.Text == b.Text }) {
			return true
		}
	}
	return false
}

type lineRole uint8

const (
	blankLine lineRole = iota
	sectionLine
	headLine
	dataLine
)

func roleOfLine(r table.Row, line []value, rule Rule) lineRole {
	var filled, dated, figures, texts, heads, placeholders int
	for i := range line {
		v, c := &line[i], &r.Cells[i]
		if v.kind == blank || c.Spanned && i > 0 && line[i-1].text == v.text {
			continue
		}
		filled++
		if c.Heading {
			heads++
		}
		switch v.kind {
		case days:
			dated++
		case figure:
			figures++
		default:
			texts++
			if placeholder(v) {
				placeholders++
			}
		}
	}
	switch {
	case filled == 0:
		return blankLine
	case filled == 1 && dated == 0 && (len(line) != 2 || r.Cells[1].Spanned):
		return sectionLine
	case dated > 0 && figures == 0 && texts > 0 && heads == filled:
		return headLine
	case placeholders > 0, dated > 0 || figures > 1 && heads < filled && !r.Head:
		return dataLine
	case r.Head || heads == filled || texts > 0 && headlike(line, rule):
		return headLine
	default:
		return dataLine
	}
}

// headlike tells whether a row of plain cells reads like headings.
func headlike(line []value, rule Rule) bool {
	var all mark
	for _, v := range line {
		if v.kind == figure && v.q.unit != bare {
			return false
		}
		if v.kind == text {
			all |= rule.meaning(v.text)
		}
	}
	return all&(mDate|mEffective|mBegin|mPrice|mPercent|mLTL|mTL|mIndex|mPosted) != 0
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

// turn reads a grid whose headings stand in its first column, each record in a column of its own.
func turn(g table.Grid, lines [][]value, rule Rule, base sheet) (sheet, bool) {
	lines = unfold(lines)
	width := 0
	var dated, rated bool
	for _, line := range lines {
		if width == 0 {
			width = len(line)
		}
		if len(line) != width {
			return base, false // what belongs to which record cannot be known
		}
		if width < 2 || line[0].kind == days || line[0].kind == figure {
			continue
		}
		m := rule.meaning(line[0].text)
		dated = dated || line[1].kind == days
		rated = rated || m&(mPercent|mLTL) != 0 && line[1].kind == figure
	}
	if !dated || !rated || len(lines) > maxFields {
		return base, false
	}
	base.name += " turned"
	base.headed = true
	base.rows = make([]row, width-1)
	for _, line := range lines {
		base.columns = append(base.columns, rule.heading(appendText(nil, line[0].text)))
		for i := range base.rows {
			base.rows[i].values = append(base.rows[i].values, line[i+1])
		}
	}
	return base, true
}

// unfold leaves out lines that say one thing, and puts pairs of label and value that stand side by side below one
// another.
func unfold(lines [][]value) [][]value {
	rest := slices.DeleteFunc(slices.Clone(lines), func(line []value) bool {
		return len(line) < 2 || line[0].kind == text && !slices.ContainsFunc(line, func(v value) bool { return v.text != line[0].text })
	})
	var pairs [][]value
	for _, line := range rest {
		if len(line) < 4 || len(line)%2 != 0 {
			return rest
		}
		for i := 0; i < len(line); i += 2 {
			switch label, said := line[i], line[i+1]; {
			case label.kind == text && (said.kind != text || !strings.ContainsFunc(said.text, unicode.IsLetter)):
				pairs = append(pairs, line[i:i+2])
			case label.kind != blank || said.kind != blank:
				return rest
			}
		}
	}
	return pairs
}

// maxFields bounds the fields of a record that stands upright.
const maxFields = 40
