package openapi

import (
	"reflect"
	"strings"
	"time"

	"assay.dev/contracts"
)

// object is a JSON object.
type object = map[string]any

// enums are the types with a closed set of values.
var enums = map[reflect.Type][]string{
	reflect.TypeFor[contracts.Carrier](): texts(contracts.Carriers),
	reflect.TypeFor[contracts.State]():   texts(contracts.States),
	reflect.TypeFor[contracts.Method]():  texts([]contracts.Method{contracts.APIMirror, contracts.StructuredParse, contracts.ScraperAPI}),
	reflect.TypeFor[contracts.Status](): texts([]contracts.Status{
		contracts.Active, contracts.Suspended, contracts.Expired, contracts.Revoked,
	}),
	reflect.TypeFor[contracts.Code](): texts([]contracts.Code{
		contracts.Unauthorized, contracts.ProductNotEnabled, contracts.NotFound, contracts.ComingSoon, contracts.MethodNotAllowed,
		contracts.RequestTooLarge, contracts.RateLimited, contracts.SourceUnavailable, contracts.CaptchaSolverNotConfigured, contracts.Internal,
	}),
}

func texts[T ~string](all []T) []string {
	out := make([]string, len(all))
	for i, v := range all {
		out[i] = string(v)
	}
	return out
}

// schemas gathers the component schemas of the types it meets. Without components, a schema holds what it is made of.
type schemas struct{ components object }

// Schema is the JSON Schema 2020-12 of T as it is in the document, by itself: without references, and with one type in
// each place, since some readers of tool schemas take no more.
func Schema[T any]() map[string]any { return singleTyped(ref[T](&schemas{})) }

// singleTyped splits a nullable schema in two.
func singleTyped(schema object) object {
	out := object{}
	for key, v := range schema {
		switch v := v.(type) {
		case object:
			out[key] = singleTyped(v)
		default:
			out[key] = v
		}
	}
	types, nullable := out["type"].([]string)
	if !nullable {
		return out
	}
	out["type"] = types[0]
	split := object{"anyOf": []object{out, {"type": types[1]}}}
	if description, ok := out["description"]; ok {
		split["description"] = description
		delete(out, "description")
	}
	return split
}

// ref is a reference to the schema of T.
func ref[T any](s *schemas) object { return s.of(reflect.TypeFor[T]()) }

func (s *schemas) of(t reflect.Type) object {
	switch t {
	case reflect.TypeFor[time.Time]():
		return object{"type": "string", "format": "date-time"}
	case reflect.TypeFor[contracts.Date]():
		return object{"type": []string{"string", "null"}, "format": "date"}
	}
	if values, ok := enums[t]; ok {
		return s.component(t, func() object { return object{"type": "string", "enum": values} })
	}
	switch t.Kind() {
	case reflect.Pointer:
		return nullable(s.of(t.Elem()))
	case reflect.Slice:
		return object{"type": "array", "items": s.of(t.Elem())}
	case reflect.Struct:
		return s.component(t, func() object { return s.structure(t) })
	case reflect.Bool:
		return object{"type": "boolean"}
	case reflect.Int:
		return object{"type": "integer"}
	case reflect.Float64:
		return object{"type": "number"}
	default:
		return object{"type": "string"}
	}
}

func nullable(schema object) object {
	schema["type"] = []string{schema["type"].(string), "null"}
	return schema
}

func (s *schemas) component(t reflect.Type, make func() object) object {
	if s.components == nil {
		return make()
	}
	if _, ok := s.components[t.Name()]; !ok {
		s.components[t.Name()] = object{} // ends recursion
		s.components[t.Name()] = make()
	}
	return object{"$ref": "#/components/schemas/" + t.Name()}
}

func (s *schemas) structure(t reflect.Type) object {
	properties, required := object{}, []string{}
	for _, f := range reflect.VisibleFields(t) {
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if f.Anonymous || name == "" || name == "-" {
			continue
		}
		p := s.of(f.Type)
		for k, v := range notes[t.Name()+"."+name] {
			p[k] = v
		}
		properties[name] = p
		if !strings.Contains(options, "omitempty") {
			required = append(required, name)
		}
	}
	schema := object{"type": "object", "properties": properties}
	if len(required) > 0 {
		schema["required"] = required
	}
	return schema
}

// notes add what a Go type does not say, by component and member.
var notes = map[string]object{
	"Verifiability.source_timestamp":           {"description": "When the upstream source was read, UTC."},
	"Verifiability.extraction_confidence":      {"minimum": 0, "maximum": 1, "description": "Required fields extracted cleanly ÷ required fields. Use at least 0.90 for billing or compliance."},
	"Verifiability.raw_data_evidence_url":      {"format": "uri", "description": "The upstream record or source, for a person to open."},
	"Verifiability.extraction_method":          {"description": "The kind of path that ran."},
	"Verifiability.data_freshness_ttl_seconds": {"description": "How stale the data may be: 604800 for fuel surcharges, 86400 for licenses."},
	"SurchargeWeek.effective_date":             {"type": "string", "description": "The first day the rate applies."},
	"SurchargeWeek.fuel_surcharge_pct":         {"minimum": 0, "maximum": 100, "description": "LTL fuel surcharge in percent: 46.32 is 46.32 %."},
	"SurchargeWeek.doe_diesel_price_usd":       {"description": "National diesel price in USD a gallon that the carrier prints beside the rate; null where it prints none."},
	"Surcharge.weeks":                          {"maxItems": contracts.MaxWeeks, "description": "Newest first; only weeks in force or past. Fewer than asked for when the carrier shows fewer."},
	"Surcharges.results":                       {"description": "One answer for each carrier that could be read."},
	"Surcharges.errors":                        {"description": "One entry for each carrier that could not be read."},
	"LicenseRecord.expiration_date":            {"description": "null when the source does not give it."},
	"LicenseRecord.suspensions":                {"description": "Served or to be served. An empty list means that there are none only when not_reported does not name suspensions."},
	"Address.raw":                              {"description": "The address text as the source has it; never empty where anything of the address is known."},
	"StateListing.paths":                       {"description": "What each way to the licenses can show."},
	"PathListing.operation":                    {"enum": []string{"lookup", "search"}},
	"PathListing.proves_absence":               {"description": "Whether what this path does not show does not exist, while its data are not old."},
	"Search.total_results":                     {"minimum": 0, "description": "All matches, as far as complete says; results holds at most 100 of them."},
	"Search.results":                           {"maxItems": contracts.MaxResults, "description": "Sorted by license number, runs of digits as numbers, ties by type."},
	"Search.query":                             {"description": "The filters that were applied."},
	"CarrierListing.scac":                      {"description": "The Standard Carrier Alpha Code that the carrier filed; it may differ from code."},
	"CarrierListing.code":                      {"description": "The value of the carriers parameter."},
	"StateListing.proves_absence":              {"description": "Whether the first path of lookups proves that a license does not exist; paths tells it of each. A path that cannot answers SOURCE_UNAVAILABLE instead of NOT_FOUND."},
	"CarrierListing.breaker":                   {"enum": []string{"closed", "half-open", "open"}, "description": "The state of the primary path's breaker."},
	"StateListing.breaker":                     {"enum": []string{"closed", "half-open", "open"}, "description": "The state of the primary path's breaker."},
}
