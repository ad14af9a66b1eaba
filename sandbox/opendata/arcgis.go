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
	fields := map[string]bool{}
	for _, f := range l.Fields {
		fields[f] = true
	}
	where := r.FormValue("where")
	if r.FormValue("f") != "json" || where == "" {
		l.refuse(w, "where or f is missing")
		return
	}
	matches, err := ParsePredicate(where, fields)
	if err != nil {
		l.refuse(w, err.Error())
		return
	}
	out := l.Fields
	if names := r.FormValue("outFields"); names != "" && names != "*" {
		out = strings.Split(names, ",")
	}
	for _, name := range out {
		if !fields[strings.TrimSpace(name)] {
			l.refuse(w, "'outFields' parameter is invalid: "+name)
			return
		}
	}
	rows := filter(l.Rows(), matches)
	if by := r.FormValue("orderByFields"); by != "" {
		if !fields[by] {
			l.refuse(w, "'orderByFields' parameter is invalid: "+by)
			return
		}
		slices.SortStableFunc(rows, func(a, b Row) int { return order(a[by], b[by]) })
	}
	l.answer(w, r, rows, out)
}

func (l Layer) answer(w http.ResponseWriter, r *http.Request, rows []Row, out []string) {
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
		for _, name := range out {
			name = strings.TrimSpace(name)
			attributes[name] = nil
			if text, ok := row[name]; ok {
				attributes[name] = text
			}
		}
		features = append(features, map[string]any{"attributes": attributes})
	}
	var described []any
	for _, name := range out {
		described = append(described, map[string]any{"name": strings.TrimSpace(name), "type": "esriFieldTypeString",
			"alias": strings.TrimSpace(name), "length": 255})
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
		"code": http.StatusBadRequest, "message": "Cannot perform query. Invalid query parameters.", "details": []string{detail},
	}})
}
