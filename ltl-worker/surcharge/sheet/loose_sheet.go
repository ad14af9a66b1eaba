package sheet

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"assay.dev/ltl-worker/surcharge/cell"
	"assay.dev/ltl-worker/surcharge/meaning"
	"assay.dev/platform/scrape/table"
)

// sheetOf makes a sheet of records. Its columns are the date and one for each kind of figure; their headings are the
// words that stand beside the figures.
func (w *looseWalk) sheetOf(records []looseRecord) (Sheet, bool) {
	var fields []looseFields
	var lines []*table.Block
	var statements, others []string
	complete := 0
	for i := range records {
		f, ok := w.fieldsOf(&records[i])
		if !ok {
			continue
		}
		switch {
		case f.has(percentField):
			complete++
		case f.isAside(w.vocabulary):
			continue
		}
		fields = append(fields, f)
		for _, line := range records[i].lines {
			if line.Place != openedRow {
				lines = append(lines, line)
			}
		}
		statements, others = append(statements, f.statements()...), append(others, f.loose...)
	}
	if complete == 0 || 2*complete < len(fields) {
		return Sheet{}, false
	}
	isOpened := func(l *table.Block) bool { return l.Place == openedRow }
	if len(fields) == 1 && slices.ContainsFunc(records[0].lines, isOpened) && !fields[0].date().IsRange() {
		return Sheet{}, false // a date over one table may be that of the tariff
	}
	s := Sheet{Name: fmt.Sprintf("weeks %d", len(w.sheets)+1), Headed: true, Loose: true}
	s.Context, s.Remarks = w.page.Around(lines)
	s.Statements = differentWordings(statements)
	for _, text := range differentWordings(others) {
		s.Remarks = append(s.Remarks, table.Remark{Text: text, Place: table.Below})
	}
	w.fill(&s, fields)
	return s, true
}

// figures are what differs from one week to the next in lines that say the same.
var figures = regexp.MustCompile(`[0-9][0-9.,/-]*`)

// differentWordings are the lines with their values, each wording once.
func differentWordings(lines []string) []string {
	seen := map[string]bool{}
	var all []string
	for _, line := range lines {
		wording := figures.ReplaceAllString(line, "0")
		if !seen[wording] && len(all) < maxStatements {
			seen[wording] = true
			all = append(all, line)
		}
	}
	return all
}

// maxStatements bounds the different lines of one sheet.
const maxStatements = 200

// looseFields are the values of one record by their kinds, in the order of the page.
type looseFields struct {
	kinds  []string
	values []cell.Value
	labels [][]string
	lines  []string // the line of each value
	loose  []string // lines without a value that name none
}

// The kinds of fields that every record may have once. Others are named by their words.
const (
	dateField    = "date"
	percentField = "percent"
	priceField   = "price"
	otherFigure  = "figure "
)

// date is the date of a record.
func (f looseFields) date() cell.Range { return f.values[slices.Index(f.kinds, dateField)].Dates }

// statements are the lines of the date and the percent.
func (f looseFields) statements() []string {
	var all []string
	for i, k := range f.kinds {
		if k == dateField || k == percentField {
			all = append(all, f.lines[i])
		}
	}
	return all
}

// isAside tells whether a date without a percent is no week: it stands in a sentence, or is that of the page.
func (f looseFields) isAside(v *meaning.Vocabulary) bool {
	at := slices.Index(f.kinds, dateField)
	said := v.Of(strings.Join(f.labels[at], " "))
	return said.Has(meaning.Posted) && !said.Has(meaning.Effective|meaning.Begin) || len(strings.Fields(f.lines[at])) > maxLooseWords
}

// maxLooseWords is the most words of a line that says that a week has no percent yet: "Effective September 9, 2026: to be announced".
const maxLooseWords = 9

func (f looseFields) has(kind string) bool { return slices.Contains(f.kinds, kind) }

// fieldsOf reads the values of a record. It is false for a record in which two values could be the same field.
func (w *looseWalk) fieldsOf(r *looseRecord) (looseFields, bool) {
	var f looseFields
	label := "" // the last line without a value
	for _, line := range r.lines {
		c := w.counts[line]
		if len(c.parts) == 0 {
			if label != "" {
				f.loose = append(f.loose, label)
			}
			label = strings.TrimSuffix(line.Text, ":")
			if len(label) > maxLooseLabel || line.Place == openedRow {
				if line.Place != openedRow {
					f.loose = append(f.loose, line.Text)
				}
				label = ""
			}
			continue
		}
		named := line.Text
		for i := range c.parts {
			part := &c.parts[i]
			labels := appendText(appendText(nil, part.Before), part.After)
			if i == len(c.parts)-1 {
				labels = appendText(labels, c.rest)
			}
			if i == 0 && part.Before == "" {
				labels = append(appendText(nil, label), labels...)
				if label != "" {
					named, label = label+": "+named, ""
				}
			}
			f.add(w.vocabulary, part.Value, labels)
			f.lines = append(f.lines, named)
		}
		if label != "" {
			f.loose = append(f.loose, label)
		}
		label = ""
	}
	if label != "" {
		f.loose = append(f.loose, label)
	}
	f.readAsOf()
	dates := 0
	for _, k := range f.kinds {
		if k == dateField {
			dates++
		}
	}
	return f, dates == 1 && f.settle()
}

const maxLooseLabel = 60

