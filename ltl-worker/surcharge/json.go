package surcharge

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Bounds of a JSON document.
const (
	maxRecords = 50_000
	maxKeys    = 200
	maxDepth   = 12
)

func decode(doc []byte) (any, error) {
	d := json.NewDecoder(bytes.NewReader(bytes.TrimPrefix(doc, []byte("\ufeff"))))
	d.UseNumber()
	var root any
	if err := d.Decode(&root); err != nil {
		return nil, fmt.Errorf("not JSON: %w", err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("more than one JSON value")
	}
	return root, nil
}

// listing collects the lists of records in a JSON document. The names on the way to a list stand over it as the lines
// over a table do.
type listing struct {
	rule   Rule
	reader reader
	sheets []sheet
}

func (l *listing) visit(v any, path []string) {
	if len(path) > maxDepth {
		return
	}
	switch v := v.(type) {
	case string:
		l.quoted(v, path)
	case []any:
		l.list(v, path)
	case map[string]any:
		if record := flatten(v); len(record) > 1 {
			l.add([]map[string]string{record}, path)
		}
		l.members(v, path)
	}
}

// quoted visits JSON inside a string, as old ASP.NET services answer.
func (l *listing) quoted(s string, path []string) {
	if trimmed := strings.TrimSpace(s); strings.HasPrefix(trimmed, "[") || strings.HasPrefix(trimmed, "{") {
		if inner, err := decode([]byte(s)); err == nil {
			l.visit(inner, append(slices.Clip(path), ""))
		}
	}
}

func (l *listing) members(v map[string]any, path []string) {
	for _, name := range slices.Sorted(maps.Keys(v)) {
		l.visit(v[name], append(slices.Clip(path), name))
	}
}

func (l *listing) list(v []any, path []string) {
	var records []map[string]string
	for _, item := range v {
		if m, ok := item.(map[string]any); ok {
			records = append(records, flatten(m))
			l.lists(m, path)
		}
	}
	if len(records) > 0 && len(records) <= maxRecords {
		l.add(records, path)
		return
	}
	for _, item := range v {
		if inner, ok := item.([]any); ok {
			l.list(inner, path)
		}
	}
}

// lists visits the lists that a record of a list holds.
func (l *listing) lists(record map[string]any, path []string) {
	for _, name := range slices.Sorted(maps.Keys(record)) {
		if inner, ok := record[name].([]any); ok && len(path) < maxDepth {
			l.list(inner, append(slices.Clip(path), name))
		}
	}
}

// flatten gives the scalars of a record, and those of the records directly inside it, the names that lead to them.
func flatten(record map[string]any) map[string]string {
	flat := map[string]string{}
	for name, v := range record {
		if inner, ok := v.(map[string]any); ok {
			for name2, v2 := range inner {
				put(flat, name+levelSign+name2, v2)
			}
			continue
		}
		put(flat, name, v)
	}
	return flat
}

// levelSign sets the names of one path apart; it is no part of a name that means anything.
const levelSign = "\x00"

func put(flat map[string]string, name string, v any) {
	switch v := v.(type) {
	case nil:
		flat[name] = ""
	case string:
		flat[name] = strings.TrimSpace(timestamp(v))
	case json.Number:
		flat[name] = timestamp(decimal(v))
	case bool:
		flat[name] = strconv.FormatBool(v)
	}
}

// decimal writes a number without an exponent.
func decimal(n json.Number) string {
	if strings.ContainsAny(string(n), "eE") {
		if f, err := n.Float64(); err == nil {
			return strconv.FormatFloat(f, 'f', -1, 64)
		}
	}
	return string(n)
}

// timestamp turns milliseconds since 1970, bare or as /Date(…)/, into a date when they lie at midnight in UTC or in the
// United States; that is how services write a day.
func timestamp(s string) string {
	figure := strings.TrimSuffix(strings.TrimPrefix(s, "/Date("), ")/")
	if len(figure) != 12 && len(figure) != 13 {
		return s
	}
	ms, err := strconv.ParseInt(figure, 10, 64)
	if err != nil {
		return s
	}
	at := time.UnixMilli(ms).UTC()
	if at.Minute() != 0 || at.Second() != 0 || at.Hour() > 8 {
		return s
	}
	return at.Format(time.DateOnly)
}

func (l *listing) add(records []map[string]string, path []string) {
	names := map[string]bool{}
	for _, r := range records {
		for name := range r {
			names[name] = true
		}
	}
	if len(names) < 2 || len(names) > maxKeys {
		return
	}
	s := sheet{name: "list " + strings.Join(path, "."), headed: true, fuel: true}
	for _, name := range path {
		s.context = append(s.context, spaced(name))
	}
	columns := slices.Sorted(maps.Keys(names))
	for _, name := range columns {
		s.columns = append(s.columns, l.rule.heading(strings.Split(name, levelSign)))
	}
	for _, r := range records {
		values := make([]value, len(columns))
		for i, name := range columns {
			values[i] = l.reader.value(r[name])
		}
		s.rows = append(s.rows, row{values: values})
	}
	l.sheets = append(l.sheets, s)
}
