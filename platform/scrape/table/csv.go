package table

import (
	"encoding/csv"
	"strings"
)

// A page may show comma separated values as they are.

// isCSV tells whether most lines of a text are values that commas part: two lines or more have as many commas without a blank behind them
// as the first one that has any.
func isCSV(text string) bool {
	width, like, lines := 0, 0, 0
	for l := range strings.SplitSeq(text, "\n") {
		l = strings.TrimSpace(l)
		n := strings.Count(l, ",") - strings.Count(l, ", ")
		if l == "" || n == 0 && width == 0 {
			continue
		}
		if lines++; width == 0 {
			width = n
		}
		if n == width {
			like++
		}
	}
	return like > 1 && 2*like > lines
}

// csvCells are the values of one line.
func csvCells(l string) []Cell {
	values, err := csv.NewReader(strings.NewReader(strings.TrimSpace(l))).Read()
	if err != nil {
		return nil
	}
	cells := make([]Cell, len(values))
	for i, v := range values {
		cells[i] = Cell{Text: foldedText(v)}
	}
	return cells
}
