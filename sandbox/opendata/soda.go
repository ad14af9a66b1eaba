// Package opendata plays the two kinds of open-data service that publish licenses: Socrata's SODA 2.1 (data.texas.gov,
// data.ny.gov) and an ArcGIS feature layer.
package opendata

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// Dataset is a table under its four-by-four id. Rows may be made on first use.
type Dataset struct {
	ID, Name string
	// Columns in the order of the table.
	Columns []string
	// Point names the columns that hold a JSON object instead of a text.
	Point map[string]bool
	Rows  func() []Row
}

// Soda serves data sets as `/resource/<id>.json`, `/resource/<id>.csv` and `/api/views/<id>.json`. It is safe for concurrent use.
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

func (s *Soda) updatedAt() time.Time { return s.updated.Add(-time.Duration(s.aged.Load())) }

// Throttle answers the next n queries with 429, which has no Retry-After here.
func (s *Soda) Throttle(n int) { s.mu.Lock(); defer s.mu.Unlock(); s.throttle = n }

// Later answers the next n queries with 202: ask again.
func (s *Soda) Later(n int) { s.mu.Lock(); defer s.mu.Unlock(); s.later = n }

// ServeHTTP answers as SODA 2.1 does.
func (s *Soda) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	path, form := strings.TrimSuffix(r.URL.Path, ".json"), answerJSON
	if plain, ok := strings.CutSuffix(path, ".csv"); ok {
		path, form = plain, answerCSV
	}
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
		s.query(w, r, dataset, form)
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
		writeJSON(w, http.StatusTooManyRequests, map[string]any{"code": "throttled", "error": true, "message": "Too many requests"})
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
		columns = append(columns, map[string]any{"id": i + 1, "fieldName": c, "name": c, "position": i + 1, "dataTypeName": "text"})
	}
	writeJSON(w, http.StatusOK, map[string]any{
		"id": d.ID, "name": d.Name, "viewType": "tabular", "rowsUpdatedAt": s.updatedAt().Unix(), "columns": columns,
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
	var column NoSuchColumn
	if errors.As(err, &column) {
		code, data = "query.soql.no-such-column", map[string]string{"column": column.Column}
	}
	writeJSON(w, http.StatusBadRequest, map[string]any{"message": err.Error(), "errorCode": code, "data": data})
}

func (s *Soda) query(w http.ResponseWriter, r *http.Request, d Dataset, form answerForm) {
	q, err := parseQuery(r.URL.Query(), d)
	if err != nil {
		refuse(w, err)
		return
	}
	updated := s.updatedAt().UTC().Format(http.TimeFormat)
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
	if form == answerCSV {
		writeCSV(w, q.columns, q.page(rows))
		return
	}
	answer := []map[string]any{}
	for _, row := range q.page(rows) {
		answer = append(answer, q.project(row, d))
	}
	writeJSON(w, http.StatusOK, answer)
}

// soql is a parsed query.
type soql struct {
	matches Predicate
	columns []string
	count   string // what the count is called; empty without one
	group   string // the column whose texts are counted; empty for all rows together
	order   []string
	limit   int
}

func parseQuery(values url.Values, d Dataset) (soql, error) {
	columns := map[string]bool{}
	for _, c := range d.Columns {
		columns[c] = true
	}
	q := soql{limit: 1000, columns: d.Columns, matches: func(Row) bool { return true }}
	for name, all := range values {
		if err := q.set(name, all[0], columns); err != nil {
			return soql{}, err
		}
	}
	return q, nil
}

func (q *soql) set(name, text string, columns map[string]bool) (err error) {
	switch name {
	case "$where":
		return q.where(text, columns)
	case "$limit":
		q.limit, err = natural(text)
	case "$select":
		return q.selection(text, columns)
	case "$order":
		return q.ordering(text, columns)
	case "$group":
		if q.group = text; !columns[text] {
			return NoSuchColumn{Column: text}
		}
	case "$$app_token":
	default:
		if strings.HasPrefix(name, "$") {
			return fmt.Errorf("%w: unknown parameter %s", ErrSyntax, name)
		}
		return q.where(name+"='"+strings.ReplaceAll(text, "'", "''")+"'", columns)
	}
	return err
}

func natural(text string) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 {
		return 0, fmt.Errorf("%w: %q is not a count", ErrSyntax, text)
	}
	return n, nil
}

func (q *soql) where(text string, columns map[string]bool) error {
	predicate, err := ParsePredicate(text, columns)
	if err != nil {
		return err
	}
	also := q.matches
	q.matches = func(r Row) bool { return also(r) && predicate(r) }
	return nil
}

func (q *soql) selection(text string, columns map[string]bool) error {
	if strings.TrimSpace(text) == "*" {
		return nil
	}
	q.columns = nil
	for _, term := range strings.Split(text, ",") {
		name, alias, _ := strings.Cut(strings.TrimSpace(term), " as ")
		switch {
		case strings.EqualFold(strings.ReplaceAll(name, " ", ""), "count(*)"):
			q.count = cmp.Or(strings.TrimSpace(alias), "count")
		case !columns[name]:
			return NoSuchColumn{Column: name}
		default:
			q.columns = append(q.columns, name)
		}
	}
	return nil
}

// counts are of all rows, or of each text of a column. Rows without one are counted in a row without that column.
func (q *soql) counts(rows []Row) []map[string]string {
	if q.group == "" {
		return []map[string]string{{q.count: strconv.Itoa(len(rows))}}
	}
	by := map[string]int{}
	for _, row := range rows {
		by[row[q.group]]++
	}
	answer := []map[string]string{}
	for _, text := range slices.Sorted(maps.Keys(by)) {
		counted := map[string]string{q.count: strconv.Itoa(by[text])}
		if text != "" {
			counted[q.group] = text
		}
		answer = append(answer, counted)
	}
	return answer
}

func (q *soql) ordering(text string, columns map[string]bool) error {
	for _, column := range strings.Split(text, ",") {
		if column = strings.TrimSpace(column); !columns[column] && column != ":id" {
			return NoSuchColumn{Column: column}
		}
		q.order = append(q.order, column)
	}
	return nil
}

func filter(rows []Row, matches Predicate) []Row {
	var found []Row
	for _, r := range rows {
		if matches(r) {
			found = append(found, r)
		}
	}
	return found
}

func (q *soql) sort(rows []Row) {
	slices.SortStableFunc(rows, func(a, b Row) int {
		for _, column := range q.order {
			if c := order(a[column], b[column]); c != 0 {
				return c
			}
		}
		return 0
	})
}

func (q *soql) page(rows []Row) []Row { return rows[:min(q.limit, len(rows))] }

// project keeps the selected columns. Null ones are left out.
func (q *soql) project(row Row, d Dataset) map[string]any {
	answer := make(map[string]any, len(q.columns))
	for _, c := range q.columns {
		text, ok := row[c]
		switch {
		case !ok:
		case d.Point[c]:
			answer[c] = json.RawMessage(text)
		default:
			answer[c] = text
		}
	}
	return answer
}

func writeJSON(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json;charset=utf-8")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body)
}
