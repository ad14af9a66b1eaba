package opendata

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// soql is a parsed query.
type soql struct {
	names   []string // of all columns
	matches Predicate
	columns []int  // those that are answered
	count   string // what the count is called; empty without one
	group   int    // the column whose texts are counted; negative for all rows together
	order   []int
	limit   int
}

func parseQuery(values url.Values, d Dataset) (soql, error) {
	q := soql{names: d.Columns, limit: 1000, group: -1, matches: func(Row) bool { return true }}
	for i := range d.Columns {
		q.columns = append(q.columns, i)
	}
	for name, all := range values {
		if err := q.set(name, all[0]); err != nil {
			return soql{}, err
		}
	}
	return q, nil
}

func (q *soql) column(name string) (int, error) {
	if i := slices.Index(q.names, name); i >= 0 {
		return i, nil
	}
	return 0, NoSuchColumn{Column: name}
}

func (q *soql) set(name, text string) (err error) {
	switch name {
	case "$where":
		return q.where(text)
	case "$limit":
		q.limit, err = natural(text)
	case "$select":
		return q.selection(text)
	case "$order":
		return q.ordering(text)
	case "$group":
		q.group, err = q.column(text)
	case "$$app_token":
	default:
		if strings.HasPrefix(name, "$") {
			return fmt.Errorf("%w: unknown parameter %s", ErrSyntax, name)
		}
		return q.where(name + "='" + strings.ReplaceAll(text, "'", "''") + "'")
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

func (q *soql) where(text string) error {
	predicate, err := ParsePredicate(text, q.names)
	if err != nil {
		return err
	}
	also := q.matches
	q.matches = func(r Row) bool { return also(r) && predicate(r) }
	return nil
}

func (q *soql) selection(text string) error {
	if strings.TrimSpace(text) == "*" {
		return nil
	}
	q.columns = nil
	for _, term := range strings.Split(text, ",") {
		name, alias, _ := strings.Cut(strings.TrimSpace(term), " as ")
		if strings.EqualFold(strings.ReplaceAll(name, " ", ""), "count(*)") {
			q.count = cmp.Or(strings.TrimSpace(alias), "count")
			continue
		}
		column, err := q.column(name)
		if err != nil {
			return err
		}
		q.columns = append(q.columns, column)
	}
	return nil
}

// counts are of all rows, or of each text of a column. Rows without one are counted in a row without that column.
func (q *soql) counts(rows []Row) []map[string]string {
	if q.group < 0 {
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
			counted[q.names[q.group]] = text
		}
		answer = append(answer, counted)
	}
	return answer
}

func (q *soql) ordering(text string) error {
	for _, name := range strings.Split(text, ",") {
		if name = strings.TrimSpace(name); name == ":id" {
			return nil // that is the order of the rows
		}
		column, err := q.column(name)
		if err != nil {
			return err
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
		name, text := q.names[c], row[c]
		switch {
		case text == "":
		case d.Point[name]:
			answer[name] = json.RawMessage(text)
		default:
			answer[name] = text
		}
	}
	return answer
}
