package sheet

import (
	"encoding/csv"
	"maps"
	"slices"
	"strings"
	"unicode"

	"assay.dev/ltl-worker/surcharge/cell"
	"assay.dev/ltl-worker/surcharge/meaning"
)

// rowsOfCSV are the lines of a text with comma separated values, all of one length; nil for any other text.
func rowsOfCSV(text string) []any {
	if !strings.Contains(text, "\n") || !strings.Contains(text, ",") || len(text) > maxCSV {
		return nil
	}
	lines, err := csv.NewReader(strings.NewReader(strings.TrimSpace(text))).ReadAll()
	if err != nil || len(lines[0]) < 2 {
		return nil
	}
	rows := make([]any, len(lines))
	for i, line := range lines {
		row := make([]any, len(line))
		for c, text := range line {
			row[c] = strings.TrimSpace(text)
		}
		rows[i] = row
	}
	return rows
}

// maxCSV is the longest text, in bytes, that is read so.
const maxCSV = 1 << 20

// headingsOfPairs are headings of pairs of a date and a figure, as charts have them: {"title": "LTL fuel surcharge (%)", "series":
// [["2026-11-18", 50.3], …]}. The figure is what the title says, or else the name of the list. It is nil for other rows.
func (w *jsonWalk) headingsOfPairs(rows []Row, at place) []string {
	isPair := func(r Row) bool {
		return !r.Broken && r.Cells[0].Kind == cell.Dates && r.Cells[1].Kind == cell.Figure
	}
	if len(at.names) == 0 || slices.ContainsFunc(rows, func(r Row) bool { return !isPair(r) }) {
		return nil
	}
	figure := at.names[len(at.names)-1]
	for _, f := range at.facts {
		if serviceNames[strings.ToLower(f.Name)] && w.vocabulary.Of(f.Value).Has(meaning.Percent|meaning.LTL) {
			figure = f.Value
		}
	}
	return []string{"week", figure}
}

// pairNames are names of members that say nothing of their values: {"x": "2026-11-18", "y": 50.3}.
var pairNames = map[string]bool{"x": true, "y": true, "k": true, "v": true, "t": true, "key": true, "val": true, "d": true, "p": true}

// namePairs gives the sheet of such pairs the headings of [jsonWalk.headingsOfPairs].
func (w *jsonWalk) namePairs(s *Sheet, columns []string, at place) {
	if len(columns) != 2 || !pairNames[strings.ToLower(columns[0])] || !pairNames[strings.ToLower(columns[1])] {
		return
	}
	rows := s.Rows
	isTurned := len(rows) > 0 && rows[0].Cells[1].Kind == cell.Dates
	if isTurned {
		rows = slices.Clone(rows)
		for i, r := range rows {
			rows[i].Cells = []cell.Value{r.Cells[1], r.Cells[0]}
		}
	}
	if headings := w.headingsOfPairs(rows, at); headings != nil {
		s.Rows = rows
		s.Columns = []meaning.Heading{w.vocabulary.Heading(headings[:1]), w.vocabulary.Heading(headings[1:])}
	}
}

// withMonthOver adds the month and the year that stand over records with a day: {"year": 2026, "months": [{"month": "November", "weeks":
// [{"day": 18, "pct": 50.3}]}]}.
func (w *jsonWalk) withMonthOver(s Sheet, at place) Sheet {
	if columnHeaded(s, "day") < 0 {
		return s
	}
	for _, name := range []string{"month", "year"} {
		i := slices.IndexFunc(at.facts, func(f Fact) bool { return strings.EqualFold(f.Name, name) })
		if i < 0 || columnHeaded(s, name) >= 0 {
			continue
		}
		s.Columns = append(s.Columns, w.vocabulary.Heading([]string{name}))
		for r := range s.Rows {
			s.Rows[r].Cells = append(s.Rows[r].Cells, w.reader.Read(at.facts[i].Value))
		}
	}
	return s
}

// recordsNumbered reads an object whose members are records that only numbers tell apart: {"week_2026_11_18": {"start": …}, "week_2026_11_11":
// …}. name is what their names have in common: "week". Other objects have no records.
func recordsNumbered(v map[string]any) (records []map[string]string, name string) {
	for i, full := range slices.Sorted(maps.Keys(v)) {
		record, isObject := v[full].(map[string]any)
		bare := strings.Map(letterOrNothing, full)
		if i == 0 {
			name = bare
		}
		if !isObject || bare != name || !strings.ContainsAny(full, digits) || holdsList(record) {
			return nil, ""
		}
		records = append(records, flattenRecord(record, maxNested))
	}
	return records, name
}

// letterOrNothing keeps letters.
func letterOrNothing(r rune) rune {
	if unicode.IsLetter(r) {
		return r
	}
	return -1
}
