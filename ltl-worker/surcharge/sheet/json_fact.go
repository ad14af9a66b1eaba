package sheet

import (
	"maps"
	"slices"
	"strings"
	"unicode"

	"assay.dev/ltl-worker/surcharge/cell"
	"assay.dev/ltl-worker/surcharge/meaning"
	"assay.dev/ltl-worker/surcharge/token"
)

// What stands beside the figures of a JSON document says what they are, in whatever form: a scalar, a list of texts, an object of texts, or
// a list of such objects.

// factsIn are the scalars of an object, and the texts in the lists and objects inside it, such as units. Lists of so many items as there are
// rows are columns, and no facts.
func factsIn(v map[string]any, rows int) []Fact {
	var facts []Fact
	for _, name := range slices.Sorted(maps.Keys(v)) {
		switch member := v[name].(type) {
		case map[string]any:
			if !holdsList(member) { // what that says is about its own lists
				facts = append(facts, factsInside(name, member)...)
			}
		case []any:
			if strings.EqualFold(name, Errors) && len(member) > 0 {
				facts = append(facts, Fact{Errors, "reported"})
			} else if rows != len(member) && !headingLists[strings.ToLower(name)] {
				facts = append(facts, factsInList(name, member)...)
			}
		default:
			flat := map[string]string{}
			putScalar(flat, name, member)
			if text, ok := flat[name]; ok && !holdsTable(text) {
				facts = append(facts, Fact{name, text})
			}
		}
	}
	return facts
}

// Errors is the member in which a service lists what failed while it made its answer, as those of GraphQL do (specification of October
// 2021, §7.1.2). What it gives then may be a part, or a substitute.
const Errors = "errors"

// factsInside are the texts of an object inside another one. Deep inside it only those count that stand under a name for words to people:
// the rest is how a chart is drawn.
func factsInside(name string, inner map[string]any) []Fact {
	var facts []Fact
	flat := flattenRecord(inner, maxNested)
	for _, innerName := range slices.Sorted(maps.Keys(flat)) {
		levels := strings.Split(innerName, nestedName)
		if len(levels) > 2 && !wordNames[strings.ToLower(levels[len(levels)-1])] {
			continue
		}
		if text := flat[innerName]; strings.ContainsFunc(text, unicode.IsLetter) && (noteNames[strings.ToLower(name)] || !strings.ContainsAny(name+innerName, digits)) {
			facts = append(facts, Fact{name + " " + strings.Join(levels, " "), text})
		}
	}
	return facts
}

// factsInList are the texts of a list, and those of its objects where they have nothing but words.
func factsInList(name string, list []any) []Fact {
	var facts []Fact
	for _, text := range textsOfList(list, noteNames[strings.ToLower(name)], maxInLists) {
		facts = append(facts, Fact{name, text})
	}
	return facts
}

// maxListTexts is the most texts of a list that are facts of their own. Those of a longer list are one.
const maxListTexts = 50

// maxInLists is how many lists and objects in one another are looked into for words: each costs the time of the one in it three times.
const maxInLists = 2

// textsOfList are the words in a list: those of its texts, of ["Canada", ""] the first; of its lists; and of its objects where they are remarks or
// the list holds notes. Only depth lists and objects in one another are looked into.
func textsOfList(list []any, areNotes bool, depth int) []string {
	var texts []string
	isTable := slices.ContainsFunc(list, isRowOfFigures)
	for _, item := range list {
		switch item := item.(type) {
		case string:
			if isWords(item) {
				texts = append(texts, strings.TrimSpace(withoutMarkup(item)))
			}
		case map[string]any:
			if depth > 0 && (areNotes || isRemark(item, depth-1)) {
				texts = append(texts, wordsIn(item, depth-1)...)
			}
		case []any:
			if depth > 0 && !isTable {
				texts = append(texts, textsOfList(item, areNotes, depth-1)...)
			}
		}
	}
	if len(texts) > maxListTexts {
		return []string{strings.Join(texts, ", ")}
	}
	return texts
}

// isRowOfFigures tells whether an item of a list is a list with a date or a figure: a row of a table.
func isRowOfFigures(item any) bool {
	row, _ := item.([]any)
	return slices.ContainsFunc(row, func(v any) bool {
		flat := map[string]string{}
		putScalar(flat, "", v)
		return flat[""] != "" && !isWords(flat[""])
	})
}

// flattenInList is [flattenRecord] for an object in a list.
func flattenInList(record map[string]any, depth int) map[string]string {
	flat := map[string]string{}
	flattenInto(flat, "", record, maxNested, depth)
	return flat
}

// isWords tells whether a text is neither empty nor a date nor a figure.
func isWords(text string) bool {
	var reader cell.Reader
	return strings.ContainsFunc(text, unicode.IsLetter) && reader.Read(text).Kind == cell.Text
}

// wordsIn are the words of a remark, without those that are for programs.
func wordsIn(remark map[string]any, depth int) []string {
	flat := flattenInList(remark, depth)
	var texts []string
	for _, name := range slices.Sorted(maps.Keys(flat)) {
		if last := lastName(name); isWords(flat[name]) && (titleNames[last] || !isDrawn(name)) {
			texts = append(texts, flat[name])
		}
	}
	return texts
}

// isRemark tells whether an object has words alone, as in {"notes": [{"text": "Canada only", "id": 4}]}: no dates, no figures, no lists but of words,
// and no links to other pages.
func isRemark(record map[string]any, depth int) bool {
	var reader cell.Reader
	for name, text := range flattenInList(record, depth) {
		last := lastName(name)
		if k := reader.Read(text).Kind; k == cell.Dates || k == cell.Figure && !hasEnd(last, counterEnds) || linkNames[last] {
			return false
		}
	}
	return !slices.ContainsFunc(slices.Collect(maps.Values(record)), func(v any) bool {
		list, isList := v.([]any)
		return isList && len(list) > 0 && len(textsOfList(list, false, depth)) == 0
	})
}

