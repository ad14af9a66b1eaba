package openapi

import (
	"cmp"
	"reflect"

	"github.com/google/jsonschema-go/jsonschema"

	"assay.dev/contracts"
	"assay.dev/gateway/audit"
)

// enums are the types with a closed set of values.
var enums = map[reflect.Type][]any{
	reflect.TypeFor[contracts.Carrier]():      enumValues(contracts.Carriers...),
	reflect.TypeFor[contracts.State]():        enumValues(contracts.States...),
	reflect.TypeFor[contracts.Method]():       enumValues(contracts.APIMirror, contracts.StructuredParse, contracts.ScraperAPI),
	reflect.TypeFor[contracts.NoteCode]():     enumValues(contracts.NoteCodes...),
	reflect.TypeFor[audit.Verdict]():          enumValues(audit.Verdicts...),
	reflect.TypeFor[contracts.Status]():       enumValues(contracts.Active, contracts.Suspended, contracts.Expired, contracts.Revoked),
	reflect.TypeFor[contracts.EvidenceRole](): enumValues(contracts.EvidenceRoles...),
	reflect.TypeFor[contracts.Code](): enumValues(
		contracts.Unauthorized, contracts.ProductNotEnabled, contracts.NotFound, contracts.ComingSoon, contracts.WeekNotArchived,
		contracts.MethodNotAllowed, contracts.NotAcceptable, contracts.Gone, contracts.RequestTooLarge, contracts.UnsupportedMediaType,
		contracts.RateLimited, contracts.SourceUnavailable, contracts.CaptchaSolverNotConfigured,
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
	"Verifiability.evidence_sha256":       {text: "The SHA-256 of the document in which the newest week or the record stands; null when it is not kept."},
	"Verifiability.evidence":              {text: "The kept documents that the answer was read from, that one first; empty when none is kept."},
	"Evidence.sha256":                     {text: "The SHA-256 of the document's bytes, in lower-case hex."},
	"Evidence.url":                        {text: "Where the document was read."},
	"Evidence.role":                       {text: "`values`: the newest week or the record stands in it; `file`: so too, and it is a bulk file; `context`: it was read on the way."},
	"Evidence.at":                         {text: "Where it is kept: GET /v1/evidence/{sha256}?at=… gives its bytes."},
	"Verifiability.extraction_method":     {text: "The kind of path that ran."},
	"Verifiability.data_freshness_ttl_seconds": {text: "How stale the data may be: 604800 for fuel surcharges, 86400 for " +
		"licenses."},

	"SurchargeWeek.effective_date":     {kind: "string", text: "The first day the rate applies."},
	"SurchargeWeek.fuel_surcharge_pct": {low: zero, high: hundred, text: "LTL fuel surcharge in percent: 46.32 is 46.32 %."},
	"SurchargeWeek.doe_diesel_price_usd": {text: "National diesel price in USD a gallon that the carrier prints beside the rate; " +
		"null where it prints none."},
	"SurchargeWeek.end_date":        {text: "The last day the rate applies; null only while no later week is known."},
	"SurchargeWeek.truckload_pct":   {low: zero, text: "The carrier's percent for truckloads of the same week; null where it is not plain."},
	"SurchargeWeek.first_seen":      {text: "When we first saw the week, UTC; null where that is not known."},
	"SurchargeWeek.revised":         {text: "When we first saw the value that stands here, UTC, if the carrier changed it; else null."},
	"SurchargeWeek.announced":       {text: "Whether the week had not begun yet."},
	"SurchargeWeek.evidence_sha256": {text: "The SHA-256, in lower-case hex, of the document in which the value was seen; null where it is not kept."},
	"Surcharge.weeks": {maxItems: jsonschema.Ptr(contracts.MaxHistoryWeeks + 1), text: "Newest first; only weeks in force or past, " +
		"and with `announced` those to come. Fewer than asked for when fewer are known."},
	"Surcharges.results": {text: "One answer for each carrier that could be read."},
	"Surcharges.errors":  {text: "One entry for each carrier that could not be read."},

	"LicenseRecord.expiration_date": {text: "null when the source does not give it."},
	"LicenseRecord.suspensions": {text: "Served or to be served. An empty list means that there are none only when " +
		"not_reported does not name `suspensions`."},
	"LicenseRecord.not_reported":        {text: "Members that the path cannot show, such as `suspensions`."},
	"LicenseRecord.inferred":            {text: "Members that follow from something else that the path prints, such as `status` from the date."},
	"Address.raw":                       {text: "The address text as the source has it; never empty where anything of the address is known."},
	"StateListing.paths":                {text: "What each way to the licenses can show."},
	"PathListing.operation":             {values: enumValues("lookup", "search")},
	"PathListing.proves_absence":        {text: "Whether what this path does not show does not exist, while its data are not old."},
	"Search.total_results":              {low: zero, text: "All matches, as far as `complete` says; `results` holds a page of them."},
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

	"Bracket.at_least_usd":      {text: "The lowest diesel price of the bracket, in USD a gallon."},
	"Bracket.less_than_usd":     {text: "The price at which the next bracket begins."},
	"Bracket.ltl_pct":           {low: zero, text: "LTL fuel surcharge in percent."},
	"Bracket.truckload_pct":     {low: zero, text: "The percent for truckloads; null where the table has none."},
	"FuelTable.rows":            {text: "In the order of their prices, without a gap."},
	"FuelTable.extension":       {text: "The carrier's rule for prices beyond the table; null where none is known. No percent may be made up there."},
	"Extension.text":            {text: "The rule in words."},
	"Extension.below":           {text: "The rule below the table; null where there is none."},
	"Extension.above":           {text: "The rule above the table; null where there is none."},
	"Step.from_usd":             {text: "The price of the first step."},
	"Step.step_usd":             {text: "The width of a step in USD a gallon."},
	"Step.step_pct":             {text: "The percent points that each step begun adds."},
	"Edition.tariff":            {text: "The tariff that the table is of; null where the carrier names none."},
	"Edition.effective_date":    {text: "The day from which the table applies, as the tariff says it; null where that is not said."},
	"Edition.first_seen":        {text: "When the table was first seen, UTC; null where it is not read from a page."},
	"Edition.last_seen":         {text: "When the table was last seen, UTC; null where it is not read from a page."},
	"Diesel.weeks":              {text: "Newest first. A week that is not known is missing, and complete is false."},
	"DieselWeek.date":           {kind: "string", text: "The Monday that the price is of."},
	"DieselWeek.usd_per_gallon": {low: zero, text: "The national price in USD a gallon."},
	"DieselWeek.first_seen":     {text: "When this price was first seen here, UTC; null where that is not known."},

	"CarrierListing.code":      {text: "The value of the parameter `carriers`."},
	"CarrierListing.scac":      {text: "The Standard Carrier Alpha Code that the carrier filed; it may differ from `code`."},
	"CarrierListing.fuel_rule": {text: "How the carrier applies its surcharge, as far as that is surely known; what is not known is null."},
	"FuelRule.applies_to":      {text: "The charges that the percent is taken of."},
	"FuelRule.excludes":        {text: "The charges that it is not taken of."},
	"FuelRule.date_basis":      {text: "The day of a shipment that decides which week applies."},
	"FuelRule.week_start":      {text: "The weekday on which a percent begins to apply, such as Wednesday. A holiday may move it."},
	"FuelRule.late_index_rule": {text: "What applies while the diesel index is late."},
	"FuelRule.tariff_item":     {text: "The tariff that has the rule."},
	"FuelRule.source_url":      {format: "uri", text: "The carrier's page about its surcharge."},
	"StateListing.proves_absence": {text: "Whether the first path of lookups proves that a license does not exist; `paths` tells it of " +
		"each. A path that cannot answers SOURCE_UNAVAILABLE instead of NOT_FOUND."},
	"SourceHealth.last_path": {text: "The path by which the source was last read."},
	"SourceHealth.breaker":   {values: enumValues("closed", "half-open", "open"), text: "The state of the primary path's breaker."},

	"Result.id":             {text: "The line's own; empty for a line whose id cannot be read."},
	"Result.carrier":        {text: "The carrier's code here; the text as it was given where it names no carrier."},
	"Result.verdict":        {text: "The first of the verdicts, in the order of the list, that holds."},
	"Result.published_pct":  {text: "What the carrier published for the week and the service, in percent."},
	"Result.effective_date": {text: "The first day of the week in force on the day of shipment."},
	"Result.end_date":       {text: "Its last day; null while no later week is known."},
	"Result.expected_pct":   {text: "min(published_pct - discount_points, cap_pct), at least 0."},
	"Result.expected_amount": {text: "max(base_amount x expected_pct / 100, rounded half up to a cent, min_amount), in USD; null without " +
		"base_amount."},
	"Result.variance_points":    {text: "billed_pct - expected_pct; null without billed_pct."},
	"Result.variance_amount":    {text: "billed_amount - expected_amount in USD; null without billed_amount."},
	"Result.recoverable_amount": {text: "The positive part of variance_amount."},
	"Result.contest_by":         {text: "bill_received and 180 days (49 USC 13710); null without bill_received."},
	"Result.formula":            {text: "How expected_pct and expected_amount were computed."},
	"Result.reason":             {text: "Why the verdict is not MATCH; null for MATCH."},
	"Result.evidence_url":       {format: "uri", text: "Where the published percent stands or stood, for a person to open."},
	"Result.errors":             {text: "What is wrong with an INVALID line, each with the number of the line."},
	"Totals.verdicts":           {text: "How many lines have each verdict."},
	"Totals.recoverable_amount": {text: "The sum of the lines' recoverable amounts, in USD."},
	"Totals.variance_amount":    {text: "The sum of the lines' variances, in USD."},
	"AuditQuote.resolved":       {text: "The lines that would be charged."},
	"AuditQuote.line_price_usd": {text: "What a resolved line costs; 0.00 for a test key."},
	"AuditQuote.price_usd":      {text: "What the audit would cost."},
	"AuditSummary.results":      {text: "The lines that are not MATCH, in their order, as many as fit."},
	"AuditSummary.results_left_out": {low: zero, text: "How many lines are not MATCH and did not fit; audit them in smaller calls to see " +
		"them."},

	"ValidationError.detail": {minItems: jsonschema.Ptr(1)},
}
