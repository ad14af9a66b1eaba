package contracts

import "time"

// The bounds of the weeks parameter (contract §8) and its default.
const (
	MinWeeks     = 1
	MaxWeeks     = 26
	DefaultWeeks = 4
)

// SurchargeRequest asks an ltl-worker for all weeks it can prove of one carrier.
type SurchargeRequest struct {
	Carrier Carrier `json:"carrier"`
}

// Validate returns NOT_FOUND for a carrier outside the set.
func (r SurchargeRequest) Validate() error {
	_, err := ParseCarrier(string(r.Carrier))
	return err
}

// SurchargeWeek is one week entry of the contract, §2.2.
type SurchargeWeek struct {
	// EffectiveDate is the first day the rate applies.
	EffectiveDate Date `json:"effective_date"`
	// Percent is the LTL fuel surcharge; 46.32 means 46.32 %.
	Percent float64 `json:"fuel_surcharge_pct"`
	// DieselUSD is the price per gallon that the carrier prints beside the rate; nil where it prints none.
	DieselUSD *float64 `json:"doe_diesel_price_usd"`
}

// ObservedWeek is a week as a worker read it, with the count of its cleanly read fields.
type ObservedWeek struct {
	SurchargeWeek
	Tally
}

// SurchargeAnswer is what an ltl-worker answers and what the cache holds: every week in force or past that is known of
// one carrier, newest first, at most [MaxWeeks].
type SurchargeAnswer struct {
	Provenance
	Carrier Carrier        `json:"carrier"`
	Weeks   []ObservedWeek `json:"weeks"`
}

// SurchargeRevision reports that a carrier shows another value for a week that is already known. It is the body of
// [EventRevision].
type SurchargeRevision struct {
	Environment Environment   `json:"environment"`
	Carrier     Carrier       `json:"carrier"`
	Was         SurchargeWeek `json:"was"`
	Is          SurchargeWeek `json:"is"`
	SeenAt      time.Time     `json:"seen_at"`
	// Path is the path of the source that showed it.
	Path        string `json:"path"`
	EvidenceURL string `json:"evidence_url"`
}

// Surcharge is the HTTP body for one carrier (contract §4.2).
type Surcharge struct {
	Carrier       Carrier         `json:"carrier"`
	Weeks         []SurchargeWeek `json:"weeks"`
	Verifiability Verifiability   `json:"_verifiability"`
}

// Body is the HTTP body with the newest weeks, at most n of them. Its confidence counts just those.
func (a SurchargeAnswer) Body(n int) Surcharge {
	weeks := make([]SurchargeWeek, 0, n)
	var tally Tally
	for _, w := range a.Weeks[:min(n, len(a.Weeks))] {
		weeks = append(weeks, w.SurchargeWeek)
		tally = tally.Add(w.Tally)
	}
	return Surcharge{Carrier: a.Carrier, Weeks: weeks, Verifiability: a.Verifiability(tally, SurchargeTTL)}
}

// CarrierFailure is one carrier's failure inside an answer for several.
type CarrierFailure struct {
	Carrier Carrier `json:"carrier"`
	Error   Code    `json:"error"`
	Message string  `json:"message"`
}

// Surcharges is the HTTP body for several carriers: what could be read and what could not.
type Surcharges struct {
	Results []Surcharge      `json:"results"`
	Errors  []CarrierFailure `json:"errors"`
}
