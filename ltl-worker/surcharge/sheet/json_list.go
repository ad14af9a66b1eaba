package sheet

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"assay.dev/ltl-worker/surcharge/cell"
	"assay.dev/ltl-worker/surcharge/meaning"
)

// The shapes in which JSON documents list weeks, besides lists of records.

// addServices reads weeks that list their services: {"effective": "2026-09-09", "rates": [{"mode": "LTL", "pct": 50.32}, …]}. Each
// service is a record with the date of its week. It is false where the list is none of such weeks.
func (w *jsonWalk) addServices(weeks []any, at place) bool {
	var records []map[string]string
	common := "" // name of the lists
	for i, item := range weeks {
		week, _ := item.(map[string]any)
		scalars := flattenRecord(week, 1)
		services, name := servicesIn(week)
		if i == 0 {
			common = name
		}
		if w.dates(scalars) == 0 || len(services) == 0 || name != common {
			return false
		}
		for _, service := range services {
			record := flattenRecord(service, 1)
			if w.dates(record) > 0 {
				return false
			}
			records = append(records, withWeek(record, scalars))
		}
	}
	if len(records) == 0 || len(records) > maxRecords {
		return false
	}
	w.addSheet(records, at.into(common))
	return true
}

// withWeek adds the members of the week to the record of a service, which may have others of the same names.
func withWeek(record, week map[string]string) map[string]string {
	for name, text := range week {
		if _, taken := record[name]; taken {
			name = "week" + nestedName + name
		}
		record[name] = text
	}
	return record
}

// servicesIn are the objects of the only list of objects in a week, with the name of the list.
func servicesIn(week map[string]any) (services []map[string]any, name string) {
	for n, member := range week {
		list, isList := member.([]any)
		if !isList {
			continue
		}
		if len(services) > 0 || len(list) > maxServices {
			return nil, ""
		}
		for _, item := range list {
			service, isObject := item.(map[string]any)
			if !isObject {
				return nil, ""
			}
			services = append(services, service)
		}
		name = n
	}
	return services, name
}

// heading is that of a member. The name of the list tells what a member is that is just a value: {"ltl": [{"value": 50.32}]}.
func (w *jsonWalk) heading(name string, at place) meaning.Heading {
	if name == "value" || name == "amount" {
		levels := slices.Clone(at.names)
		for _, f := range at.facts {
			if serviceNames[strings.ToLower(f.Name)] && w.vocabulary.Of(f.Value).Has(meaning.LTL|meaning.Truckload|meaning.Service) {
				levels = append(levels, f.Value)
			}
		}
		return w.vocabulary.Heading(append(levels, name))
	}
	levels := withoutContainers(strings.Split(name, nestedName))
	if last := len(levels) - 1; at.labels[levels[last]] != "" {
		if label := at.labels[levels[last]]; opaqueName.MatchString(levels[last]) {
			levels[last] = label
		} else {
			levels = append(levels, label)
		}
	}
	for i, level := range levels {
		levels[i] = strings.TrimSuffix(strings.TrimPrefix(level, "field_"), customName) // as an editor of pages names its fields
	}
	return w.vocabulary.Heading(levels)
}

// opaqueName finds the names of members that are numbers or letters of columns: "c2", "col_3", "value1", "d".
var opaqueName = regexp.MustCompile(`^(?:[a-zA-Z]|[a-z]{0,6}_?\d{1,3})$`)

// labelsIn are what columns are called that are described beside their list, by the names of the members: {"columns": [{"key": "c2",
// "label": "LTL %"}], "rows": [{"c2": 50.32}]}.
func (w *jsonWalk) labelsIn(v map[string]any) map[string]string {
	labels := map[string]string{}
	for name, member := range v {
		list, _ := member.([]any)
		if !headingLists[strings.ToLower(name)] || len(list) > maxMembers {
			continue
		}
		for _, item := range list {
			column, _ := item.(map[string]any)
			if text := w.textsIn([]any{item}); column != nil && len(text) == 1 {
				if key := keyOf(column); key != "" && !strings.EqualFold(key, text[0]) {
					labels[key] = text[0]
				}
			}
		}
	}
	return labels
}

// keyOf is the name of the member that a column shows; "" where the description has none.
func keyOf(column map[string]any) string {
	for _, name := range []string{"key", "field", "dataField", "dataIndex", "accessor", "accessorKey", "prop", "property", "data", "id", "name"} {
		if key, isText := column[name].(string); isText {
			return key
		}
	}
	return ""
}

func (p place) labelled(labels map[string]string) place {
	if len(labels) > 0 {
		p.labels = labels
	}
	return p
}

