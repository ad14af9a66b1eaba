// Package opendata plays the two kinds of open-data service that publish licenses: Socrata's SODA 2.1 (data.texas.gov,
// data.ny.gov) and an ArcGIS feature layer.
package opendata

import (
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"assay.dev/contracts"
)

// Dataset is a table under its four-by-four id. Rows may be made on first use.
type Dataset struct {
	ID, Name string
	// Columns in the order of the table.
	Columns []string
	// Point names the columns that hold a JSON object instead of a text.
	Point map[string]bool
	Rows  func() []Row
	// Modified is when the rows changed last, or the time given where that is later; nil where they never change.
	Modified func(published time.Time) time.Time
}

// Timestamp is the day as a data set shows it; empty where there is none.
func Timestamp(d contracts.Date) string {
	if d == "" {
		return ""
	}
	return string(d) + "T00:00:00.000"
}

// Soda serves data sets as `/resource/<id>.json`, `/resource/<id>.csv` and `/api/views/<id>.json`. It is safe for
// concurrent use.
type Soda struct {
	datasets map[string]Dataset
	updated  time.Time
	aged     atomic.Int64 // nanoseconds by which the data sets say that they are older

	mu       sync.Mutex
	throttle int
	later    int
}

// NewSoda serves the data sets, all updated at one time.
func NewSoda(updated time.Time, datasets ...Dataset) *Soda {
	s := &Soda{datasets: map[string]Dataset{}, updated: updated}
	for _, d := range datasets {
		s.datasets[d.ID] = d
	}
	return s
}

// Age makes the data sets say that they are older than they are, by the time given.
func (s *Soda) Age(by time.Duration) { s.aged.Store(int64(by)) }

func (s *Soda) updatedAt(d Dataset) time.Time {
	updated := s.updated.Add(-time.Duration(s.aged.Load()))
	if d.Modified != nil {
		updated = d.Modified(updated)
	}
	return updated
}

// Throttle answers the next n queries with 429, which has no Retry-After here.
func (s *Soda) Throttle(n int) { s.mu.Lock(); defer s.mu.Unlock(); s.throttle = n }

// Later answers the next n queries with 202: ask again.
func (s *Soda) Later(n int) { s.mu.Lock(); defer s.mu.Unlock(); s.later = n }

// ServeHTTP answers as SODA 2.1 does.
func (s *Soda) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	path, asCSV := strings.CutSuffix(strings.TrimSuffix(r.URL.Path, ".json"), ".csv")
	kind, id, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	if kind == "api" {
		kind, id = "views", strings.TrimPrefix(id, "views/")
	}
	dataset, known := s.datasets[id]
	switch {
	case s.postponed(w):
	case !known:
		missing(w, id)
	case kind == "views":
		s.view(w, dataset)
	case kind == "resource":
		s.query(w, r, dataset, asCSV)
	default:
		missing(w, id)
	}
}

// postponed answers with 429 or 202 while [Soda.Throttle] or [Soda.Later] says so, and tells whether it did.
func (s *Soda) postponed(w http.ResponseWriter) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.throttle > 0:
		s.throttle--
		writeJSON(w, http.StatusTooManyRequests,
			map[string]any{"code": "throttled", "error": true, "message": "Too many requests"})
	case s.later > 0:
		s.later--
		writeJSON(w, http.StatusAccepted, map[string]any{})
	default:
		return false
	}
	return true
}

func (s *Soda) view(w http.ResponseWriter, d Dataset) {
	var columns []map[string]any
	for i, c := range d.Columns {
		columns = append(columns,
			map[string]any{"id": i + 1, "fieldName": c, "name": c, "position": i + 1, "dataTypeName": "text"})
	}
	writeJSON(w, http.StatusOK, map[string]any{
		"id": d.ID, "name": d.Name, "viewType": "tabular", "rowsUpdatedAt": s.updatedAt(d).Unix(), "columns": columns,
	})
}

// missing answers 404. SODA has an error document of its own for what is not found.
func missing(w http.ResponseWriter, id string) {
	writeJSON(w, http.StatusNotFound, map[string]any{
		"code": "dataset.missing", "error": true, "message": "Not found", "data": map[string]string{"id": id},
	})
}

// refuse answers a query that cannot be run with SODA's error document.
func refuse(w http.ResponseWriter, err error) {
	code, data := "query.compiler.malformed", map[string]string{}
	if column, ok := errors.AsType[NoSuchColumn](err); ok {
		code, data = "query.soql.no-such-column", map[string]string{"column": column.Column}
	}
	writeJSON(w, http.StatusBadRequest, map[string]any{"message": err.Error(), "errorCode": code, "data": data})
}

func (s *Soda) query(w http.ResponseWriter, r *http.Request, d Dataset, asCSV bool) {
	q, err := parseQuery(r.URL.Query(), d)
	if err != nil {
		refuse(w, err)
		return
	}
	updated := s.updatedAt(d).UTC().Format(http.TimeFormat)
	w.Header().Set("Last-Modified", updated)
	if r.Header.Get("If-Modified-Since") == updated {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	rows := filter(d.Rows(), q.matches)
	if q.count != "" {
		writeJSON(w, http.StatusOK, q.counts(rows))
		return
	}
	q.sort(rows)
	if asCSV {
		writeCSV(w, d.Columns, q.columns, q.page(rows))
		return
	}
	answer := []map[string]any{}
	for _, row := range q.page(rows) {
		answer = append(answer, q.project(row, d))
	}
	writeJSON(w, http.StatusOK, answer)
}

func writeJSON(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json;charset=utf-8")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body)
}
