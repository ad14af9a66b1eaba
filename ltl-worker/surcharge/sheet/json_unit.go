package sheet

import (
	"encoding/json"
	"maps"
	"strings"
)

// withUnit writes the unit of the only number of an object behind it: {"value": 50.3, "unit": "PERCENT"} becomes {"value": "50.3%"}. A unit
// that is not known stays, and stands behind the number too, which is then no percent.
func withUnit(record map[string]any) map[string]any {
	unitName, unit := unitIn(record)
	numberName, number := onlyNumber(record)
	if unitName == "" || numberName == "" {
		return record
	}
	record = maps.Clone(record)
	switch {
	case percentUnits[unit]:
		record[numberName] = number + "%"
		delete(record, unitName)
	case gallonUnits[unit]:
		record[numberName] = "$" + number
		delete(record, unitName)
	default:
		record[numberName] = number + " " + unit
	}
	return record
}

// The units of our figures, in lower case and with blanks for underscores.
var (
	percentUnits = map[string]bool{"percent": true, "%": true, "pct": true, "percentage": true}
	gallonUnits  = map[string]bool{"usd per gallon": true, "usd/gal": true, "usd/gallon": true, "$/gal": true, "$/gallon": true, "dollars per gallon": true}
)

// isCounter are members whose numbers have no unit.
var isCounter = map[string]bool{"id": true, "week": true, "weeknumber": true, "year": true, "month": true, "day": true, "no": true, "order": true, "sort": true, "rank": true}

// unitIn is the member of an object that names a unit, and the unit.
func unitIn(record map[string]any) (name, unit string) {
	for key, v := range record {
		switch strings.ToLower(key) {
		case "unit", "units", "uom":
			if text, isText := v.(string); isText && text != "" && (name == "" || key < name) {
				name, unit = key, strings.ReplaceAll(strings.ToLower(strings.TrimSpace(text)), "_", " ")
			}
		}
	}
	return name, unit
}

// onlyNumber is the only member of an object that is a number; "" where there are several.
func onlyNumber(record map[string]any) (name, number string) {
	for key, v := range record {
		n, isNumber := v.(json.Number)
		if !isNumber || isCounter[strings.ToLower(key)] {
			continue
		}
		if name != "" {
			return "", ""
		}
		name, number = key, withoutExponent(n)
	}
	return name, number
}
