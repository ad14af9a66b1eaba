package sheet

import (
	"slices"
	"strings"
	"unicode"

	"assay.dev/ltl-worker/surcharge/cell"
	"assay.dev/ltl-worker/surcharge/meaning"
)

// maxFields is the most fields that a record in a column of its own may have.
const maxFields = 40

// turnedSheet reads a grid whose headings stand in its first column, so that each further column is a record:
//
//	Effective date | 9/9/2026 | 9/2/2026
//	LTL            | 50.32%   | 46.32%
//
// It is false for a grid that does not look like that.
func turnedSheet(lines [][]cell.Value, v *meaning.Vocabulary, base Sheet) (Sheet, bool) {
	if len(lines) > maxFields {
		return base, false
	}
	lines = foldRecords(joinMonthLine(unfoldPairs(dropTitles(lines))))
	if len(lines) == 0 || !sameWidth(lines) || !hasTurnedHistory(lines, v) {
		return base, false
	}
	base.Name += " turned"
	base.Headed = true
	base.Rows = make([]Row, len(lines[0])-1)
	for i, line := range lines {
		label := line[0].Text
		if i == 0 && isEveryDate(line[1:]) && !v.Of(label).Has(meaning.Date|meaning.Effective|meaning.Begin|meaning.End|meaning.Posted|meaning.Index) {
			label = "Date" // the corner names the labels below it
		}
		if isBlank(line[1:]) && v.Of(label).Has(otherFigures) {
			base.Titles = appendText(base.Titles, label) // a title, not a label without values
		}
		base.Columns = append(base.Columns, v.Heading(appendText(nil, label)))
		for i := range base.Rows {
			base.Rows[i].Cells = append(base.Rows[i].Cells, line[i+1])
		}
	}
	return base, true
}

func isEveryDate(values []cell.Value) bool {
	return !slices.ContainsFunc(values, func(v cell.Value) bool { return v.Kind != cell.Dates })
}

// sameWidth tells whether all lines have as many cells as the first. In others it is not known which cell belongs to
// which record.
func sameWidth(lines [][]cell.Value) bool {
	return !slices.ContainsFunc(lines, func(line []cell.Value) bool { return len(line) != len(lines[0]) })
}

// hasTurnedHistory tells whether one line begins its values with a date, and another one its percents.
func hasTurnedHistory(lines [][]cell.Value, v *meaning.Vocabulary) bool {
	var dated, rated bool
	if len(lines) > 1 && lines[0][0].Kind == cell.Text && lines[0][0].Text == lines[1][0].Text {
		return false // each line is a record that begins with its label
	}
	for _, line := range lines {
		if label := line[0]; label.Kind == cell.Dates || label.Kind == cell.Figure {
			continue
		}
		dated = dated || line[1].Kind == cell.Dates
		rated = rated || line[1].Kind == cell.Figure && v.Of(line[0].Text).Has(meaning.Percent|meaning.LTL)
	}
	return dated && rated
}

// dropTitles leaves out lines that say one thing in all their cells.
func dropTitles(lines [][]cell.Value) [][]cell.Value {
	return slices.DeleteFunc(slices.Clone(lines), func(line []cell.Value) bool {
		return len(line) < 2 || line[0].Kind == cell.Text &&
			!slices.ContainsFunc(line, func(v cell.Value) bool { return v.Text != line[0].Text })
	})
}

// unfoldPairs puts pairs of a label and a value that stand side by side below one another. Lines that are not all
// made of pairs stay as they are.
func unfoldPairs(lines [][]cell.Value) [][]cell.Value {
	var pairs [][]cell.Value
	for _, line := range lines {
		if len(line) < 4 || len(line)%2 != 0 {
			return lines
		}
		for i := 0; i < len(line); i += 2 {
			switch pair := line[i : i+2]; {
			case isPair(pair[0], pair[1]):
				pairs = append(pairs, pair)
			case !isBlank(pair):
				return lines
			}
		}
	}
	return pairs
}

func isPair(label, said cell.Value) bool {
	return label.Kind == cell.Text && (said.Kind != cell.Text || !strings.ContainsFunc(said.Text, unicode.IsLetter))
}

func isBlank(values []cell.Value) bool {
	return !slices.ContainsFunc(values, func(v cell.Value) bool { return v.Kind != cell.Blank })
}
