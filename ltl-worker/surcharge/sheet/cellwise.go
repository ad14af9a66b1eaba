package sheet

import (
	"regexp"
	"slices"
	"strings"

	"assay.dev/ltl-worker/surcharge/cell"
	"assay.dev/ltl-worker/surcharge/meaning"
	"assay.dev/platform/scrape/table"
)

// Where no column of a table holds the dates, each figure may still have one: in its own cell ("18: 50.32%"), before its row, over its
// column, in the line over its group of rows, or in the caption. So a month may be a row and its weeks the columns, a week a group of rows
// with a line for each service, or a table of its own. This layout asks of every figure: which one date goes with it, and which words?
// Figures under the same words make a column. A table in which one figure has no date, or two, is not read so.

// cellwise collects the figures of a grid.
type cellwise struct {
	vocabulary *meaning.Vocabulary
	reader     cell.Reader
	caption    string
	month      string // that ends the innermost title
	section    string
	isUnused   bool     // no figure stands below the section yet
	titles     []string // sections without figures: they are over those below
	heads      [][]cell.Value
	inHead     bool
	dates      []cell.Value
	labels     [][]string
	values     map[[2]int]cell.Value // by the indexes of the date and the label
	ownDates   bool                  // a date stands elsewhere than in the caption
}

// cellwiseSheet reads a grid so. It is false for a grid that cannot be read so.
func cellwiseSheet(g table.Grid, lines [][]cell.Value, v *meaning.Vocabulary, base Sheet) (Sheet, bool) {
	if g.Kind == table.Pairs {
		return base, false
	}
	w := cellwise{vocabulary: v, caption: g.Caption, month: monthAtEnd(base.Context), values: map[[2]int]cell.Value{}}
	for _, line := range lines {
		if !w.add(line) {
			return base, false
		}
	}
	if len(w.dates) == 0 {
		return base, false
	}
	w.endSection()
	base.Titles = slices.Concat(base.Titles, w.titles)
	base.Name += " by cells"
	base.Headed, base.DateOverTable = true, !w.ownDates
	w.fill(&base)
	return base, true
}

// hasDatedRows tells whether a column of the sheet holds the dates of the figures in another one.
func hasDatedRows(s Sheet) bool {
	dated, numeric := false, false
	for c := range s.Columns {
		dates, figures, others := 0, 0, 0
		for i := range s.Rows {
			if s.Rows[i].Broken {
				continue
			}
			switch s.Rows[i].Cells[c].Kind {
			case cell.Dates:
				dates++
			case cell.Figure:
				figures++
			case cell.Text:
				others++
			}
		}
		dated, numeric = dated || dates > figures+others, numeric || figures > dates+others
	}
	return dated && numeric
}

// add takes a line: of headings, over a group of rows, or of figures. It is false where a figure has no date of its own.
func (w *cellwise) add(line []cell.Value) bool {
	first := slices.IndexFunc(line, isRateCell)
	switch {
	case first < 0 && isOneText(line):
		w.endSection()
		w.section, w.inHead, w.isUnused = firstOf(line), false, true
		return true
	case first < 0:
		if !w.inHead {
			w.heads = nil
		}
		w.heads, w.inHead = append(w.heads, line), true
		return true
	}
	w.inHead, w.isUnused = false, false
	for c := first; c < len(line); c++ {
		if isRateCell(line[c]) && !w.take(line, first, c) {
			return false
		}
	}
	return true
}

// endSection keeps a section that has no figures, unless it is a date.
func (w *cellwise) endSection() {
	if w.isUnused && w.reader.Read(w.section).Kind == cell.Text {
		w.titles = appendText(w.titles, w.section)
	}
}

// isRateCell tells whether a cell holds a figure with a unit or with decimals, and nothing that is no date of it.
func isRateCell(v cell.Value) bool {
	switch v.Kind {
	case cell.Figure:
		return v.Quantity.Unit != cell.Bare || v.Quantity.Decimals > 0
	case cell.Text:
		return strings.Contains(v.Text, "%") && strings.ContainsAny(v.Text, digits)
	}
	return false
}

func isOneText(line []cell.Value) bool {
	text := firstOf(line)
	return !slices.ContainsFunc(line, func(v cell.Value) bool { return v.Kind != cell.Blank && v.Text != text })
}

func firstOf(line []cell.Value) string {
	for _, v := range line {
		if v.Kind != cell.Blank {
			return v.Text
		}
	}
	return ""
}

