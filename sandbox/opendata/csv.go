package opendata

import (
	"encoding/csv"
	"net/http"
	"slices"
)

// writeCSV writes columns of the rows under a line of their names. A place is written as the JSON object that it is in
// the other form (guess).
func writeCSV(w http.ResponseWriter, names []string, columns []int, rows []Row) {
	w.Header().Set("Content-Type", "text/csv;charset=utf-8")
	out := csv.NewWriter(w)
	fields := make([]string, len(columns))
	for _, row := range slices.Insert(slices.Clone(rows), 0, Row(names)) {
		for i, column := range columns {
			fields[i] = row[column]
		}
		_ = out.Write(fields) // a client that left is no error of ours
	}
	out.Flush()
}
