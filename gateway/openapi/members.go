package openapi

import (
	"cmp"
	"reflect"

	"github.com/google/jsonschema-go/jsonschema"

	"assay.dev/contracts"
)

// enums are the types with a closed set of values.
var enums = map[reflect.Type][]any{
	reflect.TypeFor[contracts.Carrier]():  enumValues(contracts.Carriers...),
	reflect.TypeFor[contracts.State]():    enumValues(contracts.States...),
	reflect.TypeFor[contracts.Method]():   enumValues(contracts.APIMirror, contracts.StructuredParse, contracts.ScraperAPI),
	reflect.TypeFor[contracts.NoteCode](): enumValues(contracts.NoteCodes...),
	reflect.TypeFor[contracts.Status]():   enumValues(contracts.Active, contracts.Suspended, contracts.Expired, contracts.Revoked),
	reflect.TypeFor[contracts.Code](): enumValues(
		contracts.Unauthorized, contracts.ProductNotEnabled, contracts.NotFound, contracts.ComingSoon, contracts.MethodNotAllowed,
		contracts.RequestTooLarge, contracts.RateLimited, contracts.SourceUnavailable, contracts.CaptchaSolverNotConfigured,
		contracts.Internal,
	),
}

func enumValues[T any](all ...T) []any {
	boxed := make([]any, len(all))
	for i, v := range all {
		boxed[i] = v
	}
	return boxed
}

// member is what a Go type does not say of a member. What is empty here is as the Go type says.
type member struct {
	text               string
	kind, format       string
	low, high          *float64
	minItems, maxItems *int
	values             []any
}

func (m member) addTo(s *jsonschema.Schema) {
	s.Description, s.Format = m.text, cmp.Or(m.format, s.Format)
	s.Minimum, s.Maximum = m.low, m.high
	s.MinItems, s.MaxItems = m.minItems, m.maxItems
	s.Enum = append(s.Enum, m.values...)
	if m.kind != "" {
		s.Type, s.Types = m.kind, nil
	}
}

var zero, one, hundred = jsonschema.Ptr(0.0), jsonschema.Ptr(1.0), jsonschema.Ptr(100.0)

// members describes the members of bodies, by the Go type that declares them and their name. Tools and the document
// have these words from here.
var members = map[string]member{
	"Verifiability.source_timestamp": {text: "When the upstream source was read, UTC."},
	"Verifiability.extraction_confidence": {low: zero, high: one, text: "The lowest ratio of clean to required items: of the whole " +
		"answer, and of each record or the newest week by itself. Use at least 0.90 for billing or compliance."},
	"Verifiability.raw_data_evidence_url": {format: "uri", text: "The upstream record or source, for a person to open."},
	"Verifiability.extraction_method":     {text: "The kind of path that ran."},
	"Verifiability.data_freshness_ttl_seconds": {text: "How stale the data may be: 604800 for fuel surcharges, 86400 for " +
		"licenses."},

	"SurchargeWeek.effective_date":     {kind: "string", text: "The first day the rate applies."},
	"SurchargeWeek.fuel_surcharge_pct": {low: zero, high: hundred, text: "LTL fuel surcharge in percent: 46.32 is 46.32 %."},
	"SurchargeWeek.doe_diesel_price_usd": {text: "National diesel price in USD a gallon that the carrier prints beside the rate; " +
		"null where it prints none."},
	"Surcharge.weeks": {maxItems: jsonschema.Ptr(contracts.MaxWeeks), text: "Newest first; only weeks in force or past. " +
		"Fewer than asked for when the carrier shows fewer."},
	"Surcharges.results": {text: "One answer for each carrier that could be read."},
	"Surcharges.errors":  {text: "One entry for each carrier that could not be read."},

	"LicenseRecord.expiration_date": {text: "null when the source does not give it."},
	"LicenseRecord.suspensions": {text: "Served or to be served. An empty list means that there are none only when " +
		"not_reported does not name suspensions."},
	"LicenseRecord.not_reported":        {text: "Members that the path cannot show, such as suspensions."},
	"LicenseRecord.inferred":            {text: "Members that follow from something else that the path prints, such as status from the date."},
	"Address.raw":                       {text: "The address text as the source has it; never empty where anything of the address is known."},
	"StateListing.paths":                {text: "What each way to the licenses can show."},
	"PathListing.operation":             {values: enumValues("lookup", "search")},
	"PathListing.proves_absence":        {text: "Whether what this path does not show does not exist, while its data are not old."},
	"Search.total_results":              {low: zero, text: "All matches, as far as complete says; results holds a page of them."},
	"Search.results":                    {maxItems: jsonschema.Ptr(contracts.MaxResults), text: "Sorted by license number, runs of digits as numbers, ties by type."},
	"Search.next_cursor":                {text: "The cursor of the next page; null at the end."},
	"Verifiability.source_published_at": {text: "How old the source says its own data is, UTC; null when it does not say."},
	"Verifiability.complete":            {text: "false when something that was asked for may exist and this path could not show it."},
	"Verifiability.not_reported":        {text: "Sorted names of members that the path cannot show; nested names are dotted."},
	"Verifiability.inferred":            {text: "Sorted names of members that are computed from something else that the path prints."},
	"Verifiability.notes":               {text: "What the answer says about itself, in words that a person can act on."},
	"SurchargeVerifiability.current": {text: "Whether the newest week is the one that is due; null where the current week was not " +
		"asked for. Where it is false, the newest week is not the current rate."},
	"Search.query": {text: "The filters that were applied."},

	"CarrierListing.code": {text: "The value of the carriers parameter."},
	"CarrierListing.scac": {text: "The Standard Carrier Alpha Code that the carrier filed; it may differ from code."},
	"StateListing.proves_absence": {text: "Whether the first path of lookups proves that a license does not exist; paths tells it of " +
		"each. A path that cannot answers SOURCE_UNAVAILABLE instead of NOT_FOUND."},
	"SourceHealth.last_path": {text: "The path by which the source was last read."},
	"SourceHealth.breaker":   {values: enumValues("closed", "half-open", "open"), text: "The state of the primary path's breaker."},

	"ValidationError.detail": {minItems: jsonschema.Ptr(1)},
}