// lastName is the innermost of the names on the way to a member, in lower case.
func lastName(name string) string {
	return strings.ToLower(name[strings.LastIndex(name, nestedName)+1:])
}

func hasEnd(name string, ends []string) bool {
	return slices.ContainsFunc(ends, func(end string) bool { return strings.HasSuffix(name, end) })
}

// counterEnds are the ends of names of members that count the objects of a list.
var counterEnds = []string{"id", "order", "index", "number", "no", "rank", "position", "sort", "level", "width"}

// noteNames are members that hold words to people, whatever stands beside these.
var noteNames = map[string]bool{
	"note": true, "notes": true, "footnote": true, "footnotes": true, "remark": true, "remarks": true, "disclaimer": true, "disclaimers": true,
	"comments": true, "conditions": true, "exceptions": true, "exclusions": true, "warnings": true, "applicability": true,
}

// linkNames are members of objects that lead to other pages.
var linkNames = map[string]bool{"href": true, "url": true, "uri": true, "link": true, "path": true, "slug": true, "route": true, "permalink": true}

// remarksAmong are the texts and the remarks that stand in a list among its records or rows: ["Canada", {"start": …}, …].
func remarksAmong(list []any) []Fact {
	var facts []Fact
	for _, item := range list {
		switch item := item.(type) {
		case string:
			facts = append(facts, factsInList("", []any{item})...)
		case map[string]any:
			if isRemark(item, maxInLists-1) {
				facts = append(facts, factsIn(item, 0)...)
			}
		}
	}
	return facts
}

// holdsList tells whether an object holds a list of records with figures.
func holdsList(v map[string]any) bool {
	for _, member := range v {
		switch m := member.(type) {
		case []any:
			if slices.ContainsFunc(m, isRecordOfFigures) {
				return true
			}
		case map[string]any:
			if holdsList(m) {
				return true
			}
		}
	}
	return false
}

func isRecordOfFigures(v any) bool {
	record, _ := v.(map[string]any)
	var reader cell.Reader
	for name, text := range flattenRecord(record, maxNested) {
		if reader.Read(text).Kind == cell.Figure && !hasEnd(lastName(name), counterEnds) {
			return true
		}
	}
	return holdsList(record)
}

// qualifiersIn are the texts that an object says of its column or series, besides its name: {"label": "LTL", "region": "Canada"}. How it is
// drawn and sorted is none of them. Names for programs are, where they tell it from ours: {"title": "%", "field": "tl_pct"}.
func (w *jsonWalk) qualifiersIn(v map[string]any, name string) []string {
	flat := flattenRecord(v, maxNested)
	var texts []string
	for _, member := range slices.Sorted(maps.Keys(flat)) {
		text := flat[member]
		if text == name || text == "true" || text == "false" || !strings.ContainsFunc(text, unicode.IsLetter) {
			continue
		}
		if !isDrawn(member) || (titleNames[lastName(member)] || programNames[lastName(member)]) && w.vocabulary.Of(token.Spaced(text)).Has(others) {
			texts = append(texts, token.Spaced(text))
		}
	}
	return texts
}

// others are the meanings of words that tell figures from ours.
const others = meaning.Others | meaning.Other

// isDrawn tells whether a member says how its object is named in programs, drawn, written or sorted.
func isDrawn(name string) bool {
	last := lastName(name)
	return titleNames[last] || programNames[last] || drawnNames[last] || hasEnd(last, drawnEnds)
}

// titleNames and programNames are members that name a column or a series, to people and to programs.
var (
	titleNames   = map[string]bool{"name": true, "label": true, "title": true, "headername": true, "displayname": true}
	programNames = map[string]bool{
		"id": true, "key": true, "field": true, "fieldname": true, "data": true, "dataname": true, "columnname": true, "accessor": true,
		"accessorkey": true, "datafield": true, "dataindex": true, "prop": true, "property": true,
	}
)

var drawnNames = map[string]bool{
	"type": true, "datatype": true, "datatypename": true, "columntype": true, "celltype": true, "charttype": true, "rendertype": true,
	"rendertypename": true, "filter": true, "sort": true, "sorting": true, "order": true, "direction": true, "position": true, "width": true,
	"height": true, "class": true, "css": true, "font": true, "symbol": true, "icon": true, "dash": true, "cap": true, "join": true, "lang": true, "locale": true,
}

// drawnEnds are ends of the names of such members.
var drawnEnds = []string{
	"color", "colors", "colour", "style", "fill", "classname", "align", "alignment", "format", "formatter", "pattern", "axis", "axisid", "capstyle",
	"cursor", "renderer", "render", "url", "href", "pinned",
}

// wordNames are members that hold words to people, or say for what figures hold.
var wordNames = map[string]bool{
	"text": true, "title": true, "subtitle": true, "label": true, "caption": true, "heading": true, "note": true, "notes": true, "footnote": true,
	"remark": true, "remarks": true, "description": true, "summary": true, "content": true, "message": true, "region": true, "country": true,
	"territory": true, "market": true, "zone": true, "area": true, "scope": true, "division": true, "company": true, "carrier": true,
	"customer": true, "account": true, "service": true, "mode": true, "product": true, "unit": true, "units": true, "basis": true, "status": true,
	"currency": true, "category": true, "group": true,
}
