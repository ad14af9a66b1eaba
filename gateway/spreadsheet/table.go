package spreadsheet

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
)

// Table writes JSON objects of one Go type as rows. Its columns are the type's members in their order; the members of
// an object within it are named after both, such as address_city. A list is one cell with its JSON.
type Table struct {
	// rows is the member whose elements are the rows; empty where the object is the row. before, within and after are
	// the columns before that member, of its elements, and after it.
	rows                  string
	before, within, after []column
	envelope              []string
}

// New makes the table of type T. The elements of the member rows are one row each, and the other members of the
// object stand in each of them; rows may also name a single object, whose members then stand in its place. It may be
// empty: the object is the row. Where both the object and the element have a member, the element's stands.
func New[T any](rows string) *Table {
	t := &Table{rows: rows, before: columnsOf(reflect.TypeFor[T]())}
	if i := slices.IndexFunc(t.before, func(c column) bool { return rows != "" && c.member == rows }); i >= 0 {
		t.after = t.before[i+1:]
		t.before = t.before[:i]
		t.within = columnsOf(elementOf(reflect.TypeFor[T](), rows))
		t.before = t.without(t.before)
		t.after = t.without(t.after)
	}
	if columns := t.Columns(); len(columns) != len(slices.Compact(slices.Sorted(slices.Values(columns)))) {
		panic(fmt.Sprintf("spreadsheet: two columns of one name in %v", columns)) // the types are ours: a test sees it
	}
	return t
}

// elementOf is the type of the elements of a struct's member, or the member's own when it is a struct.
func elementOf(t reflect.Type, member string) reflect.Type {
	for _, f := range reflect.VisibleFields(t) {
		if f.Tag.Get("json") != member {
			continue
		}
		if f.Type.Kind() == reflect.Slice {
			return f.Type.Elem()
		}
		return f.Type
	}
	panic(fmt.Sprintf("spreadsheet: %s has no member %q", t, member)) // the types are ours: a test sees it
}

// without leaves out the columns that the elements have too.
func (t *Table) without(outer []column) []column {
	return slices.DeleteFunc(slices.Clone(outer), func(c column) bool {
		return slices.ContainsFunc(t.within, func(w column) bool { return w.member == c.member })
	})
}

// In makes the table read bodies that hold its objects in lists, such as results and errors. A body with none of
// these members is an object itself.
func (t *Table) In(lists ...string) *Table {
	t.envelope = lists
	return t
}

// Columns are the names of the columns, in their order.
func (t *Table) Columns() []string {
	var all []string
	for _, c := range slices.Concat(t.before, t.within, t.after) {
		all = c.names(all, "")
	}
	return all
}

// AppendHeader appends the row with the names of the columns.
func (t *Table) AppendHeader(dst []byte) []byte {
	for i, name := range t.Columns() {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, name...)
	}
	return append(dst, newline...)
}

// CSV is a JSON body as CSV, with the header.
func (t *Table) CSV(body []byte) ([]byte, error) {
	dst := t.AppendHeader(make([]byte, 0, 2*len(body)))
	objects, err := t.objects(body)
	for _, object := range objects {
		if err == nil {
			dst, err = t.Append(dst, object)
		}
	}
	return dst, err
}

// objects are those that a body holds.
func (t *Table) objects(body []byte) (all []json.RawMessage, err error) {
	if t.envelope == nil {
		return []json.RawMessage{body}, nil
	}
	of, err := membersOf(body)
	isList := false
	for _, name := range t.envelope {
		list, ok := of[name]
		if !ok || err != nil {
			continue
		}
		var objects []json.RawMessage
		err = json.Unmarshal(list, &objects)
		all, isList = append(all, objects...), true
	}
	if !isList {
		all = append(all, body)
	}
	return all, err
}

// Append appends the rows of one JSON object. An object whose list is empty or missing has one row without the list's
// cells, so that what it says of itself is not lost.
func (t *Table) Append(dst []byte, object []byte) ([]byte, error) {
	outer, err := membersOf(object)
	if err != nil {
		return dst, err
	}
	elements, err1 := elementsOf(outer[t.rows])
	before, err2 := appendCells(nil, t.before, outer)
	after, err3 := appendCells(nil, t.after, outer)
	err = errors.Join(err1, err2, err3)
	for _, e := range elements {
		if err != nil {
			return dst, err
		}
		dst, err = t.appendRow(dst, before, e, after)
	}
	return dst, err
}

// appendRow appends the cells of an element between those of the object that it stands in.
func (t *Table) appendRow(dst, before []byte, element json.RawMessage, after []byte) ([]byte, error) {
	of, err := membersOf(element)
	if err != nil {
		return dst, err
	}
	dst, err = appendCells(append(dst, before...), t.within, of)
	dst = append(dst, after...)
	return append(dst[:len(dst)-1], newline...), err // in place of the comma after the last cell
}

// elementsOf are the elements of a list, or a single object; one null when there is none.
func elementsOf(list json.RawMessage) (all []json.RawMessage, err error) {
	if len(list) > 0 && list[0] == '[' {
		err = json.Unmarshal(list, &all)
	} else {
		all = append(all, list)
	}
	if len(all) == 0 {
		all = append(all, nil)
	}
	return all, err
}
