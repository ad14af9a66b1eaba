package contracts

import (
	"math"
	"time"
)

// Bracket is a row of a carrier's table: the percents while diesel costs at least AtLeastUSD and less than
// LessThanUSD.
type Bracket struct {
	AtLeastUSD  float64 `json:"at_least_usd" jsonschema:"The lowest diesel price of the bracket, in USD a gallon."`
	LessThanUSD float64 `json:"less_than_usd" jsonschema:"The price at which the next bracket begins."`
	// Percent is the LTL fuel surcharge; 46.32 means 46.32 %.
	Percent float64 `json:"ltl_pct" jsonschema:"LTL fuel surcharge in percent."`
	// TruckloadPercent is nil where the table has none.
	TruckloadPercent *float64 `json:"truckload_pct" jsonschema:"The percent for truckloads; null where the table has none."`
}

// Holds tells whether a price lies in the bracket.
func (b Bracket) Holds(usd float64) bool { return b.AtLeastUSD <= usd && usd < b.LessThanUSD }

// Extension is a carrier's rule for prices beyond the ends of its table.
type Extension struct {
	// Text is the rule in words.
	Text string `json:"text" jsonschema:"The rule in words."`
	// Below and Above are the rule as steps; nil where the carrier has none at that end.
	Below *Step `json:"below" jsonschema:"The rule below the table; null where there is none."`
	Above *Step `json:"above" jsonschema:"The rule above the table; null where there is none."`
}

// Step says what is added to the last LTL percent of a table for prices beyond it: StepPercent for each StepUSD
// begun. The first step is that of a price of FromUSD itself. Below a table the percent stays where StepPercent is 0.
type Step struct {
	FromUSD     float64 `json:"from_usd" jsonschema:"The price of the first step."`
	StepUSD     float64 `json:"step_usd" jsonschema:"The width of a step in USD a gallon."`
	StepPercent float64 `json:"step_pct" jsonschema:"The percent points that each step begun adds."`
}

// Edition says which of a carrier's tables this is.
type Edition struct {
	// Tariff names the tariff that the table is of, such as "ODFL 128-CC"; nil where the carrier names none.
	Tariff *string `json:"tariff" jsonschema:"The tariff that the table is of; null where the carrier names none."`
	// EffectiveDate is the day from which the table applies, as the tariff says it; "" where that is not said.
	EffectiveDate Date `json:"effective_date" jsonschema:"The day from which the table applies, as the tariff says it; null where that is not said."`
	// FirstSeen and LastSeen are when the table was first and last seen, UTC to the second; nil where it was never
	// seen.
	FirstSeen *time.Time `json:"first_seen" jsonschema:"When the table was first seen, UTC; null where it is not read from a page."`
	LastSeen  *time.Time `json:"last_seen" jsonschema:"When the table was last seen, UTC; null where it is not read from a page."`
}

// FuelTableRequest asks an ltl-worker for the table of one carrier that applied on a day.
type FuelTableRequest struct {
	Carrier Carrier `json:"carrier"`
	// AsOf is the day; "" is today.
	AsOf Date `json:"as_of"`
	// Fresh asks for a new reading of the source although a stored answer may be servable.
	Fresh bool `json:"fresh,omitempty"`
}

// Validate returns NOT_FOUND for a carrier outside the set, and INVALID_REQUEST for a day that is none.
func (r FuelTableRequest) Validate() error {
	if _, err := ParseCarrier(string(r.Carrier)); err != nil {
		return err
	}
	if r.AsOf == "" {
		return nil
	}
	return HistoryRequest{Carrier: r.Carrier, From: r.AsOf, To: r.AsOf}.Validate()
}

// FuelTableAnswer is what an ltl-worker answers to a [FuelTableRequest].
type FuelTableAnswer struct {
	Provenance
	Tally
	Carrier Carrier `json:"carrier"`
	Edition Edition `json:"edition"`
	// Rows are in the order of their prices, without a gap.
	Rows      []Bracket  `json:"rows"`
	Extension *Extension `json:"extension"`
}

// FuelTable is the HTTP body of a bracket table (contract §4.9).
type FuelTable struct {
	Carrier       Carrier       `json:"carrier"`
	Edition       Edition       `json:"edition"`
	Rows          []Bracket     `json:"rows" jsonschema:"In the order of their prices, without a gap."`
	Extension     *Extension    `json:"extension" jsonschema:"The carrier's rule for prices beyond the table; null where none is known. No percent may be made up there."`
	Verifiability Verifiability `json:"_verifiability"`
}

// Body is the HTTP body.
func (a FuelTableAnswer) Body() FuelTable {
	return FuelTable{
		Carrier: a.Carrier, Edition: a.Edition, Rows: append([]Bracket{}, a.Rows...), Extension: a.Extension,
		Verifiability: a.Verifiability(a.Tally, SurchargeTTL),
	}
}

// PercentAt is the LTL percent that the table gives for a price. It is false for a price beyond the table where the
// carrier has no rule for it.
func (a FuelTableAnswer) PercentAt(usd float64) (float64, bool) {
	for _, b := range a.Rows {
		if b.Holds(usd) {
			return b.Percent, true
		}
	}
	if len(a.Rows) == 0 || a.Extension == nil {
		return 0, false
	}
	first, last := a.Rows[0], a.Rows[len(a.Rows)-1]
	switch {
	case usd >= last.LessThanUSD && a.Extension.Above != nil:
		return a.Extension.Above.add(last.Percent, usd-a.Extension.Above.FromUSD), true
	case usd < first.AtLeastUSD && a.Extension.Below != nil:
		return a.Extension.Below.add(first.Percent, a.Extension.Below.FromUSD-usd), true
	}
	return 0, false
}

// TruckloadPercentAt is the truckload percent of the bracket that holds a price. It is false where the table has none,
// and beyond the table: the carrier's rule is for LTL.
func (a FuelTableAnswer) TruckloadPercentAt(usd float64) (float64, bool) {
	for _, b := range a.Rows {
		if b.Holds(usd) && b.TruckloadPercent != nil {
			return *b.TruckloadPercent, true
		}
	}
	return 0, false
}

// add adds the steps begun at a distance beyond the table. Prices have at most three decimals, percents two.
func (s Step) add(percent, beyond float64) float64 {
	steps := 0.0
	if s.StepUSD > 0 {
		steps = math.Floor(math.Round(beyond*1000)/math.Round(s.StepUSD*1000)) + 1
	}
	return math.Round((percent+steps*s.StepPercent)*100) / 100
}
