package opendata

import (
	"encoding/csv"
	"net/http"
)

// writeCSV writes the rows under a line of the columns' names. A place is written as the JSON object that it is in the
// other form (guess).
func writeCSV(w http.ResponseWriter, columns []string, rows []Row) {
	w.Header().Set("Content-Type", "text/csv;charset=utf-8")
	out := csv.NewWriter(w)
	_ = out.Write(columns) // a client that left is no error of ours
	fields := make([]string, len(columns))
	for _, row := range rows {
		for i, column := range columns {
			fields[i] = row[column]
		}
		_ = out.Write(fields)
	}
	out.Flush()
}
