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
