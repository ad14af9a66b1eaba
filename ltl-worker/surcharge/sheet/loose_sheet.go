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
	var fields, prices []looseFields
	var lines []*table.Block
	var statements, others []string
	complete := 0
	records = w.withoutNews(records)
	for i := range records {
		f, ok := w.fieldsOf(&records[i])
		if !ok {
			continue
		}
		switch {
		case f.has(percentField):
			complete++
		case f.has(priceField) && w.isOnOtherDay(f, records):
			prices = append(prices, f)
			continue
		case f.isAside(w.vocabulary), f.isBareDate() && (w.isInSentences(records) || w.areDatesNamed(records)):
			continue
		}
		fields = append(fields, f)
		for _, line := range records[i].lines {
			if paragraph := w.paragraphs[line]; paragraph != nil {
				line = paragraph
			}
			if line.Place != openedRow && !slices.Contains(lines, line) {
				lines = append(lines, line)
			}
		}
		statements, others = append(statements, f.statements()...), append(others, f.loose...)
	}
	if complete == 0 || 2*complete < len(fields) {
		return Sheet{}, false
	}
	putPrices(fields, prices)
	isOpened := func(l *table.Block) bool { return l.Place == openedRow }
	s := Sheet{Name: fmt.Sprintf("weeks %d", len(w.sheets)+1), Headed: true, Loose: true}
	s.DateOverTable = len(fields) == 1 && slices.ContainsFunc(records[0].lines, isOpened) && !fields[0].date().IsRange()
	if s.DateOverTable && fields[0].isOfTariff() {
		return Sheet{}, false
	}
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

// weekWords tell which week a record is. It says so itself, by its date.
var weekWords = map[string]bool{"previous": true, "previously": true, "prior": true, "last": true, "next": true, "upcoming": true, "current": true}

// moves stand before "to" and a percent that is new.
var moves = map[string]bool{"changes": true, "change": true, "increases": true, "increase": true, "decreases": true, "decrease": true}

// known are the words of a label that headings have. Others are judged in the lines that they stand in.
func (w *looseWalk) known(label string) string {
	words := w.vocabulary.WithoutNames(strings.Fields(label))
	if n := len(words); n > 1 && words[n-1] == "to" && moves[words[n-2]] {
		words = words[:n-2] // "the surcharge changes to 50.32%"
	}
	return strings.Join(slices.DeleteFunc(words, func(word string) bool {
		return weekWords[strings.ToLower(word)] || w.vocabulary.Of(word).Has(meaning.Unknown)
	}), " ")
}

// ofDate are the words of a label that can tell what a date is: without those of the figure, as in "LTL fuel surcharge for".
func (w *looseWalk) ofDate(label string) string {
	words := strings.Fields(label)
	if last := words[max(0, len(words)-3):]; w.vocabulary.Of(strings.Join(last, " ")).Has(meaning.Effective | meaning.Begin) {
		words = last // "shipments tendered to Estes on or after"
	}
	return strings.Join(slices.DeleteFunc(words, func(word string) bool {
		said := w.vocabulary.Of(word)
		return weekWords[strings.ToLower(word)] || said.Has(meaning.Percent|meaning.LTL|meaning.Truckload|meaning.Unknown) && !said.Has(meaning.Date)
	}), " ")
}

// says tells whether the words beside a figure tell what it is. Those of the week, and neutral ones, do not.
func (w *looseWalk) says(kind, label string) bool {
	said := w.vocabulary.Of(label)
	if kind == percentField {
		said &^= meaning.Date | meaning.Effective | meaning.Begin | meaning.Posted | meaning.Neutral | meaning.US
		return said != 0 && said != meaning.Other
	}
	return true
}

// maxLooseLabels bounds the different words that one column may have beside its figures.
const maxLooseLabels = 12
