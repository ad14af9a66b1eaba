package sheet

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"assay.dev/ltl-worker/surcharge/cell"
	"assay.dev/ltl-worker/surcharge/meaning"
	"assay.dev/ltl-worker/surcharge/token"
)

// Bounds of a JSON document. What lies beyond them is not read.
const (
	maxRecords = 50_000 // in one list
	maxMembers = 200    // in one record
	maxDepth   = 12     // of lists and objects
)

// FromJSON lays out the lists of records in a JSON document of any shape; a single object counts as a list of one.
// The names on the way to a list are its context: "data", "history". The error says why the document is not JSON.
func FromJSON(doc []byte, v *meaning.Vocabulary) ([]Sheet, error) {
	root, err := decodeJSON(doc)
	if err != nil {
		return nil, err
	}
	w := jsonWalk{vocabulary: v}
	w.visit(root, nil)
	return w.sheets, nil
}

func decodeJSON(doc []byte) (any, error) {
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

// jsonWalk collects the lists of records of a document.
type jsonWalk struct {
	vocabulary *meaning.Vocabulary
	reader     cell.Reader
	sheets     []Sheet
}

// visit looks for records in v; path is the names on the way to it.
func (w *jsonWalk) visit(v any, path []string) {
	if len(path) > maxDepth {
		return
	}
	switch v := v.(type) {
	case string:
		w.visitQuoted(v, path)
	case []any:
		w.visitList(v, path)
	case map[string]any:
		if record := flattenRecord(v); len(record) > 1 {
			w.addSheet([]map[string]string{record}, path)
		}
		for _, name := range slices.Sorted(maps.Keys(v)) {
			w.visit(v[name], appendName(path, name))
		}
	}
}

// visitQuoted visits JSON inside a string, as old ASP.NET services answer.
func (w *jsonWalk) visitQuoted(s string, path []string) {
	if trimmed := strings.TrimSpace(s); strings.HasPrefix(trimmed, "[") || strings.HasPrefix(trimmed, "{") {
		if inner, err := decodeJSON([]byte(s)); err == nil {
			w.visit(inner, appendName(path, ""))
		}
	}
}

// visitList reads a list of records, and the lists inside them; in a list without records it reads the lists directly
// inside it.
func (w *jsonWalk) visitList(list []any, path []string) {
	var records []map[string]string
	for _, item := range list {
		if record, ok := item.(map[string]any); ok {
			records = append(records, flattenRecord(record))
			w.visitListsIn(record, path)
		}
	}
	if len(records) > 0 && len(records) <= maxRecords {
		w.addSheet(records, path)
		return
	}
	for _, item := range list {
		if inner, ok := item.([]any); ok {
			w.visitList(inner, path)
		}
	}
}

func (w *jsonWalk) visitListsIn(record map[string]any, path []string) {
	for _, name := range slices.Sorted(maps.Keys(record)) {
		if inner, ok := record[name].([]any); ok && len(path) < maxDepth {
			w.visitList(inner, appendName(path, name))
		}
	}
}

func appendName(path []string, name string) []string { return append(slices.Clip(path), name) }

// addSheet makes a sheet of records. Its columns are the names of their members, sorted.
func (w *jsonWalk) addSheet(records []map[string]string, path []string) {
	names := map[string]bool{}
	for _, record := range records {
		for name := range record {
			names[name] = true
		}
	}
	if len(names) < 2 || len(names) > maxMembers {
		return
	}
	s := Sheet{Name: "list " + strings.Join(path, "."), Headed: true, Fuel: true}
	for _, name := range path {
		s.Context = append(s.Context, token.Spaced(name))
	}
	columns := slices.Sorted(maps.Keys(names))
	for _, name := range columns {
		s.Columns = append(s.Columns, w.vocabulary.Heading(strings.Split(name, nestedName)))
	}
	for _, record := range records {
		cells := make([]cell.Value, len(columns))
		for i, name := range columns {
			cells[i] = w.reader.Read(record[name])
		}
		s.Rows = append(s.Rows, Row{Cells: cells})
	}
	w.sheets = append(w.sheets, s)
}
