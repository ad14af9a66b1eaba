package sheet

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"assay.dev/ltl-worker/surcharge/calendar"
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

// isOnOtherDay tells whether the date of a record without a percent is no first day of a week: those with percents begin on other days
// of the week. It is that of the price.
func (w *looseWalk) isOnOtherDay(f looseFields, records []looseRecord) bool {
	day := f.date().First(cell.MonthFirst, 0)
	for i := range records {
		other, ok := w.fieldsOf(&records[i])
		if !ok || !other.has(percentField) {
			continue
		}
		if first := other.date().First(cell.MonthFirst, 0); first == 0 || first.Weekday() == day.Weekday() {
			return false
		}
	}
	return day != 0
}

// putPrices gives each week without a price the one of the Monday before it.
func putPrices(weeks, prices []looseFields) {
	for i := range weeks {
		for _, p := range prices {
			if !weeks[i].has(priceField) && isIndexDay(p.date(), weeks[i].date()) && weeks[i].has(percentField) {
				at := slices.Index(p.kinds, priceField)
				weeks[i].kinds, weeks[i].values = append(weeks[i].kinds, priceField), append(weeks[i].values, p.values[at])
				weeks[i].labels, weeks[i].lines = append(weeks[i].labels, p.labels[at]), append(weeks[i].lines, p.lines[at])
			}
		}
	}
}

// withoutNews leaves out records that speak of something else beside those that name fuel or LTL: "Oil fell 2.1% on Friday, November 20".
// A record that begins on the same day of the week as those stays: it may be a week, or correct one.
func (w *looseWalk) withoutNews(records []looseRecord) []looseRecord {
	weekdays := map[time.Weekday]bool{}
	isNamed := make([]bool, len(records))
	dates := make([]calendar.Day, len(records))
	for i := range records {
		f, ok := w.fieldsOf(&records[i])
		if isNamed[i] = !ok || w.namesFuel(&records[i]); ok {
			dates[i] = f.date().First(cell.MonthFirst, 0)
		}
		if ok && isNamed[i] && f.has(percentField) {
			weekdays[dates[i].Weekday()] = true
		}
	}
	if len(weekdays) == 0 {
		return records
	}
	var kept []looseRecord
	for i, r := range records {
		if isNamed[i] || r.percents(w) == 0 || weekdays[dates[i].Weekday()] {
			kept = append(kept, r)
		}
	}
	return kept
}

// chargeWords find what is charged.
var chargeWords = regexp.MustCompile(`(?i)\b(?:rates?|pays?|charged?|charges|appl(?:y|ies))\b`)

// namesFuel tells whether the lines of a record name fuel, LTL, a charge or a correction.
func (w *looseWalk) namesFuel(r *looseRecord) bool {
	return slices.ContainsFunc(r.lines, func(line *table.Block) bool {
		return w.vocabulary.Of(line.Text).Has(meaning.Fuel|meaning.LTL) || IsCorrection(line.Text) || chargeWords.MatchString(line.Text)
	})
}

// isBareDate tells whether a record is a date and says nothing of it, such as the date of a letter.
func (f looseFields) isBareDate() bool {
	at := slices.Index(f.kinds, dateField)
	label := strings.Join(f.labels[at], "")
	return len(f.kinds) == 1 && (f.lines[at] == f.values[at].Text || strings.HasPrefix(strings.ToLower(f.lines[at]), "date:") || label == "")
}

// areDatesNamed tells whether the page names the dates of all weeks with percents: "Effective November 18, 2026". A bare date beside
// them is none of a week.
func (w *looseWalk) areDatesNamed(records []looseRecord) bool {
	named := false
	for i := range records {
		f, ok := w.fieldsOf(&records[i])
		if !ok || !f.has(percentField) {
			continue
		}
		label := strings.Join(f.labels[slices.Index(f.kinds, dateField)], " ")
		if named = w.vocabulary.Of(label).Has(meaning.Effective | meaning.Begin); !named {
			return false
		}
	}
	return named
}

// isOfTariff tells whether the words beside the date say that it is that of a tariff.
func (f looseFields) isOfTariff() bool {
	label := strings.ToLower(strings.Join(f.labels[slices.Index(f.kinds, dateField)], " "))
	return strings.Contains(label, "tariff") || strings.Contains(label, "rules") || strings.Contains(label, "item")
}

// isInSentences tells whether the weeks of a page stand in sentences.
func (w *looseWalk) isInSentences(records []looseRecord) bool {
	for i := range records {
		for _, line := range records[i].lines {
			c := w.counts[line]
			if c.dates == 1 && c.percents > 0 && len(strings.Fields(line.Text)) > maxLooseWords {
				return true
			}
		}
	}
	return false
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
