package openapi

import (
	"cmp"
	"reflect"
	"slices"

	"github.com/google/jsonschema-go/jsonschema"

	"assay.dev/contracts"
	"assay.dev/gateway/api"
	"assay.dev/gateway/audit"
	"assay.dev/gateway/share"
	"assay.dev/platform/webhook"
)

// enums are the types with a closed set of values.
var enums = map[reflect.Type][]any{
	reflect.TypeFor[contracts.Carrier](): enumValues(contracts.Carriers...),
	reflect.TypeFor[contracts.State]():   enumValues(contracts.States...),
	reflect.TypeFor[contracts.Method](): enumValues(contracts.APIMirror, contracts.StructuredParse,
		contracts.ScraperAPI),
	reflect.TypeFor[contracts.NoteCode]():        enumValues(contracts.NoteCodes...),
	reflect.TypeFor[contracts.Reason]():          enumValues(contracts.Reasons...),
	reflect.TypeFor[contracts.LicenseVerdict]():  enumValues(contracts.LicenseVerdicts...),
	reflect.TypeFor[contracts.VerdictCode]():     enumValues(verdictCodes()...),
	reflect.TypeFor[contracts.Beverage]():        enumValues(contracts.Beverages...),
	reflect.TypeFor[contracts.DeliveryVerdict](): enumValues(contracts.DeliveryVerdicts...),
	reflect.TypeFor[contracts.DeliveryCode]():    enumValues(contracts.DeliveryCodes...),
	reflect.TypeFor[audit.Verdict]():             enumValues(audit.Verdicts...),
	reflect.TypeFor[contracts.MatchOutcome]():    enumValues(contracts.MatchOutcomes...),
	reflect.TypeFor[share.Kind]():                enumValues(share.Kinds...),
	reflect.TypeFor[contracts.Status](): enumValues(contracts.Active, contracts.Suspended, contracts.Expired,
		contracts.Revoked),
	reflect.TypeFor[contracts.EvidenceRole](): enumValues(contracts.EvidenceRoles...),
	reflect.TypeFor[contracts.ChangeType](): enumValues(slices.Concat(contracts.ChangeTypes,
		[]contracts.ChangeType{contracts.WebhookTest})...),
	reflect.TypeFor[webhook.EndpointStatus](): enumValues(webhook.Statuses...),
	reflect.TypeFor[api.WebhookAction]():      enumValues(api.WebhookActions...),
	reflect.TypeFor[contracts.Code](): enumValues(
		contracts.Unauthorized, contracts.ProductNotEnabled, contracts.NotFound, contracts.ComingSoon,
		contracts.WeekNotArchived,
		contracts.MethodNotAllowed, contracts.NotAcceptable, contracts.Gone, contracts.RequestTooLarge,
		contracts.UnsupportedMediaType,
		contracts.RateLimited, contracts.SourceUnavailable, contracts.CaptchaSolverNotConfigured,
		contracts.Internal,
	),
}

// verdictCodes are what verdicts on licenses rest on.
func verdictCodes() (all []contracts.VerdictCode) {
	for _, r := range contracts.VerdictRules {
		if r.Code != "" {
			all = append(all, r.Code)
		}
	}
	return append(all, contracts.VerdictAbsent, contracts.VerdictNotListed, contracts.VerdictNoCopy)
}

func enumValues[T any](all ...T) []any {
	boxed := make([]any, len(all))
	for i, v := range all {
		boxed[i] = v
	}
	return boxed
}

// bound is what neither a member's Go type nor its text says. What is empty here is as the Go type says.
type bound struct {
	kind, format       string
	low, high          *float64
	minItems, maxItems *int
	values             []any
	items              []any // the values of a list's elements
	// orNull: a list that may be null, which others never are, or what may be in this type alone, whose text says when.
	orNull bool
	text   string
}

func (b bound) addTo(s *jsonschema.Schema) {
	s.Format, s.Description = cmp.Or(b.format, s.Format), s.Description+b.text
	s.Minimum, s.Maximum = b.low, b.high
	s.MinItems, s.MaxItems = b.minItems, b.maxItems
	s.Enum = append(s.Enum, b.values...)
	if b.items != nil {
		s.Items = &jsonschema.Schema{Type: "string", Enum: b.items}
	}
	if b.kind != "" {
		s.Type, s.Types = b.kind, nil
	}
	if b.orNull {
		list := *s
		list.Description = ""
		*s = jsonschema.Schema{Description: s.Description, AnyOf: []*jsonschema.Schema{&list, {Type: "null"}}}
	}
}

var zero, one, hundred = jsonschema.Ptr(0.0), jsonschema.Ptr(1.0), jsonschema.Ptr(100.0)

// bounds are those of members, by the Go type that has or declares them and their name. The text of a member is its tag
// jsonschema, beside the member itself. Most members need only that.
var bounds = map[string]bound{
	"Verifiability.extraction_confidence":  {low: zero, high: one},
	"LicenseRecord.operating_restrictions": {orNull: true},
	"SurchargeWeek.effective_date":         {kind: "string"},
	"SurchargeWeek.fuel_surcharge_pct":     {low: zero, high: hundred},
	"SurchargeWeek.truckload_pct":          {low: zero},
	"Surcharge.weeks":                      {maxItems: jsonschema.Ptr(contracts.MaxHistoryWeeks + 1)},
	"PathListing.operation":                {values: enumValues("lookup", "search")},
	"Search.total_results":                 {low: zero},
	"Search.results":                       {maxItems: jsonschema.Ptr(contracts.MaxResults)},
	"Bracket.ltl_pct":                      {low: zero},
	"Bracket.truckload_pct":                {low: zero},
	"DieselWeek.date":                      {kind: "string"},
	"DieselWeek.usd_per_gallon":            {low: zero},
	"FuelRule.source_url":                  {format: "uri"},
	"SourceHealth.breaker":                 {values: enumValues("closed", "half-open", "open")},
	"Shared.url":                           {format: "uri"},
	"Result.evidence_url":                  {format: "uri"},
	"AuditSummary.results_left_out":        {low: zero},
	"WebhookTarget.types":                  {items: enumValues(contracts.ChangeTypes...)},
	"ValidationError.detail":               {minItems: jsonschema.Ptr(1)},

	"SurchargeVerifiability.raw_data_evidence_url": {orNull: true, text: " null of an imported week."},
}