// chart reads the data of a chart: a list of dates, and series of values that have names. Both may stand in members whose names are
// about the figures.
func (w *jsonWalk) chart(v map[string]any, at place) (records []map[string]string, holder place) {
	var dates, series []any
	for _, name := range slices.Sorted(maps.Keys(v)) {
		list, ok := v[name].([]any)
		if inner, isObject := v[name].(map[string]any); isObject {
			list, ok = inner["categories"].([]any)
		}
		if !ok || len(list) == 0 {
			continue
		}
		switch first := list[0].(type) {
		case string:
			if w.reader.Read(first).Kind == cell.Dates {
				dates, at = list, at.into(name)
			}
		case map[string]any:
			if _, hasData := first["data"].([]any); hasData {
				series, at = list, at.into(name)
			}
		}
	}
	return w.joinSeries(dates, series), at
}

// joinSeries makes a record of each date. It is nil where two series have one name: which is meant is not known.
func (w *jsonWalk) joinSeries(dates, series []any) []map[string]string {
	if len(dates) == 0 || len(series) == 0 {
		return nil
	}
	records := make([]map[string]string, len(dates))
	for i, date := range dates {
		records[i] = map[string]string{}
		putScalar(records[i], "week", date)
	}
	for _, item := range series {
		s, _ := item.(map[string]any)
		data, _ := s["data"].([]any)
		name, ok := w.nameOfSeries(s)
		if _, taken := records[0][name]; !ok || taken || len(data) != len(dates) {
			return nil
		}
		for i, value := range data {
			putScalar(records[i], name, value)
		}
	}
	return records
}

// nameOfSeries is the name of a series with what else it says of its values: {"label": "LTL", "region": "Canada"}.
func (w *jsonWalk) nameOfSeries(s map[string]any) (name string, ok bool) {
	if name, ok = s["name"].(string); !ok {
		name, ok = s["label"].(string)
	}
	for _, text := range w.qualifiersIn(s, name) {
		name += nestedName + text
	}
	return name, ok
}

// parallelLists reads an object whose members are lists of equal length: {"date": […], "ltl": […]}.
func parallelLists(v map[string]any) []map[string]string {
	var records []map[string]string
	lists := 0
	for name, member := range flatLists(v) {
		list, ok := member.([]any)
		if !ok || len(list) < 2 {
			continue
		}
		if records == nil {
			records = make([]map[string]string, len(list))
			for i := range records {
				records[i] = map[string]string{}
			}
		}
		if len(list) != len(records) {
			return nil
		}
		for i, item := range list {
			before := len(records[i])
			if putScalar(records[i], name, item); len(records[i]) == before {
				return nil
			}
		}
		lists++
	}
	if lists < 2 {
		return nil
	}
	return records
}

// flatLists are the members of an object, and the lists in the objects inside it, which keep the names of both: {"weeks": […],
// "rates": {"LTL": […], "TL": […]}}.
func flatLists(v map[string]any) map[string]any {
	flat := maps.Clone(v)
	for outer, member := range v {
		inner, _ := member.(map[string]any)
		for name, list := range inner {
			if _, isList := list.([]any); isList {
				flat[outer+nestedName+name] = list
			}
		}
	}
	return flat
}

// recordsByDate reads an object whose members are named by dates: {"2026-09-09": {"pct": 50.32}}.
func (w *jsonWalk) recordsByDate(v map[string]any) []map[string]string {
	var records []map[string]string
	for _, name := range slices.Sorted(maps.Keys(v)) {
		if w.reader.Read(name).Kind != cell.Dates {
			return nil
		}
		record := map[string]string{}
		if inner, ok := v[name].(map[string]any); ok {
			record = flattenRecord(inner, maxNested)
		} else {
			putScalar(record, "percent", v[name])
		}
		record["week"] = name
		records = append(records, record)
	}
	return records
}

// maxServices is the most services that a week may list.
const maxServices = 8

// serviceNames are members that name the service of the lists beside them.
var serviceNames = map[string]bool{"name": true, "service": true, "mode": true, "type": true, "label": true, "title": true, "code": true}

// containers are names of objects that only hold the members of a record.
var containers = map[string]bool{
	"node": true, "acf": true, "content": true, "properties": true, "attributes": true, "fields": true, "item": true,
	"record": true, "entry": true, "row": true, "values": true, "data": true, "_source": true, "dataitem": true, "elements": true, "attrs": true, "cells": true,
	"custom_fields": true, "customfields": true, "metadata": true, "meta": true, "model": true, "payload": true, "d": true,
}
