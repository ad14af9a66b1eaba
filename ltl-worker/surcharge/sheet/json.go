package sheet

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"assay.dev/ltl-worker/surcharge/cell"
	"assay.dev/ltl-worker/surcharge/meaning"
	"assay.dev/ltl-worker/surcharge/token"
)

// Bounds of a JSON document. What lies beyond them is not read.
const (
	maxRecords = 50_000 // in one list
	maxMembers = 200    // in one record
	maxDepth   = 12     // of lists and objects
	maxNested  = 4      // objects in one another that make one record
)

// maxCommas bounds the values of a JSON document: one with more is refused before it is decoded, which takes a second of CPU and
// 100 MB for each million. Thirty years of weeks with 20 members each have 30,000.
const maxCommas = 100_000

// FromJSON lays out the lists of records in a JSON document of any shape; a single object counts as a list of one.
// The names on the way to a list are its context: "data", "history". The error says why the document is not JSON.
func FromJSON(doc []byte, v *meaning.Vocabulary) ([]Sheet, error) {
	root, err := decodeJSON(doc)
	if err != nil {
		return nil, err
	}
	w := jsonWalk{vocabulary: v}
	w.visit(root, place{})
	return w.sheets, nil
}

func decodeJSON(doc []byte) (any, error) {
	if commas := bytes.Count(doc, []byte{','}); commas > maxCommas {
		return nil, fmt.Errorf("it has %d values or more, and may have %d", commas, maxCommas)
	}
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

// place is the way to a value: the names of the members, and what stands beside them.
type place struct {
	names []string
	facts []Fact
}

func (p place) into(name string) place {
	return place{append(slices.Clip(p.names), name), p.facts}
}

// visit looks for records in v.
func (w *jsonWalk) visit(v any, at place) {
	if len(at.names) > maxDepth {
		return
	}
	switch v := v.(type) {
	case string:
		w.visitQuoted(v, at)
	case []any:
		w.visitList(v, at)
	case map[string]any:
		w.visitObject(v, at)
	}
}

func (w *jsonWalk) visitObject(v map[string]any, at place) {
	if records := w.recordsByDate(v); len(records) > 0 {
		w.addSheet(records, at)
		return
	}
	if records, name := recordsNumbered(v); len(records) > 1 {
		w.addSheet(records, at.into(name))
		return
	}
	inside := place{at.names, append(slices.Clip(at.facts), factsIn(v)...)}
	if records, holder := w.chart(v, inside); len(records) > 0 {
		w.addSheet(records, holder)
		return
	}
	if rows, headings := spreadsheet(v); len(rows) > 0 && w.addTable(rows, headings, inside) {
		return
	}
	if records := parallelLists(v); len(records) > 0 {
		w.addSheet(records, inside)
		return
	}
	w.addServices([]any{v}, at)
	if record := flattenRecord(v, 1); len(record) > 1 {
		w.addSheet([]map[string]string{record}, at)
	}
	if deep := flattenRecord(v, maxNested); len(at.names) > 0 && w.dates(deep) == 1 && w.dates(flattenRecord(v, 1)) != 1 {
		w.addSheet([]map[string]string{deep}, at)
	}
	for _, name := range slices.Sorted(maps.Keys(v)) {
		if rows, ok := v[name].([]any); ok && w.addTable(rows, headingsIn(v, rows), inside.into(name)) {
			continue
		}
		w.visit(v[name], inside.into(name))
	}
}

// factsIn are the scalars of an object, and the texts in the objects inside it, such as units.
func factsIn(v map[string]any) []Fact {
	var facts []Fact
	for _, name := range slices.Sorted(maps.Keys(v)) {
		inner, nested := v[name].(map[string]any)
		if !nested {
			flat := map[string]string{}
			putScalar(flat, name, v[name])
			if text, ok := flat[name]; ok {
				facts = append(facts, Fact{name, text})
			}
			continue
		}
		if holdsList(inner) {
			continue // what it says is about its own lists
		}
		flat := flattenRecord(inner, 1)
		for _, innerName := range slices.Sorted(maps.Keys(flat)) {
			if text := flat[innerName]; strings.ContainsFunc(text, unicode.IsLetter) && !strings.ContainsAny(name+innerName, digits) {
				facts = append(facts, Fact{name + " " + strings.ReplaceAll(innerName, nestedName, " "), text})
			}
		}
	}
	return facts
}

// holdsList tells whether an object holds a list of records.
func holdsList(v map[string]any) bool {
	for _, member := range v {
		switch m := member.(type) {
		case []any:
			if len(m) > 0 {
				if _, isRecord := m[0].(map[string]any); isRecord {
					return true
				}
			}
		case map[string]any:
			if holdsList(m) {
				return true
			}
		}
	}
	return false
}

// dates counts the members of a record that are dates.
func (w *jsonWalk) dates(record map[string]string) int {
	n := 0
	for _, text := range record {
		if w.reader.Read(text).Kind == cell.Dates {
			n++
		}
	}
	return n
}

// maxPlainValue is the longest text, in bytes, of a value. A longer one may be a sentence that states a week.
const maxPlainValue = 40

// visitQuoted visits JSON inside a string, as old ASP.NET services answer.
func (w *jsonWalk) visitQuoted(s string, at place) {
	if strings.Contains(s, "<table") || strings.Contains(s, "<TABLE") {
		w.addHTML(s, at)
		return
	}
	if strings.Contains(s, "%") && strings.Contains(s, " ") && !strings.Contains(s, "\n") && strings.ContainsAny(s, digits) && len(s) > maxPlainValue {
		w.addHTML("<p>"+html.EscapeString(s)+"</p>", at)
		return
	}
	if rows := rowsOfCSV(s); len(rows) > 1 {
		w.addTable(rows[1:], textsIn(rows[0]), at)
		return
	}
	if trimmed := strings.TrimSpace(s); strings.HasPrefix(trimmed, "[") || strings.HasPrefix(trimmed, "{") {
		if inner, err := decodeJSON([]byte(s)); err == nil {
			w.visit(inner, at.into(""))
		}
	}
}

// visitList reads a list of records, and the lists inside them; in a list without records it reads the lists directly
// inside it.
func (w *jsonWalk) visitList(list []any, at place) {
	var records []map[string]string
	for _, item := range list {
		if record, ok := item.(map[string]any); ok {
			records = append(records, flattenRecord(record, maxNested))
			w.visitListsIn(record, at)
		}
	}
	if len(records) > 0 && len(records) <= maxRecords {
		if !w.addServices(list, at) {
			w.addSheet(records, at)
		}
		return
	}
	if len(list) == 0 {
		return
	}
	if headings := textsIn(list[0]); headings != nil && w.addTable(list[1:], headings, at) || w.addTable(list, nil, at) {
		return
	}
	at.facts = slices.Clip(at.facts)
	for _, item := range list {
		if text, ok := item.(string); ok {
			at.facts = append(at.facts, Fact{"", text})
		}
	}
	for _, item := range list {
		if inner, ok := item.([]any); ok {
			w.visitList(inner, at)
		}
	}
}

func (w *jsonWalk) visitListsIn(record map[string]any, at place) {
	inner := at
	inner.facts = append(slices.Clip(at.facts), factsIn(record)...)
	for _, name := range slices.Sorted(maps.Keys(record)) {
		switch v := record[name].(type) {
		case []any:
			if w.addTable(v, headingsIn(record, v), inner.into(name)) {
				continue
			}
			if len(at.names) < maxDepth {
				w.visitList(v, inner.into(name))
			}
		case map[string]any:
			if len(at.names) < maxDepth {
				w.visitListsIn(v, inner.into(name))
			}
		}
	}
}

// addTable reads rows that are lists, under the headings. It is false when they are no table. Rows with another number
// of cells than there are headings are no table: which cell stands under which heading is not known.
func (w *jsonWalk) addTable(rows []any, headings []string, at place) bool {
	if len(rows) == 0 || len(rows) > maxRecords {
		return false
	}
	width := len(headings)
	s := Sheet{Headed: width > 0}
	for _, row := range rows {
		items, ok := row.([]any)
		if width == 0 {
			width = len(items)
		}
		if !ok || len(items) < 2 || len(items) > maxMembers {
			return false
		}
		flat := map[string]string{}
		cells := make([]cell.Value, len(items))
		for i, item := range items {
			name := strconv.Itoa(i)
			putScalar(flat, name, item)
			cells[i] = w.reader.Read(flat[name])
		}
		if len(flat) != len(items) {
			return false
		}
		s.Rows = append(s.Rows, Row{Cells: cells, Broken: len(items) != width})
	}
	if width == 2 && headings == nil {
		headings = w.headingsOfPairs(s.Rows, at)
		s.Headed = headings != nil
	}
	s.Columns = make([]meaning.Heading, width)
	for i, text := range headings {
		s.Columns[i] = w.vocabulary.Heading([]string{token.Spaced(text)})
	}
	w.add(s, at)
	return true
}

// headingsIn are the names of columns that stand beside rows: {"columns": ["date", "ltl"], "rows": […]}.
func headingsIn(v map[string]any, rows []any) []string {
	if len(rows) == 0 {
		return nil
	}
	if _, ok := rows[0].([]any); !ok {
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(v)) {
		switch strings.ToLower(name) {
		case "columns", "headers", "header", "headings", "head", "thead", "fields", "fieldnames", "columnnames", "cols", "names":
			return textsIn(v[name])
		}
	}
	return nil
}

// textsIn are the texts of a list of names, or of objects that have a name; nil for any other list.
func textsIn(v any) []string {
	list, _ := v.([]any)
	var texts []string
	for _, item := range list {
		if named, ok := item.(map[string]any); ok {
			for _, key := range []string{"title", "label", "headerName", "name", "text", "field", "data", "id"} {
				if named[key] != nil {
					item = named[key]
					break
				}
			}
		}
		text, ok := item.(string)
		if !ok || text == "" || strings.ContainsAny(text[:1], digits) {
			return nil
		}
		texts = append(texts, text)
	}
	return texts
}

const digits = "0123456789"

// addSheet makes a sheet of records. Its columns are the names of their members, sorted.
func (w *jsonWalk) addSheet(records []map[string]string, at place) {
	names := map[string]bool{}
	for _, record := range records {
		for name := range record {
			names[name] = true
		}
	}
	if len(names) < 2 || len(names) > maxMembers {
		return
	}
	s := Sheet{Headed: true}
	columns := slices.Sorted(maps.Keys(names))
	for _, name := range columns {
		s.Columns = append(s.Columns, w.heading(name, at))
	}
	for _, record := range records {
		cells := make([]cell.Value, len(columns))
		for i, name := range columns {
			cells[i] = w.reader.Read(record[name])
		}
		s.Rows = append(s.Rows, Row{Cells: cells})
	}
	w.namePairs(&s, columns, at)
	s = joinDateParts(w.withMonthOver(s, at), w.vocabulary)
	w.add(s, at)
}

// withoutContainers are the names on the way to a member without those of containers.
func withoutContainers(names []string) []string {
	if n := len(names); n > 1 && isLanguage(names[n-1]) {
		names = names[:n-1]
	}
	last := len(names) - 1
	kept := slices.DeleteFunc(slices.Clone(names[:last]), func(name string) bool { return containers[strings.ToLower(name)] })
	return append(kept, names[last])
}

// isLanguage tells whether a member is named by a language, as in {"percent": {"en-US": 53.62}}.
func isLanguage(name string) bool {
	return strings.EqualFold(name, "en-US") || strings.EqualFold(name, "en")
}

func (w *jsonWalk) add(s Sheet, at place) {
	s.Name, s.Fuel, s.IsJSON, s.Facts = "list "+strings.Join(at.names, "."), true, true, at.facts
	s.Notices = noticesIn(at.facts)
	for _, name := range at.names {
		s.Context = append(s.Context, token.Spaced(name))
	}
	s.Titles = s.Context
	w.sheets = append(w.sheets, s)
}
