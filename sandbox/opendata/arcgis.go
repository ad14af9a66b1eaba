package opendata

import (
	"net/http"
	"slices"
	"strings"
)

// Layer is an ArcGIS feature layer: its query operation with f=json, where, outFields, orderByFields, resultRecordCount
// and returnCountOnly. Errors come with status 200, as ArcGIS sends them.
type Layer struct {
	Fields []string
	Rows   func() []Row
	// MaxRecords is the most that one answer holds; more are announced by exceededTransferLimit.
	MaxRecords int
}

// ServeHTTP answers a query.
func (l Layer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	where := r.FormValue("where")
	if r.FormValue("f") != "json" || where == "" {
		l.refuse(w, "where or f is missing")
		return
	}
	matches, err := ParsePredicate(where, l.Fields)
	if err != nil {
		l.refuse(w, err.Error())
		return
	}
	names := l.Fields
	if text := r.FormValue("outFields"); text != "" && text != "*" {
		names = strings.Split(text, ",")
	}
	var out []int
	for _, name := range names {
		field := slices.Index(l.Fields, strings.TrimSpace(name))
		if field < 0 {
			l.refuse(w, "'outFields' parameter is invalid: "+name)
			return
		}
		out = append(out, field)
	}
	rows := filter(l.Rows(), matches)
	if name := r.FormValue("orderByFields"); name != "" {
		by := slices.Index(l.Fields, name)
		if by < 0 {
			l.refuse(w, "'orderByFields' parameter is invalid: "+name)
			return
		}
		slices.SortStableFunc(rows, func(a, b Row) int { return order(a[by], b[by]) })
	}
	l.answerRows(w, r, rows, out)
}

func (l Layer) answerRows(w http.ResponseWriter, r *http.Request, rows []Row, out []int) {
	if r.FormValue("returnCountOnly") == "true" {
		writeJSON(w, http.StatusOK, map[string]any{"count": len(rows)})
		return
	}
	limit := l.MaxRecords
	if n, err := natural(r.FormValue("resultRecordCount")); err == nil && n > 0 {
		limit = min(n, limit)
	}
	exceeded := len(rows) > limit
	features := []any{}
	for _, row := range rows[:min(limit, len(rows))] {
		attributes := map[string]any{}
		for _, field := range out {
			attributes[l.Fields[field]] = nil
			if text := row[field]; text != "" {
				attributes[l.Fields[field]] = text
			}
		}
		features = append(features, map[string]any{"attributes": attributes})
	}
	var described []any
	for _, field := range out {
		name := l.Fields[field]
		described = append(described,
			map[string]any{"name": name, "type": "esriFieldTypeString", "alias": name, "length": 255})
	}
	answer := map[string]any{"objectIdFieldName": "ObjectId", "globalIdFieldName": "", "fields": described,
		"features": features}
	if exceeded {
		answer["exceededTransferLimit"] = true
	}
	writeJSON(w, http.StatusOK, answer)
}

func (l Layer) refuse(w http.ResponseWriter, detail string) {
	writeJSON(w, http.StatusOK, map[string]any{"error": map[string]any{
		"code": http.StatusBadRequest, "message": "Cannot perform query. Invalid query parameters.",
		"details": []string{detail},
	}})
}
