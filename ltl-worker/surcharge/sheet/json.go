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
	maxFacts   = 300    // beside a list and what it stands in
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
	names   []string
	facts   []Fact
	labels  map[string]string // of members, as a description of columns beside their list has them
	crowded bool              // more stands beside the value than is read
}

func (p place) into(name string) place {
	p.names = append(slices.Clip(p.names), name)
	return p
}

// with adds facts. Each list has those of all around it, so they are bounded.
func (p place) with(facts []Fact) place {
	if p.crowded = p.crowded || len(p.facts)+len(facts) > maxFacts; !p.crowded {
		p.facts = append(slices.Clip(p.facts), facts...)
	}
	return p
}

// visit looks for records in v.
func (w *jsonWalk) visit(v any, at place) {
	if len(at.names) > maxDepth || at.crowded {
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
	inside := at.with(factsIn(v, 0)).labelled(w.labelsIn(v))
	if records, holder := w.chart(v, inside); len(records) > 0 {
		w.addSheet(records, holder)
		return
	}
	if rows, headings := w.spreadsheet(v); len(rows) > 0 && w.addTable(rows, headings, inside) {
		return
	}
	if records := parallelLists(v); len(records) > 0 {
		w.addSheet(records, at.with(factsIn(v, len(records))))
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
		if rows, ok := v[name].([]any); ok && w.addTable(rows, w.headingsIn(v, rows), inside.into(name)) {
			continue
		}
		w.visit(v[name], inside.into(name))
	}
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
	if holdsTable(s) {
		w.addHTML(s, at)
		return
	}
	if strings.Contains(s, "%") && strings.Contains(s, " ") && !strings.Contains(s, "\n") && strings.ContainsAny(s, digits) && len(s) > maxPlainValue {
		w.addHTML("<p>"+html.EscapeString(s)+"</p>", at)
		return
	}
	if rows := rowsOfCSV(s); len(rows) > 1 {
		w.addTable(rows[1:], w.textsIn(rows[0]), at)
		return
	}
	if trimmed := strings.TrimSpace(s); strings.HasPrefix(trimmed, "[") || strings.HasPrefix(trimmed, "{") {
		if inner, err := decodeJSON([]byte(s)); err == nil {
			w.visit(inner, at.into(""))
		}
	}
}

// holdsTable tells whether a text is a piece of a page with a table.
func holdsTable(s string) bool { return strings.Contains(s, "<table") || strings.Contains(s, "<TABLE") }

// visitList reads a list of records, and the lists inside them; in a list without records it reads the lists directly
// inside it.
func (w *jsonWalk) visitList(list []any, at place) {
	if at = at.with(remarksAmong(list)); at.crowded {
		return
	}
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
	if headings := w.textsIn(list[0]); headings != nil && w.addTable(list[1:], headings, at) || w.addTable(list, nil, at) {
		return
	}
	for _, item := range list {
		if inner, ok := item.([]any); ok {
			w.visitList(inner, at)
		}
	}
}

func (w *jsonWalk) visitListsIn(record map[string]any, at place) {
	inner := at.with(factsIn(record, 0)).labelled(w.labelsIn(record))
	if inner.crowded {
		return
	}
	for _, name := range slices.Sorted(maps.Keys(record)) {
		switch v := record[name].(type) {
		case []any:
			if w.addTable(v, w.headingsIn(record, v), inner.into(name)) {
				continue
			}
			if len(at.names) < maxDepth {
				w.visitList(v, inner.into(name))
			}
		case map[string]any:
			if len(at.names) < maxDepth {
				w.visitListsIn(v, inner.into(name))
			}
		case string:
			if holdsTable(v) {
				w.addHTML(v, inner.into(name))
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
	var remarks []Fact
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
		if isOneText(cells) {
			remarks = append(remarks, Fact{"", firstOf(cells)})
		}
	}
	if width == 2 && headings == nil {
		headings = w.headingsOfPairs(s.Rows, at)
		s.Headed = headings != nil
	}
	s.Columns = make([]meaning.Heading, width)
	for i, text := range headings {
		s.Columns[i] = w.vocabulary.Heading([]string{token.Spaced(text)})
	}
	w.add(s, at.with(remarks))
	return true
}

// headingsIn are the names of columns that stand beside rows: {"columns": ["date", "ltl"], "rows": […]}.
func (w *jsonWalk) headingsIn(v map[string]any, rows []any) []string {
	if len(rows) == 0 {
		return nil
	}
	if _, ok := rows[0].([]any); !ok {
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(v)) {
		if headingLists[strings.ToLower(name)] {
			return w.textsIn(v[name])
		}
	}
	return nil
}

// headingLists are members that hold the headings of rows.
var headingLists = map[string]bool{
	"columns": true, "headers": true, "header": true, "headings": true, "head": true, "thead": true, "fields": true, "fieldnames": true,
	"columnnames": true, "cols": true, "names": true,
}

// textsIn are the texts of a list of names, or of objects that have a name, with what else these say of their columns; nil for any other list.
func (w *jsonWalk) textsIn(v any) []string {
	list, _ := v.([]any)
	var texts []string
	for _, item := range list {
		if named, ok := item.(map[string]any); ok {
			for _, key := range []string{"title", "label", "headerName", "name", "text", "field", "data", "id"} {
				if text, isText := named[key].(string); isText {
					item = strings.Join(append([]string{text}, w.qualifiersIn(named, text)...), " ")
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
	if at.crowded {
		return
	}
	s.Name, s.Fuel, s.IsJSON, s.Facts = "list "+strings.Join(at.names, "."), true, true, at.facts
	s.Notices = noticesIn(at.facts)
	for _, name := range at.names {
		s.Context = append(s.Context, token.Spaced(name))
	}
	s.Titles = s.Context
	w.sheets = append(w.sheets, s)
}
