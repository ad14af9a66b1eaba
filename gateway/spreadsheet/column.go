package spreadsheet

import (
	"encoding/json"
	"reflect"
	"strings"
)

// column is a member of an object: one cell, or several for a member that is an object itself.
type column struct {
	member string
	// inner are the members of an object; nil for a cell.
	inner []column
	// isNumber: the member is a text that holds a number, as the tag csv:"number" says.
	isNumber bool
	// words are the members of the elements of a list that make it words, as the tag csv:"list since" says; else a list is
	// JSON.
	words []string
}

// columnsOf are the columns of a struct in the order of its members. Embedded structs give their members to it, as in
// JSON.
func columnsOf(t reflect.Type) []column {
	var all []column
	for i := range t.NumField() {
		f := t.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case f.Anonymous && name == "":
			all = append(all, columnsOf(f.Type)...)
		case f.IsExported() && name != "-" && f.Tag.Get("csv") != "-":
			all = append(all, columnOf(name, f))
		}
	}
	return all
}

func columnOf(member string, f reflect.StructField) column {
	t := f.Type
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	c := column{member: member, isNumber: f.Tag.Get("csv") == "number"}
	if t.Kind() == reflect.Slice {
		c.words = strings.Fields(f.Tag.Get("csv"))
	}
	if t.Kind() == reflect.Struct && !t.Implements(reflect.TypeFor[json.Marshaler]()) {
		c.inner = columnsOf(t)
	}
	return c
}

// names appends the names of the column's cells, each after the names of the members that it stands in.
func (c column) names(all []string, outer string) []string {
	if c.inner == nil {
		return append(all, outer+c.member)
	}
	for _, i := range c.inner {
		all = i.names(all, outer+c.member+"_")
	}
	return all
}

// appendCells appends the cells of an object's members, each with a comma after it. Members that are missing are
// empty cells.
func appendCells(dst []byte, columns []column, of members) ([]byte, error) {
	for _, c := range columns {
		var err error
		if dst, err = c.appendTo(dst, of[c.member]); err != nil {
			return dst, err
		}
	}
	return dst, nil
}

// appendTo appends the member's cell, or its cells when it is an object.
func (c column) appendTo(dst []byte, value json.RawMessage) ([]byte, error) {
	if c.inner == nil {
		dst, err := c.appendCell(dst, value)
		return append(dst, ','), err
	}
	of, err := membersOf(value)
	if err != nil {
		return dst, err
	}
	return appendCells(dst, c.inner, of)
}

// members are the members of a JSON object, by their names.
type members map[string]json.RawMessage

// membersOf reads the members of an object. null, and an object that is missing, have none.
func membersOf(object json.RawMessage) (of members, err error) {
	if len(object) > 0 {
		err = json.Unmarshal(object, &of)
	}
	return of, err
}

// appendCell appends one JSON value: texts unquoted, null as nothing, lists as JSON, numbers and booleans as they
// are.
func (c column) appendCell(dst []byte, value json.RawMessage) ([]byte, error) {
	switch {
	case len(value) == 0 || value[0] == 'n':
		return dst, nil
	case len(c.words) > 0:
		return c.appendWords(dst, value)
	case value[0] == '[' || value[0] == '{':
		return AppendText(dst, string(value)), nil
	case value[0] != '"':
		return append(dst, value...), nil
	}
	var text string
	err := json.Unmarshal(value, &text)
	if c.isNumber {
		return AppendNumber(dst, text), err
	}
	return AppendText(dst, text), err
}

// appendWords appends a list as one text: elements of one member, such as sentences, with a blank between them, others
// with a semicolon.
func (c column) appendWords(dst []byte, list json.RawMessage) ([]byte, error) {
	var all []members
	if err := json.Unmarshal(list, &all); err != nil {
		return dst, err
	}
	elements := make([]string, len(all))
	for i, of := range all {
		var texts []string
		for _, name := range c.words {
			var text string
			if err := json.Unmarshal(of[name], &text); err != nil {
				return dst, err
			}
			if text != "" { // null leaves it
				texts = append(texts, text)
			}
		}
		elements[i] = strings.Join(texts, " ")
	}
	between := "; "
	if len(c.words) == 1 {
		between = " "
	}
	return AppendText(dst, strings.Join(elements, between)), nil
}