// readAsOf reads the "as of" before the only date of a record as the day from which the percent applies: "As of June 24 the
// surcharge is 42.5%". Before a price it is the day of the price.
func (f *looseFields) readAsOf() {
	at := slices.Index(f.kinds, dateField)
	if at < 0 || at+1 >= len(f.kinds) || f.kinds[at+1] == priceField || slices.Contains(f.kinds[at+1:], dateField) {
		return
	}
	for i, label := range f.labels[at] {
		if words := strings.TrimSuffix(" "+label+" ", " "); strings.HasPrefix(words, " as of") {
			f.labels[at][i] = "effective" + strings.TrimPrefix(words, " as of")
		}
	}
}

func (f *looseFields) add(v *meaning.Vocabulary, value cell.Value, labels []string) {
	kind := v.Of(strings.Join(labels, " "))
	var name string
	switch {
	case value.Kind == cell.Dates:
		name = dateField
		if kind.Has(meaning.End|meaning.Posted|meaning.Index) && !kind.Has(meaning.Effective|meaning.Begin) && len(f.kinds) > 0 {
			name = "another date"
		}
	case value.Quantity.Unit == cell.Percent && kind.Has(meaning.Truckload) && !kind.Has(meaning.LTL):
		name = "truckload"
	case value.Quantity.Unit == cell.Percent && kind.Has(meaning.LTL):
		name = "LTL"
	case value.Quantity.Unit == cell.Percent:
		name = percentField
	case value.Quantity.Unit == cell.Dollars && !kind.Has(meaning.Other|meaning.Service|meaning.Region|meaning.Abroad) && !f.has(priceField) &&
		!tellsMovement(labels):
		name = priceField
	default:
		name = otherFigure + strings.Join(labels, " ")
	}
	f.kinds, f.values, f.labels = append(f.kinds, name), append(f.values, value), append(f.labels, labels)
}

// tellsMovement tells whether the words beside a price tell how it moved, and not what it is: "diesel rose 5 cents to $5.652".
func tellsMovement(labels []string) bool {
	for _, label := range labels {
		for word := range strings.FieldsSeq(label) {
			switch word {
			case "rose", "fell", "climbed", "dropped", "jumped", "slid", "up", "down", "highest", "lowest", "tops", "cents":
				return true
			}
		}
	}
	return false
}

// settle tells which percent is the one that is looked for: the only one, or the only one that is named LTL.
func (f *looseFields) settle() bool {
	named := 0
	for _, k := range f.kinds {
		if k == "LTL" {
			named++
		}
	}
	for i, k := range f.kinds {
		switch {
		case k == percentField && named > 0:
			f.kinds[i] = "another percent"
		case k == "LTL":
			f.kinds[i] = percentField
		}
	}
	seen := map[string]bool{}
	for _, k := range f.kinds {
		if seen[k] && (k == percentField || k == dateField) {
			return false
		}
		seen[k] = true
	}
	return true
}

// fill makes the columns and rows of the sheet.
func (w *looseWalk) fill(s *Sheet, records []looseFields) {
	kinds := []string{dateField, percentField}
	labels := map[string][]string{}
	for _, f := range records {
		for i, k := range f.kinds {
			if strings.HasPrefix(k, otherFigure) {
				continue
			}
			if !slices.Contains(kinds, k) {
				kinds = append(kinds, k)
			}
			for _, l := range f.labels[i] {
				switch k {
				case percentField:
					l = w.known(l)
				case dateField:
					l = w.ofDate(l)
				}
				if l != "" && w.says(k, l) && !slices.Contains(labels[k], l) && len(labels[k]) < maxLooseLabels {
					labels[k] = append(labels[k], l)
				}
			}
		}
	}
	for _, k := range kinds {
		if k == dateField && !w.vocabulary.Of(strings.Join(labels[k], " ")).Has(meaning.Date|meaning.Effective|meaning.Begin|meaning.End|meaning.Posted|meaning.Index) {
			labels[k] = append([]string{"date"}, labels[k]...)
		}
		if k == priceField && !w.vocabulary.Of(strings.Join(labels[k], " ")).Has(meaning.Price|meaning.Index) {
			labels[k] = append([]string{"price"}, labels[k]...)
		}
		s.Columns = append(s.Columns, w.vocabulary.Heading(labels[k]))
	}
	for _, f := range records {
		cells := make([]cell.Value, len(kinds))
		for i, k := range f.kinds {
			if at := slices.Index(kinds, k); at >= 0 {
				cells[at] = f.values[i]
			}
		}
		s.Rows = append(s.Rows, Row{Cells: cells})
	}
}

// known are the words of a label that headings have. Others are judged in the lines that they stand in.
func (w *looseWalk) known(label string) string {
	words := strings.Fields(label)
	return strings.Join(slices.DeleteFunc(words, func(word string) bool {
		return w.vocabulary.Of(word).Has(meaning.Unknown)
	}), " ")
}

// ofDate are the words of a label that can tell what a date is: without those of the figure, as in "LTL fuel surcharge for".
func (w *looseWalk) ofDate(label string) string {
	words := strings.Fields(label)
	return strings.Join(slices.DeleteFunc(words, func(word string) bool {
		said := w.vocabulary.Of(word)
		return said.Has(meaning.Percent|meaning.LTL|meaning.Truckload|meaning.Unknown) && !said.Has(meaning.Date)
	}), " ")
}

// says tells whether the words beside a figure tell what it is. Those of the week, and neutral ones, do not.
func (w *looseWalk) says(kind, label string) bool {
	said := w.vocabulary.Of(label)
	if kind == percentField {
		said &^= meaning.Date | meaning.Effective | meaning.Begin | meaning.Neutral | meaning.US
		return said != 0 && said != meaning.Other
	}
	return true
}

// maxLooseLabels bounds the different words that one column may have beside its figures.
const maxLooseLabels = 12
