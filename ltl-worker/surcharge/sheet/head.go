package sheet

import (
	"slices"
	"strings"

	"assay.dev/ltl-worker/surcharge/cell"
	"assay.dev/ltl-worker/surcharge/meaning"
	"assay.dev/platform/scrape/table"
)

// putHeads puts the heading lines over the rows. Rows of another length than most are broken.
func putHeads(s Sheet, heads [][]table.Cell, v *meaning.Vocabulary) Sheet {
	width := usualWidth(s.Rows)
	if len(s.Rows) == 0 && len(heads) > 0 {
		width = len(heads[len(heads)-1])
	}
	for i := range s.Rows {
		s.Rows[i].Broken = len(s.Rows[i].Cells) != width
	}
	s.Headed = headsFit(s.Rows, heads, width)
	s.Columns = make([]meaning.Heading, width)
	for c := range width {
		var levels []string
		if s.Headed {
			levels = levelsOver(heads, c)
		}
		s.Columns[c] = v.Heading(levels)
	}
	dropLabels(s)
	readSixDigits(s)
	s.Rows = markedRow(s)
	s = unfoldDates(s, v)
	return joinDaysOfMonth(joinMonthAndDay(joinDateParts(stackHalves(withoutGaps(splitSlashes(splitCells(takeLabels(groupMonths(s, v), v), v), v))), v), v), v)
}

// markedRow is the only row of brackets that has a date: it is marked as the one in force. Other sheets keep their rows.
func markedRow(s Sheet) []Row {
	if !slices.ContainsFunc(s.Columns, func(h meaning.Heading) bool { return h.Is(meaning.Bound | meaning.Price | meaning.Index) }) {
		return s.Rows
	}
	for c := range s.Columns {
		shape := ShapeOf(s.Rows, c)
		if shape.Dates == 1 && shape.Figures+shape.Texts == 0 && shape.Rows > 2 {
			at := slices.IndexFunc(s.Rows, func(r Row) bool { return !r.Broken && r.Cells[c].Kind == cell.Dates })
			return s.Rows[at : at+1]
		}
	}
	return s.Rows
}

// dropLabels reads cells that repeat their heading, as tables do that are shown as cards on small screens: "LTL surcharge 50.32%".
func dropLabels(s Sheet) {
	var r cell.Reader
	for c, h := range s.Columns {
		if h.IsEmpty() {
			continue
		}
		label := h.Levels[len(h.Levels)-1]
		for i, row := range s.Rows {
			if row.Broken || row.Cells[c].Kind != cell.Text || len(row.Cells[c].Text) <= len(label) || !strings.EqualFold(row.Cells[c].Text[:len(label)], label) {
				continue
			}
			if value := r.Read(strings.TrimLeft(row.Cells[c].Text[len(label):], ": ")); value.Kind != cell.Text {
				s.Rows[i].Cells[c] = value
			}
		}
	}
}

// takeLabels makes headings of columns that say the same in every row, when the rows have no headings: "Effective |
// 9/2/2026 | LTL | 50.12%" names its values in each row.
func takeLabels(s Sheet, v *meaning.Vocabulary) Sheet {
	labels := 0
	isLabel := make([]bool, len(s.Columns))
	for c := range s.Columns {
		if isLabel[c] = !s.Headed && c+1 < len(s.Columns) && isSameText(s.Rows, c) && !isSameText(s.Rows, c+1); isLabel[c] {
			labels++
		}
	}
	if labels < 2 {
		return s
	}
	var columns []meaning.Heading
	for c := range s.Columns {
		switch {
		case isLabel[c]:
		case c > 0 && isLabel[c-1]:
			columns = append(columns, v.Heading([]string{strings.TrimSuffix(labelOf(s.Rows[0].Cells[c-1].Text), ":")}))
		default:
			columns = append(columns, s.Columns[c])
		}
	}
	for i, r := range s.Rows {
		var cells []cell.Value
		for c := range r.Cells {
			if !isLabel[c] {
				cells = append(cells, r.Cells[c])
			}
		}
		s.Rows[i].Cells = cells
	}
	s.Columns, s.Headed = columns, true
	return s
}

// labelOf is a label without the words that tell which week it is of: "Previous week starting".
func labelOf(text string) string {
	return strings.Join(slices.DeleteFunc(strings.Fields(text), func(w string) bool { return weekWords[strings.ToLower(w)] }), " ")
}

// isSameText tells whether a column holds the same words in every row.
func isSameText(rows []Row, column int) bool {
	for _, r := range rows {
		if r.Broken || r.Cells[column].Kind != cell.Text ||
			r.Cells[column].Text != rows[0].Cells[column].Text && labelOf(r.Cells[column].Text) != labelOf(rows[0].Cells[column].Text) {
			return false
		}
	}
	return len(rows) > 1
}