// take notes the figure in column c with its date and the words around it.
func (w *cellwise) take(line []cell.Value, first, c int) bool {
	var d cellDate
	value, ok := w.valueOf(&line[c], &d)
	if !ok {
		return false
	}
	for _, v := range line {
		if !isRateCell(v) {
			d.read(w, v.Text)
		}
	}
	if line[first].Kind == cell.Figure && line[first].Quantity.Unit != cell.Percent && first != c && value.Quantity.Unit == cell.Percent && len(d.dates) == 0 {
		return false // a scale: the rows are prices
	}
	for _, head := range w.heads {
		if len(head) != len(line) || head[c].Kind == cell.Blank {
			return false // the headings may have slipped
		}
		d.read(w, head[c].Text)
		for _, corner := range head[:first] {
			d.readCorner(w, corner.Text)
		}
	}
	if d.read(w, w.section); !d.isKnown() {
		d.readCaption(w)
	} else {
		w.ownDates = true
	}
	date, ok := d.date(w)
	return ok && w.put(date, d.labels, value)
}

// valueOf is the figure of a cell. The date or the day beside it goes into d.
func (w *cellwise) valueOf(v *cell.Value, d *cellDate) (cell.Value, bool) {
	if v.Kind == cell.Figure {
		return *v, true
	}
	if found := dayBefore.FindStringSubmatch(v.Text); found != nil {
		d.days = append(d.days, found[1])
		value := w.reader.Read(found[2])
		return value, value.Kind == cell.Figure
	}
	parts, rest := cell.Scan(v.Text)
	at := slices.IndexFunc(parts, func(p cell.Part) bool { return p.Quantity.Unit == cell.Percent })
	if len(parts) != 2 || at < 0 || rest != "" || parts[1-at].Kind != cell.Dates || parts[at].Before != "" && at == 0 || !isWordOfWeek(w.vocabulary, parts[1-at].Before) {
		return cell.Value{}, false
	}
	d.dates = append(d.dates, parts[1-at].Value)
	value := parts[at].Value
	value.Text = ""
	return value, true
}

// dayBefore is a cell of a day of the month and its figure: "4: 48.3%", "18th – 47.2%", "(11) 47.7%".
var dayBefore = regexp.MustCompile(`^\(?([0-3]?\d)(?:st|nd|rd|th)?\)?(?: ?[:–—-] ?| )(\d[\d.]* ?%)$`)

// isWordOfWeek tells whether the words beside a date say nothing else than that the week begins on it.
func isWordOfWeek(v *meaning.Vocabulary, words string) bool {
	const ofWeek = meaning.Date | meaning.Effective | meaning.Begin | meaning.Neutral
	return v.Of(words)&^ofWeek == 0
}

func (w *cellwise) put(date cell.Value, levels []string, value cell.Value) bool {
	row := slices.IndexFunc(w.dates, func(d cell.Value) bool { return d.Dates == date.Dates })
	if row < 0 {
		row, w.dates = len(w.dates), append(w.dates, date)
	}
	column := slices.IndexFunc(w.labels, func(l []string) bool { return slices.Equal(l, levels) })
	if column < 0 {
		column, w.labels = len(w.labels), append(w.labels, levels)
	}
	at := [2]int{row, column}
	if old, taken := w.values[at]; taken && old.Quantity.Value != value.Quantity.Value {
		return false
	}
	w.values[at] = value
	return len(w.labels) <= maxFields && len(w.dates) <= maxCellDates
}

// maxCellDates bounds the weeks of a table that is read so: forty years of them.
const maxCellDates = 2000

// fill makes the columns and rows of the sheet.
func (w *cellwise) fill(s *Sheet) {
	s.Columns = []meaning.Heading{w.vocabulary.Heading([]string{"Date"})}
	for _, levels := range w.labels {
		s.Columns = append(s.Columns, w.vocabulary.Heading(levels))
	}
	for row, date := range w.dates {
		cells := make([]cell.Value, len(s.Columns))
		cells[0] = date
		for column := range w.labels {
			cells[column+1] = w.values[[2]int{row, column}]
		}
		s.Rows = append(s.Rows, Row{Cells: cells})
	}
}

// joinCaptioned joins tables of one week each, with the date in the caption, that are headed alike. One such table alone may have the date
// of its tariff there.
func joinCaptioned(sheets []Sheet) []Sheet {
	var joined []Sheet
	first := -1
	for _, s := range sheets {
		switch {
		case !s.isCaptioned():
			joined = append(joined, s)
		case first >= 0 && isContinued(joined[first], s):
			to := &joined[first]
			to.Rows, to.Titles = slices.Concat(to.Rows, s.Rows), slices.Concat(to.Titles, s.Titles)
			to.Remarks, to.DateOverTable = slices.Concat(to.Remarks, s.Remarks), false
		default:
			first, joined = len(joined), append(joined, s)
		}
	}
	return joined
}

func (s *Sheet) isCaptioned() bool { return s.DateOverTable && strings.HasSuffix(s.Name, " by cells") }

// isContinued tells whether a table goes on with the weeks of the one before it.
func isContinued(s, next Sheet) bool {
	return s.Hidden == next.Hidden && slices.EqualFunc(s.Columns, next.Columns, func(a, b meaning.Heading) bool { return a.String() == b.String() })
}
