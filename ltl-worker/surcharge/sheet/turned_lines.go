package sheet

import (
	"fmt"
	"strings"

	"assay.dev/ltl-worker/surcharge/cell"
)

// A table of labels and values may hold several weeks below one another, and the days of its columns may stand below their months.
// Both are made into what the other tables are: one column a week, with its date in one line.

// foldRecords puts records that stand below one another side by side: the first label, come again, begins the next. Lines that are no
// such records stay as they are.
func foldRecords(lines [][]cell.Value) [][]cell.Value {
	var pairs [][]cell.Value
	for _, line := range lines {
		if len(line) != 2 {
			return lines
		}
		if !isBlank(line) {
			pairs = append(pairs, line)
		}
	}
	period := 1
	for period < len(pairs) && pairs[period][0].Text != pairs[0][0].Text {
		period++
	}
	if period < 2 || period == len(pairs) || len(pairs)%period != 0 {
		return lines
	}
	folded := make([][]cell.Value, period)
	for i, pair := range pairs {
		at := i % period
		switch {
		case i < period:
			folded[at] = []cell.Value{pair[0], pair[1]}
		case folded[at][0].Text != pair[0].Text:
			return lines
		default:
			folded[at] = append(folded[at], pair[1])
		}
	}
	return folded
}

// joinMonthLine makes dates of a line of months and the line of days below it: "November 2026 | November 2026" and "18 | 11".
func joinMonthLine(lines [][]cell.Value) [][]cell.Value {
	if len(lines) < 3 || len(lines[0]) < 2 || len(lines[0]) != len(lines[1]) {
		return lines
	}
	dates := []cell.Value{lines[1][0]}
	var r cell.Reader
	for i := 1; i < len(lines[0]); i++ {
		month := monthIn(lines[0][i].Text)
		if !strings.Contains(month, ",") || !isDay(&lines[1][i]) {
			return lines
		}
		dates = append(dates, r.Read(strings.Replace(month, "%", fmt.Sprint(lines[1][i].Quantity.Value), 1)))
	}
	return append([][]cell.Value{dates}, lines[2:]...)
}