// headsFit tells whether every heading line has a heading for each column. When the last column holds figures and has
// no heading, the headings may have slipped by one: which heading stands over which column is not known then.
func headsFit(rows []Row, heads [][]table.Cell, width int) bool {
	if len(heads) == 0 || slices.ContainsFunc(heads, func(h []table.Cell) bool { return len(h) != width }) {
		return false
	}
	last := lastColumnOfFigures(rows, width)
	return last < 0 || slices.ContainsFunc(heads, func(h []table.Cell) bool { return h[last].Text != "" })
}

// levelsOver are the texts over a column, outermost first. A heading that spans two lines counts once.
func levelsOver(heads [][]table.Cell, column int) []string {
	var levels []string
	for _, h := range heads {
		text := h[column].Text
		if text != "" && (len(levels) == 0 || levels[len(levels)-1] != text) {
			levels = append(levels, text)
		}
	}
	return levels
}

// lastColumnOfFigures is the last column that says anything, if it holds figures; else -1.
func lastColumnOfFigures(rows []Row, width int) int {
	for c := width - 1; c >= 0; c-- {
		if s := ShapeOf(rows, c); s.IsNumeric() {
			return c
		} else if !s.IsEmpty() {
			return -1
		}
	}
	return -1
}

// usualWidth is how many cells most rows have.
func usualWidth(rows []Row) int {
	counts := map[int]int{}
	best := 0
	for _, r := range rows {
		n := len(r.Cells)
		if counts[n]++; counts[n] > counts[best] || counts[n] == counts[best] && n > best {
			best = n
		}
	}
	return best
}

// withoutGaps leaves out columns without a heading and without a value when the headings beside them repeat: they part the
// halves of a table.
func withoutGaps(s Sheet) Sheet {
	isGap := func(c int) bool {
		return s.Columns[c].IsEmpty() && !slices.ContainsFunc(s.Rows, func(r Row) bool { return !r.Broken && r.Cells[c].Kind != cell.Blank })
	}
	var kept []int
	var columns []meaning.Heading
	for c, h := range s.Columns {
		if !isGap(c) {
			kept, columns = append(kept, c), append(columns, h)
		}
	}
	isHalf := func(period int) bool { return headsRepeat(columns, period) }
	if len(kept) == len(s.Columns) || !slices.ContainsFunc(periods(len(kept)), isHalf) {
		return s
	}
	s.Columns, s.Rows = columns, slices.Clone(s.Rows)
	for i, r := range s.Rows {
		if r.Broken {
			continue
		}
		cells := make([]cell.Value, len(kept))
		for to, from := range kept {
			cells[to] = r.Cells[from]
		}
		s.Rows[i].Cells = cells
	}
	return s
}

// periods are the numbers of columns that each part of a table of this width may have.
func periods(width int) []int {
	var all []int
	for period := 2; period <= width/2; period++ {
		if width%period == 0 {
			all = append(all, period)
		}
	}
	return all
}

// stackHalves puts halves of a table that stand side by side under the same headings below one another: "Date | LTL |
// Date | LTL" becomes "Date | LTL" with twice the rows.
func stackHalves(s Sheet) Sheet {
	width := len(s.Columns)
	for _, period := range periods(width) {
		if headsRepeat(s.Columns, period) && !slices.ContainsFunc(s.Rows, isTitles) {
			s.Rows = stackRows(s.Rows, width, period)
			s.Columns = s.Columns[:period]
			return s
		}
	}
	return s
}

// isTitles tells whether a row has texts only, which may name the halves: "Domestic", "Canada".
func isTitles(r Row) bool {
	texts, values := 0, 0
	for _, c := range r.Cells {
		switch c.Kind {
		case cell.Text:
			texts++
		case cell.Dates, cell.Figure:
			values++
		}
	}
	return !r.Broken && texts > 0 && values == 0
}

// stackRows leaves out halves that are empty. A broken row stays broken in each half.
func stackRows(rows []Row, width, period int) []Row {
	var stacked []Row
	for part := 0; part < width; part += period {
		for _, r := range rows {
			if !r.Broken {
				r.Cells = r.Cells[part : part+period]
			}
			if r.Broken || !isBlank(r.Cells) {
				stacked = append(stacked, r)
			}
		}
	}
	return stacked
}

func headsRepeat(columns []meaning.Heading, period int) bool {
	for i, c := range columns {
		if c.IsEmpty() || c.String() != columns[i%period].String() {
			return false
		}
	}
	return true
}
