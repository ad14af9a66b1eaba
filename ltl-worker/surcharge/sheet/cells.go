package sheet

import (
	"slices"
	"strings"

	"assay.dev/ltl-worker/surcharge/cell"
	"assay.dev/ltl-worker/surcharge/meaning"
)

// splitCells makes a column of each figure of cells that hold several with labels: "LTL: 50.32% TL: 100.64%".
func splitCells(s Sheet, v *meaning.Vocabulary) Sheet {
	for c := range s.Columns {
		labels := labelsIn(s.Rows, c)
		if len(labels) < 2 {
			continue
		}
		columns := slices.Clone(s.Columns[:c])
		for _, label := range labels {
			columns = append(columns, v.Heading(append(slices.Clone(s.Columns[c].Levels), label)))
		}
		s.Columns = append(columns, s.Columns[c+1:]...)
		for i, row := range s.Rows {
			if !row.Broken {
				s.Rows[i].Cells = slices.Concat(row.Cells[:c], figuresIn(row.Cells[c].Text), row.Cells[c+1:])
			}
		}
		return s
	}
	return s
}

// splitSlashes makes columns of cells that hold as many figures as their heading has parts: "52.5 / 78.8" under "LTL % / Truckload %".
func splitSlashes(s Sheet, v *meaning.Vocabulary) Sheet {
	for c, h := range s.Columns {
		parts := strings.Split(h.String(), "/")
		if len(parts) < 2 || !isEachRow(s.Rows, c, func(value *cell.Value) bool { return figuresBetween(value.Text, len(parts)) != nil }) {
			continue
		}
		columns := slices.Clone(s.Columns[:c])
		for _, part := range parts {
			columns = append(columns, v.Heading([]string{strings.TrimSpace(part)}))
		}
		s.Columns = append(columns, s.Columns[c+1:]...)
		for i, row := range s.Rows {
			s.Rows[i].Cells = slices.Concat(row.Cells[:c], figuresBetween(row.Cells[c].Text, len(parts)), row.Cells[c+1:])
		}
		return s
	}
	return s
}

// figuresBetween are the n figures between the slashes of a text; nil where it has others.
func figuresBetween(text string, n int) []cell.Value {
	var r cell.Reader
	var values []cell.Value
	for part := range strings.SplitSeq(text, " / ") {
		value := r.Read(strings.TrimSpace(part))
		if value.Kind != cell.Figure {
			return nil
		}
		values = append(values, value)
	}
	if len(values) != n {
		return nil
	}
	return values
}

// labelsIn are the words before the figures of a column in which each cell holds the same labels; nil for any other column.
func labelsIn(rows []Row, column int) (labels []string) {
	for i, row := range rows {
		if row.Broken || row.Cells[column].Kind != cell.Text || !strings.Contains(row.Cells[column].Text, "%") {
			return nil
		}
		parts, rest := cell.Scan(row.Cells[column].Text)
		var found []string
		for p := range parts {
			if parts[p].Kind != cell.Figure || parts[p].Before == "" || slices.Contains(found, parts[p].Before) {
				return nil
			}
			found = append(found, parts[p].Before)
		}
		if rest != "" || i > 0 && !slices.Equal(found, labels) {
			return nil
		}
		labels = found
	}
	return labels
}

func figuresIn(text string) []cell.Value {
	parts, _ := cell.Scan(text)
	values := make([]cell.Value, len(parts))
	for i := range parts {
		values[i] = parts[i].Value
		values[i].Text = ""
	}
	return values
}
