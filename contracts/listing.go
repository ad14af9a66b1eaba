package contracts

import "time"

// SourceListing is what all listings have in common, such as a [CarrierListing] and a [StateListing].
type SourceListing struct {
	Name             string   `json:"name"`
	ExtractionMethod Method   `json:"extraction_method"`
	FallbackMethods  []Method `json:"fallback_methods"`
	SourceHealth
}

// CarrierListing describes a carrier to callers. Workers publish it from the carrier's recipe; the gateway serves it.
type CarrierListing struct {
	Code                 Carrier  `json:"code" jsonschema:"The value of the parameter 'carriers'."`
	SCAC                 string   `json:"scac" jsonschema:"The Standard Carrier Alpha Code that the carrier filed; it may differ from 'code'."`
	Name                 string   `json:"name"`
	Headquarters         string   `json:"headquarters"`
	Coverage             string   `json:"coverage"`
	PublicationDay       string   `json:"publication_day"`
	PublishesDieselPrice bool     `json:"publishes_diesel_price"`
	HistoryWeeks         int      `json:"history_weeks"`
	ExtractionMethod     Method   `json:"extraction_method"`
	FallbackMethods      []Method `json:"fallback_methods"`
	SourceURL            string   `json:"source_url"`
	CacheTTLSeconds      int      `json:"cache_ttl_seconds"`
	FuelRule             FuelRule `json:"fuel_rule" jsonschema:"How the carrier applies its surcharge, as far as that is surely known; what is not known is null."`
	SourceHealth
}

// FuelRule says in words how a carrier applies its surcharge, as far as that is known for sure. A member that is not
// known is nil.
type FuelRule struct {
	// AppliesTo are the charges that the percent is taken of, Excludes those that it is not.
	AppliesTo *string `json:"applies_to" jsonschema:"The charges that the percent is taken of."`
	Excludes  *string `json:"excludes" jsonschema:"The charges that it is not taken of."`
	// DateBasis is the day of a shipment that decides which week applies.
	DateBasis *string `json:"date_basis" jsonschema:"The day of a shipment that decides which week applies."`
	// WeekStart is the weekday on which a percent begins to apply, such as "Wednesday".
	WeekStart *string `json:"week_start" jsonschema:"The weekday on which a percent begins to apply, such as Wednesday. A holiday may move it."`
	// LateIndexRule is what applies while the diesel index is late.
	LateIndexRule *string `json:"late_index_rule" jsonschema:"What applies while the diesel index is late."`
	// TariffItem is the tariff that has the rule, such as "ODFL 128-CC".
	TariffItem *string `json:"tariff_item" jsonschema:"The tariff that has the rule."`
	// SourceURL is the carrier's page about its surcharge.
	SourceURL *string `json:"source_url" jsonschema:"The carrier's page about its surcharge."`
}

// StateListing describes what a state's sources can and cannot prove.
type StateListing struct {
	State            State    `json:"state"`
	Name             string   `json:"name"`
	Agency           string   `json:"agency"`
	SourceURL        string   `json:"source_url"`
	Captcha          string   `json:"captcha"`
	AntiBot          string   `json:"anti_bot"`
	SearchFields     []string `json:"search_fields"`
	Lookup           bool     `json:"lookup"`
	ExtractionMethod Method   `json:"extraction_method"`
	FallbackMethods  []Method `json:"fallback_methods"`
	CacheTTLSeconds  int      `json:"cache_ttl_seconds"`
	TypicalLatencyMS int      `json:"typical_latency_ms"`
	// ProvesAbsence tells whether the first path of lookups proves that a license does not exist; Paths tell it of
	// each.
	ProvesAbsence bool          `json:"proves_absence" jsonschema:"Whether the first path of lookups proves that a license does not exist; 'paths' tells it of each. A path that cannot answers SOURCE_UNAVAILABLE instead of NOT_FOUND."`
	Paths         []PathListing `json:"paths,omitempty" jsonschema:"What each way to the licenses can show."`
	Limitations   []string      `json:"limitations"`
	LicenseTypes  []LicenseType `json:"license_types"`
	SourceHealth
}

// PathListing says what one path of a state can show of a license.
type PathListing struct {
	// Operation is lookup or search.
	Operation string `json:"operation"`
	Path      string `json:"path"`
	Method    Method `json:"method"`
	// NotReported are the members that the path cannot show; Inferred those that follow from something else.
	NotReported Members `json:"not_reported"`
	Inferred    Members `json:"inferred"`
	// ProvesAbsence tells whether the path proves that nothing else matches, while its data are not old.
	ProvesAbsence bool `json:"proves_absence" jsonschema:"Whether what this path does not show does not exist, while its data are not old."`
}

// LicenseType is a state's code with its name (contract §2.6).
type LicenseType struct {
	Code string `json:"code"`
	Name string `json:"name"`
}

// SourceHealth is the live part of a listing; absent until a worker has read the source.
type SourceHealth struct {
	LastSuccess *time.Time `json:"last_success,omitempty"`
	// LastPath is the path of that read.
	LastPath string `json:"last_path,omitempty" jsonschema:"The path by which the source was last read."`
	// Breaker is the state of the primary path's breaker: closed, half-open or open.
	Breaker string `json:"breaker,omitempty" jsonschema:"The state of the primary path's breaker."`
	// DoubtSince is since when what is read of the source is in doubt.
	DoubtSince *time.Time `json:"doubt_since,omitempty" jsonschema:"When readings of the source began to be in doubt: later answers are below 0.90, an earlier clean one stays until it ends. Absent otherwise."`
	// FailingSince is since when no path works, FallbackSince since when a fallback reads it; nil otherwise. Only
	// [SourceHistory] carries them.
	FailingSince  *time.Time `json:"-"`
	FallbackSince *time.Time `json:"-"`
}

// MaxHistoryDays is how many days a [SourceHistory] goes back.
const MaxHistoryDays = 90

// SourceHistory is how a source was, as the workers that serve it saw it.
type SourceHistory struct {
	// LastPath and Breaker are what was seen last, ChangedAt is when one of them was first seen so.
	LastPath  string    `json:"last_path"`
	Breaker   string    `json:"breaker"`
	ChangedAt time.Time `json:"changed_at"`
	// FailingSince and FallbackSince are those of the [SourceHealth] that was seen last.
	FailingSince  *time.Time `json:"failing_since,omitempty"`
	FallbackSince *time.Time `json:"fallback_since,omitempty"`
	// ToldAt is when a worker last said that it serves the source, which each does once a minute.
	ToldAt *time.Time `json:"told_at,omitempty"`
	// Days are at most [MaxHistoryDays], oldest first. A day on which no worker ran is missing.
	Days []SourceDay `json:"days"`
}

// SourceDay counts the looks at a source on one day, in UTC. Each worker that serves the source and has tried to read
// it looks once a minute.
type SourceDay struct {
	Date  Date `json:"date"`
	Looks int  `json:"looks"`
	// NotClosed are the looks at which the breaker of the first path was open or half open, or the source was away.
	NotClosed int `json:"not_closed"`
}

// CarrierListings is the HTTP body of the carrier listing (contract §4.3).
type CarrierListings struct {
	Carriers []CarrierListing `json:"carriers"`
}

// StateListings is the HTTP body of the state coverage (contract §4.7).
type StateListings struct {
	States []StateListing `json:"states"`
}
