package sheet

import (
	"encoding/json"
	"html"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// nestedName stands between the names on the way to a member of a record inside a record.
const nestedName = "\x00"

// flattenRecord gives the texts of the scalars of a record by their names, and those of the records inside it down to a
// depth: {"ltl": {"pct": 46.32}} has the member "ltl" + nestedName + "pct". The texts of a list in it are one: {"regions": ["Canada"]}.
func flattenRecord(record map[string]any, depth int) map[string]string {
	flat := map[string]string{}
	flattenInto(flat, "", record, depth, maxInLists)
	return flat
}

func flattenInto(flat map[string]string, prefix string, record map[string]any, depth, inLists int) {
	for name, v := range withUnit(record) {
		switch v := v.(type) {
		case map[string]any:
			if value, called, ok := wrapped(v); ok {
				putScalar(flat, prefix+name+nestedName+called, value)
			} else if depth > 0 {
				flattenInto(flat, prefix+name+nestedName, v, depth-1, inLists)
			}
		case []any:
			if texts := textsOfList(v, noteNames[strings.ToLower(name)], inLists); len(texts) > 0 {
				flat[prefix+name] = joined(texts)
			}
		default:
			putScalar(flat, prefix+name, v)
		}
	}
}

// wrapped is the value that an object holds beside how it is stored, with what the object is called: {"type": "number", "name": "LTL percent",
// "value": 50.32}, {"doubleValue": 50.32}.
func wrapped(v map[string]any) (value any, called string, ok bool) {
	called = "value"
	for name, member := range v {
		name = strings.ToLower(name)
		text, isText := member.(string)
		_, isObject := member.(map[string]any)
		_, isList := member.([]any)
		switch {
		case valueNames[name] && !ok && !isObject && !isList:
			value, ok = member, true
		case isText && (name == "name" || name == "label") && text != "" && called == "value": // with both it is no wrapping
			called = text
		case isText && name == "type" && storedTypes[strings.ToLower(text)], isText && name == "codename":
		default:
			return nil, "", false
		}
	}
	return value, called, ok
}

var (
	valueNames = map[string]bool{
		"value": true, "stringvalue": true, "doublevalue": true, "integervalue": true, "timestampvalue": true, "booleanvalue": true,
		"$date": true, "$numberdecimal": true, "$numberdouble": true,
	}
	storedTypes = map[string]bool{
		"date": true, "date_time": true, "datetime": true, "number": true, "text": true, "string": true, "decimal": true, "float": true, "double": true,
		"integer": true, "int": true,
	}
)

// joined is a list of texts as one: sentences follow one another, other texts are parted by commas.
func joined(texts []string) string {
	if slices.ContainsFunc(texts, func(text string) bool { return !strings.ContainsAny(text[len(text)-1:], ".?!") }) {
		return strings.Join(texts, ", ")
	}
	return strings.Join(texts, " ")
}

// customName ends the names of Salesforce's own types and members: "LTL_Percent__c".
const customName = "__c"

func putScalar(flat map[string]string, name string, v any) {
	switch v := v.(type) {
	case nil:
		flat[name] = ""
	case string:
		flat[name] = strings.TrimSuffix(strings.TrimSpace(readMilliseconds(withoutMarkup(v))), customName)
	case json.Number:
		flat[name] = readMilliseconds(withoutExponent(v))
	case bool:
		flat[name] = strconv.FormatBool(v)
	}
}

// tag is the markup of a value: "<b>09/09/2026</b>". What was struck out is no value, so those tags stay.
var tag = regexp.MustCompile(`</?(?i:b|i|u|strong|em|span|div|p|a|td|time|small|nobr|font|data)(\s[^<>]*)?>`)

func withoutMarkup(s string) string {
	if !strings.Contains(s, "<") {
		return s
	}
	return html.UnescapeString(tag.ReplaceAllString(s, ""))
}

func withoutExponent(n json.Number) string {
	if strings.ContainsAny(string(n), "eE") {
		if f, err := n.Float64(); err == nil {
			return strconv.FormatFloat(f, 'f', -1, 64)
		}
	}
	return string(n)
}

// readMilliseconds turns seconds or milliseconds since 1970, bare or as /Date(…)/, into a date when they lie at midnight in UTC
// or in the United States, or at noon in UTC: services write a day so. Any other text stays as it is.
func readMilliseconds(s string) string {
	figure := strings.TrimSuffix(strings.TrimPrefix(s, "/Date("), ")/")
	if len(figure) != 10 && len(figure) != 12 && len(figure) != 13 {
		return s
	}
	ms, err := strconv.ParseInt(figure, 10, 64)
	if err != nil {
		return s
	}
	if len(figure) == 10 {
		ms *= 1000 // seconds
	}
	at := time.UnixMilli(ms).UTC()
	if at.Minute() != 0 || at.Second() != 0 || at.Hour() > 12 {
		return s
	}
	return at.Format(time.DateOnly)
}
